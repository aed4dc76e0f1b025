"""Tournaments in a directory: killed and resumed, with one worker or two, until it is clear."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from sapper import play
from sapper.errors import GameError, LimitExceeded
from sapper.lab import LimitedPool, Referee, Row, Run, RunError, Tournament, sentences
from sapper.lab.store import Store
from sapper.limits import Limits
from tests.lab.test_runs import Inline, wait_until

SMALL = Tournament(("safest", "random"), board="beginner", games=300, seed=3)

BOT = """
import json, sys
for line in iter(sys.stdin.readline, ""):
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "bot", "version": "1"}), flush=True)
    elif message["type"] == "position":
        rows = message["labels"]
        cells = [[r, c] for r, row in enumerate(rows) for c, x in enumerate(row) if x == "?"]
        print(json.dumps({"type": "dig", "cells": cells[:1]}), flush=True)
"""


# It plays half of the games of a run and waits while there is a file `hold`: so the run cannot end
# before it is killed.
WAITS = """
import os, pathlib, time
here = pathlib.Path(__file__).parent
def begin():
    with open(here / "begun", "ab") as begun:
        begun.write(b".")
    while os.path.getsize(here / "begun") > 160 and (here / "hold").exists():
        time.sleep(0.02)
""" + BOT.replace(
    '    elif message["type"] == "position"',
    '    elif message["type"] == "game":\n        begin()\n    elif message["type"] == "position"',
)


def rows_of(contest: Tournament) -> list[Row]:
    return [Row(job.key, job.payload, contest.work(job.payload)) for job in contest.jobs()]


def test_the_games_are_those_of_play(tmp_path: Path) -> None:
    meeting = SMALL.meeting(rows_of(SMALL))
    for result in meeting.results:
        alone = play.tournament(result.strategy, board="beginner", games=300, seed=3)
        assert (result.won, result.guessed) == (alone.won, alone.guessed)
        assert result.luck == pytest.approx(alone.luck, rel=1e-5)
    text = " ".join(sentences(meeting))
    assert "safest is ahead of random by" in text
    run = Run(SMALL, tmp_path / "run")
    assert run.report().count("There are no games yet") == 1


def test_a_report_and_more_games(tmp_path: Path) -> None:
    run = Run(SMALL, tmp_path / "run")
    run.execute(Inline())
    text = run.report()
    assert text.startswith("# Tournament")
    assert "300 boards" in text
    assert "is ahead of" in text
    made = {path.name for path in run.directory.iterdir()}
    assert made >= {"report.md", "summary.csv", "games.csv", "tournament.png", "tournament.svg"}
    lines = (run.directory / "games.csv").read_text().splitlines()
    assert len(lines) == 601
    before = {row.key for row in run.rows()}
    more = Tournament(SMALL.strategies, board="beginner", games=400, seed=3)
    longer = Run(more, run.directory, resume=True)
    longer.execute(Inline())
    # All but the last job of each strategy, which was cut short, is taken over.
    assert len(before & {row.key for row in longer.rows()}) == len(before) - 2
    assert more.meeting(longer.rows()).results[0].games == 400
    with pytest.raises(RunError, match="other parameters"):
        Run(Tournament(SMALL.strategies, board="beginner", seed=4), run.directory, resume=True)


def test_killed_and_resumed(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(WAITS)
    hold = tmp_path / "hold"
    hold.touch()
    bot = "exec:" + shlex.join([sys.executable, "-S", str(program)])
    directory = tmp_path / "run"
    command = [sys.executable, "-c", "import sys; from sapper.cli import main; sys.exit(main())"]
    command += ["tournament", bot, "safest", "--board", "beginner", "--games", "320"]
    command += ["--seed", "3", "--workers", "2", "--csv", str(directory)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)

    def rows() -> dict[str, Row]:
        if not (directory / "results.sqlite").exists():
            return {}
        with closing(Store(directory)) as store:
            return {row.key: row for row in store.rows()}

    wait_until(lambda: len(rows()) >= 4 or process.poll() is not None)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    hold.unlink()
    kept = rows()
    assert 4 <= len(kept) < 45, "it was not killed in the middle"
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "bot 1,320," in done.stdout
    after = rows()
    assert {key: after[key] for key in kept} == kept, "a job was done twice"
    assert len(after) == 320 // 8 + 5
    expected = play.tournament(bot, board="beginner", games=320, seed=3, start=(0, 0))
    contest = Tournament((bot, "safest"), board="beginner", games=320, seed=3)
    assert contest.meeting(after.values()).results[0].won == expected.won


def test_it_ends_when_it_is_clear(tmp_path: Path) -> None:
    contest = Tournament(
        ("safest", "random", "certain"),
        board="beginner",
        games=5000,
        seed=3,
        until_clear=True,
        margin=0.02,
    )
    counts = set()
    for workers in (1, 2):
        run = Run(contest, tmp_path / f"{workers}")
        referee = Referee(contest)
        with LimitedPool(workers) as pool:
            run.execute(pool, ahead=2 * workers, enough=referee.see)
        assert len(run.rows()) < len(list(contest.jobs()))
        meeting = contest.meeting(run.rows())
        assert set(meeting.standings.values()) == {"first"}
        counts.add(tuple(result.wins for result in meeting.results))
        assert meeting.results[0].games % 64 == 0
        assert "Sequential test after" in run.report()
    assert len(counts) == 1
    # Going on with a run that is over does nothing.
    run.execute(Inline(), enough=Referee(contest).see)


def test_results_may_come_in_any_order() -> None:
    contest = Tournament(
        ("safest", "certain"), board="beginner", games=640, until_clear=True, margin=0.05
    )
    rows = rows_of(contest)
    forth, back = contest.meeting(rows), contest.meeting(rows[::-1])
    assert forth.tests == back.tests
    assert [result.won for result in forth.results] == [result.won for result in back.results]


def test_a_worker_that_dies_loses_the_games(tmp_path: Path) -> None:
    (job, *_) = SMALL.jobs()
    row = Row(job.key, job.payload, SMALL.failed(job.payload, "out of memory"))
    others = rows_of(SMALL)[1:]
    safest = SMALL.meeting([row, *others]).results[0]
    assert safest.failures[0] == "out of memory"
    assert not any(safest.won[:64])
    assert any(safest.won[64:])
    assert "out of memory" in SMALL.report([row, *others], tmp_path)


def test_limits_keep_what_is_done(tmp_path: Path) -> None:
    contest = Tournament(("lookahead",), games=10**5)
    run = Run(contest, tmp_path / "run")
    began = time.monotonic()
    with pytest.raises(LimitExceeded), LimitedPool(1) as pool:
        run.execute(pool, limits=Limits(seconds=4))
    assert time.monotonic() - began < 60
    assert contest.meeting(run.rows()).results[0].games >= 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"strategies": ()},
        {"strategies": ("nobody",)},
        {"strategies": ("safest", "safest")},
        {"strategies": ("champion:effort",)},
        {"strategies": ("champion:speed=2",)},
        {"games": 0},
        {"suite": "expert-0"},
        {"board": "huge"},
        {"rule": "never"},
        {"until_clear": True},
        {"margin": 0},
    ],
)
def test_what_makes_no_sense(wrong: dict[str, object]) -> None:
    with pytest.raises(GameError):
        Tournament(**{"strategies": ("safest",), **wrong})  # type: ignore[arg-type]


def test_options_of_a_strategy() -> None:
    contest = Tournament(("champion:effort=0.5", "champion"), board="beginner", games=8)
    names = [result.strategy for result in contest.meeting(rows_of(contest)).results]
    assert names == ["champion(effort=0.5)", "champion"]
