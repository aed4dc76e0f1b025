"""Every command answers right, as text and as JSON."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import sapper
from tests.cli.support import ROOT, Shell

SMALL = "mines: 2\n1??\n12?\n_1?\n"
INCONSISTENT = "1?\n?2\n"


def test_analyze(shell: Shell) -> None:
    path = shell.file("small.txt", SMALL)
    done = shell("analyze", path)
    assert done.code == 0
    assert done.out.splitlines()[1:5] == [
        "    0    1    2",
        "0   1    ✗    ✓",
        "1   1    2   50%",
        "2   _    1   50%",
    ]
    assert "safe to dig: 0,2" in done.out
    assert "2 legal assignments" in done.out


def test_analyze_as_json(shell: Shell) -> None:
    done = shell("analyze", "-", "--json", stdin=SMALL)
    assert done.answer == {
        "consistent": True,
        "count": 2,
        "mines": 2,
        "cells": [
            {"cell": [0, 1], "verdict": "mine", "probability": 1.0},
            {"cell": [0, 2], "verdict": "safe", "probability": 0.0},
            {"cell": [1, 2], "verdict": "unknown", "probability": 0.5},
            {"cell": [2, 2], "verdict": "unknown", "probability": 0.5},
        ],
        "best": [[0, 2]],
        "problems": [],
        "missing": [],
    }


def test_exact_fractions(shell: Shell) -> None:
    done = shell("analyze", "-", "--json", "--exact", "--mines", 1, stdin="1?\n??\n")
    assert [cell["exact"] for cell in done.json["cells"]] == ["1/3"] * 3


def test_exact_fractions_are_printed_too(shell: Shell) -> None:
    done = shell("analyze", "-", "--exact", "--mines", 1, stdin="1?\n??\n")
    assert done.out.splitlines()[-1] == "1/3: 0,1  1,0  1,1"


def test_explain_shows_the_board(shell: Shell) -> None:
    done = shell("explain", "-", "0,2", stdin=SMALL)
    assert done.out.splitlines()[1:6] == [
        "",
        "    0   1   2",
        "0   1² (?) [✓]",
        "1   1   2¹ (?)",
        "2   _   1⁴ (?)",
    ]
    undecided = shell("explain", "-", "1,2", stdin=SMALL).out
    assert "if 1,2 is a mine" in undecided
    assert "[✗]" in undecided
    assert "[○]" in undecided


def test_analyze_an_inconsistent_position_is_an_answer(shell: Shell) -> None:
    done = shell("analyze", "-", stdin="3?*\n2**")
    assert done.code == 0
    assert "inconsistent" in done.out
    assert "0,0: the number 3" not in done.out or "neighbour" in done.out
    assert shell("analyze", "-", "--json", "--mines", 1, stdin=INCONSISTENT).answer == {
        "consistent": False,
        "count": 0,
        "mines": 1,
        "cells": [],
        "best": [],
        "problems": [],
        "missing": [],
    }
    visible = shell("analyze", "-", "--json", stdin="2?\n_1").json
    assert visible["problems"] == ["0,0: the number 2 has only 1 covered or mined neighbour"]


def test_analyze_draws(shell: Shell) -> None:
    target = shell.folder / "board.svg"
    assert shell("analyze", "-", "--svg", target, stdin=SMALL).code == 0
    assert target.read_text(encoding="utf-8").startswith("<svg")


def test_analyze_graphs_and_clues(shell: Shell) -> None:
    graph = shell("analyze", ROOT / "examples/graph.json", "--json").json
    assert [entry["cell"] for entry in graph["cells"]] == ["gate", "well", "tree", "road"]
    assert graph["best"] == ["road"]
    clues = shell("analyze", ROOT / "examples/clues.json")
    assert "v + w + x = 2" in clues.out
    assert "best guess, a mine with 33.3%: u" in clues.out


def test_check(shell: Shell) -> None:
    assert shell("check", "-", stdin=SMALL) == (0, "consistent\n", "")
    assert shell("check", "-", "--json", stdin=SMALL).answer == {"consistent": True, "problems": []}
    no = shell("check", "-", "--mines", 1, stdin=INCONSISTENT)
    hint = "'sapper explain - 0,1 --mines 1' names clues that contradict each other\n"
    assert (no.code, no.out, no.err) == (1, "inconsistent\n" + hint, "")
    as_json = shell("check", "-", "--mines", 1, "--json", stdin=INCONSISTENT)
    assert (as_json.code, as_json.answer) == (1, {"consistent": False, "problems": []})
    visible = shell("check", "-", "--json", stdin="2?\n_1").json
    assert visible["problems"] == ["0,0: the number 2 has only 1 covered or mined neighbour"]


def test_check_names_what_is_visibly_wrong(shell: Shell) -> None:
    done = shell("check", "-", stdin="2?\n_1\n")
    assert done.code == 1
    assert "0,0: the number 2 has only 1 covered or mined neighbour" in done.out


def test_count(shell: Shell) -> None:
    assert shell("count", "-", stdin=SMALL).out == "2\n"
    assert shell("count", "-", "--json", stdin=SMALL).answer == {"count": 2, "by_mines": None}


def test_count_by_mines(shell: Shell) -> None:
    board = "*2??\n"
    assert shell("count", "-", "--by-mines", stdin=board).out == "2 1\n3 1\n"
    document = shell("count", "-", "--by-mines", "--mines", 2, "--json", stdin=board).json
    assert document["count"] == 1
    assert document["by_mines"] == {"2": 1, "3": 1}


def test_counts_have_all_their_digits(shell: Shell) -> None:
    board = "\n".join(["?" * 150] * 150)
    expected = 2 ** (150 * 150)
    assert int(shell("count", "-", stdin=board).out) == expected
    assert shell("count", "-", "--json", stdin=board).json["count"] == expected
    by_mines = shell("count", "-", "--mines", 7000, "--json", stdin=board).json
    assert by_mines["count"] == math.comb(150 * 150, 7000)


def test_numbers_of_any_length_are_read(shell: Shell) -> None:
    big = "1" + "0" * 5000
    clue = f'{{"clues": [{{"count": {big}, "cells": ["a"], "weights": [{big}]}}]}}'
    assert shell("count", "-", "--method", "brute", stdin=clue).out == "1\n"


def test_solutions(shell: Shell) -> None:
    done = shell("solutions", "-", stdin=SMALL)
    assert sorted(done.out.splitlines()) == ["0,1 1,2", "0,1 2,2"]
    document = shell("solutions", "-", "--json", stdin=SMALL).json
    assert document["count"] == 2
    assert sorted(document["solutions"]) == [[[0, 1], [1, 2]], [[0, 1], [2, 2]]]


def test_solutions_stop_at_the_limit_and_say_so(shell: Shell) -> None:
    done = shell("solutions", "-", "--limit", 3, stdin="????\n????\n")
    assert len(done.out.splitlines()) == 3
    assert done.err == "sapper: 3 of 256 solutions; --limit N lists more, --limit 0 all\n"
    document = shell("solutions", "-", "--limit", 3, "--json", stdin="????\n????\n").json
    assert (document["count"], len(document["solutions"])) == (256, 3)
    everything = shell("solutions", "-", "--limit", 0, stdin="?" * 11)
    assert len(everything.out.splitlines()) == 2048
    assert len(shell("solutions", "-", stdin="?" * 11).out.splitlines()) == 1000


def test_a_method_that_does_not_count_says_that_there_may_be_more(shell: Shell) -> None:
    done = shell("solutions", "-", "--method", "sat", "--limit", 1, stdin=SMALL)
    assert len(done.out.splitlines()) == 1
    words = "1 solution, and there may be more; --limit N lists more, --limit 0 all"
    assert done.err == f"sapper: {words}\n"
    assert shell("solutions", "-", "--method", "sat", "--limit", 3, stdin=SMALL).err == ""
    assert shell("solutions", "-", "--method", "sat", "--limit", 0, stdin=SMALL).err == ""


def test_no_solutions(shell: Shell) -> None:
    done = shell("solutions", "-", "--mines", 1, "--json", stdin=INCONSISTENT)
    assert (done.code, done.answer) == (0, {"count": 0, "solutions": []})
    plain = shell("solutions", "-", "--mines", 1, stdin=INCONSISTENT)
    assert (plain.out, plain.err) == ("", "sapper: no solutions\n")


def test_a_picture_under_another_ending_is_refused(shell: Shell) -> None:
    done = shell("analyze", "-", "--svg", shell.folder / "b.png", stdin=SMALL)
    assert (done.code, done.err) == (2, "sapper: a picture is .svg or .html, not 'b.png'\n")
    assert not (shell.folder / "b.png").exists()


def test_the_diagram_is_written(shell: Shell) -> None:
    target = shell.folder / "zdd.dot"
    assert shell("solutions", "-", "--dot", target, stdin=SMALL).code == 0
    assert target.read_text(encoding="utf-8").startswith("digraph")


@pytest.mark.parametrize("command", ["solutions", "sample"])
def test_a_full_board_has_nothing_to_find(shell: Shell, command: str) -> None:
    assert "(nothing is covered)" in shell(command, "-", stdin="1*\n11\n").out
    assert "(no mines)" in shell(command, "-", stdin="0?\n??\n").out


def test_samples_are_solutions_and_repeat_with_their_seed(shell: Shell) -> None:
    position = sapper.parse(SMALL)
    arguments = ("sample", "-", "-n", 20, "--seed", 7, "--json")
    drawn = shell(*arguments, stdin=SMALL).json["solutions"]
    view = sapper.solutions(position)
    assert len(drawn) == 20
    assert all(frozenset(map(tuple, cells)) in view for cells in drawn)
    assert shell(*arguments, stdin=SMALL).json["solutions"] == drawn


@pytest.mark.parametrize("command", ["sample", "cheapest"])
def test_nothing_to_choose_from_is_a_no(shell: Shell, command: str) -> None:
    costs = shell.file("costs.json", "{}")
    extra = ["--costs", costs] if command == "cheapest" else []
    plain = shell(command, "-", "--mines", 1, *extra, stdin=INCONSISTENT)
    assert (plain.code, plain.out) == (1, "")
    assert len(plain.err.splitlines()) == 1
    done = shell(command, "-", "--mines", 1, "--json", *extra, stdin=INCONSISTENT)
    assert done.code == 1
    assert not any(done.answer.values())
    assert set(done.answer) == ({"solutions"} if command == "sample" else {"cost", "solution"})


@pytest.mark.parametrize(
    "costs",
    [
        '{"0,1": 5, "1,2": 3}',
        '{"[1, 2]": 3, "(0, 1)": 5}',
        "[[[0, 1], 5], [[1, 2], 3]]",
        "[[9, 5, 0], [9, 9, 3], [9, 9, 0]]",
    ],
)
def test_cheapest(shell: Shell, costs: str) -> None:
    path = shell.file("costs.json", costs)
    done = shell("cheapest", "-", "--costs", path, stdin=SMALL)
    assert done.out == "0,1 2,2\ncost 5\n"
    document = shell("cheapest", "-", "--costs", path, "--json", stdin=SMALL).answer
    assert document == {"cost": 5, "solution": [[0, 1], [2, 2]]}


def test_cheapest_with_named_cells_and_fractions_of_a_coin(shell: Shell) -> None:
    path = shell.file("costs.json", '{"u": 0.5, "v": 2, "w": 0.25, "x": 0.125}')
    done = shell("cheapest", ROOT / "examples/clues.json", "--costs", path, "--json")
    assert done.answer == {"cost": 0.875, "solution": ["u", "w", "x"]}


def test_estimate(shell: Shell) -> None:
    done = shell("estimate", "-", stdin=SMALL)
    assert "independent components" in done.out
    document = shell("estimate", ROOT / "examples/expert.txt", "--json").json
    assert {"components", "width", "nodes", "bytes", "parts"} <= set(document)
    assert document["components"] == len(document["parts"])


@pytest.mark.parametrize("target", ["text", "line", "json", "dimacs", "opb", "lp", "svg", "html"])
def test_convert(shell: Shell, target: str) -> None:
    done = shell("convert", "-", "--to", target, stdin=SMALL)
    assert done.code == 0
    assert done.out
    if target in ("text", "line", "json"):
        assert sapper.parse(done.out) == sapper.parse(SMALL)
    document = shell("convert", "-", "--to", target, "--json", stdin=SMALL).json
    assert target == "json" or document == {"format": target, "text": done.out}


@pytest.mark.parametrize("name", ["a.json", "a.npy", "a.txt", "a.cnf", "a.opb", "a.lp", "a.svg"])
def test_convert_to_a_file(shell: Shell, name: str) -> None:
    target = shell.folder / name
    assert shell("convert", "-", "-o", target, stdin=SMALL).code == 0
    if target.suffix in (".json", ".npy", ".txt"):
        assert sapper.read(target, mines=2) == sapper.parse(SMALL)


def test_convert_without_the_total(shell: Shell) -> None:
    assert "mines" not in shell("convert", "-", "--to", "text", "--no-total", stdin=SMALL).out


def test_options_replace_what_the_file_says(shell: Shell) -> None:
    assert shell("count", "-", "--mines", 1, stdin="1?\n??").out == "3\n"
    assert shell("count", "-", "--topology", "torus", stdin="1??\n???\n???").out == "8\n"
    assert shell("count", "-", "--format", "text", stdin="1?").out == "1\n"


@pytest.mark.parametrize("method", ["auto", "engine", "brute", "engine:order=path,grouping=false"])
def test_methods(shell: Shell, method: str) -> None:
    assert shell("count", "-", "--method", method, stdin=SMALL).out == "2\n"


def test_a_method_without_probabilities_still_analyses(shell: Shell) -> None:
    from sapper.analysis import registry

    able = set(registry.names_answering("verdicts"))
    limited = sorted(able - set(registry.names_answering("probabilities")))
    for method in limited:
        done = shell("analyze", "-", "--method", method, "--json", stdin="1??\n12?\n_1?\n")
        assert done.code == 0, done.err
        verdicts = {tuple(entry["cell"]): entry["verdict"] for entry in done.json["cells"]}
        assert verdicts[0, 1] in ("mine", "unknown")
        assert shell("analyze", "-", "--method", method, stdin="1??\n12?\n_1?\n").code == 0


def test_a_method_that_does_not_count_still_lists(shell: Shell) -> None:
    from sapper.analysis import registry

    able = set(registry.names_answering("solutions"))
    for method in sorted(able - set(registry.names_answering("count"))):
        done = shell("solutions", "-", "--method", method, "--json", stdin=SMALL)
        assert done.code == 0, done.err
        assert done.json["count"] is None
        assert len(done.json["solutions"]) == 2


def test_a_large_board_is_answered(shell: Shell) -> None:
    path = Path(shell.file("large.txt", ("?" * 200 + "\n") * 200))
    done = shell("analyze", path, "--json", "--mines", 1)
    assert len(done.json["cells"]) == 40_000
    assert done.json["count"] == 40_000


def test_commands_say_how_they_read(shell: Shell) -> None:
    done = shell("count", "-", stdin="1#\n##\n")
    assert (done.code, done.out) == (0, "3\n")
    assert done.err == "sapper: standard input: read '#' as covered\n"
    done = shell("convert", "-", "--to", "line", stdin="..1?\n..1?\n")
    assert (done.out, done.err) == ("001?/001?\n", "sapper: standard input: read '.' as 0\n")
    full = shell("count", "-", stdin="3x3:u010\n")
    assert "tatham gives the full board: nothing is covered" in full.err
    assert full.out == "1\n"


def test_boards_and_replays_convert(shell: Shell) -> None:
    text = "9x9:0,2,mec9fec8b51b68d6462640\n"
    path = shell.file("board.tatham", text)
    assert shell("convert", path, "--to", "tatham").out == text
    for name in ("mbf", "ptta", "mine", "jsm", "text", "line", "rawvf"):
        middle = shell.folder / f"board.{name}"
        assert shell("convert", path, "--to", name, "-o", middle).code == 0
        back = shell("convert", middle, "--to", "tatham")
        # Of these only a line has a place for the first dig.
        assert back.out == (text if name == "line" else text.replace("0,2,", ""))
    replay = shell.file(
        "game.rawvf",
        "Width: 3\nHeight: 1\nMines: 1\nBoard:\n0*0\nEvents:\n0 lc 3 1\n0 lr 3 1\n",
    )
    assert shell("convert", replay, "--to", "tatham").out.startswith("3x1:2,0,m")
    assert shell("convert", replay, "-o", shell.folder / "game.json").code == 0
    assert shell("convert", shell.folder / "game.json", "--to", "text").out == "mines: 1\n1*1\n"
    shown = shell("convert", path, "--to", "mbf", "--json").json
    assert shown["text"].startswith("0909000a")
    refused = shell("convert", "-", "--to", "tatham", stdin="1?")
    assert refused.code == 2
    assert "holds full boards only: (0, 1) is covered" in refused.err
