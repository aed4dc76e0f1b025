"""Clue systems, bare and of positions."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings

from sapper.clues import Clue, Clues
from sapper.errors import MethodError, PositionError, UnknownCellError
from sapper.field import Graph, Grid, Position
from tests.support.naive import legal
from tests.support.strategies import clue_systems, positions

SYSTEM = Clues([Clue(1, "uv"), Clue(2, "vwx")], cells="xyu", mines=3, known_mines=1)


def test_cells_that_are_named_come_first() -> None:
    assert SYSTEM.cells == ("x", "y", "u", "v", "w")
    assert SYSTEM.touched == ("x", "u", "v", "w")
    assert SYSTEM.untouched == ("y",)
    assert SYSTEM.index["v"] == 3
    assert SYSTEM.free_mines == 2


def test_systems_are_frozen_values() -> None:
    same = Clues((Clue(1, "uv"), Clue(2, "vwx")), "xyu", 3, known_mines=1)
    assert same == SYSTEM
    assert hash(SYSTEM) == hash(same)
    assert SYSTEM.with_mines(None) != SYSTEM
    with pytest.raises(AttributeError):
        SYSTEM.mines = 2  # type: ignore[misc]


@given(clue_systems())
@settings(max_examples=50, deadline=None)
def test_repr_and_pickle_round_trip(clues: Clues) -> None:
    assert eval(repr(clues)) == clues
    assert clues.touched is clues.touched
    assert pickle.loads(pickle.dumps(clues)) == clues


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"clues": [(1, "ab")]}, "must be a Clue"),
        ({"clues": [], "cells": "aba"}, "the list of cells names the cell 'a' twice"),
        ({"clues": [], "cells": [{}]}, "cannot be hashed"),
        ({"clues": [], "mines": -1}, "the mine total cannot be negative: -1"),
        ({"clues": [], "mines": 1.5}, "the mine total must be a whole number, not 1.5"),
        ({"clues": [], "known_mines": -2}, "cannot be negative"),
    ],
)
def test_bad_systems_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        Clues(**arguments)


def test_a_position_becomes_clues_over_its_covered_cells() -> None:
    position = Position(Grid(3, 3), ["1??", "*3_", "??0"], mines=3)
    clues = Clues.from_position(position)
    assert clues.cells == ((0, 1), (0, 2), (2, 0), (2, 1))
    assert clues.clues == (
        Clue(0, [(0, 1)], cell=(0, 0)),
        Clue(2, [(0, 1), (0, 2), (2, 0), (2, 1)], cell=(1, 1)),
        Clue(0, [(2, 1)], cell=(2, 2)),
    )
    assert (clues.mines, clues.known_mines, clues.free_mines) == (3, 1, 2)


def test_numbers_with_nothing_covered_around_stay_only_if_wrong() -> None:
    assert Clues.from_position(Position(Grid(1, 3), ["*10"])).clues == ()
    assert Clues.from_position(Position(Grid(1, 3), ["*20"])).clues == (Clue(1, [], cell=(0, 1)),)


def test_a_graph_with_isolated_cells_keeps_them() -> None:
    graph = Graph.from_edges([("a", "b"), ("b", "c")], nodes=["z"])
    clues = Clues.from_position(Position(graph, {"b": 1}))
    assert set(clues.cells) == {"a", "c", "z"}
    assert clues.untouched == ("z",)


@given(positions())
@settings(max_examples=100, deadline=None)
def test_a_position_and_its_clues_have_the_same_solutions(position: Position) -> None:
    clues = Clues.from_position(position)
    assert clues.cells == position.covered
    assert set(legal(clues)) == set(legal(position))
    assert all(map(clues.is_solution, legal(position)))


def test_is_solution_minds_strangers_and_the_total() -> None:
    assert SYSTEM.is_solution({"v", "x"})
    assert not SYSTEM.is_solution({"v", "x", "y"})
    assert not SYSTEM.is_solution({"v", "x", "stranger"})
    assert SYSTEM.with_mines(None).is_solution({"v", "x", "y"})


def test_deciding_a_cell_adds_a_clue() -> None:
    assert set(legal(SYSTEM.including("v"))) == {m for m in legal(SYSTEM) if "v" in m}
    assert set(legal(SYSTEM.excluding("y"))) == {m for m in legal(SYSTEM) if "y" not in m}
    assert SYSTEM.including("v").cells == SYSTEM.cells
    for decide in (SYSTEM.including, SYSTEM.excluding):
        with pytest.raises(UnknownCellError):
            decide("stranger")


def test_of_takes_positions_and_clues_only() -> None:
    assert Clues.of(SYSTEM) is SYSTEM
    with pytest.raises(TypeError, match="expected a Position or Clues, not str"):
        Clues.of("1??")  # type: ignore[arg-type]


def test_the_compiled_system_is_made_once() -> None:
    system = SYSTEM.system
    assert system is SYSTEM.system
    assert system.variables == 5
    assert system.clues == 2
    assert Clues([], mines=5).system.variables == 0
    assert Clues([Clue(0, "ab", weights=[5, -(2**60)])]).system.clues == 1


def test_numbers_beyond_the_core_name_a_method_that_can() -> None:
    for clue in (
        Clue(2**63, "a"),
        Clue(0, "ab", weights=[1, 2**63]),
        Clue(0, "a", weights=[2**61]),
    ):
        with pytest.raises(MethodError, match="'brute'"):
            Clues([clue]).system  # noqa: B018
