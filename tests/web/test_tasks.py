"""What the interface answers, without a server around it: documents, statuses and places."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import Any

import pytest

import sapper
from sapper.errors import LimitExceeded
from sapper.limits import Limits
from sapper.web.about import about
from sapper.web.answering import Job, answer
from sapper.web.openapi import document
from sapper.web.settings import Settings
from sapper.web.tasks import TASKS
from tests.web.schemas import misfits
from tests.web.serving import POSITION, TEXT

HEX = {"topology": {"kind": "hex", "width": 5, "height": 4}, "mines": 3}
GRAPH = {
    "topology": {"kind": "graph", "edges": [["a", "b"], ["b", "c"]]},
    "mines": None,
    "labels": {"a": 1, "b": "?", "c": "?"},
}
CLUES = {"clues": [{"count": 1, "cells": ["u", "v"]}], "cells": ["u", "v", "w"], "mines": None}
IMPOSSIBLE = {"labels": ["1??", "3??"], "mines": 2}
MANY = {"labels": ["1" + "?" * 60]}
WIDE = {"labels": ["?" * 60, "1" * 60, "?" * 60]}
PLAYED: dict[str, Any] = {
    "board": {"topology": {"kind": "grid", "width": 5, "height": 1}, "mines": 1},
    "layout": [[0, 2]],
    "moves": [["dig", [0, 0]], ["dig", [0, 4]]],
}
RECORD = {
    **PLAYED["board"],
    "layout": [[0, 2]],
    "rule": None,
    "seed": None,
    "moves": PLAYED["moves"],
}
MBF = bytes.fromhex(sapper.play.Layout(sapper.Grid(9, 9), {(0, 3), (4, 4)}).to("mbf"))


def ask(task: str, body: Any, **limits: Any) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    status, found = answer(Job(task, data, Limits(**limits), cells=100_000))
    return status, json.loads(found)


ASKED: list[tuple[str, Any]] = [
    *((name, POSITION) for name in ("analyze", "check", "count", "sample", "estimate")),
    *((name, {"text": TEXT}) for name in ("analyze", "check", "count", "sample", "estimate")),
    *(("analyze", {"position": one, "exact": True}) for one in (POSITION, GRAPH, CLUES)),
    ("analyze", IMPOSSIBLE),
    ("analyze", {"position": POSITION, "method": "kset"}),
    ("analyze", {"position": POSITION, "limits": {"seconds": 5, "nodes": 10**6, "bytes": None}}),
    ("explain", {"position": POSITION, "cell": [0, 1]}),
    ("explain", {"position": POSITION, "cell": [1, 2], "smallest": True}),
    ("explain", {"position": GRAPH, "cell": "b"}),
    ("explain", {"text": TEXT, "cell": [0, 1]}),
    ("check", IMPOSSIBLE),
    ("check", CLUES),
    ("count", WIDE),
    ("count", {"position": POSITION, "by_mines": False}),
    ("sample", {"position": POSITION, "n": 3, "seed": 7}),
    ("convert", {"text": "1??/12?/_1? mines=2", "to": "json"}),
    ("convert", {"position": POSITION, "to": "svg"}),
    ("convert", {"position": POSITION, "to": "text", "total": False}),
    ("convert", {"text": "1*", "to": "mbf"}),
    ("read", {"text": TEXT}),
    ("read", CLUES),
    ("read", {"text": "9x9:1,8,mb6289d7938566b5d315e8"}),
    ("read", {"data": b64encode(MBF).decode(), "name": "board.mbf"}),
    ("read", {"text": json.dumps(RECORD)}),
    ("digs", {"labels": ["1??", "???"], "mines": 2}),
    ("digs", {"position": POSITION, "cells": [[1, 2]]}),
    ("digs", {"position": GRAPH, "n": 1}),
    ("openings", {"position": POSITION}),
    ("openings", GRAPH),
    ("generate", {"board": "beginner", "seed": 7}),
    ("generate", {"board": "beginner", "start": [4, 4], "grade": "easy", "n": 2, "seed": 10**20}),
    ("new", {"board": "expert", "start": [0, 0], "rule": "zero", "seed": 7}),
    ("new", {"board": HEX, "seed": 10**30}),
    ("new", {"board": "torus:9x9/10"}),
    ("new", {"board": "beginner", "start": [4, 4], "rule": "zero", "no_guess": True, "seed": 7}),
    ("new", {"board": "beginner", "start": [4, 4], "rule": "zero", "grade": "easy", "seed": 7}),
    ("move", {"labels": ["???", "???"], "mines": 1}),
    ("move", {"position": {"labels": ["?1?", "??1"], "mines": 1}, "strategy": "safest", "seed": 1}),
    ("review", PLAYED),
    ("review", {"text": json.dumps(RECORD)}),
    ("review", {**PLAYED, "rule": "safe", "moves": [["flag", [0, 2]], ["dig", [0, 1]]]}),
]


@pytest.mark.parametrize(("task", "body"), ASKED)
def test_requests_and_answers_are_as_described(task: str, body: Any) -> None:
    whole = document("1")
    post = whole["paths"][f"/api/{task}"]["post"]
    asked = post["requestBody"]["content"]["application/json"]["schema"]
    told = post["responses"]["200"]["content"]["application/json"]["schema"]
    assert misfits(body, asked, whole) == []
    status, found = ask(task, body)
    assert status == 200, found
    assert misfits(found, told, whole) == []
    # A description that anything fits would tell nothing.
    assert misfits({}, told, whole) != []


def test_every_address_is_asked_here() -> None:
    assert {task for task, _ in ASKED} == set(TASKS)


def test_long_numbers_stand_there_as_text_too() -> None:
    status, found = ask("count", MANY)
    number = sapper.count(sapper.Position(sapper.Grid(1, 61), MANY["labels"]))
    assert status == 200
    assert number > 2**53
    assert found["count_text"] == str(found["count"]) == str(number)
    assert found["by_mines_text"] == {key: str(n) for key, n in found["by_mines"].items()}
    assert ask("analyze", MANY)[1]["count_text"] == str(number)


def test_a_sample_and_a_layout_follow_from_their_seeds() -> None:
    for task, body in (
        ("sample", {"position": WIDE, "n": 3, "seed": 5}),
        ("new", {"board": "expert", "start": [3, 4], "seed": 5}),
    ):
        first, again = (ask(task, body)[1] for _ in range(2))
        other = ask(task, {**body, "seed": 6})[1]
        key = "solutions" if task == "sample" else "layout"
        assert first[key] == again[key] != other[key]
    layout = sapper.play.random_layout("expert", start=(3, 4), seed=5)
    assert {tuple(cell) for cell in again["layout"]} == layout.mines


def test_an_impossible_board_names_what_contradicts() -> None:
    _, found = ask("check", IMPOSSIBLE)
    assert not found["consistent"]
    assert [clue["cell"] for clue in found["contradiction"]["clues"]] == [[1, 0]]
    assert found["contradiction"]["steps"]


@pytest.mark.parametrize(
    ("task", "body", "status", "kind", "place", "words"),
    [
        ("analyze", b"{", 400, "input", {"line": 1, "column": 2}, "JSON"),
        ("analyze", b"\xff", 400, "input", {"line": 1, "column": 1}, "UTF-8"),
        ("analyze", b"[" * 100_000, 400, "input", {"line": 1, "column": 1}, "too deeply"),
        ("analyze", b"[]", 400, "input", {"line": 1, "column": 1}, "an object"),
        ("analyze", b"{}", 400, "input", {"line": 1, "column": 1}, "'position' is missing"),
        ("analyze", b'{"text": 3}', 400, "input", {"line": 1, "column": 10}, "text must be"),
        ("analyze", {"text": "1?\n1x"}, 400, "input", {"line": 2, "column": 2}, "'x'"),
        ("analyze", b'{\n"labels":\n["1x"]}', 400, "input", {"line": 3, "column": 4}, "'x'"),
        (
            "analyze",
            b'{"position": {\n"labels": ["1x"]}}',
            400,
            "input",
            {"line": 2, "column": 14},
            "'x'",
        ),
        ("analyze", {"position": POSITION, "exact": 1}, 400, "input", ..., "true or false"),
        ("analyze", {"position": POSITION, "method": "x"}, 400, "input", ..., "no method 'x'"),
        ("analyze", {"position": POSITION, "method": "tree"}, 422, "input", None, "cycle"),
        ("analyze", {"position": POSITION, "limits": {"seconds": 0}}, 400, "input", None, "second"),
        ("analyze", {"position": POSITION, "limits": {"nodes": 1}}, 504, "limit", None, "nodes"),
        ("analyze", {"text": "?{500}/" * 250 + "?{500}"}, 413, "large", None, "125,500 cells"),
        ("explain", {"position": POSITION, "cell": [9, 9]}, 400, "input", {"cell": "9,9"}, "no "),
        ("explain", {"position": POSITION}, 400, "input", {"line": 1, "column": 1}, "'cell'"),
        ("sample", IMPOSSIBLE, 422, "no", None, ""),
        ("sample", {"position": POSITION, "n": 10**6}, 400, "input", None, "n is 0 to"),
        ("convert", {"position": POSITION, "to": "x"}, 400, "input", None, "'x'"),
        ("convert", {"position": POSITION, "to": "mbf"}, 400, "input", None, "full boards only"),
        ("read", {"data": "!"}, 400, "input", {"line": 1, "column": 10}, "base64"),
        ("read", {"text": "1?", "data": "MT8="}, 400, "input", ..., "either"),
        ("read", {"data": "//8="}, 400, "input", ..., "UTF-8"),
        ("digs", IMPOSSIBLE, 400, "input", None, "no legal assignment"),
        ("digs", {"position": POSITION, "cells": [[9, 9]]}, 400, "input", {"cell": "9,9"}, "no "),
        ("digs", {"position": POSITION, "n": 10**6}, 400, "input", None, "at most"),
        ("openings", IMPOSSIBLE, 400, "input", None, "no legal assignment"),
        ("openings", CLUES, 400, "input", None, "not bare clues"),
        ("digs", CLUES, 400, "input", None, "not bare clues"),
        ("generate", {"board": "beginner", "n": 101}, 400, "input", None, "n is 0 to 100"),
        ("generate", {"board": "9x9/80", "no_guess": True, "n": -1}, 400, "input", None, "n is"),
        ("review", {}, 400, "input", ..., "'board' is missing"),
        ("review", {"text": TEXT}, 400, "input", None, "no played game"),
        ("new", {"board": "x"}, 400, "input", None, "'x'"),
        ("new", {"board": "expert", "start": [16, 0]}, 400, "input", {"cell": "16,0"}, "no cell"),
        ("new", {"board": {**HEX, "mines": 21}}, 400, "input", None, "20 mines"),
        ("new", {"board": {**HEX, "topology": {"kind": "x"}}}, 400, "input", ..., "'x'"),
        (
            "new",
            {"board": {"topology": {"kind": "grid", "width": 10**9, "height": 10**9}, "mines": 1}},
            413,
            "large",
            None,
            "10^18 cells",
        ),
        ("move", {"position": POSITION, "strategy": "exec:true"}, 400, "input", None, "exec:true"),
        ("move", {"labels": ["1*"], "mines": 1}, 400, "input", None, "nothing is covered"),
    ],
)
def test_what_cannot_be_answered_gets_a_sentence_with_its_place(
    task: str, body: Any, status: int, kind: str, place: Any, words: str
) -> None:
    got, found = ask(task, body)
    error = found["error"]
    assert (got, error["kind"]) == (status, kind), found
    assert words in error["message"]
    assert "\n" not in error["message"]
    assert place is ... or error["place"] == place
    whole = document("1")
    assert misfits(found, whole["components"]["schemas"]["ErrorReply"], whole) == []


def test_a_limit_of_a_lane_sends_the_request_to_the_next() -> None:
    body = json.dumps({"position": WIDE, "limits": {"seconds": 60}}).encode()
    assert answer(Job("count", body, Limits(nodes=1), 999, last=False)) == (0, b"")
    status, found = answer(Job("count", body, Limits(nodes=1), 999))
    assert status == 504
    assert b"nodes" in found
    # What the request itself forbids, no lane allows.
    body = json.dumps({"position": WIDE, "limits": {"nodes": 1}}).encode()
    assert answer(Job("count", body, Limits(nodes=5), 999, last=False))[0] == 504


@pytest.mark.parametrize("task", ["new", "generate"])
def test_a_wish_that_cannot_be_met_is_refused_with_what_was_tried(task: str) -> None:
    body = json.dumps({"board": "2x2/2", "rule": "any", "no_guess": True}).encode()
    for last in (False, True):
        status, found = answer(Job(task, body, Limits(), 999, last=last))
        assert status == 504
        assert b"no layout was found that can be finished without a guess" in found
    # Where time ran out it is told too.
    body = json.dumps({"board": "16x30/200", "rule": "safe", "no_guess": True}).encode()
    status, found = answer(Job(task, body, Limits(seconds=0.1), 999))
    assert (status, b"layouts drawn: at least" in found) == (504, True)
    assert answer(Job(task, body, Limits(seconds=0.1), 999, last=False))[0] == 0


def test_methods_are_listed_once() -> None:
    methods = about(Settings())["methods"]
    assert methods[0] == "auto"
    assert len(set(methods)) == len(methods)


def test_what_was_known_before_a_limit_was_hit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(*_: object) -> int:
        raise LimitExceeded("seconds", allowed=1, spent=2)

    monkeypatch.setattr("sapper.analysis.Analysis.count", property(counted))
    status, found = ask("analyze", POSITION)
    assert (status, found["error"]["kind"]) == (504, "limit")
    assert found["partial"]["missing"] == ["count", "probabilities"]
    assert found["partial"]["cells"][0]["verdict"] == "mine"
    whole = document("1")
    assert misfits(found, whole["components"]["schemas"]["ErrorReply"], whole) == []


def test_files_that_are_bytes_go_both_ways() -> None:
    position = json.loads(sapper.Position(sapper.Grid(1, 9), ["1*1______"]).to("json"))
    position["labels"] = ["1*1000000"]
    made = ask("convert", {"position": position, "to": "mbf"})[1]
    assert made["text"] == ""
    found = ask("read", {"data": made["data"], "name": "x.mbf"})[1]
    assert (found["format"], found["holds"], found["layout"]) == ("mbf", "layout", [[0, 1]])
    layout = sapper.play.Layout(sapper.Grid(1, 9), {(0, 1)})
    assert b64decode(made["data"]).hex() == layout.to("mbf").strip()


def test_a_replay_is_read_and_reviewed() -> None:
    found = ask("read", {"text": json.dumps(RECORD)})[1]
    assert (found["holds"], found["moves"]) == ("replay", RECORD["moves"])
    assert ask("review", {"text": json.dumps(RECORD)})[1]["luck"]["exact"] == "4/5"


def test_boards_are_those_of_the_package() -> None:
    wish = {"board": "beginner", "start": [4, 4], "no_guess": True, "n": 2, "seed": 5}
    many = list(sapper.play.generate_many("beginner", 2, start=(4, 4), seed=5))
    boards = ask("generate", wish)[1]["boards"]
    assert [board["seed_text"] for board in boards] == [str(layout.seed) for layout in many]
    for board, layout in zip(boards, many, strict=True):
        assert board["layout"] == json.loads(layout.position().to("json"))
        assert board["grade"]["level"] == sapper.play.grade(layout).level


def test_a_review_tells_what_was_risked() -> None:
    status, found = ask("review", PLAYED)
    assert (status, found["status"], found["luck"]["exact"]) == (200, "won", "4/5")
    assert [move["judgement"] for move in found["moves"]] == ["guess", "safe"]
    assert ask("review", {**PLAYED, "rule": "safe"})[1]["luck"]["exact"] == "1"


@pytest.mark.parametrize(
    "wrong",
    [
        {"layout": []},
        {"layout": [[0, 9]]},
        {"moves": [["dig"]]},
        {"moves": [["dig", [0, 0]], ["dig", [0, 0]]]},
        {"moves": [["run", [0, 0]]]},
        {"board": {"topology": {"kind": "grid", "width": 10**6, "height": 10**6}, "mines": 1}},
    ],
)
def test_what_is_no_game_is_refused(wrong: dict[str, Any]) -> None:
    status, found = ask("review", {**PLAYED, **wrong})
    assert status in (400, 413), found
