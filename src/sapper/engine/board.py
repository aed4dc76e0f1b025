"""A puzzle on its way through the core: system, compiled diagrams, and the names of the cells."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING

from sapper._native import (
    NO_LIMITS,
    Cache,
    Options,
    Run,
    System,
    compile_labels,
    compile_system,
)
from sapper.clues import Clues
from sapper.engine.crew import ALONE
from sapper.field import MINE, Position

if TYPE_CHECKING:
    from sapper._native import Adjacency
    from sapper.clues import Puzzle
    from sapper.field import Cell

__all__ = ["Board", "cells_of", "system_of"]

_DEFAULT = Options()
# A cell, about: its tuple with the integers in it, its place in a tuple of cells, and an entry of a
# dictionary.
_BYTES_PER_CELL = 190
# What a cell of a field takes in the core besides its neighbours: a label, a role and a place.
_BYTES_PER_PLACE = 12
# A float in a list, and as it comes from the core.
_BYTES_PER_FLOAT = 48
# A total beyond this is just as impossible on any field, and may not fit in the core's integers.
_MOST_MINES = (1 << 31) - 1
# How many cells are named between two looks at the limits, in bytes: about a millisecond.
_AT_ONCE = 4 << 14


class Board:
    """A puzzle with its system in the core, compiled.

    Parameters
    ----------
    puzzle : Position or Clues
        What is asked about. A position goes to the core as it is, without the detour over named
        clues.
    run : Run
        Limits for compiling.
    options : Options, optional
        Steps of the engine to leave out.
    cache : Cache, optional
        Diagrams of earlier boards.
    settle : bool
        Leave out of the clues of a position what single numbers decide. Orders that look at the
        whole board want all of them.
    """

    __slots__ = ("_cells", "_run", "compiled", "crew", "puzzle", "system")

    def __init__(
        self,
        puzzle: Puzzle,
        run: Run,
        options: Options = _DEFAULT,
        cache: Cache | None = None,
        *,
        settle: bool = True,
    ) -> None:
        self.puzzle = puzzle
        self.crew = ALONE  # who does the passes of the answer that is being computed
        # Without whoever is told of the progress, who may hold this board.
        self._run = run.silent() if run.limited else NO_LIMITS
        self._cells: tuple[Cell, ...] | None = None
        if isinstance(puzzle, Position):
            self.system, self.compiled = compile_labels(
                *_labels_of(puzzle, self._run), options, run, cache, settle
            )
        else:
            self.system = Clues.of(puzzle).system
            self.compiled = compile_system(self.system, options, run, cache)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The covered cells in canonical order; cell ``i`` is variable ``i`` of the core."""
        return self._cells if self._cells is not None else self.named()

    def named(self, look: Callable[[], object] | None = None) -> tuple[Cell, ...]:
        """Return the covered cells; `look` is called now and then while they are named."""
        if self._cells is None:
            self.hold(_BYTES_PER_CELL)
            self._cells = cells_of(self.puzzle, self.system, look)
        return self._cells

    def hold(self, bytes_per_cell: int) -> None:
        """Raise if an answer with so many bytes for every covered cell does not fit.

        What is held already is counted: the compiled board and, once they are made, its cells.
        """
        if self._run is NO_LIMITS:
            return
        compiled = self.compiled
        if self._cells is not None:
            bytes_per_cell += _BYTES_PER_CELL
        self._run.hold(compiled.size_in_bytes + compiled.variables * bytes_per_cell)

    def chances(self, run: Run) -> bytes:
        """Return how likely each covered cell is a mine, as the core has it."""
        self.hold(_BYTES_PER_FLOAT)
        _, values, _ = self.compiled.probabilities(run, self.crew.threads)
        return values

    def chances_by_cell(self, run: Run) -> tuple[dict[Cell, float], bytes] | None:
        """Return the same by cell, and as the core has it; None where cells are not kept."""
        puzzle = self.puzzle
        keys = puzzle.topology.cell_keys if isinstance(puzzle, Position) else None
        if keys is None:
            return None
        if self._run is not NO_LIMITS:
            self.hold(_BYTES_PER_FLOAT + _BYTES_PER_CELL)
        return self.compiled.chances_by_cell(self.system, keys, run, self.crew.threads)

    @property
    def known(self) -> int:
        """The number of mines that are labelled as such."""
        if isinstance(self.puzzle, Clues):
            return self.puzzle.known_mines
        # Counted, not named: the names of all cells would be made for it, and collected as garbage.
        return array("i", self.puzzle.codes).count(MINE)

    def variables(self, piece: int) -> list[list[int]]:
        """Return the variables of each group of an independent piece."""
        return self.compiled.piece(piece).groups


def _labels_of(position: Position, run: Run) -> tuple[Adjacency, bytes, int | None]:
    topology = position.topology
    if run is not NO_LIMITS:
        run.hold(_BYTES_PER_PLACE * len(topology) + topology.adjacency_bytes)
    mines = position.mines
    if mines is not None and mines > _MOST_MINES:
        mines = _MOST_MINES
    return topology.adjacency, position.codes, mines


def system_of(puzzle: Puzzle, run: Run = NO_LIMITS) -> System:
    """Return the system of a puzzle in the core.

    Raises
    ------
    LimitExceeded
        If it takes more memory than the run allows.
    """
    if isinstance(puzzle, Position):
        return System.from_labels(*_labels_of(puzzle, run), run)
    return Clues.of(puzzle).system


def cells_of(
    puzzle: Puzzle, system: System, look: Callable[[], object] | None = None
) -> tuple[Cell, ...]:
    """Return the cells that are the variables of a system, in their order."""
    if isinstance(puzzle, Clues):
        return puzzle.cells
    places, pick = system.cell_of, puzzle.topology.pick_packed
    if look is None or len(places) <= _AT_ONCE:
        return pick(places)
    cells: list[Cell] = []
    for start in range(0, len(places), _AT_ONCE):
        look()
        cells += pick(places[start : start + _AT_ONCE])
    return tuple(cells)
