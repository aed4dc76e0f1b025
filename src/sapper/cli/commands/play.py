"""`sapper play`: the game on a terminal."""

from __future__ import annotations

import secrets
import sys
from typing import Annotated

import typer

from sapper.cli.failures import guarded
from sapper.cli.options import BoardName, RuleName
from sapper.cli.task import UsageError


def play(
    board: BoardName = "beginner",
    rule: RuleName = "zero",
    no_guess: Annotated[
        bool, typer.Option("--no-guess", help="Boards that certainty alone finishes.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="The same seed, the same mines.")
    ] = None,
) -> None:
    """Play on a terminal, with hints, odds and reasons.

    For example:
      sapper play --board expert --no-guess
      sapper play --board torus:12x12/20 --rule safe --seed 7
      sapper play --board hex:10x12/18
    """
    from sapper.game import START_RULES, board_named

    with guarded():
        chosen = board_named(board)
        geometry = chosen.topology.geometry
        if geometry is None or geometry.layers > 1:
            raise UsageError(f"--board: {chosen.topology} has no flat board to play on")
        if rule not in START_RULES:
            raise UsageError(f"--rule: {', '.join(START_RULES)}, not {rule!r:.60}")
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError("play needs a terminal; in a program, use sapper.play.new_game")
        try:
            from sapper.cli.arcade.screen import Arcade
        except ImportError:
            raise UsageError("play needs textual: python -m pip install 'sapper[play]'") from None
        from sapper.cli.arcade.match import Match

        number = secrets.randbelow(10**6) if seed is None else seed
        match = Match(chosen, rule, number, no_guess=no_guess)
        Arcade(match).run()
        print(f"{match.board}, rule {match.rule}, seed {match.seed}: {match.game.status}")
