"""One legal assignment, or two that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sapper.errors import InconsistentError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.clues import Solution

__all__ = ["Uniqueness"]


class Uniqueness(NamedTuple):
    """A layout and, if it is not the only one, another."""

    layout: Solution
    second: Solution | None

    @classmethod
    def of(cls, found: Iterable[Solution]) -> Uniqueness:
        """Look at the first two of the legal assignments.

        Raises
        ------
        InconsistentError
            If there is none.
        """
        rest = iter(found)
        first = next(rest, None)
        if first is None:
            raise InconsistentError("there is no legal assignment, so none is unique")
        return cls(first, next(rest, None))

    @property
    def is_unique(self) -> bool:
        """Whether there is no other layout."""
        return self.second is None

    @property
    def differing(self) -> Solution:
        """The cells that are mined in one of the two layouts only; none if it is unique."""
        return frozenset() if self.second is None else self.layout ^ self.second
