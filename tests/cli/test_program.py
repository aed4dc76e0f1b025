"""The program as people meet it: help, pipes, terminals, limits and Ctrl-C."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sapper.cli import main
from sapper.cli.app import COMMANDS, build
from sapper.cli.failures import guarded
from sapper.cli.task import memory_size
from tests.cli.support import PROGRAM, ROOT, Shell, clean_environment, on_terminal, piped
from tests.support.processes import children_time, processor_time, started, work_on

SMALL = "examples/small.txt"


@pytest.fixture(scope="module")
def hopeless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clue system that no frontier can hold."""
    draw = random.Random(5)
    mined = [draw.random() < 0.5 for _ in range(250)]
    clues = []
    for _ in range(80):
        cells = draw.sample(range(250), 8)
        clues.append({"count": sum(mined[cell] for cell in cells), "cells": cells})
    path = tmp_path_factory.mktemp("hopeless") / "clues.json"
    path.write_text(json.dumps({"clues": clues}), encoding="utf-8")
    return path


def test_help_names_every_command_and_gives_examples() -> None:
    runner = CliRunner()
    app = build()
    done = runner.invoke(app, ["--help"])
    assert done.exit_code == 0
    assert all(command in done.output for command in COMMANDS)
    for command in set(COMMANDS) - {
        "generate",
        "lab",
        "play",
        "puzzles",
        "review",
        "serve",
        "tournament",
    }:
        shown = runner.invoke(app, [command, "--help"])
        assert shown.exit_code == 0
        assert f"\n    sapper {command} " in shown.output
        for option in ("--mines", "--topology", "--format", "--method", "--seconds", "--json"):
            assert option in shown.output


def test_exit_codes_through_the_runner() -> None:
    runner = CliRunner()
    app = build()
    assert runner.invoke(app, ["check", "-"], input="1?\n").exit_code == 0
    assert runner.invoke(app, ["check", "-", "--mines", "0"], input="1?\n").exit_code == 1
    assert runner.invoke(app, ["check", "-"], input="1x\n").exit_code == 2
    assert runner.invoke(app, ["check"]).exit_code == 2


def test_no_arguments_show_the_help(shell: Shell) -> None:
    done = shell()
    assert (done.code, done.err) == (0, "")
    assert "Usage: sapper" in done.out


def test_the_version(shell: Shell) -> None:
    done = shell("--version")
    assert done.code == 0
    assert re.fullmatch(r"sapper \S+\n", done.out)


def test_completion_offers_commands_and_methods() -> None:
    offered = piped(
        _SAPPER_COMPLETE="complete_bash",
        COMP_WORDS="sapper co",
        COMP_CWORD="1",
        _TYPER_COMPLETE="1",
    )
    assert {"count", "convert"} <= set(offered.out.split())
    methods = piped(
        _SAPPER_COMPLETE="complete_bash",
        COMP_WORDS="sapper count x --method e",
        COMP_CWORD="4",
    )
    assert methods.out.split() == ["engine"]


def test_starting_imports_nothing_heavy() -> None:
    code = (
        "import sys; from sapper.cli import main; main(['--help']);"
        "print([m for m in ('numpy', 'networkx', 'flint', 'sapper._core') if m in sys.modules])"
    )
    done = subprocess.run(
        [PROGRAM[0], "-c", code],
        env=clean_environment(),
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_pipes_see_plain_text() -> None:
    for command in ("analyze", "count"):
        done = piped(command, SMALL, TERM="xterm-256color", COLORTERM="truecolor")
        assert done.code == 0
        assert "\x1b" not in done.out + done.err
    assert "╭" not in piped("--help").out


def test_terminals_see_colour_unless_they_do_not_want_it() -> None:
    coloured = on_terminal("analyze", SMALL)
    assert coloured.code == 0
    assert "\x1b[" in coloured.out
    assert "✓" in coloured.out
    plain = on_terminal("analyze", SMALL, NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*[34]8;", plain.out)
    assert "50%" in plain.out


def test_a_huge_board_does_not_flood_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    path.write_text(("?" * 300 + "\n") * 300, encoding="utf-8")
    done = on_terminal("analyze", path, "--mines", 5)
    assert done.code == 0
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", done.out).splitlines()
    assert len(lines) < 70
    assert max(map(len, lines)) < 200
    assert any("--around" in line for line in lines)
    assert "<1%" in done.out


def test_a_part_of_a_huge_board_can_be_had_in_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    path.write_text(("?" * 300 + "\n") * 300, encoding="utf-8")
    done = piped("analyze", path, "--mines", 5, "--around", "150,150", COLUMNS="80")
    lines = done.out.splitlines()
    assert len(lines) < 70
    assert max(map(len, lines[1:40])) <= 80
    assert any(line.startswith("150 ") for line in lines)


def test_old_terminals_get_ascii() -> None:
    done = piped("analyze", SMALL, PYTHONIOENCODING="ascii")
    assert done.code == 0
    assert done.out.isascii()


def test_long_counts_say_how_long_they_are(tmp_path: Path) -> None:
    path = tmp_path / "open.txt"
    path.write_text("?" * 200, encoding="utf-8")
    done = on_terminal("count", path)
    assert "61 digits" in done.out
    assert str(2**200) in re.sub(r"\x1b\[[0-9;]*m", "", done.out).replace("\n", "")


def test_by_mines_is_a_chart_on_a_terminal() -> None:
    done = on_terminal("count", "examples/intermediate.txt", "--by-mines")
    assert "█" in done.out
    assert "← total" in done.out


def test_closed_pipes_are_quiet() -> None:
    with subprocess.Popen(
        [*PROGRAM, "solutions", "-", "--limit", "0"],
        env=clean_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        assert program.stdin
        assert program.stdout
        assert program.stderr
        program.stdin.write(b"?" * 40)
        program.stdin.close()
        program.stdout.readline()
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait(30) == 141


def test_closed_and_full_outputs() -> None:
    program = " ".join(["exec", *(f"'{word}'" for word in PROGRAM), "count", SMALL])
    run = {"env": clean_environment(), "cwd": ROOT, "capture_output": True, "timeout": 30}
    closed = subprocess.run(["sh", "-c", program + " >&-"], check=False, **run)  # type: ignore[call-overload]
    assert (closed.returncode, closed.stderr) == (0, b"")
    if Path("/dev/full").exists():
        full = subprocess.run(["sh", "-c", program + " >/dev/full"], check=False, **run)  # type: ignore[call-overload]
        assert full.returncode == 2
        assert full.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("limit", "word"),
    [("--seconds=0.3", "seconds"), ("--nodes=1000", "nodes"), ("--memory=2M", "bytes")],
)
def test_limits(shell: Shell, hopeless: Path, limit: str, word: str) -> None:
    for command in ("count", "analyze", "solutions"):
        done = shell(command, hopeless, limit, "--method", "engine")
        assert done.code == 3
        assert done.err.count("\n") == 1
        assert f"{word} spent of" in done.err
        assert done.out == ""


def test_a_board_that_is_too_wide_to_count_shows_its_verdicts(shell: Shell, hopeless: Path) -> None:
    done = shell("analyze", hopeless)
    assert done.code == 0
    assert "no count or probabilities: too wide for the engine" in done.out
    assert shell("count", hopeless).code == 3


def test_an_estimate_warns_of_the_hopeless(shell: Shell, hopeless: Path) -> None:
    assert shell("estimate", hopeless, "--json").json["nodes"] > 1e15


def test_interruption_is_quick_and_quiet(hopeless: Path) -> None:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [*PROGRAM, "count", hopeless, "--method", "engine"]
    before = children_time()
    with started(command, env=clean_environment(), **pipes) as program:
        work_on(program, 1.2)  # half a second of imports
        sent = processor_time(program.pid)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=60)
    assert children_time() - before - sent < 2
    assert (program.returncode, out, err) == (130, b"", b"")


def test_those_who_wait_see_progress(hopeless: Path) -> None:
    done = on_terminal("count", hopeless, "--seconds", "6", "--method", "engine")
    assert done.code == 3
    assert "counting" in done.out
    assert done.out.rstrip().endswith("seconds spent of 6 allowed")


@pytest.mark.parametrize(
    ("text", "size"),
    [("1000", 1000), ("2k", 2000), ("1KiB", 1024), ("1.5G", 1_500_000_000), ("3 MB", 3_000_000)],
)
def test_sizes(text: str, size: int) -> None:
    assert memory_size(text) == size


def test_a_pipe_need_not_be_named(shell: Shell) -> None:
    assert shell("check", stdin="1?\n").out == "consistent\n"
    assert shell("explain", "0,1", stdin="1?\n").out.startswith("(0, 1) is a mine")


def test_the_keyboard_is_told_how_to_end() -> None:
    missing = on_terminal("count")
    assert missing.code == 2
    assert "FILE is missing: name a file, or - for standard input" in missing.out
    typed = on_terminal("count", "-", typed=b"1?\n\x04")
    assert "Ctrl-D" in typed.out
    assert typed.code == 0


def test_only_the_command_that_is_asked_for_is_imported() -> None:
    code = (
        "import sys; from sapper.cli import main; main(['check', 'examples/small.txt']);"
        "print([m for m in sys.modules if m.startswith('sapper.cli.commands.')])"
    )
    done = subprocess.run(
        [PROGRAM[0], "-c", code],
        env=clean_environment(),
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "['sapper.cli.commands.check']"


def test_text_is_wrapped_at_spaces_with_a_hanging_indent() -> None:
    done = on_terminal("explain", "examples/intermediate.txt", "3,9")
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", done.out).splitlines()
    assert max(map(len, lines)) <= 80
    steps = [line for line in lines if re.match(r"\d\. ", line)]
    assert len(steps) > 2
    assert any(line.startswith("   ") for line in lines)
    assert not any(line.rstrip().endswith("(") or re.search(r"\(\d+,$", line) for line in lines)


def test_chances_of_a_wide_board_are_letters_with_or_without_colour() -> None:
    for colour in ("", "1"):
        done = on_terminal("analyze", "examples/expert.txt", NO_COLOR=colour)
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", done.out).splitlines()
        assert " 0  d d d d d d d d d f 2 ✗" in lines[2]
        assert any("d  30–40%" in line for line in lines)
        assert max(map(len, lines)) <= 80


def test_solutions_on_a_terminal_say_how_many_they_are() -> None:
    done = on_terminal("solutions", SMALL)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", done.out)
    assert "2 solutions" in shown
    assert "○  covered, no mine" in shown


def test_ctrl_c_that_an_import_turns_into_another_error_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As Python does where it calls ``__set_name__``: the interrupt is only the cause."""

    def interrupted(*_: object) -> None:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr("sapper.cli.app.build", interrupted)
    assert main(["check"]) == 130
    assert capsys.readouterr() == ("", "")
    with pytest.raises(KeyboardInterrupt), guarded():
        interrupted()
