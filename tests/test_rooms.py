"""Nothing imports from its right, rooms are entered by their doors: and the checks can fail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.rooms import ROOT, core_violations, folders, layers, violations

PLANTED = {
    "a room on the right": ("field", "from sapper.clues import Clues"),
    "on the right, for types": ("clues", "if TYPE_CHECKING:\n    import sapper.engine"),
    "on the right, when used": ("zdd", "def f():\n    from sapper.analysis import get"),
    "on the right, in a string": ("questions", 'HOME = "sapper.methods:Sat"'),
    "a sibling": ("engine", "from sapper.methods import Sat"),
    "past the door": ("analysis", "from sapper.clues.clues import Clues"),
    "past the door, relative": ("analysis", "from ..clues.clues import Clues"),
    "past the door, in a string": ("lab", 'HOME = "sapper.clues.clues:Clues"'),
    "a private name": ("clues", "from sapper.errors import _amount"),
    "a private attribute": ("lab", "def f(clues):\n    return clues._place"),
    "the core": ("clues", "from sapper._core import System"),
    "the core, by the root": ("clues", "from sapper import _core"),
    "the root": ("clues", "import sapper"),
    "a room without a place": ("cellar", "from sapper.clues import Clues"),
    "into a room without a place": ("lab", "from sapper.cellar import wine"),
}
LAYERED = ("a room on the right", "on the right, for types", "on the right, when used", "a sibling")


def test_the_house_is_in_order() -> None:
    assert violations() == []


def test_every_room_has_a_place() -> None:
    placed = {room for layer in layers() for room in layer}
    entries = (ROOT / "src" / "sapper").iterdir()
    rooms = {p.stem for p in entries if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert rooms - {"__init__"} <= placed


def test_the_drawn_map_is_the_contract() -> None:
    """Every room is in the drawing, and none is drawn left of a room that it may know."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    drawing = text.split("```")[1]
    drawn = {room: place for place, room in enumerate(re.findall(r"\w+", drawing))}
    contract = layers()
    assert set(drawn) == {room for layer in contract for room in layer}
    for right, left in pairwise(contract):
        assert max(drawn[room] for room in left) < min(drawn[room] for room in right)
    for room in drawn:
        assert f"`{room}`" in text, room


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    source = tmp_path / "src" / "sapper"
    shutil.copytree(ROOT / "src" / "sapper", source, ignore=shutil.ignore_patterns("__pycache__"))
    return source


def _plant(source: Path, cases: Iterable[str]) -> dict[Path, str]:
    planted = {}
    for number, case in enumerate(cases):
        room, code = PLANTED[case]
        place = source / room / f"planted_{number}.py"
        place.parent.mkdir(exist_ok=True)
        place.write_text(code + "\n")
        planted[place] = case
    return planted


def test_planted_violations_are_found(copy: Path) -> None:
    planted = _plant(copy, PLANTED)
    found = {violation.path for violation in violations(copy.parent)}
    assert {planted.get(path, str(path)) for path in found} == set(PLANTED)


def _contract(source: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on a copy: without site, lest the editable install step in front."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    purelib = sysconfig.get_path("purelib")
    return subprocess.run(
        [sys.executable, "-S", "-c", program, "--no-cache", "--config", ROOT / "pyproject.toml"],
        cwd=source.parent,
        env={**os.environ, "PYTHONPATH": f"{source.parent}{os.pathsep}{purelib}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contract_fails_on_a_planted_violation(copy: Path) -> None:
    kept = _contract(copy)
    assert kept.returncode == 0, kept.stdout
    planted = _plant(copy, LAYERED)
    broken = _contract(copy)
    assert broken.returncode == 1
    for place in planted:
        assert f"sapper.{place.parent.name}.{place.stem} -> " in broken.stdout


PLANTED_IN_THE_CORE = {
    "below": ("system", '#include "passes/answers.hpp"'),
    "far below": ("base", '#  include "play/game.hpp"'),
    "Python": ("passes", "#include <nanobind/nanobind.h>"),
    "no folder of ours": ("diagram", '#include "cellar/wine.hpp"'),
    "a folder without a place": ("cellar", '#include "base/limits.hpp"'),
}


def test_the_folders_of_the_core_are_in_order() -> None:
    assert core_violations() == []
    assert set(folders()) == {path.name for path in (ROOT / "core").iterdir() if path.is_dir()}


def test_violations_planted_in_the_core_are_found(tmp_path: Path) -> None:
    core = tmp_path / "core"
    shutil.copytree(ROOT / "core", core)
    planted: dict[Path, str] = {}
    for case, (folder, code) in PLANTED_IN_THE_CORE.items():
        place = core / folder / f"planted_{len(planted)}.hpp"
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"#pragma once\n{code}\n")
        planted[place] = case
    found = {violation.path for violation in core_violations(core)}
    assert {planted.get(path, str(path)) for path in found} == set(PLANTED_IN_THE_CORE)
