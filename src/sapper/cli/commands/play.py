"""`sapper play`: the game on a terminal."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.failures import guarded
from sapper.cli.options import BoardName, RuleName
from sapper.cli.task import UsageError
from sapper.errors import pip_install

if TYPE_CHECKING:
    from sapper.game import Board, StartRule


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
        _require_room(chosen, rule)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError("play needs a terminal; in a program, use sapper.play.new_game")
        try:
            from sapper.cli.arcade.screen import Arcade
        except ImportError:
            raise UsageError(f"play needs textual: {pip_install('sapper[play]')}") from None
        from sapper.cli.arcade.match import Match

        number = secrets.randbelow(10**6) if seed is None else seed
        match = Match(chosen, rule, number, no_guess=no_guess)
        Arcade(match).run()
        print(f"{match.board}, rule {match.rule}, seed {match.seed}: {match.game.status}")


def _require_room(board: Board, rule: StartRule) -> None:
    """Refuse a board that has nothing to dig, or no first dig that the start rule allows."""
    from sapper.game import kept_free

    cells = board.topology.cells
    if board.mines >= len(cells):
        raise UsageError(f"--board: {board} has no cell to dig")
    free = len(cells) - board.mines
    if not any(len(kept_free(board.topology, cell, rule)) <= free for cell in cells):
        raise UsageError(
            f"--board: {board} has no room for the start rule {rule}, wherever the first dig is;"
            " fewer mines, or --rule safe"
        )
