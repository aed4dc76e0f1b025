"""What methods have in common: refusing politely, and answers that follow from other answers."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from sapper.clues import VERDICTS, Clues, Puzzle, Verdict
from sapper.errors import MethodError
from sapper.field import Cell
from sapper.limits import Budget, Limits
from sapper.questions.protocol import Estimate, Findings, Method, Question, Solutions


class BaseMethod:
    """A method that refuses every question until a subclass answers it.

    A subclass states `name` and `answers` and overrides what it computes itself. What it claims to
    answer and does not override follows from the rest: the count from the counts by mines,
    consistency from the count, verdicts from the consistency of the system with a cell decided
    (at most two checks a cell), probabilities from its count (one a cell).
    """

    name: ClassVar[str]
    answers: ClassVar[frozenset[Question]]
    complete: ClassVar[bool] = True

    def is_consistent(self, puzzle: Puzzle, limits: Limits | None = None) -> bool:
        """Tell whether there is a legal assignment."""
        self._require("consistent")
        return self.count(puzzle, limits) > 0

    def count(self, puzzle: Puzzle, limits: Limits | None = None) -> int:
        """Return the number of legal assignments, under the mine total if there is one."""
        self._require("count")
        by_mines = self.count_by_mines(puzzle, limits)
        if puzzle.mines is not None:
            return by_mines.get(puzzle.mines, 0)
        return sum(by_mines.values())

    def count_by_mines(self, puzzle: Puzzle, limits: Limits | None = None) -> dict[int, int]:
        """Return the number of legal assignments for every number of mines."""
        raise self._refusal("by_mines")

    def verdicts(self, puzzle: Puzzle, limits: Limits | None = None) -> dict[Cell, Verdict]:
        """Return the verdict of every covered cell; nothing if there is no legal assignment."""
        self._require("verdicts")
        clues, budget = Clues.of(puzzle), Budget(limits)
        found: dict[Cell, Verdict] = {}
        if not self.is_consistent(clues, budget.left()):
            return found
        for cell in clues.cells:
            if not self.is_consistent(clues.including(cell), budget.left()):
                found[cell] = "safe"
            elif not self.is_consistent(clues.excluding(cell), budget.left()):
                found[cell] = "mine"
            else:
                found[cell] = "unknown"
        return found

    def probabilities(self, puzzle: Puzzle, limits: Limits | None = None) -> dict[Cell, Fraction]:
        """Return how likely each covered cell is a mine; nothing if no assignment is legal."""
        self._require("probabilities")
        clues, budget = Clues.of(puzzle), Budget(limits)
        total = self.count(clues, budget.left())
        if not total:
            return {}
        return {
            cell: Fraction(self.count(clues.including(cell), budget.left()), total)
            for cell in clues.cells
        }

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> Solutions:
        """Return a view of the legal assignments."""
        raise self._refusal("solutions")

    def analyze(self, puzzle: Puzzle, limits: Limits | None = None) -> Findings:
        """Return findings that ask the method when they are read; limits hold for each question."""
        return _Asked(self, Clues.of(puzzle), limits)

    def estimate(self, puzzle: Puzzle, limits: Limits | None = None) -> Estimate:
        """Return what answering would cost, without paying it."""
        raise self._refusal("estimate")

    def _require(self, question: Question) -> None:
        if question not in self.answers:
            raise self._refusal(question)

    def _refusal(self, question: Question) -> MethodError:
        from sapper.analysis import names_answering

        able = " and ".join(repr(name) for name in names_answering(question))
        return MethodError(f"the method {self.name!r} does not answer {question!r}; {able} can")

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class _Asked:
    """Findings that put each question to a method when it is first read."""

    def __init__(self, method: Method, clues: Clues, limits: Limits | None) -> None:
        self._method = method
        self._clues = clues
        self._limits = limits

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self._clues.cells

    @cached_property
    def consistent(self) -> bool:
        return self._method.is_consistent(self._clues, self._limits)

    @cached_property
    def count(self) -> int:
        return self._method.count(self._clues, self._limits)

    @cached_property
    def verdict_codes(self) -> bytes:
        verdicts = self._method.verdicts(self._clues, self._limits)
        return bytes(VERDICTS.index(verdicts[cell]) for cell in self.cells if verdicts)

    @cached_property
    def exact_probabilities(self) -> list[Fraction]:
        chances = self._method.probabilities(self._clues, self._limits)
        return [chances[cell] for cell in self.cells if chances]

    @cached_property
    def probabilities(self) -> list[float]:
        return [float(chance) for chance in self.exact_probabilities]
