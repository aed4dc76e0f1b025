"""The strategies that are built in, and how others are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from inspect import signature
from itertools import pairwise
from operator import index as as_int
from typing import Any, Final, TypeVar

from sapper._native import choose_dig, run_under
from sapper.errors import GameError, expect
from sapper.field import FREE, Cell
from sapper.game import Board, StartRule, checked_rule
from sapper.play.view import Chooser, Strategy, View

__all__ = ["ENTRY_POINTS", "BuiltIn", "first_dig", "named", "strategies"]

T = TypeVar("T")

BUILT_IN: Final = ("random", "certain", "safest", "safest-ties", "lookahead", "champion", "optimal")
ENTRY_POINTS: Final = "sapper_strategies"
"""The group of entry points under which other packages offer strategies."""


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A strategy of the compiled core; a tournament plays whole games with it natively.

    Frozen: threads can share one.

    Parameters
    ----------
    name : str
        One of the ladder: ``"random"`` digs anywhere; all others dig what is certainly safe first
        and then guess, ``"certain"`` any uncertain cell, ``"safest"`` the least likely mine,
        ``"safest-ties"`` among equals the cell with the fewest covered neighbours,
        ``"lookahead"`` where the dig after this one is safest, ``"champion"`` where the
        estimated chance to win is best, with a second dig in thought where digs are close and
        perfect play as soon as few worlds are left, ``"optimal"`` perfect play from the first dig
        on, which only small boards allow.
    effort : float
        What look-ahead and perfect play may cost, relative to what is usual.

    Examples
    --------
    >>> from random import Random
    >>> from sapper.field import Grid, Position
    >>> view = View(Position(Grid(2, 3), ["?1?", "??1"], mines=1), Random(1))
    >>> sorted(BuiltIn("champion").choose(view))
    [(0, 0), (1, 0)]
    """

    name: str
    effort: float = 1.0

    def __post_init__(self) -> None:
        if self.name not in BUILT_IN:
            raise GameError(f"{self.name!r:.60} is not built in; {', '.join(BUILT_IN)} are")
        if not isinstance(self.effort, int | float) or not 0 < self.effort < 1e6:
            raise GameError(f"effort is a positive factor, not {self.effort!r:.60}")

    def choose(self, view: View) -> tuple[Cell, ...]:
        """Return the cells to dig: all that are certainly safe, or one guess.

        Raises
        ------
        GameError
            If the position is no position of a game: without a total, with cells that are free
            but have no number, or with no world that fits.
        """
        position = view.position
        if position.mines is None or FREE in memoryview(position.codes).cast("i"):
            raise GameError("a strategy needs the number of mines and a number on each free cell")
        if position.mines > len(position.topology):
            raise GameError("nothing can be chosen: there are more mines than cells")
        try:
            cells, _ = choose_dig(
                position.topology.adjacency,
                position.codes,
                position.mines,
                self.name,
                self.effort,
                view.rng.getrandbits(64),
                run_under(None),
            )
        except ValueError as error:
            raise GameError(f"nothing can be chosen: {error}") from None
        return position.topology.pick(cells)


def strategies() -> tuple[str, ...]:
    """Return the names of all strategies: the built-in ladder, then those of other packages.

    Examples
    --------
    >>> strategies()[:2]
    ('random', 'certain')
    """
    return (*BUILT_IN, *sorted(entry_points(group=ENTRY_POINTS).names - set(BUILT_IN)))


def named(strategy: str | Chooser, **options: Any) -> Strategy:
    """Return a strategy, given as such, as a callable or by name.

    Parameters
    ----------
    strategy : str, Strategy or callable
        A name of `strategies`; ``exec:COMMAND`` for a program that speaks the line protocol; an
        object with ``choose(view)``; or a callable that does the same.
    **options
        For a strategy given by name.

    Raises
    ------
    GameError
        If it is none of these, or does not take these options.

    Examples
    --------
    >>> named("champion", effort=10)
    BuiltIn(name='champion', effort=10)
    """
    if isinstance(strategy, str):
        if strategy.startswith("exec:"):
            from sapper.play.external import External

            return _made("exec", External, strategy.removeprefix("exec:"), **options)
        if strategy in BUILT_IN:
            return _made(strategy, BuiltIn, strategy, **options)
        for point in entry_points(group=ENTRY_POINTS, name=strategy):
            found = point.load()
            if isinstance(found, type):
                return _wrapped(_made(strategy, found, **options))
            if options:
                raise GameError(f"the strategy {strategy!r:.60} takes no options")
            return _wrapped(found)
        raise GameError(f"{strategy!r:.60} is no strategy; {', '.join(strategies())} are")
    if options:
        raise GameError("options go with a strategy's name, not with the strategy itself")
    return _wrapped(strategy)


def _made(name: str, kind: Callable[..., T], /, *words: str, **options: Any) -> T:
    """Return a strategy of some kind, if it takes these options."""
    taken = signature(kind)
    try:
        taken.bind(*words, **options)
    except TypeError as error:
        others = list(taken.parameters)[len(words) :]
        raise GameError(
            f"the strategy {name!r:.60} does not take these options: {error}; it takes"
            f" {', '.join(others) or 'none'}"
        ) from None
    return kind(*words, **options)


def _wrapped(strategy: Any) -> Strategy:
    if hasattr(strategy, "choose"):
        return strategy  # type: ignore[no-any-return]
    if callable(strategy):
        return _Function(strategy)
    raise GameError(f"a strategy is a name, a callable or has choose(view), not {strategy!r:.60}")


class _Function:
    def __init__(self, choose: Any) -> None:
        self.choose = choose
        self.name = getattr(choose, "__name__", type(choose).__name__)


def first_dig(board: Board, rule: StartRule) -> Cell:
    """Return where the built-in strategies begin.

    With the rule ``"zero"`` that is a cell with most neighbours, on a field with rows some cells
    away from the corner; otherwise a cell with fewest, where an opening is most likely.

    Examples
    --------
    >>> from sapper.game import BOARDS
    >>> first_dig(BOARDS["expert"], "safe"), first_dig(BOARDS["expert"], "zero")
    ((0, 0), (3, 3))
    """
    expect(board, Board, "a Board is needed")
    checked_rule(rule)
    topology = board.topology
    if rule == "zero":
        # Measured: four cells in on Expert, three on smaller boards.
        side = 3 if len(topology) > 400 else 2
        inner = tuple(min(side, as_int(n - 1) // 2) for n in topology.shape)
        if len(inner) > 1 and inner in topology:
            return inner
    starts = memoryview(topology.adjacency.offsets).cast("i").tolist()
    degrees = [stop - start for start, stop in pairwise(starts)]
    wanted = max(degrees) if rule == "zero" else min(degrees)
    return topology.cells[degrees.index(wanted)]
