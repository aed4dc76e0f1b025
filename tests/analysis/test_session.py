"""One session for bots and explanations: undo, copies, threads, and labels that cannot be."""

from __future__ import annotations

import copy
import pickle
import threading
from random import Random
from typing import Any

import pytest

import sapper
from sapper import Grid, Position, PositionError, Session

START = Position(Grid(3, 3), ["???", "?3?", "???"], mines=3)


def test_undo_and_copies_go_their_own_way() -> None:
    session = Session(START)
    before = session.count()
    session.reveal((0, 0), 1)
    other = session.copy()
    session.undo()
    assert (session.count(), session.position) == (before, START)
    assert other.count() == sapper.count(other.position) != before
    other.undo()
    assert other.position == START
    with pytest.raises(PositionError, match="nothing was revealed"):
        other.undo()


def test_answers_are_those_of_a_fresh_question() -> None:
    session = Session(START)
    session.update({(0, 0): 1, (0, 2): 0})
    position = session.position
    assert session.is_consistent() is sapper.is_consistent(position)
    assert session.analyze().verdicts == sapper.analyze(position).verdicts
    assert set(session.solutions()) == set(sapper.solutions(position))
    for cell in position.covered:
        assert session.explain(cell).verdict == sapper.explain(position, cell).verdict


@pytest.mark.parametrize(
    ("cell", "label", "words"),
    [
        ((0, 0), 9, "cannot show 9: it has 3 neighbours"),
        ((0, 0), 4, "cannot show 4"),
        ((1, 1), 2, "shows 3 already"),
        ((1, 1), "*", "shows 3 already"),
    ],
)
def test_labels_that_cannot_be_are_refused(cell: Any, label: Any, words: str) -> None:
    session = Session(START)
    with pytest.raises(PositionError, match=words):
        session.reveal(cell, label)
    assert session.position == START


def test_a_label_may_be_taken_back_first() -> None:
    session = Session(START)
    session.reveal((0, 0), "_")
    session.reveal((0, 0), 1)
    session.reveal((1, 1), "?")
    session.reveal((1, 1), 2)
    assert session.position.label((1, 1)) == 2


def test_wrong_types_are_told() -> None:
    wrong: Any = None
    with pytest.raises(TypeError, match="cell: label"):
        Session(START).update(wrong)
    with pytest.raises(TypeError, match="begins with a Position"):
        Session(wrong)
    limits: Any = 1
    with pytest.raises(TypeError, match=r"sapper\.Limits"):
        Session(START, limits=limits)


def test_threads_get_answers_of_one_position() -> None:
    """F6: what is counted, found and analysed belongs together, whoever reveals meanwhile."""
    random = Random(6)
    field = Grid(8, 8)
    mines = {cell for cell in field.cells if random.random() < 0.2}
    numbers = {c: sum(o in mines for o in field.neighbours(c)) for c in set(field.cells) - mines}
    session = Session(Position(field, {}, mines=len(mines)))
    expected: dict[Position, int] = {}
    failures: list[str] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            analysis = session.analyze()
            position = analysis.puzzle
            assert isinstance(position, Position)
            if set(analysis.verdicts) != set(position.covered):
                failures.append("verdicts of another position")
            counted = expected.setdefault(position, analysis.count)
            if counted != analysis.count:
                failures.append("count of another position")

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for cell in field.cells:
        if cell in mines:
            continue
        session.reveal(cell, numbers[cell])
    done.set()
    for thread in threads:
        thread.join()
    assert not failures
    assert session.count() == sapper.count(session.position) == 1
    for position, number in list(expected.items())[:10]:
        assert sapper.count(position) == number


@pytest.mark.parametrize("method", ["auto", "engine", "brute", "sat", "zdd", "treewidth", "kset"])
def test_analyses_pickle_as_what_was_asked(method: str) -> None:
    analysis = sapper.analyze(START, method=method)
    for made in (
        pickle.loads(pickle.dumps(analysis)),
        copy.copy(analysis),
        copy.deepcopy(analysis),
    ):
        assert made.verdicts == analysis.verdicts
        assert made.puzzle == START
        assert made.method == analysis.method


def test_views_sessions_and_explanations_pickle() -> None:
    view = sapper.solutions(START).including((0, 0))
    assert set(pickle.loads(pickle.dumps(view))) == set(view)
    session = Session(START)
    session.reveal((0, 0), 1)
    again = pickle.loads(pickle.dumps(session))
    assert again.count() == session.count()
    again.undo()
    assert again.position == START
    explanation = sapper.explain(START, (0, 0))
    assert pickle.loads(pickle.dumps(explanation)) == explanation
    assert copy.deepcopy(session).position == session.position


def test_an_undecided_cell_is_explained_from_one_diagram() -> None:
    session = Session(START)
    session.analyze()
    compiled = session.compiled
    assert session.explain((0, 0)).verdict == "unknown"
    assert session.compiled == compiled
