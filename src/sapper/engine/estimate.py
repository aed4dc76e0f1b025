"""What answering would cost, before it is paid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sapper._native import Options, PieceEstimate, Run, forecast, run_under
from sapper.engine.board import system_of
from sapper.errors import LimitExceeded
from sapper.limits import Budget, Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sapper._native import Progress
    from sapper.clues import Puzzle

__all__ = ["EngineEstimate", "Part", "estimate"]

# Measured: a node with its arcs; a value for each number of mines that it may have met, under a
# total; and a covered cell in the core, in a tuple and in a dictionary of answers.
_BYTES_PER_NODE = 40
_BYTES_PER_VALUE = 1.6
_BYTES_PER_CELL = 250
# The number of states is a bound: with every clue that is open at once, more of them never occur.
_OVERCOUNT = 1.3

LOOK = 0.8
"""A look is cheap or it is coarse: after so many seconds forced cells are left aside."""


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
    coarse : bool
        Whether forced cells were left aside because finding them takes long: then there may be
        more and smaller parts.
    """

    parts: tuple[Part, ...]
    forced: int
    free: int
    total: bool = False
    coarse: bool = False

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
        """How much memory to expect at once: a forecast, usually within a factor of ten."""
        met = _BYTES_PER_VALUE if self.total else 0
        cells = self.forced + self.free + sum(part.cells for part in self.parts)
        return _BYTES_PER_CELL * cells + sum(
            part.nodes / _OVERCOUNT ** max(0, part.width - 2) * (_BYTES_PER_NODE + met * part.cells)
            for part in self.parts
        )


def estimate(
    puzzle: Puzzle,
    settings: Mapping[str, Any],
    limits: Limits | None,
    progress: Progress | None,
    patience: float = LOOK,
) -> EngineEstimate:
    """Return what compiling a puzzle would cost.

    Certainty is found and orders are chosen, nothing is compiled. If certainty takes longer than
    `patience`, in seconds, the look is coarse.
    """
    budget = Budget(limits)
    left = budget.left()
    short = left.seconds is None or left.seconds > patience
    look = Limits(seconds=patience if short else left.seconds, nodes=left.nodes, bytes=left.bytes)
    run = run_under(look, progress)
    try:
        return _forecast(puzzle, Options(**settings), run, coarse=False)
    except LimitExceeded as hit:
        if hit.limit != "seconds" or not short:
            raise
    run = run_under(budget.left(), progress)
    return _forecast(puzzle, Options(**{**settings, "certainty": False}), run, coarse=True)


def _forecast(puzzle: Puzzle, options: Options, run: Run, *, coarse: bool) -> EngineEstimate:
    found = forecast(system_of(puzzle, run), options, run)
    parts = tuple(map(_part, found.pieces))
    return EngineEstimate(parts, found.forced, found.free, puzzle.mines is not None, coarse)


def _part(piece: PieceEstimate) -> Part:
    return Part(
        cells=piece.variables,
        groups=piece.groups,
        clues=piece.clues,
        width=piece.width,
        nodes=piece.nodes,
        joins=piece.joins,
    )
