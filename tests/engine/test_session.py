"""Sessions: after every label the answers of a fresh analysis, at the price of what it touches."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sapper import Session
from sapper.engine import EngineMethod
from sapper.errors import LimitExceeded, PositionError, UnknownCellError
from sapper.field import Cell, Grid, Label, Position, Torus
from sapper.limits import Limits
from tests.engine.boards import minefield, random_graph


def assert_fresh(session: Session) -> None:
    """Compare a session with an analysis that knows nothing of it."""
    fresh = EngineMethod().findings(session.position)
    found = session.findings()
    assert found.consistent is fresh.consistent
    assert found.verdict_codes == fresh.verdict_codes
    assert found.exact_probabilities == fresh.exact_probabilities
    assert found.probabilities == fresh.probabilities
    assert session.count() == fresh.count
    assert session.solutions().count() == fresh.count


@pytest.mark.parametrize("seed", range(6))
def test_revealing_one_by_one(seed: int) -> None:
    random = Random(seed)
    position = (
        minefield(Grid(9, 9), mines=0.15, visible=1, seed=seed, total=True),
        minefield(Torus(8, 8), mines=0.2, visible=1, seed=seed),
        random_graph(60, 80, seed=seed, total=True),
    )[seed % 3]
    labels = list(position.numbers.items())
    random.shuffle(labels)
    session = Session(Position(position.topology, {}, mines=position.mines))
    for cell, number in labels[:45]:
        session.reveal(cell, number)
        assert_fresh(session)


def test_contradictions_come_and_go() -> None:
    session = Session(Position(Grid(3, 3), {}, mines=2))
    session.reveal((0, 0), 3)
    assert_fresh(session)
    assert session.count() == 0
    session.reveal((0, 0), "?")
    assert_fresh(session)
    assert session.count() == 36
    session.update({(0, 0): "*", (2, 2): "_", (1, 1): 1})
    assert_fresh(session)
    session.reveal((2, 0), 1)
    assert_fresh(session)


def test_only_what_is_touched_is_searched() -> None:
    """Two wide components: a number in one leaves alone what was found in the other."""
    labels: dict[Cell, Label] = {}
    for shift, seed in ((0, 3), (24, 4)):
        half = minefield(Grid(20, 20), mines=0.3, visible=0.4, seed=seed)
        labels |= {
            (row, column + shift): half.numbers[row, column]
            for row, column in product(range(20), repeat=2)
            if (row, column) in half.numbers
        }
    # Free cells between the two, so that no clue sees both.
    labels |= dict.fromkeys(product(range(20), range(20, 24)), "_")
    last = next(cell for cell in reversed(labels) if isinstance(labels[cell], int))
    number = labels.pop(last)
    session = Session(Position(Grid(20, 44), labels))
    assert_fresh(session)
    assert session.searched >= 2
    searched = session.searched
    session.reveal(last, "?")  # changes nothing
    assert_fresh(session)
    assert session.searched == searched
    session.reveal(last, number)
    assert_fresh(session)
    assert session.searched <= searched + 1


def test_only_what_is_touched_is_compiled() -> None:
    """Three components far apart: a number in one leaves the diagrams of the others alone."""
    labels: dict[Cell, int | str] = dict.fromkeys(Grid(3, 21).cells, "?")
    for column in (2, 10, 18):
        labels[1, column] = 2
    session = Session(Position(Grid(3, 21), labels))
    assert_fresh(session)
    compiled, reused = session.compiled, session.reused
    session.reveal((0, 11), 1)
    session.count()
    assert session.compiled == compiled + 1
    assert session.reused >= reused + 2
    compiled = session.compiled
    session.reveal((2, 19), "_")
    session.count()
    assert session.compiled <= compiled + 1
    compiled = session.compiled
    session.reveal((1, 6), "_")  # touches no clue
    session.count()
    assert session.compiled == compiled
    assert_fresh(session)


def test_equal_components_are_compiled_once() -> None:
    labels: dict[Cell, int | str] = {(1, 2): 2, (1, 10): 2, (1, 18): 2}
    session = Session(Position(Grid(3, 21), labels))
    session.count()
    assert session.compiled == 1
    assert session.reused == 2


def test_large_components_are_compiled_once() -> None:
    """Components that are searched for certain cells first are found again all the same."""
    board = minefield(Grid(24, 24), mines=0.25, visible=0.35, seed=4)
    session = Session(board)
    session.count()
    compiled = session.compiled
    again = Session(board)
    again.count()
    assert again.compiled == compiled
    corner = next(cell for cell in board.covered)
    session.reveal(corner, "?")
    session.count()
    assert session.compiled == compiled


def test_bad_labels_change_nothing() -> None:
    position = Position(Grid(2, 2), {})
    session = Session(position)
    with pytest.raises(UnknownCellError):
        session.reveal((5, 5), 1)
    with pytest.raises(PositionError):
        session.reveal((0, 0), "x")  # type: ignore[arg-type]
    with pytest.raises(PositionError):
        session.update({(0, 0): 1, (0, 1): "x"})  # type: ignore[dict-item]
    assert session.position == position


def test_limits_hold_for_every_answer() -> None:
    board = minefield(Grid(30, 30), mines=0.3, visible=0.4, seed=1)
    session = Session(Position(board.topology, {}), limits=Limits(nodes=500))
    assert session.count() == 2**900
    session.update(board.numbers)
    with pytest.raises(LimitExceeded) as caught:
        session.count()
    assert caught.value.limit == "nodes"
    session.update(dict.fromkeys(board.numbers, "?"))
    assert session.count() == 2**900


def test_what_is_kept_stays_below_a_quarter_of_the_limit() -> None:
    """Old components make room for new ones, and the answers stay those of a fresh analysis."""
    position = minefield(Grid(16, 30), mines=0.2, visible=1, seed=3)
    labels = list(position.numbers.items())
    Random(3).shuffle(labels)
    limits = Limits(bytes=400_000)
    session = Session(Position(position.topology, {}), limits=limits)
    free = Session(Position(position.topology, {}))
    most = 0
    for cell, number in labels[:150]:
        session.reveal(cell, number)
        free.reveal(cell, number)
        assert session.findings().probabilities == free.findings().probabilities
        most = max(most, session._memory.size_in_bytes)
        assert session._memory.size_in_bytes <= 100_000
    assert len(session._memory) < len(free._memory), "nothing had to go"
    assert most > 50_000
    # What was used last is still there.
    session.reveal(*labels[150])
    before = session.reused
    session.findings()
    assert session.reused > before
    session._memory.clear()
    assert session._memory.size_in_bytes == 0
    assert len(session._memory) == 0
