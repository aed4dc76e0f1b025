"""What answering would cost, before it is paid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sapper._native import Options, PieceEstimate, Run, forecast
from sapper.engine.board import system_of

if TYPE_CHECKING:
    from sapper.clues import Puzzle

__all__ = ["EngineEstimate", "Part", "estimate"]

# A node costs its key while compiling (words), its arcs, and values in the passes over it: under a
# total two for every number of mines that it may have met, say one for sixteen cells.
_BYTES_PER_NODE = 64
_BYTES_PER_VALUE = 16


@dataclass(frozen=True, slots=True)
class Part:
    """The estimate for one independent component, after certainty and grouping.

    `nodes` is a bound on the states that are visited, so it is often far too high and almost never
    too low; `joins` tells whether a tree decomposition beats a path order.
    """

    cells: int
    groups: int
    clues: int
    width: int
    nodes: float
    joins: bool


@dataclass(frozen=True, slots=True)
class EngineEstimate:
    """What the engine expects to spend on a puzzle.

    Attributes
    ----------
    parts : tuple of Part
        The independent components that are left once the cells forced by search are gone.
    forced : int
        Covered cells decided before anything is compiled.
    free : int
        Covered cells that no clue touches.
    total : bool
        Whether there is a mine total, under which nodes carry more.
    """

    parts: tuple[Part, ...]
    forced: int
    free: int
    total: bool = False

    @property
    def components(self) -> int:
        """How many independent parts there are."""
        return len(self.parts)

    @property
    def width(self) -> int:
        """The most clues that are open at once in any part."""
        return max((part.width for part in self.parts), default=0)

    @property
    def nodes(self) -> float:
        """How many nodes to expect in all: a bound, not a forecast."""
        return sum(part.nodes for part in self.parts)

    @property
    def bytes(self) -> float:
        """How much memory to expect at once: a bound, not a forecast."""
        met = _BYTES_PER_VALUE / 16 if self.total else 0
        return sum(part.nodes * (_BYTES_PER_NODE + met * part.cells) for part in self.parts)


def estimate(puzzle: Puzzle, options: Options, run: Run) -> EngineEstimate:
    """Return what compiling a puzzle would cost.

    Certainty is found and orders are chosen, nothing is compiled.
    """
    found = forecast(system_of(puzzle, run), options, run)
    parts = tuple(map(_part, found.pieces))
    return EngineEstimate(parts, found.forced, found.free, puzzle.mines is not None)


def _part(piece: PieceEstimate) -> Part:
    return Part(
        cells=piece.variables,
        groups=piece.groups,
        clues=piece.clues,
        width=piece.width,
        nodes=piece.nodes,
        joins=piece.joins,
    )
