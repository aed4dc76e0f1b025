"""The method behind ``method="auto"``: the engine while it fits, else SAT for what SAT can do."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final

from sapper._native import Options, Progress, run_under
from sapper.analysis.registry import get
from sapper.clues import VERDICTS
from sapper.engine import EngineMethod
from sapper.engine.board import Board
from sapper.engine.findings import EngineFindings
from sapper.errors import TooWide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.clues import Puzzle, Verdict
    from sapper.field import Cell
    from sapper.limits import Limits
    from sapper.questions import Findings

__all__ = ["MOST_EXPECTED", "Auto"]

MOST_EXPECTED: Final = 3e7
"""How many nodes the engine may expect before verdicts are left to SAT.

The expectation is a bound, and diagrams are often a hundred times smaller; at this bound the
engine takes seconds and less than two gigabytes.
"""


class Auto(EngineMethod):
    """Ask the engine; if it expects too many nodes, ask SAT for consistency and verdicts.

    Whether the engine fits is decided by its estimate, before anything is compiled. Counts,
    probabilities and the set of solutions come from the engine in any case: nothing else has them
    for a board of any width. The findings say which method gave the verdicts.

    Parameters
    ----------
    most_expected : float
        How many nodes the engine may expect.
    progress : callable, optional
        As for the engine.

    Examples
    --------
    >>> from sapper.clues import Clue, Clues
    >>> clues = Clues([Clue(1, "ab"), Clue(2, "abc")])
    >>> Auto().verdicts(clues)
    {'a': 'unknown', 'b': 'unknown', 'c': 'mine'}
    >>> Auto().analyze(clues).method, Auto(most_expected=0).analyze(clues).method
    ('engine', 'sat')
    """

    name: ClassVar[str] = "auto"

    def __init__(
        self, *, most_expected: float = MOST_EXPECTED, progress: Progress | None = None
    ) -> None:
        super().__init__(progress=progress)
        self._most = most_expected
        self._capped = Options(most_expected=most_expected)

    def analyze(self, puzzle: Puzzle, limits: Limits | None = None) -> _Engine | _Wide:  # type: ignore[override]
        """Compile if it fits, and otherwise leave the verdicts to SAT."""
        run = run_under(limits, self._progress)
        try:
            return _Engine(Board(puzzle, run, self._capped), run)
        except TooWide:
            return _Wide(puzzle, limits)

    def is_consistent(self, puzzle: Puzzle, limits: Limits | None = None) -> bool:
        """Tell whether there is a legal assignment."""
        return self.analyze(puzzle, limits).consistent

    def verdicts(self, puzzle: Puzzle, limits: Limits | None = None) -> dict[Cell, Verdict]:
        """Return the verdict of every covered cell; nothing if there is no legal assignment."""
        found = self.analyze(puzzle, limits)
        return dict(zip(found.cells, map(VERDICTS.__getitem__, found.verdict_codes), strict=False))

    def __repr__(self) -> str:
        return f"Auto(most_expected={self._most:g})"


class _Engine(EngineFindings):
    """Findings of the engine that say so."""

    method: ClassVar[str] = "engine"


class _Wide:
    """Verdicts by SAT; what else is asked goes to the engine, however long it takes."""

    method: ClassVar[str] = "sat"

    def __init__(self, puzzle: Puzzle, limits: Limits | None) -> None:
        self._puzzle = puzzle
        self._limits = limits
        self._sat: Findings = get("sat").analyze(puzzle, limits)
        self._engine: EngineFindings | None = None

    @property
    def cells(self) -> Sequence[Cell]:
        return self._sat.cells

    @property
    def consistent(self) -> bool:
        return self._sat.consistent

    @property
    def verdict_codes(self) -> bytes:
        return self._sat.verdict_codes

    @property
    def _counted(self) -> EngineFindings:
        if self._engine is None:
            self._engine = EngineMethod().analyze(self._puzzle, self._limits)
        return self._engine

    @property
    def count(self) -> int:
        return self._counted.count

    @property
    def probabilities(self) -> Sequence[float]:
        return self._counted.probabilities

    @property
    def exact_probabilities(self) -> Sequence[Fraction]:
        return self._counted.exact_probabilities
