"""What players measure boards by: 3BV, openings, islands, ZiNi."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from sapper._native import board_metrics, integers, run_under
from sapper.errors import GameError, quoted
from sapper.field import Position, Topology
from sapper.game import Layout
from sapper.limits import Budget, Limits

__all__ = ["Metrics", "metrics", "three_bv"]

_ALONE: Final = -1
# What the core takes for a cell: numbers, clicks, and the openings that it lies beside.
_BYTES_PER_CELL: Final = 100


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a board takes.

    Frozen: threads can share one.

    Attributes
    ----------
    three_bv : int
        The fewest clicks that uncover all without flags (Bechtel's Board Benchmark Value): one for
        each opening and one for each number in no opening.
    openings : int
        Connected sets of zeros, each with the numbers around it.
    islands : int
        Connected sets of numbers in no opening.
    zini : int
        Clicks of the greedy ZiNi (E. Zimmermann & C. Nikolaus), flags and chords included: always
        chord where that saves most. An upper bound on the fewest clicks.
    human_zini : int
        The same when all openings are clicked first and only uncovered numbers are chorded.
    """

    three_bv: int
    openings: int
    islands: int
    zini: int
    human_zini: int
    _clicks: bytes = field(repr=False)

    def solved(self, position: Position) -> int:
        """Return how much of the 3BV is done in a position of the board."""
        clicks = integers(self._clicks)
        codes = memoryview(position.codes).cast("i").tolist()
        if len(codes) != len(clicks):
            raise GameError("this is a position of another board")
        done = [click for click, code in zip(clicks, codes, strict=True) if code >= 0]
        return done.count(_ALONE) + len({click for click in done if click >= 0})


def metrics(layout: Layout, *, limits: Limits | None = None) -> Metrics:
    """Return what a board takes.

    Raises
    ------
    GameError
        If it is no layout.
    LimitExceeded
        If a limit is hit. The 3BV takes linear time, ZiNi a scan of the board for each click,
        which is a node.

    Examples
    --------
    >>> from sapper.game import random_layout
    >>> found = metrics(random_layout("expert", seed=7))
    >>> found.three_bv, found.openings, found.islands, found.zini, found.human_zini
    (157, 16, 14, 111, 130)
    """
    numbers, clicks = _measured(layout, limits, zini=True)
    return Metrics(*numbers, clicks)


def three_bv(layout: Layout, *, limits: Limits | None = None) -> int:
    """Return the 3BV of a board, as `metrics` does, but without the time that ZiNi takes.

    Raises
    ------
    GameError
        If it is no layout.
    LimitExceeded
        If a limit is hit.

    Examples
    --------
    >>> from sapper.game import random_layout
    >>> three_bv(random_layout("expert", seed=7))
    157
    """
    (found, *_), _ = _measured(layout, limits, zini=False)
    return found


def _measured(
    layout: Layout, limits: Limits | None, *, zini: bool
) -> tuple[tuple[int, int, int, int, int], bytes]:
    if not isinstance(layout, Layout):
        raise GameError(f"metrics are of a Layout, not of {quoted(layout)}")
    topology, budget = layout.topology, Budget(limits)
    budget.spend(held=_BYTES_PER_CELL * len(topology) + topology.adjacency_bytes)
    order = _order(topology) if zini else b""
    return board_metrics(
        topology.adjacency, layout.mined, order, run_under(limits and budget.left())
    )


@lru_cache(maxsize=16)
def _order(topology: Topology) -> bytes:
    """Return all cells in the order in which ties are broken: by columns, as is usual."""
    cells = len(topology)
    width = topology.shape[1] if len(topology.shape) == 2 else 1
    order = array("i")
    for column in range(width):
        order.extend(range(column, cells, width))
    return order.tobytes()
