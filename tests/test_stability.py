"""What is promised: every public name is marked, and the versions agree."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

import sapper
from tests.support.site import Site

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MARKS = tomllib.loads((DOCS / "theme" / "stability.toml").read_text(encoding="utf-8"))
ROOMS = [
    path.stem
    for path in (ROOT / "src" / "sapper").iterdir()
    if not path.name.startswith(("_", "py.")) and path.suffix in ("", ".py")
]


def test_every_room_is_marked() -> None:
    assert sorted(MARKS) == sorted([*ROOMS, "sapper"])


@pytest.mark.parametrize("room", sorted(MARKS))
def test_every_public_name_is_marked_once(room: str) -> None:
    assert set(MARKS[room]) <= {"stable", "provisional", "rest"}
    module = importlib.import_module("sapper" if room == "sapper" else f"sapper.{room}")
    marked = [name for _, names in listed(room) for name in names]
    assert len(marked) == len(set(marked))
    assert set(marked) <= set(module.__all__)
    assert MARKS[room].get("rest") == "internal" or set(marked) == set(module.__all__)


def listed(room: str) -> list[tuple[str, list[str]]]:
    return [(mark, names.split()) for mark, names in MARKS[room].items() if mark != "rest"]


def test_what_the_root_promises_its_room_promises() -> None:
    """A name has one standing, wherever it is imported from."""
    standing: dict[int, set[str]] = {}
    for room in MARKS:
        module = importlib.import_module("sapper" if room == "sapper" else f"sapper.{room}")
        for mark, names in listed(room):
            for name in names:
                thing = getattr(module, name)
                if getattr(thing, "__module__", "").startswith("sapper."):
                    standing.setdefault(id(thing), set()).add(mark)
    assert not [marks for marks in standing.values() if len(marks) > 1]


def test_broken_links_are_found(tmp_path: Path) -> None:
    """``make docs`` checks the site itself."""
    (tmp_path / "other.html").write_text('<h2 id="here">x</h2>', encoding="utf-8")
    good = '<a href="other.html#here">x</a> <a href="#me" id="me">x</a> <a href="https://a.org/b">x</a>'
    page = tmp_path / "index.html"
    page.write_text(good, encoding="utf-8")
    assert list(Site(tmp_path).complaints()) == []
    bad = [
        "gone.html",
        "other.html#gone",
        "#gone",
        "/other.html",
        "https://",
        "ftp://a.org",
        "no.svg",
    ]
    page.write_text("\n".join(f'<a href="{link}">x</a>' for link in bad), encoding="utf-8")
    found = list(Site(tmp_path).complaints())
    assert [line.split(": ")[:2] for line in found] == [
        [f"index.html:{number}", link] for number, link in enumerate(bad, 1)
    ]


def test_one_version_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\d\S*) \((\d{4}-\d\d-\d\d)\)$", changelog, re.MULTILINE)
    assert sapper.__version__ == project["version"] == released[0][0]
    assert f"\nversion: {released[0][0]}\ndate-released: {released[0][1]}\n" in citation
