"""How coverage is added up: by room for Python, by folder for the core."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.support import core_covered, rooms_covered
from tests.support.rooms_covered import NOT_PYTHON, ROOT, digest, parts


def test_every_test_is_in_one_part() -> None:
    found = parts(ROOT)
    tests = {path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py")}
    for path in tests:
        holders = [name for name, paths in found.items() if any(map(path.is_relative_to, paths))]
        assert len(holders) == 1, path
    assert found["doctests"] == ["src/sapper"]
    assert all((ROOT / path).exists() for path in NOT_PYTHON)


def test_a_part_is_measured_again_once_something_changed(tmp_path: Path) -> None:
    code, tests = tmp_path / "src" / "sapper", tmp_path / "tests"
    for folder in (code, tests / "one", tests / "two"):
        folder.mkdir(parents=True)
        (folder / "test_it.py").write_text("1", encoding="utf-8")
    before = digest(tmp_path, ["tests/one"])
    (tests / "two" / "test_it.py").write_text("2", encoding="utf-8")
    assert digest(tmp_path, ["tests/one"]) == before
    (tests / "one" / "test_it.py").write_text("2", encoding="utf-8")
    after = digest(tmp_path, ["tests/one"])
    (code / "test_it.py").write_text("2", encoding="utf-8")
    assert len({before, after, digest(tmp_path, ["tests/one"])}) == 3


def test_rooms_are_added_up(tmp_path: Path) -> None:
    def file(statements: int, reached: int) -> dict[str, dict[str, int]]:
        counts = {"num_statements": statements, "covered_lines": reached}
        return {"summary": {**counts, "num_branches": 4, "covered_branches": 1}}

    report = tmp_path / "report.json"
    files = {
        "src/sapper/clues/clue.py": file(10, 5),
        "src/sapper/clues/deep/other.py": file(30, 25),
        "src/sapper/errors.py": file(8, 8),
        "src/sapper/__init__.py": file(2, 0),
    }
    report.write_text(json.dumps({"files": files}), encoding="utf-8")
    found = rooms_covered.rooms(report)
    assert found["clues"] == Counter(
        num_statements=40, covered_lines=30, num_branches=8, covered_branches=2
    )
    assert rooms_covered.table(found).splitlines()[2:] == [
        "| `clues` | 40 | 75.0% | 8 | 25.0% |",
        "| `errors` | 8 | 100.0% | 4 | 25.0% |",
        "| `root` | 2 | 0.0% | 4 | 25.0% |",
        "| all | 50 | 76.0% | 16 | 25.0% |",
    ]


def test_a_line_of_the_core_counts_once(tmp_path: Path) -> None:
    """A header is in many object files: reached by one is reached."""

    def unit(*files: tuple[str, dict[int, int]]) -> dict[str, object]:
        found = [
            {"file": name, "lines": [{"line_number": n, "count": c} for n, c in lines.items()]}
            for name, lines in files
        ]
        return {"current_working_directory": str(tmp_path / "build"), "files": found}

    header = "../core/base/guard.hpp"
    report = [
        unit((header, {1: 0, 2: 3}), ("../core/tests/fuzz.cpp", {1: 1})),
        unit((header, {1: 7, 2: 0, 3: 0}), ("/usr/include/vector", {5: 1})),
        unit(("../core/play/strategy.cpp", {9: 0})),
    ]
    found = core_covered.lines_of(report, tmp_path)
    assert found == {
        "core/base/guard.hpp": {1: True, 2: True, 3: False},
        "core/play/strategy.cpp": {9: False},
    }
    assert core_covered.table(found).splitlines()[2:] == [
        "| `core/base` | 3 | 66.7% |",
        "| `core/play` | 1 | 0.0% |",
        "| all | 4 | 50.0% |",
    ]
    assert core_covered.worst(found, 1) == ["core/base/guard.hpp: 1 of 3"]
