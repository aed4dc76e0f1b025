"""Many positions at once say what one after the other says, bit by bit."""

from __future__ import annotations

import math
import pickle
from random import Random
from typing import Any

import numpy
import pytest

import sapper
from sapper.clues import VERDICTS
from sapper.errors import LimitExceeded, PositionError, TooWide
from sapper.field import COVERED, Grid, Hex, Position, Topology, Torus
from sapper.game import Board, random_layout
from sapper.limits import Limits
from tests.engine.boards import random_graph

ONE = Position(Grid(1, 2), ["1?"])
FIELDS: tuple[Topology, ...] = (Grid(5, 6), Torus(4, 4), Hex(3, 5), Grid(1, 7))


def some_positions(seed: int, number: int) -> list[Position]:
    """Return positions of random layouts, some damaged until they may contradict themselves."""
    random = Random(seed)
    found = []
    for place in range(number):
        field = random.choice(FIELDS)
        mines = random.randrange(1, len(field) // 2)
        layout = random_layout(Board(field, mines=mines), rule="any", seed=random.getrandbits(30))
        labels: dict[Any, Any] = {}
        for cell in field.cells:
            if cell in layout.mines:
                labels[cell] = "*" if random.random() < 0.1 else "?"
            elif random.random() < 0.4:
                labels[cell] = layout.numbers[cell]
            elif random.random() < 0.1:
                labels[cell] = "_"
        if place % 5 == 0:
            spoiled = random.choice(list(field.cells))
            labels[spoiled] = random.randrange(4)
        found.append(Position(field, labels, mines=random.choice([None, mines, mines + 1])))
    return found


def check(found: sapper.Analyses, place: int, position: Position) -> None:
    """Compare one row with `analyze`."""
    one = sapper.analyze(position)
    cells = list(position.topology.cells)
    assert bool(found.consistent[place]) == one.consistent
    verdicts = found.verdicts[place].reshape(-1)
    chances = found.probabilities[place].reshape(-1)
    for number, cell in enumerate(cells):
        if one.consistent and position[cell] == "?":
            assert VERDICTS[verdicts[number]] == one.verdicts[cell]
            assert chances[number].hex() == one.probabilities[cell].hex()
        else:
            assert verdicts[number] == -1
            assert math.isnan(chances[number])
    assert (verdicts[len(cells) :] == -1).all()
    assert numpy.isnan(chances[len(cells) :]).all()
    best = one.best
    assert found.best[place] == (cells.index(best[0]) if best else -1)
    if one.consistent:
        assert found.log2_counts[place] == pytest.approx(math.log2(one.count), abs=1e-9)
    else:
        assert found.log2_counts[place] == -math.inf


def test_several_fields_at_once() -> None:
    positions = some_positions(seed=5, number=120)
    found = sapper.analyze_many(iter(positions))
    assert len(found) == len(positions)
    assert found.verdicts.shape == (120, max(map(len, FIELDS)))
    assert 0 < found.consistent.sum() < 120
    for place, position in enumerate(positions):
        check(found, place, position)


def test_positions_and_arrays_on_one_field() -> None:
    positions = [p for p in some_positions(seed=6, number=80) if p.topology == Torus(4, 4)]
    found = sapper.analyze_many(positions)
    assert found.probabilities.shape == (len(positions), 4, 4)
    for place, position in enumerate(positions):
        check(found, place, position)
    totals = [p.mines for p in positions if p.mines is not None]
    boards = numpy.array([p.to_array() for p in positions if p.mines is not None]).astype("int8")
    again = sapper.analyze_many(boards, mines=totals, topology="torus")
    known = [place for place, p in enumerate(positions) if p.mines is not None]
    assert numpy.array_equal(again.verdicts, found.verdicts[known])
    assert numpy.array_equal(again.probabilities, found.probabilities[known], equal_nan=True)
    assert numpy.array_equal(again.best, found.best[known])


def test_one_total_for_all_boards() -> None:
    boards = numpy.full((3, 2, 2), COVERED, dtype=numpy.int8)
    assert (sapper.analyze_many(boards, mines=1).probabilities == 0.25).all()
    assert not sapper.analyze_many(boards, mines=5).consistent.any()
    assert not sapper.analyze_many(boards, mines=10**40).consistent.any()


def test_nothing_is_an_answer_too() -> None:
    assert len(sapper.analyze_many([])) == 0
    assert sapper.analyze_many(numpy.zeros((0, 3, 3), dtype=numpy.int8)).verdicts.shape == (0, 3, 3)
    assert repr(sapper.analyze_many([ONE])) == ("<Analyses of 1 positions, 1 consistent>")
    assert len(pickle.loads(pickle.dumps(sapper.analyze_many([ONE])))) == 1


BOARDS = numpy.full((2, 3, 3), COVERED, dtype=numpy.int8)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: sapper.analyze_many([ONE, "1?"]), TypeError, "position 1: "),  # type: ignore[list-item]
        (lambda: sapper.analyze_many([ONE], mines=1), TypeError, "with an array"),
        (lambda: sapper.analyze_many(BOARDS - 5), PositionError, r"entry \(0, 0, 0\) is -6"),
        (lambda: sapper.analyze_many(BOARDS, mines=[1]), PositionError, "one for each of 2 boards"),
        (lambda: sapper.analyze_many(BOARDS, mines=[1, -1]), PositionError, "board 1: -1 mines"),
        (lambda: sapper.analyze_many(BOARDS, mines=-1), PositionError, "negative"),
        (lambda: sapper.analyze_many(BOARDS, mines=True), PositionError, "total"),
        (lambda: sapper.analyze_many(BOARDS, topology=Grid(2, 2)), PositionError, "the shape"),
        (lambda: sapper.analyze_many(BOARDS[0, 0]), PositionError, r"\(n, height, width\)"),
        (lambda: sapper.analyze_many(BOARDS, limits=3), TypeError, "sapper.Limits"),  # type: ignore[arg-type]
    ],
)
def test_what_is_wrong_is_named(call: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


def test_a_position_that_is_too_wide_is_named() -> None:
    with pytest.raises(TooWide, match=r"^position 1: too wide") as hit:
        sapper.analyze_many([ONE, random_graph(400, 2000, seed=1)])
    assert str(pickle.loads(pickle.dumps(hit.value))) == str(hit.value)


@pytest.mark.parametrize(
    "limits", [Limits(seconds=1e-9), Limits(nodes=20), Limits(bytes=40_000)], ids=str
)
def test_limits_hold_for_all_together(limits: Limits) -> None:
    positions = [p for p in some_positions(seed=7, number=300) if p.topology == Grid(5, 6)]
    with pytest.raises(LimitExceeded):
        sapper.analyze_many(positions, limits=limits)
    assert len(sapper.analyze_many(positions, limits=Limits(seconds=60, bytes=10**8))) > 50


def test_a_total_may_be_an_integer_of_numpy() -> None:
    boards = numpy.full((2, 3, 3), -1)
    ours, theirs = (sapper.analyze_many(boards, mines=mines) for mines in (3, numpy.int64(3)))
    assert numpy.array_equal(ours.probabilities, theirs.probabilities)
    assert ours.probabilities[0, 0, 0] == pytest.approx(1 / 3)
