"""Commands for what the papers ask beside Minesweeper: uniqueness, decompositions, puzzles."""

from __future__ import annotations

import json

import pytest

import sapper
from sapper.decomposition import decompose, parse_gr, parse_td
from sapper.methods import clue_graph
from tests.cli.support import ROOT, Shell

UNIQUE = ROOT / "examples" / "unique.txt"
SMALL = "mines: 2\n1??\n12?\n_1?\n"


def test_unique(shell: Shell) -> None:
    done = shell("unique", UNIQUE)
    assert (done.code, done.out.splitlines()[0]) == (0, "unique")
    answer = shell("unique", UNIQUE, "--json").answer
    (layout,) = sapper.solutions(sapper.read(UNIQUE))
    assert {tuple(cell) for cell in answer.pop("layout")} == layout
    assert answer == {"unique": True, "second": None, "differing": []}


@pytest.mark.parametrize("method", ["auto", "engine", "sat", "cpsat", "zdd", "subgraph", "brute"])
def test_two_layouts_that_differ(shell: Shell, method: str) -> None:
    done = shell("unique", "-", "--method", method, "--json", stdin=SMALL)
    assert done.code == 1
    answer = done.json
    assert sorted([answer["layout"], answer["second"]]) == [[[0, 1], [1, 2]], [[0, 1], [2, 2]]]
    assert answer["differing"] == [[1, 2], [2, 2]]


def test_nothing_is_unique_where_nothing_is_legal(shell: Shell) -> None:
    done = shell("unique", "-", stdin="1?\n?2\n")
    assert (done.code, done.out) == (1, "")
    assert done.err == "sapper: there is no legal assignment, so none is unique\n"


def test_a_board_too_wide_to_count_has_two_layouts() -> None:
    rows = [["?"] * 41 for _ in range(41)]
    for row in range(1, 40, 2):
        for column in range(1, 40, 2):
            rows[row][column] = "4"
    position = sapper.parse("\n".join(map("".join, rows)))
    found = sapper.uniqueness(position, limits=sapper.Limits(seconds=30))
    assert found.second is not None
    assert found.layout in sapper.solutions(position, method="sat")
    assert found.second in sapper.solutions(position, method="sat")


def test_decompose(shell: Shell) -> None:
    path = shell.file("small.txt", SMALL)
    graph = clue_graph(sapper.read(path))
    done = shell("decompose", path, "--td", shell.folder / "a.td", "--gr", shell.folder / "a.gr")
    assert done.code == 0
    assert done.out.splitlines()[0] == "width 2 · 6 bags over 8 vertices"
    written = parse_td((shell.folder / "a.td").read_text(), graph)
    written.check(graph)
    read = parse_gr((shell.folder / "a.gr").read_text())
    assert (len(read), len(read.edges)) == (len(graph), len(graph.edges))
    again = shell("decompose", shell.folder / "a.gr", "--heuristic", "exact", "--json").json
    assert again["width"] == 2
    whole = shell("decompose", path, "--field", "--json").json
    assert whole["width"] == decompose(sapper.Grid(3, 3)).width


def test_decompose_prints_the_polynomials(shell: Shell) -> None:
    text = '{"clues": [{"count": 1, "cells": ["a", "b"]}], "mines": null}'
    done = shell("decompose", "-", "--table", "--json", stdin=text)
    rows = done.json["table"]
    assert {row["polynomial"] for row in rows if row["node"] == 1} == {"1", "x₁"}
    drawn = shell.folder / "tree.svg"
    assert shell("decompose", "-", "--svg", drawn, stdin=text).code == 0
    assert drawn.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["decompose", "g.gr", "--table"], "--table: a graph has no clues, and so no polynomials"),
        (["decompose", "clues.json", "--field"], "--field: clues have no field"),
        (["decompose", "small.txt", "--heuristic", "x"], "--heuristic: 'x' is not one of"),
        (["puzzles", "equal-moments", "0", "1"], "n must be an integer of at least 1, not 0"),
        (["puzzles", "equal-moments", "8", "2", "--limit", "-1"], "--limit: -1 is negative"),
        (["puzzles", "shortest", "0"], "the order of a zero is at least 1, not 0"),
    ],
)
def test_wrong_words(shell: Shell, words: list[str], message: str) -> None:
    files = {
        "g.gr": shell.file("g.gr", "p tw 2 1\n1 2\n"),
        "clues.json": shell.file("clues.json", '{"clues": [{"count": 1, "cells": ["a"]}]}'),
        "small.txt": shell.file("small.txt", SMALL),
    }
    done = shell(*(files.get(word, word) for word in words))
    assert done.code == 2
    assert message in done.err


def test_limits_hold(shell: Shell) -> None:
    done = shell("puzzles", "equal-moments", 48, 5, "--memory", "100K")
    assert done.code == 3
    path = ROOT / "examples" / "expert.txt"
    assert shell("decompose", path, "--field", "--heuristic", "exact", "--seconds", 0.1).code == 3


def test_equal_moments(shell: Shell) -> None:
    done = shell("puzzles", "equal-moments", 8, 2)
    assert done.out == "2 3 5 8\n1 division\n"
    done = shell("puzzles", "equal-moments", 16, 2, "--symmetric", "--limit", 0, "--json")
    assert (done.json["count"], done.json["first"]) == (4, [])
    done = shell("puzzles", "shortest", 3)
    assert done.out.splitlines()[-1] == "N(3) is 8"
    done = shell("puzzles", "shortest", 6, "--symmetric", "--json")
    assert (done.json["length"], done.json["tried"][-1]["count"]) == (48, 1)


def test_golan_tables(shell: Shell) -> None:
    done = shell("puzzles", "golan", "--json").json
    assert [row["parent_mined"] for row in done["table_1"]] == ["1", "x", "1 + x", "0", "1", "0"]
    assert len(done["table_2"]) == 10
    assert "? | 1 + x | 1 + x | 1 | x" in shell("puzzles", "golan").out


def test_unique_positions(shell: Shell) -> None:
    words = ("puzzles", "unique", "--board", "torus:4x4/4", "-n", 3, "-k", 2, "--seed", 5)
    first, again = shell(*words), shell(*words)
    assert first.out == again.out
    assert first.out.count("% every deduction takes at least") == 3
    for found in shell(*words, "--json").json["positions"]:
        position = sapper.parse(json.dumps(found["position"]))
        assert isinstance(position, sapper.Position)
        assert position.mines is None
        assert sapper.count(position, method="brute") == 1
        assert found["core"] >= 2
        # None of its numbers can be missed.
        for cell in position.numbers:
            assert sapper.count(position.with_label(cell, "?"), method="brute") > 1
    done = shell("puzzles", "unique", "-k", 9, "--tries", 5, "--seed", 1)
    assert done.code == 2
    assert "every deduction takes 9 clues in 5 layouts of" in done.err
