"""The method behind ``method="auto"``: the engine while it fits, else SAT for what SAT can do."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from sapper._native import Cache, run_under
from sapper.clues import Clues
from sapper.engine import EngineFindings, EngineMethod, EngineSolutions
from sapper.errors import TooWide
from sapper.questions import QUESTIONS, BaseMethod, Budget, Findings, Question, kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sapper._native import Progress, Run
    from sapper.clues import Puzzle, Solution
    from sapper.engine import Board, EngineEstimate, Order
    from sapper.field import Cell
    from sapper.limits import Limits
    from sapper.questions import Solutions

__all__ = ["MOST_EXPECTED", "Auto"]

T = TypeVar("T")

HOPELESS: Final = 1e13
"""With so many nodes expected, nobody need try to count."""

# How long the engine works before anybody asks how wide the board is, and how long it may then look
# for forced cells on a board that is too wide without them: so many seconds, some more for every
# covered cell, and no more than this share of the time allowed.
_PATIENCE: Final = 0.1
_PATIENCE_PER_CELL: Final = 2e-5
_SHARE: Final = 0.3

MOST_EXPECTED: Final = 3e7
"""How many nodes the engine may expect before verdicts are left to SAT.

The expectation is a bound, and diagrams are often a hundred times smaller; at this bound the
engine takes seconds and less than two gigabytes.
"""


class Auto(BaseMethod):
    """Ask the engine; if it expects too many nodes, ask SAT for consistency and verdicts.

    Whether the engine fits is decided by its estimate, before anything is compiled; where it takes
    more than a moment to find the forced cells that the estimate begins with, by an estimate
    without them.
    Counts, probabilities, samples and diagrams come from the engine or not at all: nothing else
    has them for a board of any width. Solutions one by one come from SAT where the engine does not
    fit, in its order. The findings say which method gave the verdicts.

    Parameters
    ----------
    most_expected : float
        How many nodes the engine may expect.
    certainty, grouping, look_ahead, order, memory, progress, threads
        As for the engine.

    Examples
    --------
    >>> from sapper.clues import Clue, Clues
    >>> clues = Clues([Clue(1, "ab"), Clue(2, "abc")])
    >>> Auto().findings(clues).verdicts
    {'a': 'unknown', 'b': 'unknown', 'c': 'mine'}
    >>> Auto().findings(clues).method, Auto(most_expected=0).findings(clues).method
    ('engine', 'sat')
    """

    name: ClassVar[str] = "auto"
    answers: ClassVar[frozenset[Question]] = frozenset(QUESTIONS)

    def __init__(
        self,
        *,
        most_expected: float = MOST_EXPECTED,
        certainty: bool = True,
        grouping: bool = True,
        look_ahead: bool = True,
        order: Order = "auto",
        memory: Cache | None = None,
        progress: Progress | None = None,
        threads: int = 1,
    ) -> None:
        settings: dict[str, Any] = {
            "certainty": certainty,
            "grouping": grouping,
            "look_ahead": look_ahead,
            "order": order,
            "memory": memory,
            "progress": progress,
            "threads": threads,
        }
        self.capped = EngineMethod(most_expected=most_expected, **settings)
        self.engine = EngineMethod(**settings)
        self.plain = EngineMethod(**{**settings, "certainty": False})
        self.most_expected = most_expected
        self._settings = settings

    def remembering(self) -> Auto:
        """Return this method, with a memory for compiled components if it has none."""
        if self.engine.memory is not None:
            return self
        return Auto(most_expected=self.most_expected, **{**self._settings, "memory": Cache()})

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> AutoFindings:
        """Return findings of the engine if it fits, and verdicts by SAT otherwise."""
        return AutoFindings(self, puzzle, limits, self.capped)

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> AutoSolutions:
        """Return the engine's view of the legal assignments; where it does not fit, SAT lists."""
        return AutoSolutions(self, puzzle, limits)

    def estimate(self, puzzle: Puzzle, limits: Limits | None = None) -> EngineEstimate:
        """Return what the engine expects."""
        return self.engine.estimate(puzzle, limits)

    def __repr__(self) -> str:
        return repr(self.capped).replace("EngineMethod", "Auto")

    def __reduce__(self) -> tuple[object, ...]:
        return _with_settings, ({**self.capped.settings, "threads": self.engine.threads},)


def _with_settings(settings: dict[str, Any]) -> Auto:
    return Auto(**settings)


class _Undecided(Exception):  # noqa: N818 - it never leaves this file
    """The engine may still be looking for forced cells, and without them the board is too wide."""


class AutoFindings(EngineFindings):
    """Findings of the engine; where it does not fit, verdicts by SAT."""

    source: Auto
    _sat: Findings | None = None  # who gives the verdicts if the engine does not fit
    _expected = 0.0

    def settle(self, budget: Budget) -> None:
        """Compile if it fits, and otherwise leave the verdicts to SAT."""
        if self._board is not None or self._sat is not None:
            return
        try:
            self.watched(super().compile, budget, self.source.most_expected)
        except TooWide as error:
            from sapper.methods import Sat

            self._expected = error.expected
            self._sat = Sat().findings(self.puzzle, self.limits)

    def compile(
        self,
        budget: Budget,
        progress: Progress | None = None,
        engine: EngineMethod | None = None,
    ) -> Board:
        """Return the board, compiled now, or raise `TooWide` where that is hopeless."""
        self.settle(budget)
        if self._board is not None:
            return self._board
        if self._expected > HOPELESS:
            raise TooWide(expected=self._expected)
        return super().compile(budget, progress, engine or self.source.engine)

    def watched(
        self,
        compile_it: Callable[[Budget, Progress | None], T],
        budget: Budget,
        most_expected: float,
    ) -> T:
        """Compile, but look how wide the board is if that takes long for its size."""
        started = monotonic()
        look: float | None = None
        report = self.engine.progress

        def watch(nodes: int) -> None:
            nonlocal look
            if report is not None:
                report(nodes)
            if look is None:  # a small board is done before anybody has to know
                look = started + self._patience(budget)
            if monotonic() > look:
                look = inf
                expected = self.source.plain.estimate(self.puzzle, budget.left())
                if expected.nodes > most_expected:
                    raise _Undecided

        try:
            return compile_it(budget, watch)
        except _Undecided:
            # Too wide also without its forced cells, if they are found soon?
            patience = self._patience(budget)
            expected = self.source.engine.estimate(self.puzzle, budget.left(), patience=patience)
            if expected.nodes > most_expected:
                raise TooWide(expected=expected.nodes) from None
            return compile_it(budget, report)

    def _patience(self, budget: Budget) -> float:
        puzzle = self.puzzle
        cells = len(puzzle.cells if isinstance(puzzle, Clues) else puzzle.topology)
        patience = _PATIENCE + _PATIENCE_PER_CELL * cells
        return patience if budget.seconds is None else min(patience, _SHARE * budget.seconds)

    def _instead(self, budget: Budget) -> Findings | None:
        """Return who gives the verdicts if the engine does not."""
        self.settle(budget)
        return self._sat

    @property
    def method(self) -> str:
        """The method that gives the verdicts."""
        sat = self._instead(Budget(self.limits))
        return EngineMethod.name if sat is None else sat.method

    def solutions(self, budget: Budget) -> Solutions:
        """Return the view of whoever gives the verdicts."""
        sat = self._instead(budget)
        return super().solutions(budget) if sat is None else sat.solutions(budget)

    def find_cells(self, budget: Budget) -> Sequence[Cell]:
        """Ask whoever gives the verdicts."""
        sat = self._instead(budget)
        if sat is None:
            return super().find_cells(budget)
        return sat.known("cells", sat.find_cells, budget)

    def find_consistent(self, budget: Budget) -> bool:
        """Ask whoever gives the verdicts."""
        sat = self._instead(budget)
        return super().find_consistent(budget) if sat is None else sat.find_consistent(budget)

    def find_verdict_codes(self, budget: Budget) -> bytes:
        """Ask the engine, or SAT."""
        sat = self._instead(budget)
        return super().find_verdict_codes(budget) if sat is None else sat.find_verdict_codes(budget)


class AutoSolutions(EngineSolutions):
    """The engine's view; where it does not fit, SAT tells whether there is one and lists them."""

    def __init__(
        self,
        source: Auto,
        puzzle: Puzzle,
        limits: Limits | None = None,
        decided: tuple[tuple[Cell, bool], ...] = (),
    ) -> None:
        # Narrowed views share what is compiled of the parts they do not change.
        self._auto = source.remembering()
        super().__init__(self._auto.engine, puzzle, limits, decided)

    @property
    def _found(self) -> AutoFindings:
        def asked() -> AutoFindings:
            puzzle = self.clues if self._decided else self.puzzle
            return self._auto.findings(puzzle, self._limits)

        return kept(self, "_findings", asked)

    def _board(self, run: Run) -> Board:
        return self._found.compiled(Budget(self._limits))[0]

    def _compile(self, run: Run, **changes: Any) -> Board:
        compile_it = super()._compile

        def watched(budget: Budget, progress: Progress | None) -> Board:
            left = None if self._limits is None else budget.left()
            return compile_it(run_under(left, progress), **changes)

        return self._found.watched(watched, Budget(self._limits), HOPELESS)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The covered cells in canonical order."""
        return tuple(self._found.cells)

    def __bool__(self) -> bool:
        return self._found.consistent

    def __iter__(self) -> Iterator[Solution]:
        """Walk over all solutions, in an order of the method that finds them."""
        found = self._found
        found.prepare()
        if found.method == EngineMethod.name:
            return super().__iter__()
        return iter(found.solutions(Budget(self._limits)))

    def _narrowed(self, cell: Cell, *, mined: bool) -> AutoSolutions:
        return AutoSolutions(
            self._auto, self.puzzle, self._limits, self.decided_with(cell, mined=mined)
        )

    def __reduce__(self) -> tuple[object, ...]:
        return AutoSolutions, (self._auto, self.puzzle, self._limits, self._decided)
