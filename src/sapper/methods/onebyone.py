"""For methods that ask a solver: their findings, and solutions one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn, Protocol, TypeAlias

from sapper.clues import VERDICTS, Clues, Cost, Puzzle, Solution, Verdict
from sapper.errors import MethodError
from sapper.field import Cell
from sapper.limits import Limits
from sapper.questions import Budget, Findings, Method

__all__ = ["OneByOne", "SolverFindings"]

Finder: TypeAlias = Callable[[Clues], Iterator[Solution]]


class OneByOne:
    """The legal assignments of a clue system, found when they are asked for.

    Truth, membership, iteration and decided cells are answered; what needs all solutions at once
    (`count`, `sample`, `cheapest`, `zdd`) is left to the methods that have them.

    Parameters
    ----------
    name
        The method, for messages.
    clues
        What is solved.
    find
        A generator of all solutions in a fixed order.
    """

    def __init__(self, name: str, clues: Clues, find: Finder) -> None:
        self._name = name
        self._clues = clues
        self._find = find

    def __bool__(self) -> bool:
        found = self._find(self._clues)
        try:
            return next(found, None) is not None
        finally:
            _close(found)

    def __contains__(self, solution: object) -> bool:
        if not isinstance(solution, Iterable):
            return False
        try:
            return self._clues.is_solution(solution)
        except TypeError:  # something in it cannot be hashed, so it is no cell
            return False

    def __iter__(self) -> Iterator[Solution]:
        return self._find(self._clues)

    def including(self, cell: Cell) -> OneByOne:
        """Return the view of the solutions with a mine in `cell`.

        Raises
        ------
        UnknownCellError
            If it is not a covered cell.
        """
        return OneByOne(self._name, self._clues.including(cell), self._find)

    def excluding(self, cell: Cell) -> OneByOne:
        """Return the view of the solutions with no mine in `cell`.

        Raises
        ------
        UnknownCellError
            If it is not a covered cell.
        """
        return OneByOne(self._name, self._clues.excluding(cell), self._find)

    def count(self) -> int:
        """Refuse: there may be too many to find them all.

        Raises
        ------
        MethodError
            Always.
        """
        self._refuse("count")

    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        """Refuse: a uniform draw needs the count.

        Raises
        ------
        MethodError
            Always.
        """
        self._refuse("sample")

    def cheapest(self, costs: Mapping[Any, Cost]) -> NoReturn:
        """Refuse, as `count` does."""
        self._refuse("cheapest")

    def zdd(self) -> NoReturn:
        """Refuse, as `count` does."""
        self._refuse("zdd")

    def _refuse(self, what: str) -> NoReturn:
        raise MethodError(
            f"the method {self._name!r} finds solutions one by one and has no {what!r}; "
            "'engine' and 'brute' have"
        )

    def __repr__(self) -> str:
        return f"<solutions by {self._name!r}, one by one>"


def _close(found: Iterator[Solution]) -> None:
    close = getattr(found, "close", None)
    if close is not None:
        close()


class Solving(Method, Protocol):
    """A method that asks a solver for consistency and for all verdicts."""

    def is_consistent(self, puzzle: Puzzle, budget: Budget) -> bool:
        """Tell whether there is a legal assignment."""

    def verdicts(self, puzzle: Puzzle, budget: Budget) -> Mapping[Cell, Verdict]:
        """Return the verdict of every covered cell; nothing if there is no legal assignment."""


class SolverFindings(Findings):
    """Consistency by one model, verdicts by many."""

    source: Solving

    def __init__(self, source: Solving, puzzle: Puzzle, limits: Limits | None = None) -> None:
        super().__init__(source, puzzle, limits)

    def find_consistent(self, budget: Budget) -> bool:
        """Let the method look for a model."""
        return self.source.is_consistent(self.puzzle, budget)

    def find_verdict_codes(self, budget: Budget) -> bytes:
        """Let the method find verdicts in its own way."""
        found = self.source.verdicts(self.puzzle, budget)
        return bytes(VERDICTS.index(found[cell]) for cell in self.cells if found)
