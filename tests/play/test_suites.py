"""Suites: boards that never change, and that others can make too."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from zlib import crc32

import pytest

from sapper import play
from sapper.errors import GameError

PAGE = Path(__file__).resolve().parents[2] / "docs" / "play" / "tournament.md"

# CRC-32 of one byte a cell, row by row, 1 for a mine: of boards 0, 1 and 9,999.
VECTORS = {
    "expert-1": (2372262015, 187075467, 1149177066),
    "expert-zero-1": (1257551717, 651703760, 4221259223),
    "beginner-1": (334245407, 491670191, 1210513202),
    "torus-1": (2256706497, 2793419913, 405693335),
    "hex-1": (1646144610, 2311817516, 607960092),
}


@pytest.mark.parametrize("name", VECTORS)
def test_boards_never_change(name: str) -> None:
    suite = play.SUITES[name]
    assert tuple(crc32(suite.layout(i).mined) for i in (0, 1, 9999)) == VECTORS[name]


@pytest.mark.parametrize("name", play.SUITES)
def test_boards_keep_to_the_rule(name: str) -> None:
    suite = play.SUITES[name]
    assert suite.name == name
    for number in range(20):
        layout = suite.layout(number)
        assert layout.board == suite.board
        assert suite.start not in layout.mines
        if suite.rule == "zero":
            assert layout.numbers[suite.start] == 0


def test_all_places_are_equally_likely() -> None:
    suite = play.SUITES["classic-1"]
    counts = [0] * 64
    for number in range(3000):
        for place, mined in enumerate(suite.layout(number).mined):
            counts[place] += mined
    expected = 3000 * 10 / 63
    assert counts[0] == 0
    square = sum((count - expected) ** 2 / (expected * (1 - 10 / 63)) for count in counts[1:])
    assert square < 120, "chi-squared of 62 degrees of freedom"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_recipe_in_the_documentation_makes_the_same_boards() -> None:
    (code,) = re.findall(r"```javascript\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    calls = []
    for suite in play.SUITES.values():
        if suite.name not in ("torus-1", "hex-1"):
            shape, zero = suite.board.topology.shape, str(suite.rule == "zero").lower()
            words = f"{shape[0]}, {shape[1]}, {suite.board.mines}, {zero}, {list(suite.start)}"  # type: ignore[call-overload]
            calls += [f"suiteBoard({words}, {suite.seed}, {i})" for i in (0, 7)]
    script = f"{code}\nconsole.log(JSON.stringify([{', '.join(calls)}]))"
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    made = [{(row, column) for row, column in mines} for mines in json.loads(done.stdout)]
    ours = [
        set(suite.layout(i).mines)
        for suite in play.SUITES.values()
        if suite.name not in ("torus-1", "hex-1")
        for i in (0, 7)
    ]
    assert made == ours


def test_the_documentation_lists_the_suites() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for suite in play.SUITES.values():
        row = rf"\| `{suite.name}` \|.*{suite.board.mines} mines.*\| `{suite.rule}` \| "
        row += rf"{re.escape(str(suite.start))} \| {suite.seed} \|"
        assert re.search(row, text)


def test_a_tournament_on_a_suite() -> None:
    native = play.tournament("safest", suite="classic-1", games=40)
    assert (native.suite, native.start, native.rule) == ("classic-1", (0, 0), "safe")
    python = play.tournament(play.named("safest").choose, suite="classic-1", games=40)
    assert native.won == python.won
    assert native.guessed == python.guessed
    assert native.luck == pytest.approx(python.luck)
    assert native.minus(python).value == 0
    with pytest.raises(GameError, match="same games"):
        native.minus(play.tournament("safest", suite="classic-zero-1", games=40))
    with pytest.raises(GameError, match="expert-1"):
        play.tournament("safest", suite="expert-0")
    with pytest.raises(GameError, match="not from both"):
        play.tournament("safest", suite="expert-1", layouts=[])
