"""k-set search: Dempsey & Guinn, *A Phase Transition in Minesweeper*, section 4.

Polynomial for each k, never wrong, and never complete: what it misses is part of the paper's point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from sapper.clues import VERDICTS, Clue, Clues, Puzzle
from sapper.errors import MethodError, quoted
from sapper.field import Position
from sapper.limits import Limits
from sapper.questions import BaseMethod, Budget, Findings, Question

if TYPE_CHECKING:
    from sapper._native import System

__all__ = ["KSet"]

_WORD: Final = 1 << 62
# From a value (0, 1, or 255 for neither) to the code of the verdict.
_CODES: Final = bytes(
    [VERDICTS.index("safe"), VERDICTS.index("mine"), *[VERDICTS.index("unknown")] * 254]
)


class KSet(BaseMethod):
    """What signed sums of up to k clues decide.

    A combination adds up to k clues, each with a sign and each as often as wanted. Where the right
    side equals the least or the greatest value that the left side can take, every cell with a
    coefficient left is decided. With ``k=1`` this is the naive single-point rule: a number with no
    mine left, or with as many as covered cells.

    Only combinations that cannot be split into two without opposite signs on a common cell are
    looked at; the others decide nothing that their parts do not decide (see the docs). On a board
    a clue has boundedly many neighbours, so the cost is linear in the clues for each k, with a
    base that grows with k.

    Parameters
    ----------
    k : int
        How many clues a combination has at most.
    repeat : bool
        Substitute what was found and search again until nothing new is found. The paper's
        algorithm looks once.
    total : bool
        Use the mine total, if there is one, as one more clue. The paper does not.

    Raises
    ------
    MethodError
        If k is not a positive integer.

    Examples
    --------
    >>> clues = Clues([Clue(1, "ab"), Clue(2, "abc")])
    >>> KSet(k=1).findings(clues).verdicts
    {'a': 'unknown', 'b': 'unknown', 'c': 'unknown'}
    >>> KSet(k=2).findings(clues).verdicts
    {'a': 'unknown', 'b': 'unknown', 'c': 'mine'}
    """

    name: ClassVar[str] = "kset"
    answers: ClassVar[frozenset[Question]] = frozenset({"verdicts"})
    complete: ClassVar[bool] = False

    def __init__(self, *, k: int = 2, repeat: bool = False, total: bool = False) -> None:
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            raise MethodError(f"k must be an integer of at least 1, not {quoted(k)}")
        self.k = k
        self.repeat = repeat
        self._total = total

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> KSetFindings:
        """Return what can be inferred."""
        return KSetFindings(self, puzzle, limits)

    def system(self, puzzle: Puzzle) -> System:
        """Return the clues that are combined.

        Raises
        ------
        MethodError
            If weights or counts are too large for machine words.
        """
        from sapper._native import System

        if isinstance(puzzle, Position) and not self._total:
            field = puzzle.topology.adjacency
            return System.from_labels(field, puzzle.codes, None)
        clues = Clues.of(puzzle)
        if self._total and clues.free_mines is not None:
            clues = clues.with_clue(Clue(clues.free_mines, clues.cells))
        for clue in clues.clues:
            size = sum(map(abs, clue.weights or ())) + abs(clue.count) + len(clue.cells)
            if size * self.k >= _WORD:
                raise MethodError(
                    f"{self.k} times the weights of {clue!r} do not fit in 64 bits; "
                    "'cpsat' and 'brute' take larger ones"
                )
        return clues.system

    def __repr__(self) -> str:
        return f"KSet(k={self.k}, repeat={self.repeat}, total={self._total})"


class KSetFindings(Findings):
    """What was inferred, and ``"unknown"`` for the rest.

    There are no verdicts if a combination cannot be met: then there is no legal assignment.
    """

    source: KSet

    def find_verdict_codes(self, budget: Budget) -> bytes:
        """Search once, or until nothing new is found."""
        from sapper._native import k_set_search, run_under

        method = self.source
        system = method.system(self.puzzle)
        k = min(method.k, 1 << 20)
        consistent, values, _ = k_set_search(system, k, method.repeat, run_under(budget.left()))
        return values.translate(_CODES) if consistent else b""
