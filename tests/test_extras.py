"""What misses an extra names the command that installs it, in one line."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sapper.errors import pip_install

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
WITHOUT = """
import sys, importlib.abc
gone = sys.argv[1].split(",")
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in gone:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Missing())
import importlib.util
found = importlib.util.find_spec
def find_spec(name, *rest):
    return None if name.partition(".")[0] in gone else found(name, *rest)
importlib.util.find_spec = find_spec
if sys.argv[2] == "import":
    __import__(sys.argv[3], fromlist=sys.argv[4:])
else:
    from sapper.cli import main
    sys.argv[1:] = sys.argv[2:]
    sys.exit(main())
"""


@pytest.mark.parametrize(
    ("extra", "modules", "command"),
    [
        ("play", "textual", "play"),
        ("web", "starlette,uvicorn", "serve --port 0"),
        ("web", "starlette", "import sapper.web application"),
        ("web", "uvicorn", "import sapper.web serve"),
        ("gym", "gymnasium", "import sapper.play.gym"),
        ("zdd", "oxidd", "count examples/small.txt --method zdd"),
        ("mip", "ortools", "check examples/small.txt --method cpsat"),
        ("mip", "highspy", "check examples/small.txt --method cpsat:solver=highs"),
        ("lab", "matplotlib", "lab k-set {folder}"),
        ("lab", "distributed,dask", "lab k-set {folder} --scheduler tcp://127.0.0.1:1"),
        ("replays", "ms_toollib", "review {folder}/game.evf"),
    ],
)
def test_the_error_names_the_command(
    extra: str, modules: str, command: str, tmp_path: Path
) -> None:
    (tmp_path / "game.evf").write_bytes(b"\x05\x00")
    last = last_words(modules, command.format(folder=tmp_path))
    assert re.search(rf"pip install 'sapper\[{extra}\]'$", last), last
    assert extra in EXTRAS


def test_what_a_method_cannot_do_is_said_before_what_it_needs() -> None:
    last = last_words("ortools", "count examples/small.txt --method cpsat")
    assert "does not answer 'count'" in last


def last_words(modules: str, command: str) -> str:
    """Return the last line of standard error of a command that fails without some modules."""
    # The game wants a terminal before it wants a library.
    control, terminal = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT, modules, *command.split()],
            cwd=ROOT,
            stdin=terminal,
            stdout=terminal if command == "play" else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(control)
        os.close(terminal)
    assert done.returncode != 0
    return done.stderr.strip().splitlines()[-1]


def test_all_is_what_users_may_want() -> None:
    (everything,) = EXTRAS["all"]
    named = re.fullmatch(r"sapper\[(.*)\]", everything)
    assert named
    developers = {"all", "bench", "docs", "test", "lint", "dev"}
    assert set(named[1].split(",")) == EXTRAS.keys() - developers


def test_the_command_is_for_the_python_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/home/me/.venv/bin/python3")
    monkeypatch.setattr("os.getcwd", lambda: "/home/me")
    assert pip_install("x") == ".venv/bin/python3 -m pip install 'x'"
    monkeypatch.setattr("os.getcwd", lambda: "/home/m")
    assert pip_install("x") == "/home/me/.venv/bin/python3 -m pip install 'x'"
    monkeypatch.setattr("os.getcwd", lambda: "/home/me/.venv/bin")
    assert pip_install("x") == "/home/me/.venv/bin/python3 -m pip install 'x'"
    monkeypatch.setattr("sys.executable", "")
    assert pip_install("x") == "python -m pip install 'x'"
