"""A strategy to plug in, against one that is built in, on the same boards.

Anything with ``choose(view)`` is a strategy; the view has what a player may know: ``position``,
``session`` (the analysis, kept from move to move) and ``rng``. A package offers one to everybody
by an entry point in its ``pyproject.toml``::

    [project.entry-points.sapper_strategies]
    corners = "my_package:Corners"

    python examples/strategy.py [GAMES]
"""

from __future__ import annotations

import sys

from sapper import play


class Corners:
    """Dig what is certain; of the safest guesses, one with few neighbours."""

    def choose(self, view: play.View) -> object:
        """Return the cells to dig next."""
        analysis = view.session.analyze()
        if analysis.safe:
            return analysis.safe
        chances, topology = analysis.probabilities, view.position.topology
        least = min(chances.values())
        best = [cell for cell, chance in chances.items() if chance <= least * (1 + 1e-9)]
        return min(best, key=topology.degree)


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for strategy in (Corners(), "safest", "champion"):
        result = play.tournament(strategy, board="beginner", rule="safe", games=games, seed=1)
        low, high = result.interval
        print(
            f"{result.strategy}: {result.rate:.1%} of {result.games} won ({low:.1%} to {high:.1%})"
        )
