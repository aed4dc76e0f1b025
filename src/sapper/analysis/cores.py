"""A puzzle with its core finder, and the way from its numbers back to clues and cells."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import TypeVar

from sapper._native import CoreFinder, integers, run_under
from sapper.clues import Clue, Clues, Puzzle, Solution
from sapper.engine import system_of
from sapper.errors import PositionError, UnknownCellError
from sapper.field import COVERED, MINE, Cell, Position
from sapper.questions import Budget

__all__ = ["Cores"]

T = TypeVar("T")


class Cores:
    """Finds cores of one puzzle.

    A position goes to the compiled core as it is, and only the clues of a core are made into
    `Clue` objects: most of a board has nothing to do with most of its explanations.

    Parameters
    ----------
    puzzle : Position or Clues
        What is explained.
    budget : Budget
        What all searches together may cost.
    """

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        self.puzzle = puzzle
        self.budget = budget
        self._run = run_under(budget.left())
        self._system = system_of(puzzle, self._run)
        self._finder = CoreFinder(self._system, self._run)
        self._places: list[int] | None = None
        self._total: Clue | None = None
        self._cells: tuple[Cell, ...] | None = None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The covered cells; cell ``i`` is variable ``i``."""
        if self._cells is None:
            puzzle = self.puzzle
            self._cells = puzzle.cells if isinstance(puzzle, Clues) else puzzle.covered
        return self._cells

    def variable(self, cell: Cell) -> int:
        """Return the number of a covered cell.

        Raises
        ------
        UnknownCellError
            If there is no such cell.
        PositionError
            If it is not covered.
        """
        puzzle = self.puzzle
        if isinstance(puzzle, Clues):
            if cell not in puzzle.index:
                raise UnknownCellError(cell, "the clues")
            return puzzle.index[cell]
        place = puzzle.topology.index(cell)
        label = puzzle.label(cell)
        if label != "?":
            shown = {"*": "marked as a mine", "_": "marked as free"}
            what = shown[label] if isinstance(label, str) else f"uncovered and shows {label}"
            raise PositionError(f"{cell!r} is {what}; only a covered cell '?' can be explained")
        return bisect_left(integers(self._system.cell_of), place)

    @property
    def total(self) -> Clue | None:
        """The mine total as a clue over all covered cells."""
        if self._total is None and self.puzzle.mines is not None:
            puzzle = self.puzzle
            known = puzzle.known_mines if isinstance(puzzle, Clues) else len(puzzle.known_mines)
            self._total = (
                Clue(puzzle.mines - known, self.cells) if puzzle.mines is not None else None
            )
        return self._total

    def core(
        self, variable: int, mine: bool, *, smallest: bool = False, below: int = 0
    ) -> list[int] | None:
        """Return the numbers of clues that refute a value; None if it can be had.

        With `below`, None also if it takes that many clues or more.
        """
        return self._guarded(self._finder.core, variable, mine, smallest, below)

    def contradiction(self) -> list[int] | None:
        """Return the numbers of clues that contradict each other; None if there are none."""
        return self._guarded(self._finder.contradiction)

    def witness(
        self, clues: list[int], variable: int, mine: bool, near: bytes = b""
    ) -> bytes | None:
        """Return an assignment that meets some clues, with a value (variable -1: none)."""
        return self._guarded(self._finder.witness, clues, variable, mine, near)

    def worlds(self, variable: int) -> tuple[Solution | None, Solution | None]:
        """Return a solution with a mine in a cell and one without, if there are; much alike."""
        numbers = list(range(self._finder.total_id + (self.puzzle.mines is not None)))
        without = self.witness(numbers, variable, False)
        with_mine = self.witness(numbers, variable, True, without or b"")
        return (
            None if with_mine is None else self.mines_of(with_mine),
            None if without is None else self.mines_of(without),
        )

    def _guarded(self, ask: Callable[..., T], *arguments: object) -> T:
        return ask(*arguments, self._run)

    def mines_of(self, values: bytes) -> frozenset[Cell]:
        """Return the mines of an assignment."""
        cells = self.cells
        return frozenset(cells[place] for place, value in enumerate(values) if value)

    def clues(self, numbers: Iterable[int]) -> tuple[Clue, ...]:
        """Return the clues with these numbers; the total, if it is among them, is `total`."""
        return tuple(map(self._clue, numbers))

    def _clue(self, number: int) -> Clue:
        if number == self._finder.total_id:
            total = self.total
            assert total is not None
            return total
        puzzle = self.puzzle
        if isinstance(puzzle, Clues):
            return puzzle.clues[number]
        if self._places is None:
            self._places = integers(self._system.place_of)
        return clue_at(puzzle, self._places[number])


def clue_at(position: Position, place: int) -> Clue:
    """Return the clue of the number at a place of a position, known mines subtracted."""
    field, codes = position.topology, memoryview(position.codes).cast("i")
    cells, count = [], codes[place]
    for neighbour in field.neighbours(field.cells[place]):
        code = codes[field.index(neighbour)]
        if code == COVERED:
            cells.append(neighbour)
        elif code == MINE:
            count -= 1
    return Clue(count, cells, cell=field.cells[place])
