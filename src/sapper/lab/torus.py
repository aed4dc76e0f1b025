"""What the experiments on tori have in common: sizes, densities, games and their seeds."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from sapper.errors import quoted
from sapper.game import seed_of
from sapper.lab.experiment import BaseExperiment, Job, Record, Row
from sapper.lab.games import (
    TORUS_STARTS,
    LabError,
    TorusGame,
    TorusStart,
    checked_densities,
    checked_sizes,
    mine_count,
)
from sapper.lab.inference import InferenceRun, inferred
from sapper.lab.tables import grouped

__all__ = ["FIGURE_DENSITIES", "TorusExperiment", "spaced"]


def spaced(first: float, last: float, count: int) -> tuple[float, ...]:
    """Return evenly spaced densities, rounded to six places so that they read well.

    Examples
    --------
    >>> spaced(0.1, 0.3, 5)
    (0.1, 0.15, 0.2, 0.25, 0.3)
    """
    if count == 1:
        return (round(first, 6),)
    step = (last - first) / (count - 1)
    return tuple(round(first + step * place, 6) for place in range(count))


FIGURE_DENSITIES = spaced(0.1, 0.19, 10) + spaced(0.2, 0.3, 21) + spaced(0.31, 0.34, 4)
"""From 0.1 to 0.34, twice as close from 0.2 to 0.3, where α falls and cores peak."""


@dataclass(frozen=True, kw_only=True)
class TorusExperiment(BaseExperiment):
    """Games on N×N tori, ⌊N²ρ⌋ mines, from a start with label zero.

    Parameters
    ----------
    sizes : tuple of int
        Sides N of the boards, such as 20,40,80.
    densities : tuple of float
        Mine densities ρ: a list, or FIRST:LAST:COUNT.
    games : int
        Games for each size and density.
    seed : int
        Decides the boards. Board number g of a size and a density is the same in every experiment
        with the same seed and start rule, whatever else is asked.
    start : str
        ``"cleared"`` or ``"zero"``; see `TorusStart`.
    """

    sizes: tuple[int, ...] = (20, 40, 80)
    densities: tuple[float, ...] = FIGURE_DENSITIES
    games: int = 300
    seed: int = 1
    start: TorusStart = "cleared"

    def __post_init__(self) -> None:
        checked_sizes(self.sizes)
        checked_densities(self.densities)
        if self.games < 1:
            raise LabError(f"at least one game is needed, not {self.games}")
        if self.start not in TORUS_STARTS:
            raise LabError(f"the start is one of {TORUS_STARTS}, not {quoted(self.start)}")

    def jobs(self) -> Iterator[Job]:
        """Yield a job per game; the first game of every point comes before any second."""
        for game in range(self.games):
            for size in self.sizes:
                for density in self.densities:
                    seed = seed_of(self.seed, "torus", size, mine_count(size, density), game)
                    yield Job(
                        f"N={size} rho={density} game={game}",
                        {"size": size, "density": density, "game": game, "seed": seed},
                    )

    def work(self, payload: Record) -> Record:
        """Play one game."""
        game = TorusGame.drawn(payload["size"], payload["density"], payload["seed"], self.start)
        began = time.process_time()
        answer = self.play(game)
        spent = time.process_time() - began
        return {
            "answer": {"mines": game.layout.board.mines, **answer},
            "measured": {"seconds": round(spent, 6)},
        }

    def found(self, rows: Sequence[Row]) -> dict[tuple[int, float], list[Record]]:
        """Return the answers by size and density, in the order in which these are given."""
        groups = grouped(rows, ("size", "density"))
        places = product(self.sizes, self.densities)
        return {place: groups[place] for place in places if place in groups}

    def play(self, game: TorusGame) -> Record:
        """Return what is found out about a board: here the cells certainty decides."""
        return outcome(inferred(*game))


def outcome(run: InferenceRun) -> Record:
    """Return how many cells were flagged and revealed, and the flagged fraction α."""
    return {
        "alpha": run.flagged_fraction,
        "flagged": run.status.count(2),
        "revealed": run.status.count(1),
        "finished": run.finished,
    }
