"""What a method found out about a puzzle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeVar

from sapper.clues import VERDICTS, Clues
from sapper.errors import MethodError
from sapper.limits import Budget
from sapper.questions.keeping import kept

if TYPE_CHECKING:
    from sapper.clues import Puzzle, Verdict
    from sapper.field import Cell
    from sapper.limits import Limits
    from sapper.questions.protocol import Method, Question, Solutions

__all__ = ["Findings", "Unanswered"]

T = TypeVar("T")

SAFE: Final = VERDICTS.index("safe")
MINE: Final = VERDICTS.index("mine")
UNKNOWN: Final = VERDICTS.index("unknown")

# How many values are paired with their cells between two looks at the limits.
_AT_ONCE: Final = 1 << 14


class Unanswered(MethodError):  # noqa: N818 - as `LimitExceeded`
    """A question that the method does not answer, whatever the puzzle is."""

    def __init__(self, method: str, question: Question, able: Sequence[str] = ()) -> None:
        super().__init__(method, question, able)
        self.method = method
        self.question = question
        self.able = able

    def __str__(self) -> str:
        names = [repr(name) for name in self.able]
        able = " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
        others = f"; {able} can" if able else ""
        return f"the method {self.method!r} does not answer {self.question!r}{others}"


class Findings:
    """What a method found out about a puzzle, along its covered cells.

    Everything is computed when it is first read, and kept. The limits hold for each reading: what
    one reading needs of another is done under the same limits.

    A method overrides the `find_` functions of what it computes itself. The rest follows:
    consistency from the count, the count from the counts by mines, verdicts from the consistency
    of the system with a cell decided (at most two checks a cell), probabilities from its count
    (one a cell). If there is no legal assignment, there is nothing to say of any cell:
    `verdict_codes`, `probabilities` and `exact_probabilities` are empty.

    Findings pickle and copy as what was asked: puzzle, method and limits, nothing found. Threads
    can share them: two that read the same at once may both compute it.

    Parameters
    ----------
    source : Method
        Whose findings these are.
    puzzle : Position or Clues
        What is asked about.
    limits : Limits, optional
        What each reading may cost.
    """

    def __init__(self, source: Method, puzzle: Puzzle, limits: Limits | None = None) -> None:
        self.source = source
        self.puzzle = puzzle
        self.limits = limits

    @property
    def method(self) -> str:
        """The name of the method that gives the verdicts."""
        return self.source.name

    @property
    def answers(self) -> frozenset[Question]:
        """The questions that can be read."""
        return self.source.answers

    def prepare(self) -> None:
        """Do now what every reading needs, if there is such a thing; a limit may be hit."""

    def solutions(self, budget: Budget) -> Solutions:
        """Return the view of the legal assignments, which uses what was found already."""
        return self.source.solutions(self.puzzle, budget.left())

    @property
    def cells(self) -> Sequence[Cell]:
        """The covered cells in canonical order."""
        return kept(self, "cells", lambda: self.find_cells(Budget(self.limits)))

    @property
    def clues(self) -> Clues:
        """The puzzle as a clue system."""
        return kept(self, "clues", lambda: Clues.of(self.puzzle))

    @property
    def consistent(self) -> bool:
        """Whether there is a legal assignment."""
        return self._read("consistent", "consistent", self.find_consistent)

    @property
    def count(self) -> int:
        """The number of legal assignments, under the mine total if there is one."""
        return self._read("count", "count", self.find_count)

    @property
    def by_mines(self) -> dict[int, int]:
        """The number of legal assignments for every number of mines, ignoring the total.

        Keys count the known mines too, ascend, and have a value above 0.
        """
        return self._read("by_mines", "by_mines", self.find_by_mines)

    @property
    def verdict_codes(self) -> bytes:
        """One byte per cell, an index into `sapper.clues.VERDICTS`."""
        return self._read("verdict_codes", "verdicts", self.find_verdict_codes)

    @property
    def verdicts(self) -> dict[Cell, Verdict]:
        """The verdict of every cell."""
        return self._read("verdicts", "verdicts", self._find_verdicts)

    def _find_verdicts(self, budget: Budget) -> dict[Cell, Verdict]:
        codes = self.known("verdict_codes", self.find_verdict_codes, budget)
        return self.by_cell([VERDICTS[code] for code in codes], budget)

    @property
    def exact_probabilities(self) -> Sequence[Fraction]:
        """How likely each cell is a mine."""
        return self._read("exact_probabilities", "probabilities", self.find_exact_probabilities)

    @property
    def probabilities(self) -> Sequence[float]:
        """How likely each cell is a mine, as floats."""
        return self._read("probabilities", "probabilities", self.find_probabilities)

    def _read(self, name: str, question: Question, find: Callable[[Budget], T]) -> T:
        def read() -> T:
            if question not in self.answers:
                raise Unanswered(self.method, question)
            budget = Budget.of(self.limits)
            if self.limits is None:
                return find(budget)
            with budget.whole():
                return find(budget)

        return kept(self, name, read)

    def known(self, name: str, find: Callable[[Budget], T], budget: Budget) -> T:
        """Return what another reading has found, or find it now, and keep it."""

        def found() -> T:
            with budget.whole():
                return find(budget)

        return kept(self, name, found)

    def by_cell(self, values: Sequence[T], budget: Budget) -> dict[Cell, T]:
        """Return values along the cells as a dictionary; where there is no value, no cell."""
        cells = self.known("cells", self.find_cells, budget) if values else ()
        if self.limits is None or len(values) <= _AT_ONCE:
            if isinstance(cells, tuple) and isinstance(values, list):
                from sapper._native import paired as in_pairs

                return in_pairs(cells, values)
            return dict(zip(cells, values, strict=False))
        paired: dict[Cell, T] = {}
        for start in range(0, len(values), _AT_ONCE):
            budget.spend()
            end = start + _AT_ONCE
            paired.update(zip(cells[start:end], values[start:end], strict=False))
        return paired

    def find_cells(self, budget: Budget) -> Sequence[Cell]:
        """Name the covered cells."""
        return self.puzzle.cells if isinstance(self.puzzle, Clues) else self.puzzle.covered

    def find_consistent(self, budget: Budget) -> bool:
        """Find out whether there is a legal assignment."""
        return self.known("count", self.find_count, budget) > 0

    def find_count(self, budget: Budget) -> int:
        """Count the legal assignments."""
        by_mines = self.known("by_mines", self.find_by_mines, budget)
        total = self.puzzle.mines
        return sum(by_mines.values()) if total is None else by_mines.get(total, 0)

    def find_by_mines(self, budget: Budget) -> dict[int, int]:
        """Count the legal assignments for every number of mines."""
        raise Unanswered(self.method, "by_mines")

    def find_verdict_codes(self, budget: Budget) -> bytes:
        """Find the verdict of every cell."""
        if not self.known("consistent", self.find_consistent, budget):
            return b""

        def possible(clues: Clues) -> bool:
            return self.source.findings(clues, budget.left()).consistent

        def code(cell: Cell) -> int:
            if not possible(self.clues.including(cell)):
                return SAFE
            return UNKNOWN if possible(self.clues.excluding(cell)) else MINE

        return bytes(map(code, self.cells))

    def find_exact_probabilities(self, budget: Budget) -> Sequence[Fraction]:
        """Find how likely each cell is a mine."""
        whole = self.known("count", self.find_count, budget)
        if not whole:
            return []
        return [
            Fraction(self.source.findings(self.clues.including(cell), budget.left()).count, whole)
            for cell in self.cells
        ]

    def find_probabilities(self, budget: Budget) -> Sequence[float]:
        """Find how likely each cell is a mine, as floats."""
        exact = self.known("exact_probabilities", self.find_exact_probabilities, budget)
        return [float(chance) for chance in exact]

    def find_probabilities_by_cell(self, budget: Budget) -> dict[Cell, float]:
        """Find how likely each cell is a mine, as floats by cell."""
        return self.by_cell(self.known("probabilities", self.find_probabilities, budget), budget)

    def __reduce__(self) -> tuple[object, ...]:
        return _asked_again, (self.source, self.puzzle, self.limits)


def _asked_again(source: Method, puzzle: Puzzle, limits: Limits | None) -> Findings:
    return source.findings(puzzle, limits)


class CountedFindings(Findings):
    """Findings of a method that counts, for every cell, the legal assignments that mine it."""

    def find_mined(self, budget: Budget) -> Sequence[int]:
        """Count the legal assignments with a mine in each cell; there is at least one in all."""
        raise NotImplementedError

    def _counted(self, budget: Budget) -> tuple[int, Sequence[int]]:
        whole = self.known("count", self.find_count, budget)
        return whole, self.known("mined", self.find_mined, budget) if whole else ()

    def find_verdict_codes(self, budget: Budget) -> bytes:
        """Compare the counts: in none it is safe, in all a mine."""
        whole, mined = self._counted(budget)
        codes = {0: SAFE, whole: MINE}
        return bytes(codes.get(number, UNKNOWN) for number in mined)

    def find_exact_probabilities(self, budget: Budget) -> Sequence[Fraction]:
        """Divide the counts."""
        whole, mined = self._counted(budget)
        return [Fraction(number, whole) for number in mined]
