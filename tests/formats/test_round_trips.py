"""What is written reads back the same, in every format that can be read."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.clues import Clue, Clues
from sapper.errors import FormatError
from sapper.field import KNIGHT, Box, Graph, Grid, Hex, Offsets, Position, Torus
from sapper.formats import READABLE, WRITABLE, dump, encode, parse, read, write
from tests.field.fields import Names, fields, graphs, positions, rowed_fields

EXAMPLE = "mines: 2\ntopology: grid\n1??\n12?\n_1?\n"
POSITION = Position(Grid(3, 3), ["1??", "12?", "_1?"], mines=2)


@st.composite
def clue_systems(draw: st.DrawFn) -> Clues:
    cells = draw(st.lists(Names, min_size=1, max_size=6, unique=True))
    clues = []
    for _ in range(draw(st.integers(0, 4))):
        chosen = draw(st.lists(st.sampled_from(cells), unique=True))
        weights = draw(
            st.none() | st.lists(st.integers(), min_size=len(chosen), max_size=len(chosen))
        )
        place = draw(st.none() | Names)
        clues.append(Clue(draw(st.integers()), chosen, weights, place))
    known = draw(st.integers(0, 5))
    mines = draw(st.none() | st.integers(known, known + len(cells)))
    return Clues(clues, cells=cells, mines=mines, known_mines=known)


@settings(deadline=None)
@given(positions(rowed_fields()))
def test_text(position: Position) -> None:
    text = dump(position)
    assert parse(text) == position
    assert parse(text, format="text") == position
    assert parse(text.encode()) == position
    assert parse("\ufeff" + text.replace("\n", "\r\n")) == position
    assert dump(parse(text)) == text


@settings(deadline=None)
@given(positions(fields()))
def test_json(position: Position) -> None:
    text = dump(position, "json")
    assert text.count("\n") == 1
    assert parse(text) == position
    assert parse(json.dumps(json.loads(text), indent=3), format="json") == position


@settings(deadline=None)
@given(clue_systems())
def test_json_of_clue_systems(clues: Clues) -> None:
    assert parse(dump(clues, "json")) == clues


@settings(deadline=None)
@given(positions(fields()))
def test_numpy(position: Position) -> None:
    data = encode(position, "numpy")
    assert parse(data, mines=position.mines, topology=position.topology) == position


@settings(deadline=None)
@given(positions(fields()))
def test_the_total_can_be_left_out(position: Position) -> None:
    bare = position.with_mines(None)
    assert dump(position, "json", total=False) == dump(bare, "json")
    if not isinstance(position.topology, Graph):
        assert dump(position, total=False) == dump(bare)
    for kind in ("opb", "lp"):
        assert dump(position, kind, total=False) == dump(bare, kind)


def test_the_total_of_clue_systems_can_be_left_out() -> None:
    clues = Clues([Clue(1, "ab")], mines=3, known_mines=2)
    bare = Clues([Clue(1, "ab")], known_mines=2)
    assert parse(dump(clues, "json", total=False)) == bare


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        "1??\n12?\n_1?",
        "% comment\nMINES : 2\n\n  1 ? ?\t\n % more\n1 2 ?\n_ 1 ?\n\n\n",
        "\ufeff mines: 2\r\n1??\r\n12?\r\n_1?\r\n",
        "mines: 2\r1??\r12?\r_1?\r",
        '{"topology": {"kind": "grid", "width": 3, "height": 3}, "mines": 2, '
        '"labels": ["1??", "12?", "_1?"]}',
        '{"labels": [[1, "?", "?"], [1, "2", "?"], "_ 1 ?"], "topology": "grid", "id": 7}',
        ' \n{"topology": null, "labels": ["1??", "12?", "_1?"]}',
    ],
)
def test_one_position_in_many_spellings(text: str) -> None:
    assert parse(text, mines=2) == POSITION
    assert parse(text.encode(), mines=2) == POSITION


def test_the_interface_by_heart() -> None:
    assert parse(EXAMPLE) == POSITION
    graph = parse(
        '{"topology": {"kind": "graph", "edges": [["a", "b"], ["b", "c"]]}, "mines": null,'
        ' "labels": {"a": 1, "b": "?", "c": "?"}}'
    )
    assert graph == Position(Graph.from_edges(["ab", "bc"]), "1??")  # type: ignore[list-item]
    clues = parse(
        '{"clues": [{"count": 1, "cells": ["u", "v"]}, {"count": 2, "cells": ["v", "w", "x"]}],'
        ' "cells": ["u", "v", "w", "x", "y"], "mines": null}'
    )
    assert clues == Clues([Clue(1, "uv"), Clue(2, "vwx")], cells="uvwxy")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("", Grid(2, 3)),
        ("topology: grid", Grid(2, 3)),
        ("topology: Torus", Torus(2, 3)),
        ("topology: hex", Hex(2, 3)),
        ("topology: knight", Offsets(2, 3, KNIGHT)),
        ("offsets: (0,1) (0,-1)", Offsets(2, 3, [(0, 1), (0, -1)])),
        ("topology: knight\noffsets: (0, 1), (0, -1)", Offsets(2, 3, [(0, 1), (0, -1)])),
        ("topology: offsets\noffsets: (+1,0);(-1,0)", Offsets(2, 3, [(1, 0), (-1, 0)])),
        ("offsets: (0,1)(0,-1)\ntopology: torus", Offsets(2, 3, [(0, 1), (0, -1)], wrap=True)),
        ("topology: (0,1) (0,-1)", Offsets(2, 3, [(0, 1), (0, -1)])),
        ("topology: box", Box(1, 2, 3)),
    ],
)
def test_topologies_in_headers(header: str, expected: Grid) -> None:
    text = f"{header}\n0??\n???"
    assert parse(text) == Position(expected, ["0??", "???"])


def test_layers_of_a_box() -> None:
    text = "topology: box\n1?\n??\n\n% second layer\n??\n?*\n"
    assert parse(text) == Position(Box(2, 2, 2), ["1?", "??", "??", "?*"])


def test_numbers_of_several_digits() -> None:
    text = "topology: box\n???\n???\n???\n\n???\n?[26]?\n???\n\n???\n???\n???\n"
    position = parse(text)
    assert isinstance(position, Position)
    assert position[1, 1, 1] == 26
    assert dump(position) == text


def test_arguments_replace_what_the_text_says() -> None:
    for text in (EXAMPLE, dump(POSITION, "json")):
        assert parse(text, mines=3) == POSITION.with_mines(3)
        torus = Position(Torus(3, 3), POSITION.rows(), 2)
        assert parse(text, topology="torus") == torus
        assert parse(text, topology=Torus(3, 3)) == torus
    solid = "??\n??\n\n??\n??"
    assert parse(solid, topology="box") == Position(Box(2, 2, 2), {})
    assert parse(solid, topology=Box(2, 2, 2)) == Position(Box(2, 2, 2), {})
    box = dump(Position(Box(2, 2, 2), {}), "json")
    assert parse(box, topology="box") == Position(Box(2, 2, 2), {})
    graph = Graph.from_edges([("b", "a")])
    text = '{"topology": {"kind": "graph", "edges": [["a", "b"]]}, "labels": {"a": 1}}'
    assert parse(text, topology=graph) == Position(graph, {"a": 1})


def test_names_of_graph_cells_that_are_not_strings() -> None:
    keys = '{"topology": {"kind": "graph", "edges": [[1, [2, 3]]]}, "labels": {"1": 1, "[2,3]": 0}}'
    pairs = (
        '{"topology": {"kind": "graph", "edges": [[1, [2, 3]]]}, "labels": [[1, 1], [[2, 3], 0]]}'
    )
    expected = Position(Graph.from_edges([(1, (2, 3))]), {1: 1, (2, 3): 0})
    assert parse(keys) == parse(pairs) == expected
    # A string and a number that look alike stay two cells.
    both = Position(Graph.from_edges([(1, "1")]), {1: 0, "1": 1})
    assert parse(dump(both, "json")) == both


@settings(deadline=None)
@given(graphs())
def test_isolated_nodes_and_their_order_survive(graph: Graph) -> None:
    position = parse(dump(Position(graph, {}), "json"))
    assert isinstance(position, Position)
    assert position.topology.cells == graph.cells


@pytest.mark.parametrize("name", ["p.txt", "p.json", "p.line", "P.JSON"])
def test_files(tmp_path: Path, name: str) -> None:
    write(POSITION, tmp_path / name)
    assert read(tmp_path / name) == read(str(tmp_path / name)) == POSITION


def test_numpy_files(tmp_path: Path) -> None:
    write(POSITION, tmp_path / "p.npy")
    assert numpy.load(tmp_path / "p.npy").tolist() == [[1, -1, -1], [1, 2, -1], [-3, 1, -1]]
    assert read(tmp_path / "p.npy", mines=2) == POSITION
    assert read(tmp_path / "p.npy", format="numpy") == POSITION.with_mines(None)
    assert read(tmp_path / "p.npy", topology="torus").topology == Torus(3, 3)  # type: ignore[union-attr]


@pytest.mark.parametrize(("name", "kind"), [("p.cnf", "dimacs"), ("p.opb", "opb"), ("p.lp", "lp")])
def test_files_for_solvers(tmp_path: Path, name: str, kind: str) -> None:
    write(POSITION, tmp_path / name)
    assert (tmp_path / name).read_text() == dump(POSITION, kind)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = BytesIO(EXAMPLE.encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert read("-") == POSITION
    with pytest.raises(FormatError, match="standard input: line 1, column 1: the input is empty"):
        read("-")


@pytest.mark.parametrize("name", ["p", "p.foo", "npy", ".txt.bak"])
def test_an_ending_that_tells_no_format(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError, match=r"tells no format: use \.txt, \.json, .*\.mps"):
        write(POSITION, tmp_path / name)
    assert not (tmp_path / name).exists()
    write(POSITION, tmp_path / name, "text")
    assert read(tmp_path / name) == POSITION


@settings(deadline=None)
@given(positions(rowed_fields()))
def test_one_line_round_trips(position: Position) -> None:
    line = position.to("line")
    assert "\n" not in line
    assert parse(line, format="line") == position
    # A row without a stroke, a total or a name is text just as well.
    assert parse(line) == position
    assert parse(str(position)) == position


def test_one_line_is_short() -> None:
    board = Position(Grid(16, 30), {}, mines=99)
    assert board.to("line") == "/".join(["?{30}"] * 16) + " mines=99"
    knights = Position(Offsets(1, 2, [(0, 1), (0, -1)], wrap=True), "?_")
    assert knights.to("line") == "?_ torus(0,-1)(0,1)"
    assert Position(Box(2, 1, 2), ["1?", "??"]).to("line") == "1?//?? box"
    assert parse("?[3]{3}?/?{5}", format="line", topology="torus").rows()[0] == "?333?"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ("1??/12", 1, "each row must be as long as the first, 3"),
        ("1??//12?/???", 1, "each layer must be as long as the first, 1"),
        ("1?x/???", 3, "unknown 'x'"),
        ("?{0}/?", 2, "unknown '{'"),
        ("?{9999999}/?", 1, "at most 1,000,000 cells"),
        ("?{999999}??/?", 11, "at most 1,000,000 cells"),
        ("?[99999999999]/?", 2, "unknown '['"),
        ("[9999999999]/?", 1, "above 2,147,483,647"),
        ("9?/?? mines=1", 1, "cell (0, 0): the number 9 has only 3 neighbours"),
        ("??/?? mines=5", 6, "5 mines do not fit"),
        ("??/?? mines=x", 6, "unknown topology 'mines=x'"),
        ("??/?? ball", 6, "unknown topology 'ball'"),
        ("??/?? graph", 6, "has no rows"),
        ("/", 1, "there are no cells"),
    ],
)
def test_bad_lines(line: str, column: int, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(line, format="line")
    assert (caught.value.line, caught.value.column) == (1, column)
    assert words in caught.value.message


def test_a_failed_write_touches_no_file(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    with pytest.raises(FormatError, match="has none: use json"):
        write(Position(Graph.from_edges([("a", "b")]), {}), path)
    assert not path.exists()


def test_what_cannot_be_written() -> None:
    clues = Clues([Clue(1, "ab")])
    for kind in ("text", "numpy"):
        with pytest.raises(FormatError, match=f"no rows for {kind}: use json"):
            encode(clues, kind)
    with pytest.raises(FormatError, match="cannot write the format 'pdf': use text, json"):
        dump(POSITION, "pdf")
    with pytest.raises(FormatError, match="bytes, not text"):
        dump(POSITION, "numpy")
    odd = Position(Graph.from_edges([(1.5, frozenset())]), {})
    with pytest.raises(FormatError, match=r"JSON cannot name the cell 1\.5"):
        dump(odd, "json")


def test_every_format_is_known_both_ways() -> None:
    full = Position(Grid(1, 3), ["1*1"], mines=1)
    for kind in WRITABLE:
        assert encode(full, kind)
        assert kind not in READABLE or parse(encode(full, kind), mines=1) == full


def test_a_million_cells() -> None:
    width = 1000
    row = "1" + "?" * (width - 2) + "_"
    text = "mines: 5000\n" + "\n".join([row] * width)
    position = parse(text)
    assert isinstance(position, Position)
    assert position.topology == Grid(width, width)
    assert dump(position) == text + "\n"
    assert parse(dump(position, "json")) == position


@pytest.mark.parametrize("path", sorted(Path(__file__).parents[2].glob("examples/*.txt")), ids=str)
def test_text_examples_read_and_round_trip(path: Path) -> None:
    position = read(path)
    assert isinstance(position, Position)
    assert position.status() == []
    assert parse(dump(position)) == parse(dump(position, "json")) == position
