"""What an analysis knows, asked once; what cannot be had is None, with the reason kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from sapper.errors import LimitExceeded, MethodError
from sapper.limits import Limits

if TYPE_CHECKING:
    from sapper.analysis import Analysis
    from sapper.clues import Puzzle, Verdict
    from sapper.field import Cell

__all__ = ["Known"]

Found = TypeVar("Found")


class Known:
    """An analysis for those who show it: verdicts must be there, the rest may be missing.

    A board whose verdicts are known is worth showing without its counts, whether the method has
    none or a limit was hit on the way to them. Where ``"auto"`` left the verdicts to a method that
    does not count, because nobody could hold what counting takes, nobody tries without limits.

    Parameters
    ----------
    analysis
        What `sapper.analyze` returned.

    Examples
    --------
    >>> import sapper
    >>> known = Known(sapper.analyze(sapper.parse("1?"), method="kset"))
    >>> known.count is None, list(known.missing)
    (True, ['count'])
    """

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.missing: dict[str, MethodError | LimitExceeded] = {}
        """Why something could not be had, by its name."""

    @property
    def puzzle(self) -> Puzzle:
        """What was analysed."""
        return self.analysis.puzzle

    @cached_property
    def verdicts(self) -> Mapping[Cell, Verdict]:
        """The verdicts; nothing if there is no legal assignment."""
        return self.analysis.verdicts

    @cached_property
    def consistent(self) -> bool | None:
        """Whether there is a legal assignment."""
        return self._asked("consistent", lambda a: a.consistent)

    @cached_property
    def count(self) -> int | None:
        """The number of legal assignments."""
        return self._asked("count", lambda a: a.count)

    @cached_property
    def chances(self) -> Mapping[Cell, float]:
        """How likely each covered cell is a mine; nothing if that is missing."""
        return self._asked("probabilities", lambda a: a.probabilities) or {}

    @cached_property
    def fractions(self) -> Mapping[Cell, Fraction]:
        """The same, exactly."""
        return self._asked("exact", lambda a: a.exact_probabilities) or {}

    def ask(self, *, exact: bool = False) -> None:
        """Find out all there is to know, while somebody is waiting anyway."""
        _ = self.verdicts, self.consistent, self.count, self.chances
        if exact:
            _ = self.fractions

    @property
    def limit(self) -> LimitExceeded | None:
        """The limit that was hit, if one was."""
        hit = (error for error in self.missing.values() if isinstance(error, LimitExceeded))
        return next(hit, None)

    @cached_property
    def _hopeless(self) -> bool:
        findings = self.analysis.findings
        unlimited = findings.limits is None or findings.limits == Limits()
        return unlimited and findings.source.name == "auto" and findings.method != "engine"

    def _asked(self, name: str, question: Callable[[Analysis], Found]) -> Found | None:
        try:
            if name != "consistent" and self._hopeless:
                raise MethodError("too wide to be counted: limits, or the method 'engine', try")
            return question(self.analysis)
        except (MethodError, LimitExceeded) as error:
            self.missing[name] = error
            return None
