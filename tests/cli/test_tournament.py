"""`sapper tournament` as people meet it."""

from __future__ import annotations

import csv
import io
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.support import PROGRAM, Shell, clean_environment, on_terminal
from tests.lab.test_runs import Inline
from tests.support.processes import soon, started

BEGINNER = ("--board", "beginner", "--games", 128, "--seed", 7)


def test_the_same_wins_with_any_number_of_workers(shell: Shell) -> None:
    one, two = (
        shell("tournament", "champion", "certain", *BEGINNER, "--workers", n) for n in (1, 2)
    )
    assert one.code == 0
    assert one == two
    assert one.out.startswith("champion: ")
    assert "champion is ahead of certain" in one.out or "Nobody can say" in one.out
    assert "Boards: a 9×9 grid with 10 mines, rule safe, first dig (0, 0), seed 7;" in one.out


def test_json(shell: Shell) -> None:
    done = shell("tournament", "safest", "random", "--suite", "classic-1", "--games", 70, "--json")
    document = done.json
    assert document["suite"] == "classic-1"
    assert [result["strategy"] for result in document["results"]] == ["safest", "random"]
    for result in document["results"]:
        assert {"games", "wins", "rate", "interval", "games_per_second"} <= set(result)
        assert result["games"] == 70
        low, high = result["interval"]
        assert low <= result["rate"] <= high
    (lead,) = document["differences"]
    assert lead["is_clear"]
    assert lead["value"] == pytest.approx(
        document["results"][0]["rate"] - document["results"][1]["rate"]
    )


def test_csv_and_until_clear(shell: Shell) -> None:
    done = shell(
        "tournament", "safest", "random", "--board", "beginner", "--until-clear",
        "--games", 10_000, "--margin", 5, "--csv",
    )  # fmt: skip
    lines = list(csv.DictReader(io.StringIO(done.out)))
    assert [line["strategy"] for line in lines] == ["safest", "random"]
    assert 64 <= int(lines[0]["games"]) < 2000


def test_a_directory_goes_on(shell: Shell) -> None:
    where = shell.folder / "run"
    first = shell("tournament", "safest", *BEGINNER, where)
    assert first.code == 0
    assert "report.md" in first.err
    again = shell("tournament", "safest", *BEGINNER, where)
    assert again.out == first.out
    other = shell("tournament", "safest", "--seed", 8, where)
    assert other.code == 2
    assert 'other parameters (board is "beginner", not "expert"; seed is 7, not 8);' in other.err


def test_a_failure_is_told(shell: Shell) -> None:
    done = shell("tournament", "exec:false", "--board", "beginner", "--games", 5)
    assert done.code == 0
    assert "0 of 5 won, 5 by errors" in done.out
    assert "ended" in done.out
    assert "and 2 more games" in done.out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("champoin",), "is no strategy"),
        (("exec:/nowhere/bot",), "no program '/nowhere/bot'"),
        (("exec:'bot",), "no closing quotation"),
        (("safest", "champoin"), "is no strategy"),
        (("safest", "--board", "3x3/10"), "room for 0 to 9"),
        (("champion:foo=1",), "'champion' does not take"),
        (("champion:foo=1",), "it takes effort"),
        (("safest", "--suite", "expert-1", "--board", "beginner"), "--board: a suite has its own"),
        (("safest", "--suite", "expert-1", "--seed", "0"), "--seed: a suite has its own"),
        (("safest", "--start", "99,0"), "--start: no cell (99, 0)"),
        (("safest", "--rule", "never"), "start rule"),
        (("safest", "--until-clear"), "two strategies"),
        (("safest", "random", "--margin", "80"), "margin"),
        (("safest", "--memory", "much"), "--memory"),
        (("safest", "--move-seconds", "0"), "seconds"),
    ],
)
def test_wrong_usage_is_one_line(shell: Shell, arguments: tuple[str, ...], word: str) -> None:
    done = shell("tournament", "--games", 5, *arguments)
    assert done.code == 2
    assert word in done.err
    assert done.err.count("\n") == 1


def test_what_was_played_is_shown_without_the_program(shell: Shell) -> None:
    bot = shell.file("bot", "#!/bin/sh\n")
    bot.chmod(0o755)
    where = shell.folder / "runs" / "kept"
    words = ("tournament", f"exec:{bot}", "--board", "beginner", where, "--games")
    bot.rename(bot.with_name("away"))
    # What cannot be begun leaves nothing behind that another command would stumble over.
    assert shell(*words, 5).code == 2
    assert not where.exists()
    bot.with_name("away").rename(bot)
    first = shell(*words, 5)
    assert first.code == 0
    bot.unlink()
    again = shell(*words, 5)
    assert (again.code, again.out) == (0, first.out)
    more = shell(*words, 50)
    assert more.code == 2
    assert "no program" in more.err


def test_a_program_on_a_cluster_is_not_looked_for_here(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    @contextmanager
    def cluster(workers: int, scheduler: str, ahead: int, **_: object) -> Iterator[object]:
        asked.append(scheduler)
        yield Inline(), ahead

    monkeypatch.setattr("sapper.cli.commands.tournament.hands", cluster)
    words = ("tournament", "exec:/nowhere/bot", "--board", "beginner", "--games", 2)
    done = shell(*words, "--scheduler", "tcp://elsewhere:8786")
    assert asked == ["tcp://elsewhere:8786"]
    assert done.code == 0
    assert "does not start" in done.out


def test_a_limit(shell: Shell) -> None:
    done = shell("tournament", "lookahead", "--games", 10**5, "--seconds", 2)
    assert done.code == 3
    assert "seconds spent of 2" in done.err


def test_on_a_terminal() -> None:
    done = on_terminal("tournament", "safest", "random", *BEGINNER)
    assert done.code == 0
    assert "ms a game" in done.out
    assert "is ahead of random" in " ".join(done.out.split())


def test_ctrl_c(tmp_path: Path) -> None:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    words = ["tournament", "lookahead", "--games", 10**6, "--workers", 2, tmp_path]
    with started([*PROGRAM, *words], env=clean_environment(), **pipes) as program:
        limit = time.monotonic() + 60
        while not (tmp_path / "results.sqlite").exists() and time.monotonic() < limit:
            time.sleep(0.05)
        time.sleep(1)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=soon(20))  # the games would take hours
    assert (program.returncode, out) == (130, b"")
    assert b"the same command goes on" in err
