"""What methods have in common."""

from __future__ import annotations

from typing import ClassVar

from sapper.clues import Puzzle
from sapper.limits import Limits
from sapper.questions.findings import Findings, Unanswered
from sapper.questions.protocol import Estimate, Question, Solutions


class BaseMethod:
    """A method that refuses every question until a subclass answers it.

    Methods keep nothing of what they were asked, so threads can share one.

    A subclass states `name` and `answers`, gives its own `Findings`, and overrides the rest of what
    it answers.
    """

    name: ClassVar[str]
    answers: ClassVar[frozenset[Question]]
    complete: ClassVar[bool] = True

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> Findings:
        """Return what can be found out, computed when it is read."""
        return Findings(self, puzzle, limits)

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> Solutions:
        """Return a view of the legal assignments."""
        raise Unanswered(self.name, "solutions")

    def estimate(self, puzzle: Puzzle, limits: Limits | None = None) -> Estimate:
        """Return what answering would cost, without paying it."""
        raise Unanswered(self.name, "estimate")

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
