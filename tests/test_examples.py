"""The scripts in `examples/` run and say what they should."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sapper import play

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_bot() -> None:
    *board, last = run("bot.py", "beginner", "3")
    assert board[0] == "mines: 10"
    assert len(board) == 10
    assert last.startswith(("won with", "lost with"))


def test_a_strategy() -> None:
    lines = run("strategy.py", "20")
    assert [line.partition(":")[0] for line in lines] == ["Corners", "safest", "champion"]
    assert all(" of 20 won (" in line for line in lines)


def test_counting() -> None:
    lines = run("counting.py")
    assert lines[0] == "73,920 legal assignments"
    assert lines[-2] == "with 9 mines: 8,820; safe: [5, 6]"


def test_explaining(tmp_path: Path) -> None:
    lines = run("explaining.py")
    assert "(0, 2): safe" in lines
    assert "(0, 1): mine" in lines
    undecided = tmp_path / "board.txt"
    undecided.write_text("1?\n??\n", encoding="utf-8")
    assert run("explaining.py", str(undecided))[-1].startswith("nothing is safe; (0, 1) is a mine")


def test_an_agent_that_learns() -> None:
    pytest.importorskip("sb3_contrib")
    before, after = run("learning.py", "200")
    assert before.startswith("at random: ")
    assert after.startswith("after 2,048 digs: ")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_bot_in_another_language() -> None:
    result = play.tournament(
        f"exec:node {EXAMPLES / 'bot.js'}", board="beginner", rule="safe", games=20, seed=1
    )
    assert result.failures == {}
    assert result.wins > 3  # two rules win two of three games


def test_the_notebook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(EXAMPLES)
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        assert cell.get("outputs", []) == []
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "tour.ipynb", "exec"), names)
    assert names["review"].status in ("won", "lost")
    assert names["Picture"](names["review"])._repr_svg_().startswith("<svg")
    assert "RawVF_Version" in capsys.readouterr().out


def test_every_file_is_in_the_list() -> None:
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES.iterdir():
        if path.suffix not in (".txt", ".json", ".md") and path.is_file():
            assert f"(`{path.name}`)" in listed or f"]({path.name})" in listed, path.name
