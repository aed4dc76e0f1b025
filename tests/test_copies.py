"""Everything public pickles and copies, or says why not."""

from __future__ import annotations

import copy
import inspect
import pickle
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from importlib import import_module
from typing import Any

import pytest

import sapper
from sapper import play
from tests.support.wrong_types import OBJECTS, ROOMS, SMALL, layout, position

MORE = {
    "Generated": lambda: play.generate(play.Board(sapper.Grid(4, 4), 2), start=(0, 0), seed=1),
    "Grade": lambda: play.grade(layout(), (0, 0)),
    "Limits": lambda: SMALL,
    "Metrics": lambda: play.metrics(layout()),
    "Optimum": lambda: play.optimal_play(sapper.Grid(3, 3), 2),
    "Result": lambda: play.tournament("safest", board="beginner", games=3, seed=1),
    "Review": lambda: play.review(OBJECTS["Game"]()),
    "estimate": lambda: sapper.estimate(position()),
    "method": lambda: sapper.analyze(position()).findings.source,
    "view of SAT": lambda: sapper.solutions(position(), method="sat"),
    "view of a ZDD": lambda: sapper.solutions(position(), method="subgraph"),
}
MADE: dict[str, Any] = {name: made for name, made in OBJECTS.items() if name != "Random"} | MORE


def told(value: Any) -> object:
    """Return something that copies have in common; objects that are no values compare by this."""
    if isinstance(value, sapper.Analysis):
        return value.verdicts, value.count
    if isinstance(value, sapper.Session):
        return value.position, value.count()
    if isinstance(value, play.Game):
        return value.position, value.status
    if hasattr(value, "sample"):
        return set(value)
    return value if "__eq__" in vars(type(value)) else repr(value)


@pytest.mark.parametrize("name", MADE)
def test_copies_are_equal(name: str) -> None:
    value = MADE[name]()
    for made in (
        pickle.loads(pickle.dumps(value)),
        copy.copy(value),
        copy.deepcopy(value),
    ):
        assert type(made) is type(value)
        assert told(made) == told(value)


def test_threads_share_what_they_read() -> None:
    """Those that say so: an analysis, findings, a view, a diagram, a method, a field."""
    clues = sapper.Clues([sapper.Clue(2, range(i, i + 5)) for i in range(0, 12, 2)])
    expected = sapper.analyze(clues, method="brute").verdicts
    for method in ("auto", "engine", "subgraph", "treewidth", "sat"):
        counting = method not in ("sat",)
        for _ in range(5):
            analysis, view = sapper.analyze(clues, method=method), None
            if method not in ("treewidth",):
                view = sapper.solutions(clues, method=method)

            def read(analysis: Any = analysis, view: Any = view, counting: bool = counting) -> Any:
                found = [analysis.verdicts, analysis.consistent]
                if counting:
                    found += [analysis.count, analysis.exact_probabilities]
                if view is not None:
                    found += [bool(view), view.zdd().count() if counting else None]
                return found

            with ThreadPoolExecutor(4) as pool:
                answers = [done.result() for done in [pool.submit(read) for _ in range(8)]]
            assert all(answer == answers[0] for answer in answers)
            assert answers[0][0] == expected


def public_classes() -> list[type]:
    found = dict.fromkeys(
        value
        for room in ROOMS
        for value in (getattr(import_module(room), name) for name in import_module(room).__all__)
        if inspect.isclass(value) and value.__module__.startswith("sapper")
    )
    return [one for one in found if not issubclass(one, Exception | Enum)]


@pytest.mark.parametrize("kind", public_classes(), ids=lambda kind: kind.__qualname__)
def test_every_public_class_says_what_threads_may_do(kind: type) -> None:
    own = [base for base in kind.__mro__ if base.__module__.startswith("sapper")]
    assert any("thread" in (base.__doc__ or "").lower() for base in own)
