"""What an analysis knows, asked once; what cannot be had is None, with the reason kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from sapper.errors import LimitExceeded, MethodError, TooWide

if TYPE_CHECKING:
    from sapper.analysis import Analysis
    from sapper.clues import Puzzle, Verdict
    from sapper.field import Cell

__all__ = ["Known"]

Found = TypeVar("Found")


class Known:
    """An analysis for those who show it: verdicts must be there, the rest may be missing.

    A board whose verdicts are known is worth showing without its counts, whether the method has
    none, a limit was hit on the way to them, or nobody could hold what counting takes.

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
        """The limit that was hit, if one was; what is too wide to begin with hits none."""
        for error in self.missing.values():
            if isinstance(error, LimitExceeded) and not isinstance(error, TooWide):
                return error
        return None

    def _asked(self, name: str, question: Callable[[Analysis], Found]) -> Found | None:
        # Every question has the same limits, but time that is up for one is up for all.
        if (hit := self.limit) is not None and hit.limit == "seconds":
            self.missing[name] = hit
            return None
        try:
            return question(self.analysis)
        except (MethodError, LimitExceeded) as error:
            self.missing[name] = error
            return None
