"""Every method against the oracle and against itself, through the protocol."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sapper
from sapper.analysis import names
from sapper.clues import Clue, Clues, Puzzle
from sapper.field import Grid, Hex, Position, Topology, Torus
from sapper.game import Layout
from sapper.limits import Limits
from sapper.methods.brute import Brute, BruteSolutions
from sapper.questions import Findings, Question
from tests.support.agreement import assert_agree
from tests.support.exhaustive import all_positions, all_truthful_positions, distinct
from tests.support.laws import assert_laws
from tests.support.strategies import boards, positions
from tests.support.subjects import ELSEWHERE, SUBJECTS, Subject, answering
from tests.support.transforms import complemented, renamed, shuffled, symmetries


def by_subject(subjects: Sequence[Subject]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("subject", subjects, ids=lambda subject: subject.name)


every_method = by_subject(SUBJECTS)
every_complete_method = by_subject(answering("verdicts"))
every_counter = by_subject(answering("count", "by_mines", "probabilities", "verdicts"))
thorough = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
QUICK: Final[tuple[Question, ...]] = ("count", "by_mines", "probabilities")


def test_every_method_is_tested() -> None:
    assert {"brute", *ELSEWHERE, *(subject.name for subject in SUBJECTS)} == set(names())


@every_method
@given(data=st.data())
@thorough
def test_agrees_with_brute_force(subject: Subject, data: st.DataObject) -> None:
    puzzle = data.draw(subject.puzzles)
    assert_agree(subject.method, Brute(), puzzle, view_parts=subject.view_parts)


@every_counter
@given(data=st.data())
@thorough
def test_obeys_the_laws(subject: Subject, data: st.DataObject) -> None:
    assert_laws(subject.method, data.draw(subject.puzzles))


@every_method
@given(data=st.data(), seed=st.integers(0, 2**32))
@thorough
def test_order_and_names_change_nothing(subject: Subject, data: st.DataObject, seed: int) -> None:
    method = subject.method
    clues = Clues.of(data.draw(subject.puzzles))
    verdicts = method.findings(clues).verdicts
    assert method.findings(shuffled(clues, seed)).verdicts == verdicts
    assert method.findings(renamed(clues, lambda cell: ("new", cell))).verdicts == {
        ("new", cell): verdict for cell, verdict in verdicts.items()
    }


@every_counter
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(thorough, max_examples=60)
def test_order_changes_no_count(subject: Subject, data: st.DataObject, seed: int) -> None:
    clues = Clues.of(data.draw(subject.puzzles))
    found = subject.method.findings(shuffled(clues, seed)).by_mines
    assert found == subject.method.findings(clues).by_mines


@every_counter
@given(data=st.data())
@thorough
def test_swapping_mines_and_free_cells_mirrors_the_counts(
    subject: Subject, data: st.DataObject
) -> None:
    method = subject.method
    clues = Clues.of(data.draw(subject.puzzles))
    mirrored = method.findings(complemented(clues)).by_mines
    offset = len(clues.cells) + clues.known_mines
    assert method.findings(clues).by_mines == {
        offset - mines: count for mines, count in reversed(mirrored.items())
    }


@every_method
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_flips_and_turns_change_nothing(subject: Subject, data: st.DataObject) -> None:
    method = subject.method
    position = data.draw(positions(boards()))
    verdicts = method.findings(position).verdicts
    for turned, move in symmetries(position):
        assert method.findings(turned).verdicts == {
            move(cell): verdict for cell, verdict in verdicts.items()
        }


@every_counter
@pytest.mark.parametrize("topology", [Grid(1, 3), Grid(2, 2), Torus(2, 2), Hex(2, 2)])
def test_every_position_of_a_tiny_field(subject: Subject, topology: Topology) -> None:
    for position in distinct(all_positions(topology)):
        assert_agree(subject.method, Brute(), position, questions=QUICK)


@every_complete_method
@pytest.mark.parametrize(
    ("topology", "marks"),
    [(Grid(2, 3), True), (Grid(3, 3), False), (Torus(3, 3), False), (Hex(3, 3), False)],
    ids=repr,
)
def test_every_truthful_position_of_a_small_field(
    subject: Subject, topology: Topology, marks: bool
) -> None:
    for expected in truthful(topology, marks):
        found = subject.method.findings(expected.puzzle)
        assert found.verdicts == expected.verdicts, expected.puzzle
        if subject in answering("by_mines"):
            assert found.by_mines == expected.by_mines, expected.puzzle


@cache
def truthful(topology: Topology, marks: bool) -> list[Findings]:
    """Return what brute force finds on every truthful position; it keeps what is read of it."""
    return list(map(Brute().findings, distinct(all_truthful_positions(topology, marks=marks))))


@every_complete_method
def test_agrees_on_random_boards(subject: Subject) -> None:
    """1,000 boards a little larger than the rest, each named by its seed."""
    for seed in range(1000):
        expected = on_random_board(seed)
        found = subject.method.findings(expected.puzzle)
        assert found.verdicts == expected.verdicts, f"seed {seed}"
        if subject in answering("count"):
            assert found.count == expected.count, f"seed {seed}"


@cache
def on_random_board(seed: int) -> Findings:
    """Return what brute force finds; it keeps what is read of it, for all methods."""
    return Brute().findings(random_board(seed))


def random_board(seed: int) -> Position:
    """Return a board of 3×4 to 5×6 with a part of its numbers shown and few cells in clues."""
    random = Random(seed)
    while True:
        height, width = random.randint(3, 5), random.randint(4, 6)
        topology = random.choice([Grid, Torus, Hex])(height, width)
        layout = Layout(topology, [cell for cell in topology if random.random() < 0.3])
        shown = [cell for cell in layout.numbers if random.random() < 0.4]
        position = layout.position(shown, total=random.choice([False, True]))
        if len(Clues.from_position(position).touched) <= 10:
            return position


@by_subject(answering("solutions"))
def test_samples_are_uniform(subject: Subject) -> None:
    clues = Clues([Clue(1, "abc"), Clue(2, "cdef")], "abcdefgh")
    if subject.weighted:
        clues = clues.with_clue(Clue(0, "afg", weights=[1, -1, 2]))
    view = subject.method.solutions(clues)
    number = view.count()
    drawn = Counter(view.sample(200 * number, seed=20))
    assert set(drawn) == set(view)
    statistic = sum((count - 200) ** 2 / 200 for count in drawn.values())
    # The mean of the statistic is number - 1 and its deviation √(2(number - 1)).
    assert abs(statistic - (number - 1)) < 4 * (2 * (number - 1)) ** 0.5


def test_puzzles_are_passed_on_unchanged() -> None:
    # Methods with a fast path for positions rely on seeing the position itself.
    seen: list[Puzzle] = []

    class Spy(Brute):
        def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> BruteSolutions:
            seen.append(puzzle)
            return super().solutions(puzzle, limits)

    position = Position(Grid(1, 3), ["1??"])
    sapper.is_consistent(position, method=Spy())
    sapper.count(position, method=Spy())
    sapper.solutions(position, method=Spy())
    assert sapper.analyze(position, method=Spy()).verdicts
    assert all(puzzle is position for puzzle in seen)
    assert len(seen) == 4
