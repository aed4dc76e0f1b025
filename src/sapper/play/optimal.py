"""Perfect play on small boards, as integers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sapper import _native
from sapper.errors import GameError, TooWide
from sapper.field import Cell, Topology
from sapper.game import START_RULES, Board, StartRule
from sapper.limits import Limits

__all__ = ["Optimum", "TooManyLayouts", "optimal_play", "optimal_wins"]


class TooManyLayouts(TooWide):
    """A board with more layouts than perfect play is searched among; nothing was searched."""

    def __init__(self, board: str, layouts: float) -> None:
        super().__init__(expected=layouts)
        self.board = board

    def __str__(self) -> str:
        return (
            f"{self.board} is too large for perfect play: about {self.expected:.1e} layouts, and"
            " ten million can be listed"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return TooManyLayouts, (self.board, self.expected)


@dataclass(frozen=True, slots=True)
class Optimum:
    """What perfect play reaches on a board.

    Frozen: threads can share one.

    Attributes
    ----------
    wins, layouts : int
        Layouts that are won, of those that the start rule allows.
    start : cell
        A first dig that reaches it.
    sets : int
        Sets of worlds that were looked at to find it.
    """

    wins: int
    layouts: int
    start: Cell
    sets: int

    @property
    def rate(self) -> Fraction:
        """The chance of winning."""
        return Fraction(self.wins, self.layouts)


def optimal_play(
    topology: Topology,
    mines: int,
    *,
    rule: StartRule = "any",
    start: Cell | None = None,
    limits: Limits | None = None,
) -> Optimum:
    """Find the best that any player can do.

    What a player knows is a set of worlds, and digs that are safe in all of them cost nothing, so
    the set alone is the state of the game. Its value is the best sum, over all digs, of the values
    of the parts that the shown numbers split it into. Sets that a symmetry of the field maps to
    each other have the same value. The number of sets grows exponentially with the board.

    Parameters
    ----------
    topology : Topology
        The field.
    mines : int
        How many there are.
    rule : str
        ``"any"``, ``"safe"`` or ``"zero"``; see `sapper.game.StartRule`.
    start : cell, optional
        The first dig; the best one if not given: the one with the highest share of wins, for
        with the rule ``"zero"`` not every start allows equally many layouts.
    limits : Limits, optional
        What it may cost; every set of worlds that is looked at is a node.

    Raises
    ------
    GameError
        If the rule leaves no room for the mines, or a cell has more than 254 neighbours.
    LimitExceeded
        If a limit is hit.
    TooManyLayouts
        If there are more than ten million layouts. It is a `LimitExceeded`.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> optimal_play(Grid(4, 4), 4)
    Optimum(wins=961, layouts=1820, start=(0, 1), sets=6611)
    """
    board = Board(topology, mines)
    if rule not in START_RULES:
        raise GameError(f"a start rule is {', '.join(START_RULES)}, not {rule!r:.60}")
    try:
        wins, layouts, first, sets = _native.optimal_wins(
            topology.adjacency,
            board.mines,
            rule,
            -1 if start is None else topology.index(start),
            _native.run_under(limits),
        )
    except TooWide as error:
        raise TooManyLayouts(str(board), error.expected) from None
    except ValueError as error:
        raise GameError(f"{board}: {error}") from None
    if first < 0:
        raise GameError(f"{board}: the rule {rule!r} leaves no room for the mines")
    return Optimum(wins, layouts, topology.cells[first], sets)


def optimal_wins(
    topology: Topology,
    mines: int,
    rule: StartRule = "any",
    start: Cell | None = None,
    *,
    limits: Limits | None = None,
) -> int:
    """Return how many layouts perfect play wins; see `optimal_play`.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> optimal_wins(Grid(4, 4), mines=4, rule="any")
    961
    >>> [optimal_wins(Grid(3, 3), mines=2, start=(0, column)) for column in (0, 1)]
    [23, 24]
    """
    return optimal_play(topology, mines, rule=rule, start=start, limits=limits).wins
