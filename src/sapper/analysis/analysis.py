"""Everything a player wants to know about a position."""

from __future__ import annotations

from fractions import Fraction
from itertools import compress
from typing import TYPE_CHECKING, Any, Final, NoReturn

from sapper.analysis.registry import required
from sapper.clues import VERDICTS, Puzzle, Verdict
from sapper.field import Cell, Shown
from sapper.limits import UNLIMITED
from sapper.questions import Budget, Findings, Question, kept

if TYPE_CHECKING:
    from sapper.analysis.difficulty import Difficulty

_SAFE: Final = VERDICTS.index("safe")
_MINE: Final = VERDICTS.index("mine")


def _selector(wanted: int) -> bytes:
    """Return the table that turns the code `wanted` into 1 and every other into 0."""
    return bytes(code == wanted for code in range(256))


_IS_SAFE: Final = _selector(_SAFE)
_IS_MINE: Final = _selector(_MINE)


class Analysis(Shown):
    """What is certain, what is likely, and where to dig.

    Only covered cells are spoken of. If the position is inconsistent there is nothing to say of
    any cell: `count` is 0 and all the rest is empty. Attributes are made when first read. Threads
    can share one: two that read the same at once may both compute it.

    Made by `sapper.analyze`.

    Examples
    --------
    >>> import sapper
    >>> clues = sapper.Clues([sapper.Clue(1, "ab"), sapper.Clue(1, "abc")], mines=1)
    >>> analysis = sapper.analyze(clues, method="brute")
    >>> analysis
    Analysis(consistent=True, safe=1, mines=0, unknown=2)
    >>> analysis.verdicts
    {'a': 'unknown', 'b': 'unknown', 'c': 'safe'}
    >>> analysis.probabilities
    {'a': 0.5, 'b': 0.5, 'c': 0.0}
    >>> analysis.best
    ('c',)
    """

    def __init__(self, findings: Findings) -> None:
        # Straight into the dictionary: an analysis is frozen.
        self.__dict__["findings"] = findings

    findings: Findings
    """What the method found, along the cells."""

    def _asked(self, question: Question) -> Findings:
        findings = self.findings
        if question not in findings.answers:
            required(question, findings.answers, findings.method)
        return findings

    @property
    def puzzle(self) -> Puzzle:
        """The position or clue system that was analysed."""
        return self.findings.puzzle

    @property
    def method(self) -> str:
        """The method that gave the verdicts; for ``"auto"``, the one that was picked."""
        return self.findings.method

    @property
    def difficulty(self) -> Difficulty | None:
        """The easiest certain move: its cell, its verdict and the size of its smallest core.

        How many clues one has to look at together is how hard a deduction is (Dempsey & Guinn,
        section 3). None if nothing is certain.

        Examples
        --------
        >>> import sapper
        >>> clues = sapper.Clues([sapper.Clue(1, "ab"), sapper.Clue(2, "abc")])
        >>> sapper.analyze(clues).difficulty
        Difficulty(cell='c', verdict='mine', size=2)
        """
        return kept(self, "difficulty", self._easiest)

    def _easiest(self) -> Difficulty | None:
        from sapper.analysis.difficulty import easiest

        findings = self._asked("verdicts")
        budget = Budget(findings.limits)
        codes = findings.known("verdict_codes", findings.find_verdict_codes, budget)
        return easiest(self.puzzle, codes, budget)

    @property
    def consistent(self) -> bool:
        """Whether there is a legal assignment."""
        return self._asked("consistent").consistent

    @property
    def count(self) -> int:
        """The number of legal assignments, under the mine total if there is one."""
        return self._asked("count").count

    @property
    def verdicts(self) -> dict[Cell, Verdict]:
        """The verdict of every covered cell, in canonical order."""
        return self._asked("verdicts").verdicts

    @property
    def safe(self) -> frozenset[Cell]:
        """The cells that are certainly free."""
        return kept(self, "safe", lambda: frozenset(self._with_code(_IS_SAFE)))

    @property
    def mines(self) -> frozenset[Cell]:
        """The cells that are certainly mines."""
        return kept(self, "mines", lambda: frozenset(self._with_code(_IS_MINE)))

    @property
    def probabilities(self) -> dict[Cell, float]:
        """How likely each covered cell is a mine, as a float.

        A float of 0 or 1 does not make a cell certain: read `verdicts` for that.
        """
        # Read for every position of a game: no call that is not needed.
        values = self.__dict__
        found: dict[Cell, float] | None = values.get("probabilities")
        if found is None:
            findings = self.findings
            if "probabilities" not in findings.source.answers:
                self._asked("probabilities")
            limits = findings.limits
            if limits is None:
                found = findings.find_probabilities_by_cell(UNLIMITED)
            else:
                budget = Budget(limits)
                with budget.whole():
                    found = findings.find_probabilities_by_cell(budget)
            values["probabilities"] = found
        return found

    @property
    def exact_probabilities(self) -> dict[Cell, Fraction]:
        """How likely each covered cell is a mine, exactly."""
        findings = self._asked("probabilities")

        def named() -> dict[Cell, Fraction]:
            budget = Budget(findings.limits)
            found = findings.known("exact_probabilities", findings.find_exact_probabilities, budget)
            return findings.by_cell(found, budget)

        return kept(self, "exact_probabilities", named)

    @property
    def best(self) -> tuple[Cell, ...]:
        """The cells worth digging, best first.

        These are the certainly free cells, if there are any; otherwise all but the certain mines,
        the least likely mine first. Equals stand in canonical order.
        """
        return kept(self, "best", self._ranked)

    def _ranked(self) -> tuple[Cell, ...]:
        findings = self._asked("verdicts")
        budget = Budget(findings.limits)
        codes = findings.known("verdict_codes", findings.find_verdict_codes, budget)
        cells = findings.known("cells", findings.find_cells, budget)
        if _SAFE in codes:
            return tuple(compress(cells, codes.translate(_IS_SAFE)))
        self._asked("probabilities")
        chances = findings.known("probabilities", findings.find_probabilities, budget)
        ranked = [
            (chance, place)
            for place, (code, chance) in enumerate(zip(codes, chances, strict=True))
            if code != _MINE
        ]
        budget.spend()
        ranked.sort()
        budget.spend()
        return tuple(cells[place] for _, place in ranked)

    def _with_code(self, selector: bytes) -> compress[Cell]:
        findings = self._asked("verdicts")
        budget = Budget(findings.limits)
        codes = findings.known("verdict_codes", findings.find_verdict_codes, budget)
        cells = findings.known("cells", findings.find_cells, budget)
        return compress(cells, codes.translate(selector))

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"an Analysis is frozen: {name!r} cannot be set")

    def __reduce__(self) -> tuple[object, ...]:
        return Analysis, (self.findings,)

    def __repr__(self) -> str:
        findings = self.findings
        codes = findings.verdict_codes
        safe, mines = codes.count(_SAFE), codes.count(_MINE)
        # Without a cell there is no code; and there are methods that cannot tell.
        silent = not findings.cells and "consistent" not in findings.answers
        consistent = bool(codes) or silent or (not findings.cells and self.consistent)
        return (
            f"Analysis(consistent={consistent}, safe={safe}, mines={mines}, "
            f"unknown={len(codes) - safe - mines})"
        )

    def __str__(self) -> str:
        from sapper import render

        return render.text(self.puzzle, self)
