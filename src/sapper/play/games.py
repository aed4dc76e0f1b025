"""Games, one after another, and what each dig risked."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from operator import index as as_int
from random import Random
from typing import Any

from sapper._native import Cache, Run
from sapper.clues import VERDICTS
from sapper.engine import EngineMethod
from sapper.errors import GameError, LimitExceeded, SapperError, expect, quoted
from sapper.field import Cell
from sapper.game import Game
from sapper.limits import Budget, Limits
from sapper.play.sources import Games, Source
from sapper.play.strategies import BuiltIn
from sapper.play.view import Strategy, View

__all__ = ["cells_of", "play_games"]

# What looking up the odds of one dig may cost; beyond, the luck of the game is not known.
_SECONDS, _NODES = 5.0, 10**7
_SAFE = VERDICTS.index("safe")


def play_games(
    player: Strategy,
    source: Source,
    numbers: range,
    *,
    run: Run,
    look_up: Callable[[], None] = lambda: None,
    budget: Budget | None = None,
) -> Games:
    """Let a strategy play some games of a source.

    Whatever the strategy does wrong loses the game and goes into `Games.failures`.

    Parameters
    ----------
    player, source, numbers
        Who plays what.
    run
        Limits and interrupts, for the core.
    look_up
        The same between the moves of other strategies: it raises what shall end it all.
    budget
        What is left of the limits, for the odds of their digs.
    """
    expect(source, Source, "games come from a Source")
    expect(numbers, range, "games are numbered by a range")
    expect(run, Run, "limits and interrupts come as a Run")
    if not hasattr(player, "choose"):
        raise TypeError(f"a strategy has choose(view): named() finds it, not {quoted(player)}")
    if isinstance(player, BuiltIn):
        began = time.perf_counter()
        games = source.play_natively(player, numbers, run)
        games.seconds = time.perf_counter() - began
        return games
    games = Games()
    for number in numbers:
        look_up()
        judge = _Judge(budget or Budget())
        try:
            won = _play(player, source, number, judge, look_up)
        except _Failure as failure:
            won = False
            games.failures[number] = str(failure)[:500]
        games.won.append(won)
        games.guessed.append(judge.guesses)
        games.luck.append(judge.luck)
        games.seconds += judge.seconds
    return games


class _Failure(Exception):  # noqa: N818
    """What a strategy did wrong."""


def _play(
    player: Strategy, source: Source, number: int, judge: _Judge, look_up: Callable[[], None]
) -> bool:
    """Play a game; return whether it was won."""
    begin = getattr(player, "begin", None)
    if begin is not None:  # before there is a layout that a new process would get a copy of
        judge.asked(begin, source.board_of(number), source.rule)
    game = source.game(number)
    if source.start is not None and game.status == "playing":
        game.dig(source.start)
    view = View(game.position, Random(source.chance(number)))
    while game.status == "playing":
        view.position = game.position
        judge.digs(judge.asked(_chosen, player, view, game), game)
        look_up()
    return game.status == "won"


def _chosen(player: Strategy, view: View, game: Game) -> Sequence[Cell]:
    """Return what a strategy chooses, if that can be dug."""
    cells = cells_of(player.choose(view), game.board.topology)
    uncovered = game.uncovered
    for cell in cells:
        game.board.topology.index(cell)
        if cell in uncovered:
            raise GameError(f"{quoted(cell)} is uncovered already")
    if not cells:
        raise GameError("an answer needs a cell")
    return cells


def cells_of(answer: Any, topology: Any) -> list[Cell]:
    """Return the cells of an answer, which may be one cell or several."""
    try:
        if answer in topology:
            return [answer]
        cells = list(answer)
    except TypeError:
        raise GameError(f"an answer is a cell or several, not {quoted(answer)}") from None
    if len(topology.shape) < 2:
        return cells
    # One cell as a list or an array, or one that the field does not have: it is named as a whole.
    if (one := _as_cell(answer, topology)) is not None:
        topology.index(one)
        return [one]
    cells = [_as_cell(cell, topology) or cell for cell in cells]
    for cell in cells:
        if not isinstance(cell, tuple):
            wrong = answer if isinstance(cell, int | float) else cell
            raise GameError(f"a cell is a tuple such as {topology.cells[0]}, not {quoted(wrong)}")
    return cells


def _as_cell(given: Any, topology: Any) -> Cell | None:
    """Return whole numbers in a tuple, list or array as a cell of a lattice, None otherwise."""
    if not (isinstance(given, tuple | list) or hasattr(given, "tolist")):
        return None
    try:
        cell = tuple(map(as_int, given))
    except TypeError:
        return None
    return cell if len(cell) == len(topology.shape) else None


class _Judge:
    """Digs for a strategy, and keeps what each dig risked and how long the strategy thought."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self.guesses = 0
        self.luck = 1.0
        self.seconds = 0.0
        self._engine = EngineMethod(memory=Cache())

    def asked(self, ask: Callable[..., Any], *words: Any) -> Any:
        """Call a strategy; what it raises is its failure, and time goes on its clock."""
        began = time.perf_counter()
        try:
            return ask(*words)
        except Exception as error:  # whatever a strategy does, the tournament goes on
            why = str(error) if isinstance(error, SapperError) else repr(error)
            raise _Failure(why) from None
        finally:
            self.seconds += time.perf_counter() - began

    def digs(self, cells: Sequence[Cell], game: Game) -> None:
        safe: set[Cell] = set()
        for cell in cells:
            if game.status != "playing":
                return
            if game.layout is not None and cell not in safe and cell not in game.uncovered:
                safe = self._look(cell, game)
            game.dig(cell)

    def _look(self, cell: Cell, game: Game) -> set[Cell]:
        """Count a dig that may be a guess; return what is safe beside it."""
        left = self._budget.left()
        seconds = min(_SECONDS, left.seconds or _SECONDS)
        limits = Limits(seconds=seconds, nodes=_NODES, bytes=left.bytes)
        found = self._engine.findings(game.position, limits)
        try:
            codes, chances = found.verdict_codes, found.probabilities
        except LimitExceeded:
            self._budget.left()  # raises if it was the limit of the whole
            self.luck = math.nan
            return set()
        safe = {other for other, code in zip(found.cells, codes, strict=True) if code == _SAFE}
        if cell not in safe:
            self.guesses += 1
            self.luck *= 1 - chances[found.cells.index(cell)]
        return safe
