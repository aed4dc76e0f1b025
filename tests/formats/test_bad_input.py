"""Bad input of every kind gets one line that says what is wrong and where."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.clues import Clues
from sapper.errors import FormatError, PositionError, SapperError
from sapper.field import Box, Graph, Grid, Position
from sapper.formats import parse, read

TEXTS: list[tuple[str, str, int, int, str]] = [
    ("empty", "", 1, 1, "the input is empty"),
    ("blank", " \n\n\t", 1, 1, "the input is empty"),
    ("only headers", "mines: 3\ntopology: hex\n", 2, 1, "there are no rows"),
    ("only comments", "% nothing\n", 1, 1, "there are no rows"),
    ("truncated", "mines: 1\n1??\n12", 3, 3, "this row has 2 cells, the first one has 3"),
    ("short row", "1 ? ?\n1 ?\n???", 2, 4, "this row has 2 cells"),
    ("long row", "1??\n1 2 ? ?", 2, 7, "this row has 4 cells, the first one has 3"),
    ("unknown character", "1??\n1 x?", 2, 3, "unknown character 'x'"),
    ("NUL", "??\n?\0", 2, 2, r"unknown character '\x00'"),
    ("letter of another script", "?é", 1, 2, "unknown character 'é' (U+00E9)"),
    ("wide digit", "\uff11?", 1, 1, "unknown character '\uff11' (U+FF11)"),
    ("lone surrogate", "?\ud800", 1, 2, r"unknown character '\ud800'"),
    ("list", "[1, 2]", 1, 1, "the document must be an object with 'labels' or 'clues'"),
    ("list of rows", '["1?"]', 1, 1, "the document must be an object with 'labels' or 'clues'"),
    ("minus sign", "1-1", 1, 2, "unknown character '-'"),
    ("corner number", "??\n?4", 2, 2, "the number 4 has only 3 neighbours"),
    ("edge number", "???\n6??\n???", 2, 1, "the number 6 has only 5 neighbours"),
    ("inner number", "???\n? 9 ?\n???", 2, 3, "the number 9 has only 8 neighbours"),
    ("hex number", "topology: hex\n???\n?7?\n???", 3, 2, "the number 7 has only 6 neighbours"),
    ("torus number", "topology: torus\n??\n?4", 3, 2, "the number 4 has only 3 neighbours"),
    ("long number", "1? [12]", 1, 4, "the number 12 has only 1 neighbour"),
    ("longer number", "?[99999999999]", 1, 3, "above 2,147,483,647"),
    ("open bracket", "?[12", 1, 2, "'[' must be followed by a number and ']'"),
    ("total below zero", "mines: -1\n??", 1, 8, "cannot be negative: -1"),
    ("total above cells", "% x\nmines:  3\n??", 2, 9, "3 mines do not fit in 2 covered cells"),
    ("huge total", f"mines: {'9' * 5000}\n??", 1, 8, "5,000 digits"),
    ("total below known", "mines: 1\n**?", 1, 8, "1 mine in all, but there are 2 known mines"),
    ("total above known", "mines: 4\n**?", 1, 8, "do not fit in 1 covered cell and 2 known"),
    ("total is no number", "mines: ten\n??", 1, 8, "must be a whole number, not 'ten'"),
    ("total is a fraction", "mines: 1.5\n??", 1, 8, "must be a whole number, not '1.5'"),
    ("total is missing", "mines:\n??", 1, 7, "must be a whole number, not ''"),
    ("unknown header", " colour: red\n??", 1, 2, "unknown header 'colour'"),
    ("header twice", "mines: 1\nmines: 1\n??", 2, 1, "the header 'mines' is given twice"),
    ("header after rows", "??\nmines: 1", 2, 1, "unknown character 'm'"),
    ("unknown topology", "topology: ball\n??", 1, 11, "unknown topology 'ball'"),
    ("unknown with offsets", "topology: ball\noffsets: (0,1)\n??", 1, 11, "unknown topology"),
    ("hex with offsets", "topology: hex\noffsets: (0,1) (0,-1)\n??", 2, 10, "takes no offsets"),
    ("box with offsets", "topology: box\noffsets: (0,1) (0,-1)\n??", 2, 10, "takes no offsets"),
    ("offsets missing", "topology: offsets\n??", 1, 11, "are missing"),
    ("offsets empty", "offsets:\n??", 1, 9, "there are no offsets"),
    ("one-way offsets", "offsets: (1,2)\n??", 1, 10, "lacks its opposite (-1, -2)"),
    ("zero offset", "offsets: (0,0)\n??", 1, 10, "its own neighbour"),
    ("bad offsets", "offsets: (1,2) 3\n??", 1, 10, "offsets must be pairs"),
    ("blank line", "??\n\n??", 2, 1, "a blank line inside the board"),
    ("uneven layers", "topology: box\n??\n??\n\n??\n", 5, 1, "this layer has 1 rows"),
]

GRAPH = '{"topology": {"kind": "graph", "edges": [["a", "b"], ["b", "c"]%s]},\n "labels": {%s}}'

DOCUMENTS: list[tuple[str, str, int, int, str]] = [
    ("truncated", '{"labels": ["1?",\n', 2, 1, "not valid JSON"),
    ("two documents", '{"labels": ["1?"]}\n{}', 2, 1, "more after the end"),
    ("deeply nested", '{"a":' * 10**5, 1, 1, "nested too deeply"),
    ("NaN", '{"mines": NaN, "labels": ["?"]}', 1, 11, "NaN is not a number"),
    ("infinity", '{"mines":\n-Infinity, "labels": ["?"]}', 2, 1, "-Infinity is not a number"),
    ("endless number", f'{{"mines": {"9" * 5000}}}', 1, 11, "too many digits"),
    ("key twice", '{"mines": 1, "a": {"mines": 1},\n "mines": 2}', 2, 2, "'mines' is given twice"),
    ("nothing", '{"mines": 1}', 1, 1, "neither 'labels'"),
    ("unknown key", '{"labels": ["?"], "mine": 1}', 1, 27, "unknown key 'mine': use labels"),
    ("no cells", '{"labels": []}', 1, 12, "there are no cells"),
    ("empty row", '{"labels": [""]}', 1, 12, "there are no cells"),
    ("no rows", '{"labels": 3}', 1, 12, "labels must be a list of rows, not 3"),
    ("short row", '{"labels": ["??",\n "?"]}', 2, 2, "this row has 1 cells"),
    ("row is a number", '{"labels": [12]}', 1, 13, "labels[0] must be a string or a list"),
    ("bad character", '{"labels": ["??",\n "?x"]}', 2, 4, "unknown character 'x'"),
    ("bad label", '{"labels": [["?", "boom"]]}', 1, 19, "unknown label 'boom'"),
    ("true", '{"labels": [["?", true]]}', 1, 19, "unknown label True"),
    ("negative label", '{"labels": [[-1]]}', 1, 14, "cannot be negative"),
    ("number in a string", '{"labels": ["??",\n"? 4"]}', 2, 4, "4 has only 3 neighbours"),
    ("number in a list", '{"labels": [["?", 2]]}', 1, 19, "2 has only 1 neighbour"),
    ("width", '{"topology": {"kind": "grid",\n"width": 3}, "labels": ["??"]}', 2, 10, "width is 3"),
    ("height", '{"topology": {"kind": "grid", "height": "1"}, "labels": ["?"]}', 1, 41, "whole"),
    ("kind", '{"topology": {"kind": "ball"}, "labels": ["?"]}', 1, 23, "unknown topology 'ball'"),
    ("no kind", '{"topology": {}, "labels": ["?"]}', 1, 14, "unknown topology None"),
    ("kind is a list", '{"topology": {"kind": []}, "labels": ["?"]}', 1, 23, "unknown topology"),
    ("topology", '{"topology": "ball", "labels": ["?"]}', 1, 14, "unknown topology 'ball'"),
    ("topology is a list", '{"topology": [], "labels": ["?"]}', 1, 14, "an object with a 'kind'"),
    ("no offsets", '{"topology": "offsets", "labels": ["?"]}', 1, 14, "are missing"),
    ("offset", '{"topology": {"kind": "offsets", "offsets": [[0, 1]]}, "labels": ["?"]}', 1, 46,
     "lacks its opposite"),
    ("offset shape", '{"topology": {"kind": "offsets", "offsets": [5]}, "labels": ["?"]}', 1, 46,
     "is not a pair"),
    ("hex offsets", '{"topology": {"kind": "hex", "offsets": []}, "labels": ["?"]}', 1, 41,
     "takes no offsets"),
    ("wrap", '{"topology": {"kind": "knight", "wrap": 1}, "labels": ["?"]}', 1, 41, "true or"),
    ("box layers", '{"topology": "box", "labels": [["?"], []]}', 1, 39, "this layer has 0 rows"),
    ("box row", '{"topology": "box", "labels": ["?"]}', 1, 32, "must be a list of rows"),
    ("box number", '{"topology": "box", "labels": [["?"], ["?"],\n["2"]]}', 2, 3, "1 neighbour"),
    ("mines is a string", '{"mines": "2", "labels": ["??"]}', 1, 11, "a whole number or null"),
    ("mines is true", '{"mines": true, "labels": ["??"]}', 1, 11, "a whole number or null"),
    ("mines below zero", '{"mines": -2, "labels": ["??"]}', 1, 11, "cannot be negative: -2"),
    ("mines above cells", '{"labels": ["??"], "mines": 3}', 1, 29, "3 mines do not fit"),
    ("self-loop", GRAPH % (', ["c", "c"]', ""), 1, 66, "('c', 'c') is a self-loop"),
    ("duplicate edge", GRAPH % (', ["c", "b"]', ""), 1, 66, "('c', 'b') is given twice"),
    ("triple edge", GRAPH % (', ["a", "b", "c"]', ""), 1, 66, "is not a pair of cells"),
    ("edge is a number", GRAPH % (", 7", ""), 1, 66, "edge 7 is not a pair of cells"),
    ("null node", GRAPH % (', ["c", null]', ""), 1, 72, "a cell must be a string"),
    ("unknown cell", GRAPH % ("", '"a": 1, "z": 1'), 2, 26, "there is no cell 'z'"),
    ("unknown number", GRAPH % ("", '"7": 1'), 2, 18, "there is no cell 7"),
    ("graph label", GRAPH % ("", '"a": "!"'), 2, 18, "unknown label '!'"),
    ("graph number", GRAPH % ("", '"b": 3'), 2, 18, "cell 'b': the number 3 has only 2"),
    ("graph pairs", '{"topology": {"kind": "graph"},\n"labels": [1]}', 2, 12, "not a pair"),
    ("labelled twice", '{"topology": {"kind": "graph", "nodes": [1]},\n"labels": [[1,0],[1,0]]}',
     2, 21, "labelled twice"),
    ("node twice", '{"topology": {"kind": "graph", "nodes": [1, 1]}, "labels": {}}', 1, 45,
     "given twice"),
    ("graph rows", '{"topology": {"kind": "graph"}, "labels": "1?"}', 1, 43, "from cells"),
    ("clues", '{"clues": {}}', 1, 11, "clues must be a list"),
    ("clue", '{"clues": [4]}', 1, 12, "clues[0] must be an object"),
    ("clue without cells", '{"clues": [{"count": 1}]}', 1, 12, "the clue has no 'cells'"),
    ("clue key", '{"clues": [{"count": 1, "cells": [], "sum": 2}]}', 1, 45, "unknown key 'sum'"),
    ("clue count", '{"clues": [{"count": 1.0, "cells": []}]}', 1, 22, "must be a whole number"),
    ("clue cell twice", '{"clues": [{"count": 1, "cells": ["a", "a"]}]}', 1, 40, "named twice"),
    ("clue cell", '{"clues": [{"count": 1, "cells": [1.5]}]}', 1, 35, "a cell must be"),
    ("weights", '{"clues": [{"count": 1, "cells": ["a"], "weights": [1, 2]}]}', 1, 52,
     "2 weights for 1 cells"),
    ("weight", '{"clues": [{"count": 1, "cells": ["a"], "weights": [0.5]}]}', 1, 53,
     "must be a whole number, not 0.5"),
    ("cells twice", '{"clues": [], "cells": ["a", "a"]}', 1, 30, "named twice"),
    ("clue total", '{"clues": [], "cells": ["a"], "mines": 2}', 1, 40, "2 mines do not fit"),
    ("known mines", '{"clues": [], "known_mines": -1}', 1, 30, "cannot be negative"),
    ("known above total", '{"clues": [], "known_mines": 2, "mines": 1}', 1, 42, "1 mine in all"),
]  # fmt: skip


def check(text: str, line: int, column: int, message: str) -> None:
    sources: list[str | bytes] = [text]
    if "\ud800" not in text:
        sources.append(text.encode())
    for source in sources:
        with pytest.raises(FormatError) as caught:
            parse(source)
        error = caught.value
        assert message in error.message
        assert (error.line, error.column) == (line, column)
        assert str(error) == f"line {line}, column {column}: {error.message}"
        assert "\n" not in str(error)
        assert str(error).isprintable()


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [case[1:] for case in TEXTS],
    ids=[case[0] for case in TEXTS],
)
def test_bad_text(text: str, line: int, column: int, message: str) -> None:
    check(text, line, column, message)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [case[1:] for case in DOCUMENTS],
    ids=[case[0] for case in DOCUMENTS],
)
def test_bad_json(text: str, line: int, column: int, message: str) -> None:
    check(text, line, column, message)


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"\xff\xfe\x00\x01", 1, 1),
        (b"??\n?\xc3", 2, 2),
        (b"\x89PNG\r\n\x1a\n", 1, 1),
        ("?é\n".encode() + b"?\x80", 2, 2),
    ],
)
def test_binary_junk(data: bytes, line: int, column: int) -> None:
    with pytest.raises(FormatError, match="is not text in UTF-8") as caught:
        parse(data)
    assert (caught.value.line, caught.value.column) == (line, column)


def npy(values: Any, *, pickled: bool = False) -> bytes:
    out = BytesIO()
    numpy.save(out, numpy.array(values), allow_pickle=pickled)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x93NUMPY", "not a readable .npy file"),
        (b"\x93NUMPY\x01\x00junk and more junk", "not a readable .npy file"),
        (npy([[1, -1]])[:-4], "not a readable .npy file"),
        (npy([[object()]], pickled=True), "not a readable .npy file"),
        (npy([[1.5]]), "array of float64 holds no labels"),
        (npy([[1, -9]]), "entry (0, 1) is -9"),
        (npy([1, 2]), "has 2 dimensions (height, width), the labels 1"),
        (npy([[2, -1]]), "entry (0, 0): the number 2 has only 1 neighbour"),
    ],
)
def test_bad_numpy_files(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(data)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_totals_as_arguments() -> None:
    clues = '{"clues": [{"count": 1, "cells": ["a"]}]}'
    for source in ("??", '{"labels": ["??"]}', clues, npy([[-1, -1]])):
        with pytest.raises(FormatError, match="3 mines do not fit in"):
            parse(source, mines=3)
        with pytest.raises(PositionError, match="cannot be negative"):
            parse(source, mines=-3)
        wrong: Any = 1.5
        with pytest.raises(PositionError, match="must be a whole number"):
            parse(source, mines=wrong)


def test_bad_topologies_as_arguments() -> None:
    for source in ("??", '{"labels": ["??"]}', npy([[-1, -1]])):
        with pytest.raises(FormatError, match="unknown topology 'ball'"):
            parse(source, topology="ball")
        with pytest.raises(FormatError, match="4×4 grid"):
            parse(source, topology=Grid(4, 4))
    graph = '{"topology": {"kind": "graph", "nodes": ["a"]}, "labels": {}}'
    for name in ("grid", Grid(1, 1)):
        with pytest.raises(FormatError, match="which no field with rows can replace"):
            parse(graph, topology=name)
    with pytest.raises(FormatError, match="'torus' has 2 dimensions"):
        parse('{"topology": "box", "labels": [["?"]]}', topology="torus")
    with pytest.raises(FormatError, match="has no topology"):
        parse('{"clues": []}', topology="grid")
    with pytest.raises(FormatError, match="not a graph with 2 nodes"):
        parse("??", topology=Graph.from_edges([("a", "b")]))
    with pytest.raises(FormatError, match="a 1×1×2 box has the shape"):
        parse('{"labels": ["??"]}', topology=Box(1, 1, 2))


def test_bad_formats_as_arguments() -> None:
    with pytest.raises(FormatError, match=r"cannot read the format 'lp': use text, .*json"):
        parse("??", format="lp")
    with pytest.raises(FormatError, match="bytes, not text"):
        parse("??", format="numpy")
    with pytest.raises(FormatError, match="not valid JSON"):
        parse("??", format="json")
    with pytest.raises(FormatError, match=r"unknown character '\{'"):
        parse('{"labels"', format="text")


def test_the_name_of_the_file_is_part_of_the_message(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_bytes(b"1??\n1x?\n")
    with pytest.raises(FormatError, match=r"board\.txt: line 2, column 2: unknown character 'x'"):
        read(path)
    path.write_bytes(b"")
    with pytest.raises(FormatError, match=r"board\.txt: line 1, column 1: the input is empty"):
        read(path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing.txt")


def survives(source: str | bytes) -> None:
    """Reading gives a puzzle or a one-line error, and nothing else."""
    message = "fine"
    try:
        assert isinstance(parse(source), Position | Clues)
    except SapperError as error:
        message = str(error)
    assert len(message.splitlines()) == 1


@settings(deadline=None)
@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    survives(data)


@settings(deadline=None)
@given(st.text("0123456789?*_[]%:(), \n\t-minesotplgyhxark{}\"'"))
def test_any_text(text: str) -> None:
    survives(text)


KEYS = ["topology", "labels", "mines", "clues", "cells", "count", "weights", "kind", "edges"]
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.sampled_from(["?", "1", "*", "_", "grid", "box", "graph", "offsets", "a", "b"]),
    ),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*KEYS, "nodes", "a", "width", "offsets"]), inner)
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_any_json(document: dict[str, object]) -> None:
    survives(json.dumps(document))
    survives(json.dumps(document, indent=2)[:-3])
