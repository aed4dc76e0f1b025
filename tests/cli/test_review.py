"""`sapper review`: replays of all kinds, as text, as JSON and as a picture."""

from __future__ import annotations

import json
from math import prod
from xml.etree import ElementTree

import pytest

from sapper import play, render
from sapper.formats import dump, encode, examine_file
from sapper.game import Game
from sapper.play import Review
from tests.cli.support import ROOT, Shell
from tests.formats.test_damaged_files import finished
from tests.support.replays import WRITERS

GAME = ROOT / "examples" / "game.json"


@pytest.fixture(scope="module")
def reviewed() -> Review:
    return play.review(examine_file(GAME).game)


def test_text_tells_of_every_risk(shell: Shell, reviewed: Review) -> None:
    done = shell("review", GAME)
    assert (done.code, done.err) == (0, "")
    risks = [move for move in reviewed.moves if move.judgement in ("guess", "mistake")]
    lines = done.out.splitlines()
    assert len([line for line in lines if "a guess" in line or "a mistake" in line]) == len(risks)
    assert lines[-3] == "won"
    assert "2 guesses, 1 mistake" in lines[-2]
    whole = shell("review", GAME, "--all").out
    assert len(whole.splitlines()) == len(lines) + len(reviewed.moves) - len(risks)
    assert "certain" in whole


def test_json(shell: Shell, reviewed: Review) -> None:
    document = shell("review", GAME, "--json").json
    assert (document["format"], document["status"], document["rule"]) == ("json", "won", "safe")
    assert document["luck"]["exact"] == str(reviewed.luck)
    assert (document["guesses"], document["mistakes"]) == (2, 1)
    assert len(document["moves"]) == len(reviewed.moves)
    chances = [move["survival"] for move in document["moves"] if move["survival"]]
    product = prod(chance["probability"] for chance in chances)
    assert product == pytest.approx(document["luck"]["probability"])
    (mistake,) = [move for move in document["moves"] if move["judgement"] == "mistake"]
    assert mistake["best_survival"]["exact"] == "1"
    assert mistake["survival"]["probability"] < 1


@pytest.mark.parametrize("name", ["rawvf", *WRITERS])
def test_replays_of_other_programs(shell: Shell, name: str) -> None:
    game = finished()
    data = encode(game, name) if name == "rawvf" else WRITERS[name](game)
    path = shell.file(f"game.{name}", data)
    document = shell("review", path, "--json").json
    assert (document["format"], document["rule"], document["status"]) == (name, "safe", "won")
    assert [move["kind"] for move in document["moves"]] == [move.kind for move in game.moves]
    # The first dig was certain only because the rule says so.
    assert document["moves"][0]["judgement"] == "safe"
    free = shell("review", path, "--json", "--rule", "any").json
    assert free["moves"][0]["judgement"] == "guess"
    assert free["moves"][0]["survival"]["exact"] == "25/28"


def test_the_picture(shell: Shell, reviewed: Review) -> None:
    target = shell.folder / "game.svg"
    assert shell("review", GAME, "--svg", target).code == 0
    drawn = target.read_text(encoding="utf-8")
    assert drawn == render.svg(reviewed) + "\n"
    ElementTree.fromstring(drawn)
    assert "luck 82.2%" in drawn
    assert "a mistake at 3,0" in drawn
    assert "<svg" in render.html(reviewed)


def test_a_lost_game_shows_where(shell: Shell) -> None:
    game = Game(finished().layout or pytest.fail("no layout"))
    game.dig((0, 1))
    path = shell.file("lost.json", json.dumps(game.record))
    done = shell("review", path)
    assert "lost" in done.out
    assert "89.3%" in done.out
    drawn = render.svg(play.review(game))
    assert "lost" in drawn
    unbegun = shell.file("new.json", json.dumps(play.new_game("beginner", seed=1).record))
    assert "playing" in shell("review", unbegun).out
    ElementTree.fromstring(render.svg(play.review(play.new_game("beginner", seed=1))))


def test_wrong_input(shell: Shell) -> None:
    for arguments, message in (
        ([ROOT / "examples" / "small.txt"], "nothing to review: text holds no played game"),
        ([GAME, "--rule", "mad"], "--rule: any, safe, zero, not 'mad'"),
        ([GAME, "--rule", "any"], "--rule: this record says safe"),
        ([shell.file("x.tatham", dump(finished(), "tatham"))], "tatham holds no played game"),
    ):
        done = shell("review", *arguments)
        assert (done.code, done.out) == (2, "")
        assert done.err.count("\n") == 1
        assert message in done.err
    done = shell("review", GAME, "--seconds", "0.0001")
    assert done.code == 3
    assert "limit reached" in done.err
