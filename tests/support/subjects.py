"""The methods under test, and what each may be asked.

A new method gets a row here and is then held to the oracle by `tests/methods`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from hypothesis import strategies as st

from sapper.clues import Puzzle
from sapper.methods import Method, get
from tests.support.strategies import puzzles
from tests.support.views import VIEW_PARTS


@dataclass(frozen=True)
class Subject:
    """A method by name, the puzzles that it takes, and what its views offer."""

    name: str
    puzzles: st.SearchStrategy[Puzzle] = field(default_factory=puzzles)
    view_parts: frozenset[str] = VIEW_PARTS

    @property
    def method(self) -> Method:
        return get(self.name)


SUBJECTS: Final = (
    Subject("engine"),
    Subject("sat", view_parts=frozenset({"contains"})),
)
"""All methods but the oracle itself."""
