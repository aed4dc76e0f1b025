"""A puzzle on its way through the core: system, compiled diagrams, and the names of the cells."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sapper import _core
from sapper.clues import Clues
from sapper.errors import LimitExceeded
from sapper.field import Position
from sapper.field.cells import LatticeCells
from sapper.limits import machine_limits

if TYPE_CHECKING:
    from sapper.clues import Puzzle
    from sapper.field import Cell
    from sapper.limits import Limits

__all__ = ["Board", "TooWide", "core_run", "doubles", "exceeded", "integers", "system_of"]

_NO_LIMITS = _core.Run()
_DEFAULT = _core.Options()
# A cell, about: its tuple with the integers in it, its place in a tuple of cells, and an entry of a
# dictionary.
_BYTES_PER_CELL = 190
# What a cell of a field takes in the core besides its neighbours: a label, a role and a place.
_BYTES_PER_PLACE = 12

Progress = Callable[[int], Any]
"""Called about twenty times a second with the number of nodes made so far."""


def core_run(limits: Limits | None, progress: Progress | None = None) -> _core.Run:
    """Return limits and a progress callback in the form the core takes."""
    if progress is None:
        if limits is None:
            return _NO_LIMITS
        return _core.Run(*machine_limits(limits))
    if limits is None:
        return _core.Run(progress=progress)
    return _core.Run(*machine_limits(limits), progress)


def exceeded(hit: _core.LimitHit) -> LimitExceeded:
    """Return the public error for a limit that the core ran into."""
    kind, allowed, spent = hit.args
    if kind == "estimate":
        return TooWide(expected=spent)
    if kind != "seconds":
        allowed, spent = int(allowed), int(spent)
    return LimitExceeded(kind, allowed=allowed, spent=spent)


class TooWide(LimitExceeded):
    """More nodes are expected than anybody could hold; nothing was compiled."""

    def __init__(self, *, expected: float) -> None:
        super().__init__("nodes", allowed=0, spent=0)
        self.expected = expected

    def __str__(self) -> str:
        return f"too wide for the engine: up to {self.expected:.1e} nodes expected"

    def __reduce__(self) -> tuple[object, ...]:
        return _too_wide, (self.expected,)


def _too_wide(expected: float) -> TooWide:
    return TooWide(expected=expected)


def integers(data: bytes) -> list[int]:
    """Return the 32-bit integers in a buffer from the core."""
    return memoryview(data).cast("i").tolist()


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
    """

    __slots__ = ("_cells", "_run", "compiled", "puzzle", "system")

    def __init__(
        self,
        puzzle: Puzzle,
        run: _core.Run,
        options: _core.Options = _DEFAULT,
        cache: _core.Cache | None = None,
    ) -> None:
        self.puzzle = puzzle
        self._run = run
        self._cells: tuple[Cell, ...] | None = None
        self.system = system_of(puzzle, run)
        try:
            self.compiled = _core.compile(self.system, options, run, cache)
        except _core.LimitHit as hit:
            raise exceeded(hit) from None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The covered cells in canonical order; cell ``i`` is variable ``i`` of the core."""
        cells = self._cells
        if cells is None:
            self.hold(_BYTES_PER_CELL)
            cells = self._cells = cells_of(self.puzzle, self.system)
        return cells

    def hold(self, bytes_per_cell: int) -> None:
        """Raise if an answer with so many bytes for every covered cell does not fit.

        What is held already is counted: the compiled board and, once they are made, its cells.
        """
        if self._run is _NO_LIMITS:
            return
        compiled = self.compiled
        if self._cells is not None:
            bytes_per_cell += _BYTES_PER_CELL
        try:
            self._run.hold(compiled.size_in_bytes + compiled.variables * bytes_per_cell)
        except _core.LimitHit as hit:
            raise exceeded(hit) from None

    @property
    def known(self) -> int:
        """The number of mines that are labelled as such."""
        if isinstance(self.puzzle, Clues):
            return self.puzzle.known_mines
        return len(self.puzzle.known_mines)

    def variables(self, piece: int) -> list[list[int]]:
        """Return the variables of each group of an independent piece."""
        described = self.compiled.piece(piece)
        offsets, members = integers(described["variable_offsets"]), integers(described["variables"])
        return [members[a:b] for a, b in pairwise(offsets)]


def system_of(puzzle: Puzzle, run: _core.Run = _NO_LIMITS) -> _core.System:
    """Return the system of a puzzle in the core.

    Raises
    ------
    LimitExceeded
        If it takes more memory than the run allows.
    """
    try:
        return _system_of(puzzle, run)
    except _core.LimitHit as hit:
        raise exceeded(hit) from None


def _system_of(puzzle: Puzzle, run: _core.Run) -> _core.System:
    if isinstance(puzzle, Position):
        topology = puzzle.topology
        mines = puzzle.mines
        if run is not _NO_LIMITS:
            run.hold(_BYTES_PER_PLACE * len(topology) + topology.adjacency_bytes)
        if mines is not None and mines > len(topology):
            mines = len(topology) + 1  # just as impossible, and it fits in the core's integers
        return _core.System.from_labels(topology.adjacency, puzzle.codes, mines, run)
    return Clues.of(puzzle).system


def cells_of(puzzle: Puzzle, system: _core.System) -> tuple[Cell, ...]:
    """Return the cells that are the variables of a system, in their order."""
    if isinstance(puzzle, Clues):
        return puzzle.cells
    cells, places = puzzle.topology.cells, integers(system.cell_of)
    if isinstance(cells, LatticeCells):
        return cells.pick(places)
    return tuple([cells[place] for place in places])


def doubles(data: bytes) -> list[float]:
    """Return the floats in a buffer from the core."""
    values = array("d")
    values.frombytes(data)
    return values.tolist()
