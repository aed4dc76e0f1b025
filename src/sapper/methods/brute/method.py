"""Plain enumeration: the oracle that everything else is tested against.

Every assignment of the cells that stand in a clue is tried, so the cost doubles with each such
cell. Nothing here is clever, on purpose.
"""

from __future__ import annotations

from typing import ClassVar, Final

from sapper.clues import Clues, Puzzle
from sapper.errors import MethodError
from sapper.limits import Limits
from sapper.methods.brute.solutions import BruteSolutions
from sapper.questions import BaseMethod, Budget, CountedFindings, Question

MAX_TOUCHED: Final = 24
"""The most cells in clues that are enumerated: 2²⁴ assignments take some seconds."""

_CHUNK: Final = 1 << 12
# A Python integer: the object, and the pointer to it in a list and in a tuple.
_BYTES_PER_MASK: Final = 48


class Brute(BaseMethod):
    """Enumerate all assignments. Takes up to 24 cells in clues, and any number in none.

    Examples
    --------
    >>> from sapper.clues import Clue
    >>> clues = Clues([Clue(1, "ab"), Clue(1, "bc")])
    >>> Brute().findings(clues).by_mines
    {1: 1, 2: 1}
    >>> Brute().findings(clues.with_mines(1)).verdicts
    {'a': 'safe', 'b': 'mine', 'c': 'safe'}
    """

    name: ClassVar[str] = "brute"
    answers: ClassVar[frozenset[Question]] = frozenset(
        {"consistent", "count", "by_mines", "solutions", "verdicts", "probabilities"}
    )

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> BruteFindings:
        """Return findings from a single enumeration, done when the first is read."""
        return BruteFindings(self, puzzle, limits)

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> BruteSolutions:
        """Return a view of the legal assignments. The enumeration is done here.

        Raises
        ------
        MethodError
            If more than `MAX_TOUCHED` cells stand in clues.
        LimitExceeded
            If a limit is hit; each assignment that is tried counts as a node.
        """
        budget = Budget(limits)
        clues = Clues.of(puzzle, budget.look)
        if len(clues.touched) > MAX_TOUCHED:
            raise MethodError(
                f"{len(clues.touched)} cells stand in clues, and the method 'brute' enumerates at "
                f"most {MAX_TOUCHED}; 'engine' takes any number"
            )
        return BruteSolutions(clues, _legal_masks(clues, budget), limits)


def _legal_masks(clues: Clues, budget: Budget) -> tuple[int, ...]:
    """Return the assignments of the touched cells that satisfy every clue, as bit masks."""
    bit = {cell: 1 << place for place, cell in enumerate(clues.touched)}
    plain = [
        (clue.count, sum(bit[cell] for cell in clue.cells))
        for clue in clues.clues
        if clue.weights is None
    ]
    weighted = [
        (clue.count, [(bit[cell], weight) for cell, weight in clue.terms])
        for clue in clues.clues
        if clue.weights is not None
    ]
    legal: list[int] = []
    end = 1 << len(bit)
    for start in range(0, end, _CHUNK):
        chunk = range(start, min(start + _CHUNK, end))
        budget.spend(nodes=len(chunk), held=_BYTES_PER_MASK * len(legal))
        legal.extend(
            mask
            for mask in chunk
            if all((mask & around).bit_count() == count for count, around in plain)
            and all(
                sum(weight for cell, weight in terms if mask & cell) == count
                for count, terms in weighted
            )
        )
    return tuple(legal)


class BruteFindings(CountedFindings):
    """Findings counted off the list of solutions."""

    source: Brute

    def _listed(self, budget: Budget) -> BruteSolutions:
        return self.known("_view", self._enumerated, budget)

    def _enumerated(self, budget: Budget) -> BruteSolutions:
        with budget.step() as left:
            return self.source.solutions(self.puzzle, left)

    def find_count(self, budget: Budget) -> int:
        """Count the solutions."""
        return self._listed(budget).counted(budget)

    def find_by_mines(self, budget: Budget) -> dict[int, int]:
        """Count the solutions by their size, without the total."""
        clues = self.clues.with_mines(None)
        with budget.step() as left:
            by_size = self.source.solutions(clues, left).count_by_mines()
        return {mines + clues.known_mines: number for mines, number in by_size.items()}

    def find_mined(self, budget: Budget) -> list[int]:
        """Count the solutions with a mine in each cell."""
        view = self._listed(budget)
        return [view.including(cell).counted(budget) for cell in self.cells]
