"""Wrong input: one line on standard error that names the place, exit code 2, no traceback."""

from __future__ import annotations

import pytest

from tests.cli.support import Done, Shell

FILES: dict[str, tuple[str | bytes, str]] = {
    "ragged": ("1??\n12", "line 2, column 3"),
    "unknown character": ("1?x\n", "line 1, column 3"),
    "number above the neighbourhood": ("?9?\n???\n???\n", "line 1, column 2"),
    "total above the covered cells": ("mines: 9\n1??\n", "line 1, column 8"),
    "total below the known mines": ("mines: 1\n**?\n", "line 1, column 8"),
    "negative total": ("mines: -1\n1??\n", "line 1, column 8"),
    "total that is no number": ("mines: many\n1??\n", "line 1, column 8"),
    "unknown header": ("mine: 1\n1??\n", "line 1, column 1"),
    "unknown topology": ("topology: moebius\n1??\n", "line 1, column 11"),
    "headers only": ("mines: 1\n", "no rows"),
    "empty": ("", "empty"),
    "blank": ("\n\n", "empty"),
    "binary junk": (bytes(range(128, 256)), "line 1, column 1"),
    "zero bytes": (b"\x00" * 100, "line 1, column 1"),
    "truncated array": (b"\x93NUMPY\x01\x00", ".npy"),
    "truncated document": ('{"clues": [{"count": 1', "line 1, column"),
    "nothing but a brace": ("{", "line 1, column 2"),
    "deep nesting": ('{"labels": ' + "[" * 100_000, "line 1"),
    "self-loop": (
        '{"topology": {"kind": "graph", "edges": [["a", "a"]]}, "labels": {}}',
        "self-loop",
    ),
    "duplicate edge": (
        '{"topology": {"kind": "graph", "edges": [["a", "b"], ["b", "a"]]}, "labels": {}}',
        "given twice",
    ),
    "unknown cell": (
        '{"topology": {"kind": "graph", "edges": [["a", "b"]]}, "labels": {"z": 1}}',
        "no cell 'z'",
    ),
    "not a number": ('{"clues": [{"count": NaN, "cells": ["a"]}]}', "NaN"),
    "wrong size": (
        '{"topology": {"kind": "grid", "width": 4, "height": 1}, "labels": ["1??"]}',
        "line 1",
    ),
}

COSTS: dict[str, tuple[str | bytes, str]] = {
    "not a number": ('{"0,1": NaN}', "NaN"),
    "infinite": ('{"0,1": Infinity}', "Infinity"),
    "minus infinite": ('{"0,1": -Infinity}', "Infinity"),
    "too large": ('{"0,1": 1e999}', "line 1, column 9"),
    "text": ('{"0,1": "cheap"}', "'cheap'"),
    "true": ('{"0,1": true}', "True"),
    "unknown cell": ('{"7,7": 1}', "(7, 7)"),
    "uncovered cell": ('{"0,0": 1}', "(0, 0)"),
    "unknown name": ('{"hut": 1}', "'hut'"),
    "cell twice": ("[[[0, 1], 1], [[0, 1], 2]]", "two costs"),
    "no pair": ("[1, 2]", "not a pair"),
    "truncated": ('{"0,1": ', "line 1, column"),
    "empty": ("", "not valid JSON"),
    "binary junk": (b"\xff\xfe", "UTF-8"),
    "a number": ("3", "must be"),
}


def refused(done: Done, words: str) -> None:
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("sapper: ")
    assert done.err.count("\n") == 1, done.err
    assert len(done.err) < 400
    assert words in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("kind", FILES)
def test_files(shell: Shell, kind: str) -> None:
    content, words = FILES[kind]
    path = shell.file("input", content)
    done = shell("count", path)
    refused(done, words)
    assert str(path) in done.err
    refused(shell("analyze", "-", "--json", stdin=content), words)


@pytest.mark.parametrize("kind", COSTS)
def test_costs(shell: Shell, kind: str) -> None:
    content, words = COSTS[kind]
    path = shell.file("costs.json", content)
    done = shell("cheapest", "-", "--costs", path, stdin="1??\n12?\n_1?\n")
    refused(done, words)
    assert str(path) in done.err


def test_paths(shell: Shell) -> None:
    refused(shell("count", shell.folder / "missing.txt"), "missing.txt: no such file")
    refused(shell("count", shell.folder), "is a directory")
    refused(shell("cheapest", "-", "--costs", shell.folder, stdin="1?"), "is a directory")
    away = shell.folder / "no" / "where.json"
    refused(shell("convert", "-", "-o", away, stdin="1?"), "where.json: no such file")
    away = away.with_suffix(".svg")
    refused(shell("analyze", "-", "--svg", away, stdin="1?"), "where.svg: no such file")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-", "--bogus"], "--bogus"),
        (["-", "--mines", "x"], "--mines: must be a whole number"),
        (["-", "--mines", "-1"], "cannot be negative"),
        (["-", "--mines", "9"], "9 mines do not fit"),
        (["-", "--mines", "1e3"], "--mines"),
        (["-", "--topology", "moebius"], "'moebius': use grid, torus, hex, knight, box or"),
        (["-", "--format", "pdf"], "pdf"),
        (["-", "--method", "oracle"], "'oracle'; there are 'auto', 'engine'"),
        (["-", "--method", "engine:k=2"], "'k'"),
        (["-", "--method", "engine:k"], "option=value"),
        (["-", "--seconds", "nan"], "seconds=nan"),
        (["-", "--seconds", "-1"], "seconds=-1"),
        (["-", "--nodes", "0"], "nodes=0"),
        (["-", "--memory", "much"], "--memory"),
        (["-", "extra"], "extra"),
    ],
)
def test_options(shell: Shell, arguments: list[str], words: str) -> None:
    refused(shell("count", *arguments, stdin="1??\n"), words)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["bogus"], "bogus"),
        (["lab"], "missing command ('sapper lab --help' explains)"),
        (["solutions", "-", "--limit", "-1"], "--limit"),
        (["sample", "-", "-n", "-1"], "-n"),
        (["cheapest", "-"], "--costs"),
        (["convert", "-"], "--to"),
        (["convert", "-", "--to", "pdf"], "pdf"),
        (["convert", "-", "-o", "x.foo"], "tells no format: use .txt, .json"),
        (["convert", "-", "--to", "dimacs", "--encoding", "x"], "use auto, direct"),
        (["convert", "-", "--to", "numpy", "--json"], "-o FILE"),
        (["estimate", "-", "--method", "brute"], "'engine'"),
        (["analyze", "-", "--around", "here"], "--around"),
        (["analyze", "-", "--around", "9,9"], "--around: no cell (9, 9)"),
        (["explain", "-", "0"], "'0' is not a cell of a 1×3 grid, such as 0,2"),
        (["explain", "-", "-1,2"], "no cell (-1, 2) in a 1×3 grid"),
        (["explain", "-"], "is missing"),
        (["sample", "-", "-n", "x" * 500], "--number: must be a whole number"),
        (["x" * 500], "no such command"),
        (["analyse"], "no such command 'analyse', did you mean 'analyze'?"),
    ],
)
def test_commands(shell: Shell, command: list[str], words: str) -> None:
    refused(shell(*command, stdin="1??\n"), words)


def test_a_format_that_cannot_hold_the_puzzle(shell: Shell) -> None:
    clues = '{"clues": [{"count": 1, "cells": ["a", "b"]}]}'
    refused(shell("convert", "-", "--to", "text", stdin=clues), "use json")
    refused(shell("analyze", "-", "--around", "1,1", stdin=clues), "--around")


@pytest.mark.parametrize("name", ["x.foo", "x"])
def test_an_ending_that_tells_no_format(shell: Shell, name: str) -> None:
    target = shell.folder / name
    refused(shell("convert", "-", "-o", target, stdin="1?"), "tells no format")
    assert not target.exists()


def test_names_cannot_break_the_line_or_the_terminal(shell: Shell) -> None:
    path = shell.file("two\nlines\x1b[31m", "x")
    refused(shell("count", path), "unknown character")


def test_a_bug_is_one_line_too(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise AssertionError("this cannot happen")

    monkeypatch.setattr("sapper.formats.examine_file", broken)
    done = shell("count", "-", stdin="1?")
    assert done.code == 70
    assert done.err.count("\n") == 1
    assert "AssertionError: this cannot happen" in done.err
