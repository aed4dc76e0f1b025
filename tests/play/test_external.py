"""Programs that play, good and bad ones."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from sapper import play
from sapper.errors import GameError
from sapper.field import Cell

GOOD = """
import json, random, sys
names = iter(sys.stdin.readline, "")
for line in names:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "bot", "version": "2.0"}), flush=True)
    elif message["type"] == "game":
        assert message["topology"]["kind"] == "grid" and message["mines"] == 10
        rule = message["rule"]
    else:
        rows = message["labels"]
        assert rule == "safe"
        r, c = next((r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x == "?")
        print(json.dumps({"type": "dig", "cells": [[r, c]]}), flush=True)
"""
HELLO = (
    'import sys,time\nsys.stdin.readline()\nprint(\'{"type":"hello","name":"bad"}\',flush=True)\n'
)
BAD = {
    "absent": ("", "no JSON|has ended"),
    "dies": (
        HELLO + 'sys.stdin.readline()\nsys.exit("no more")',
        "has ended; its last words: no more",
    ),
    "no JSON": (HELLO + "print('hm', flush=True)\ntime.sleep(2)", "no JSON"),
    "no document": (HELLO + "print('[1]', flush=True)\ntime.sleep(2)", "should answer"),
    "no cells": (HELLO + 'print(\'{"type":"dig"}\', flush=True)\ntime.sleep(2)', "list of"),
    "no cell": (
        HELLO + 'print(\'{"type":"dig","cells":[[77,1]]}\', flush=True)\ntime.sleep(2)',
        "77",
    ),
    "shown": (
        HELLO + 'print(\'{"type":"dig","cells":[[0,0]]}\', flush=True)\ntime.sleep(2)',
        "uncovered",
    ),
    "nested": (
        HELLO + 'print(\'{"type":"dig","cells":[[[[0]]]]}\', flush=True)\ntime.sleep(2)',
        "",
    ),
    "slow": (HELLO + "time.sleep(60)", "no answer in"),
    "deaf": ("import time\ntime.sleep(60)", "no answer in"),
    "endless": (HELLO + "while True: sys.stdout.write('x' * 65536)", "without end|no answer"),
}


def command(path: Path, code: str) -> str:
    program = path / "bot.py"
    program.write_text(code)
    return "exec:" + shlex.join([sys.executable, "-S", str(program)])


def test_a_program_plays(tmp_path: Path) -> None:
    bot = command(tmp_path, GOOD)

    def same(view: play.View) -> Cell:
        return view.position.covered[0]

    result = play.tournament(bot, board="beginner", games=6, seed=1, start=(0, 0), workers=2)
    assert result.failures == {}
    assert result.strategy == "bot 2.0"
    assert result.won == play.tournament(same, board="beginner", games=6, seed=1, start=(0, 0)).won


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_program_loses_and_says_so(tmp_path: Path, kind: str) -> None:
    code, word = BAD[kind]
    seconds = 2 if "no answer" in word else 60  # to start may take two
    result = play.tournament(
        command(tmp_path, code), board="beginner", games=2, seed=1, start=(0, 0), seconds=seconds
    )
    assert result.won == (False, False)
    assert set(result.failures) == {0, 1}
    assert any(part in result.failures[0] for part in word.split("|"))


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(GameError, match="no program '/nowhere/bot'"):
        play.tournament("exec:/nowhere/bot", board="beginner", games=1, seed=1, start=(0, 0))
    with pytest.raises(GameError, match="is no command: no closing quotation"):
        play.named("exec:'sh")
    with pytest.raises(GameError, match="seconds"):
        play.tournament("exec:sh", games=1, seconds=0)


def test_a_program_that_is_not_executable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\n")
    bot.chmod(0o644)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    for program in (bot, "bot"):
        with pytest.raises(GameError, match="bot' is not executable"):
            play.tournament(f"exec:{program}", board="beginner", games=1)
    bot.chmod(0o755)
    assert play.tournament("exec:bot", board="beginner", games=1, start=(0, 0)).failures


def test_a_program_that_does_not_start(tmp_path: Path) -> None:
    broken = tmp_path / "bot"
    broken.write_text("#!/nowhere/interpreter\n")
    broken.chmod(0o755)
    result = play.tournament(f"exec:{broken}", board="beginner", games=1, seed=1, start=(0, 0))
    assert "does not start" in result.failures[0]
