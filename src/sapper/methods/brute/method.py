"""Plain enumeration: the oracle that everything else is tested against.

Every assignment of the cells that stand in a clue is tried, so the cost doubles with each such
cell. Nothing here is clever, on purpose.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final

from sapper.clues import VERDICTS, Clues, Puzzle, Verdict
from sapper.errors import MethodError
from sapper.field import Cell
from sapper.limits import Limits
from sapper.methods.brute.solutions import BruteSolutions
from sapper.questions import BaseMethod, Budget, Question

MAX_TOUCHED: Final = 24
"""The most cells in clues that are enumerated: 2²⁴ assignments take some seconds."""

_CHUNK: Final = 1 << 14
# A Python integer in a list: the object and the pointer to it.
_BYTES_PER_MASK: Final = 40


class Brute(BaseMethod):
    """Enumerate all assignments. Takes up to 24 cells in clues, and any number in none.

    Examples
    --------
    >>> from sapper.clues import Clue
    >>> clues = Clues([Clue(1, "ab"), Clue(1, "bc")])
    >>> Brute().count_by_mines(clues)
    {1: 1, 2: 1}
    >>> Brute().verdicts(clues.with_mines(1))
    {'a': 'safe', 'b': 'mine', 'c': 'safe'}
    """

    name: ClassVar[str] = "brute"
    answers: ClassVar[frozenset[Question]] = frozenset(
        {"consistent", "count", "by_mines", "solutions", "verdicts", "probabilities"}
    )

    def is_consistent(self, puzzle: Puzzle, limits: Limits | None = None) -> bool:
        """Tell whether there is a legal assignment."""
        return bool(self.solutions(puzzle, limits))

    def count(self, puzzle: Puzzle, limits: Limits | None = None) -> int:
        """Return the number of legal assignments, under the mine total if there is one."""
        return self.solutions(puzzle, limits).count()

    def count_by_mines(self, puzzle: Puzzle, limits: Limits | None = None) -> dict[int, int]:
        """Return the number of legal assignments for every number of mines."""
        clues = Clues.of(puzzle).with_mines(None)
        free_by_mines = self.solutions(clues, limits).count_by_mines()
        return {mines + clues.known_mines: count for mines, count in free_by_mines.items()}

    def verdicts(self, puzzle: Puzzle, limits: Limits | None = None) -> dict[Cell, Verdict]:
        """Return the verdict of every covered cell; nothing if there is no legal assignment."""
        findings = self.analyze(puzzle, limits)
        return {
            cell: VERDICTS[code]
            for cell, code in zip(findings.cells, findings.verdict_codes, strict=False)
        }

    def probabilities(self, puzzle: Puzzle, limits: Limits | None = None) -> dict[Cell, Fraction]:
        """Return how likely each covered cell is a mine; nothing if no assignment is legal."""
        findings = self.analyze(puzzle, limits)
        return dict(zip(findings.cells, findings.exact_probabilities, strict=False))

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> BruteSolutions:
        """Return a view of the legal assignments. The enumeration is done here.

        Raises
        ------
        MethodError
            If more than `MAX_TOUCHED` cells stand in clues.
        LimitExceeded
            If a limit is hit; each assignment that is tried counts as a node.
        """
        clues = Clues.of(puzzle)
        if len(clues.touched) > MAX_TOUCHED:
            raise MethodError(
                f"{len(clues.touched)} cells stand in clues, and the method 'brute' enumerates at "
                f"most {MAX_TOUCHED}; 'engine' takes any number"
            )
        return BruteSolutions(
            cells=clues.cells,
            touched=clues.touched,
            masks=_legal_masks(clues, Budget(limits)),
            free=clues.untouched,
            mines=clues.free_mines,
        )

    def analyze(self, puzzle: Puzzle, limits: Limits | None = None) -> _BruteFindings:
        """Return all that an `Analysis` shows, from a single enumeration."""
        return _BruteFindings(self.solutions(puzzle, limits))


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


class _BruteFindings:
    """Findings counted off the list of solutions."""

    def __init__(self, solutions: BruteSolutions) -> None:
        self._solutions = solutions

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self._solutions.cells

    @property
    def consistent(self) -> bool:
        return bool(self._solutions)

    @cached_property
    def count(self) -> int:
        return self._solutions.count()

    @cached_property
    def _mined(self) -> list[int]:
        """For each cell, the number of solutions in which it is a mine."""
        if not self.count:
            return []
        return [self._solutions.including(cell).count() for cell in self.cells]

    @cached_property
    def verdict_codes(self) -> bytes:
        safe, mine, unknown = map(VERDICTS.index, ("safe", "mine", "unknown"))
        code = {0: safe, self.count: mine}
        return bytes(code.get(mined, unknown) for mined in self._mined)

    @cached_property
    def exact_probabilities(self) -> list[Fraction]:
        return [Fraction(mined, self.count) for mined in self._mined]

    @cached_property
    def probabilities(self) -> list[float]:
        return [float(chance) for chance in self.exact_probabilities]
