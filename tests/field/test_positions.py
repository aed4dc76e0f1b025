"""Positions: labels in all shapes, values that behave, and what `status` sees."""

from __future__ import annotations

import copy
import pickle
import weakref
from typing import Any

import numpy
import pytest
from hypothesis import given, settings

from sapper import field as field_module
from sapper.errors import PositionError, UnknownCellError
from sapper.field import Box, Graph, Grid, Hex, Offsets, Position, Torus
from sapper.field.labels import MAX_NUMBER, encode_row, format_row
from tests.field.fields import fields, positions, rowed_fields

NAMES = {name: getattr(field_module, name) for name in field_module.__all__}
SMALL = Position(Grid(3, 3), ["1??", "12?", "_1*"], mines=2)


def test_labels_by_cell() -> None:
    assert SMALL[0, 0] == 1
    assert SMALL.label((0, 1)) == "?"
    assert SMALL[2, 0] == "_"
    assert SMALL[2, 2] == "*"
    assert SMALL.covered == ((0, 1), (0, 2), (1, 2))
    assert SMALL.known_mines == ((2, 2),)
    assert SMALL.known_free == ((2, 0),)
    assert SMALL.numbers == {(0, 0): 1, (1, 0): 1, (1, 1): 2, (2, 1): 1}
    assert dict(SMALL.items())[2, 2] == "*"
    assert (2, 2) in SMALL
    assert (3, 3) not in SMALL
    assert list(SMALL)[:2] == [(0, 0), (0, 1)]
    with pytest.raises(UnknownCellError, match=r"no cell \(3, 3\)"):
        SMALL[3, 3]


@pytest.mark.parametrize(
    "labels",
    [
        ["1??", "12?", "_1*"],
        ["1 ? ?", "1 2 ?", " _1*"],
        [[1, "?", "?"], ["1", 2, "?"], ("_", numpy.int64(1), "*")],
        ["1", "?", "?", 1, 2, "?", "_", 1, "*"],
        "1??\n12?\n_1*",
        {(0, 0): 1, (1, 0): 1, (1, 1): 2, (2, 0): "_", (2, 1): "1", (2, 2): "*"},
    ],
)
def test_labels_come_in_many_shapes(labels: Any) -> None:
    assert Position(Grid(3, 3), labels, mines=2) == SMALL


def test_labels_of_a_box_and_a_graph() -> None:
    layers = [["1?", "??"], ["*_", "[12]0"]]
    box = Position(Box(2, 2, 2), layers)
    assert box == Position(Box(2, 2, 2), ["1?", "??", "*_", "[12]0"])
    assert box == Position(Box(2, 2, 2), [1, "?", "?", "?", "*", "_", 12, 0])
    assert box[1, 1, 0] == 12
    graph = Graph.from_edges([("a", "b")])
    assert Position(graph, {"a": 1}) == Position(graph, "1?") == Position(graph, [1, "?"])
    with pytest.raises(PositionError, match="has no rows"):
        Position(graph, "1?").rows()


@settings(deadline=None)
@given(positions(fields(), sound=False))
def test_a_position_equals_its_copies(position: Position) -> None:
    for other in (
        pickle.loads(pickle.dumps(position)),
        copy.copy(position),
        copy.deepcopy(position),
        eval(repr(position), dict(NAMES)),
        Position(position.topology, dict(position.items()), position.mines),
        Position(position.topology, [label for _, label in position.items()], position.mines),
    ):
        assert other == position
        assert hash(other) == hash(position)


@settings(deadline=None)
@given(positions(fields(), sound=False))
def test_arrays_round_trip(position: Position) -> None:
    values = position.to_array()
    assert values.shape == position.topology.shape
    again = Position.from_array(values, mines=position.mines, topology=position.topology)
    assert again == position
    values[...] = -1
    assert again == position


@settings(deadline=None)
@given(positions(rowed_fields(), sound=False))
def test_rows_round_trip(position: Position) -> None:
    assert Position(position.topology, position.rows(), position.mines) == position
    codes = [int(code) for code in position.to_array().flat]
    assert list(encode_row(format_row(codes))) == codes


def test_values_differ_where_anything_differs() -> None:
    others = {
        SMALL,
        SMALL.with_mines(None),
        SMALL.with_mines(3),
        SMALL.with_label((0, 0), "?"),
        Position(Torus(3, 3), ["1??", "12?", "_1*"], mines=2),
    }
    assert len(others) == 5
    assert SMALL.with_label((0, 0), "?").with_label((0, 0), 1) == SMALL
    assert SMALL != "position"


def test_positions_are_frozen_and_can_be_weakly_held() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        SMALL.mines = 3
    with pytest.raises(AttributeError, match="frozen"):
        del SMALL.mines
    assert weakref.ref(SMALL)() is SMALL


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["1??", "12?"], r"a 3×3 grid needs 9 labels \(or 3 rows\), not 2"),
        (["1??", "12", "_1?"], "row 1 has 2 cells, not 3"),
        (["1??", "12x", "_1?"], "row 1, character 3: unknown character 'x'"),
        (["1??", "12[", "_1?"], r"row 1, character 3: '\['"),
        ([[1, "?", "?"], [1, -1, 2], "???"], "row 1, column 1: a number cannot be negative: -1"),
        ([[1, "?", True], "???", "???"], "row 0, column 2: unknown label True"),
        ([[1, "?", 2.0], "???", "???"], "row 0, column 2: unknown label 2.0"),
        ([[1, "?", None], "???", "???"], "row 0, column 2: unknown label None"),
        ([1, "?", "?", "?", "?", "?", "?", "?", "??"], r"label 8: unknown label '\?\?'"),
        ({(0, 0): "x"}, r"cell \(0, 0\): unknown label 'x'"),
        ({(0, 0): MAX_NUMBER + 1}, "above 2,147,483,647"),
        ({(0, 0): "9" * 5000}, "above 2,147,483,647"),
        ({(0, 0): 10**5000}, "above 2,147,483,647"),
        (7, "mapping or a sequence, not int"),
        ({1, 2}, "mapping or a sequence, not set"),
    ],
)
def test_malformed_labels(labels: Any, message: str) -> None:
    with pytest.raises(PositionError, match=message) as caught:
        Position(Grid(3, 3), labels)
    assert "\n" not in str(caught.value)


def test_unknown_cells_in_labels() -> None:
    with pytest.raises(UnknownCellError, match=r"no cell \(3, 0\) in a 3×3 grid"):
        Position(Grid(3, 3), {(3, 0): 1})


@pytest.mark.parametrize("mines", [-1, 1.5, "2", True, float("nan")])
def test_malformed_totals(mines: Any) -> None:
    with pytest.raises(PositionError, match="mine total"):
        Position(Grid(1, 1), "?", mines=mines)
    with pytest.raises(PositionError, match="mine total"):
        SMALL.with_mines(mines)


def test_a_topology_is_needed() -> None:
    wrong: Any = (3, 3)
    with pytest.raises(PositionError, match="a topology such as"):
        Position(wrong, "?")


@pytest.mark.parametrize(
    ("topology", "expected"),
    [
        (None, Grid(2, 3)),
        ("grid", Grid(2, 3)),
        ("torus", Torus(2, 3)),
        ("hex", Hex(2, 3)),
        ("knight", Offsets(2, 3)),
        ("(0,1) (0,-1)", Offsets(2, 3, [(0, 1), (0, -1)])),
        (Torus(2, 3), Torus(2, 3)),
    ],
)
def test_arrays_on_named_fields(topology: Any, expected: Any) -> None:
    values = numpy.array([[1, -1, -1], [-2, -3, 0]], dtype=numpy.int8)
    made = Position.from_array(values, mines=1, topology=topology)
    assert made == Position(expected, ["1??", "*_0"], mines=1)


def test_arrays_of_characters_and_of_three_dimensions() -> None:
    characters = numpy.array([["1", "?"], ["*", "_"]])
    assert Position.from_array(characters) == Position(Grid(2, 2), ["1?", "*_"])
    solid = numpy.full((2, 3, 4), -1)
    assert Position.from_array(solid).topology == Box(2, 3, 4)
    assert Position.from_array(solid, topology="box").topology == Box(2, 3, 4)
    mirrored = numpy.array([[1, -1], [-2, -3]])[:, ::-1]
    assert Position.from_array(mirrored).rows() == ["?1", "_*"]


@pytest.mark.parametrize(
    ("values", "topology", "message"),
    [
        ([[1, -4]], None, r"entry \(0, 1\) is -4"),
        ([[1, 2**40]], None, r"entry \(0, 1\) is"),
        ([[1.0, 2.0]], None, "array of float64 holds no labels"),
        ([[True, False]], None, "array of bool holds no labels"),
        ([["1", "x"]], None, r"entry \(0, 1\): unknown label 'x'"),
        ([1, 2], None, r"has 2 dimensions \(height, width\), the labels 1"),
        ([[1, 2]], "box", "has 3 dimensions .*, the labels 2"),
        ([[1, 2]], "sphere", "unknown topology 'sphere'"),
        ([[1, 2]], Grid(2, 1), r"has the shape \(2, 1\), and the labels \(1, 2\)"),
        (numpy.empty((0, 3), dtype=int), None, "height must be at least 1"),
    ],
)
def test_arrays_that_hold_no_position(values: Any, topology: Any, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        Position.from_array(numpy.array(values), topology=topology)


def kinds(position: Position) -> list[tuple[str, Any]]:
    return [(problem.kind, problem.cell) for problem in position.status()]


def test_status_lists_everything_at_once() -> None:
    position = Position(Grid(2, 3), ["9*0", "_5?"], mines=7)
    assert kinds(position) == [
        ("number-above-neighbourhood", (0, 0)),
        ("number-above-open", (0, 0)),
        ("number-below-mines", (0, 2)),
        ("number-above-open", (1, 1)),
        ("total-above-cells", None),
    ]
    assert all("\n" not in str(problem) for problem in position.status())


def test_status_of_totals() -> None:
    board = Position(Grid(1, 3), ["*?*"])
    assert kinds(board) == []
    assert kinds(board.with_mines(1)) == [("total-below-mines", None)]
    assert kinds(board.with_mines(2)) == kinds(board.with_mines(3)) == []
    assert kinds(board.with_mines(4)) == [("total-above-cells", None)]
    assert kinds(board.with_mines(10**400)) == [("total-above-cells", None)]


@settings(deadline=None)
@given(positions(fields()))
def test_a_truthful_position_has_no_problems(position: Position) -> None:
    """Numbers that count the mines of a real field are never at fault."""
    field = position.topology
    mines = {cell for cell, label in position.items() if label == "*"}
    labels = {
        cell: sum(other in mines for other in field.neighbours(cell))
        if isinstance(label, int)
        else label
        for cell, label in position.items()
    }
    assert Position(field, labels, mines=len(mines)).status() == []
