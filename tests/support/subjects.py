"""The methods under test, and what each may be asked.

A new method gets a row here and is then held to the oracle by `tests/methods`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from hypothesis import strategies as st

from sapper.analysis import get, names_answering
from sapper.clues import Puzzle
from sapper.questions import Method, Question
from tests.support.strategies import clue_systems, positions, puzzles
from tests.support.views import VIEW_PARTS


@dataclass(frozen=True)
class Subject:
    """A method by name, the puzzles it takes, what its views offer, and if it takes weights."""

    name: str
    puzzles: st.SearchStrategy[Puzzle] = field(default_factory=puzzles)
    view_parts: frozenset[str] = VIEW_PARTS
    weighted: bool = True

    @property
    def method(self) -> Method:
        return get(self.name)


SUBJECTS: Final = (
    Subject("engine"),
    Subject("sat", view_parts=VIEW_PARTS - {"decide"}),
    Subject("kset"),
    Subject("zdd"),
    Subject(
        "subgraph",
        puzzles=st.one_of(positions(), clue_systems(weighted=False)),
        weighted=False,
    ),
)
"""All methods but the oracle itself."""


def answering(*questions: Question) -> tuple[Subject, ...]:
    """Return the subjects that answer all of these questions, and find every verdict."""
    return tuple(
        subject
        for subject in SUBJECTS
        if subject.name != "kset" and all(subject.name in names_answering(q) for q in questions)
    )


ELSEWHERE: Final = frozenset({"auto", "cpsat", "tree", "treewidth"})
"""Methods held to the oracle elsewhere: `auto` and `cpsat`, slow for the smallest answer, in
`tests/inference`; `tree`, which takes no boards, and `treewidth`, slow on them, in their
own files next to the rest.
"""
