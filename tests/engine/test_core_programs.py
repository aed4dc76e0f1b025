"""The tests of the core that are written in C++: see ``core/tests``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from sapper.clues import Clues
from sapper.engine import EngineMethod
from sapper.formats import parse
from sapper.methods.brute import Brute
from tests.support import core_programs
from tests.support.agreement import assert_agree
from tests.support.core_programs import ROOT, run

KEPT: Final = sorted((ROOT / "tests" / "regressions").glob("*.json"))
VARIANTS: Final = (
    EngineMethod(),
    EngineMethod(order="tree"),
    EngineMethod(order="given"),
    EngineMethod(certainty=False, grouping=False, look_ahead=False),
)


@pytest.fixture(scope="session")
def programs() -> Path:
    return core_programs.plain()


@pytest.fixture(scope="session")
def sanitized() -> Path:
    return core_programs.sanitized()


def test_every_position_up_to_3x3(programs: Path) -> None:
    """All labels on all boards, with every total, up to symmetry: 24 million positions."""
    report = run([programs / "exhaustive"])
    found = {
        (int(height), int(width)): (int(positions), int(consistent))
        for height, width, positions, consistent in re.findall(
            r"(\d) x (\d): (\d+) positions, (\d+) consistent, all right", report
        )
    }
    assert len(found) == 6
    assert found[1, 1] == (4, 4)
    assert found[2, 2] == (406, 82)  # seven labels; Burnside: (7⁴ + 2·7³ + 3·7² + 2·7) / 8
    assert found[3, 3][0] > 23_000_000


def test_every_class_again_after_a_limit(sanitized: Path) -> None:
    """Limits and interrupts at random; whoever asks again gets the answer of a new object."""
    report = run([sanitized / "classes", "--seed", "1", "--cases", "150"])
    found = re.findall(r"(\w+): (\d+) cases, (\d+) limits, (\d+) interrupts, all right", report)
    assert len(found) == len(report.splitlines()) >= 15, report
    for name, cases, limits, interrupts in found:
        assert int(cases) == 150, name
        # Forests take linear time and look at no limit.
        if name != "forest":
            assert int(limits) + int(interrupts) > 20, f"{name} is too easy to test anything"


def test_fuzzer_finds_nothing(programs: Path, tmp_path: Path) -> None:
    """A few seconds of it; ``make fuzz`` goes on, and under the sanitizers."""
    report = run([programs / "fuzz", "--seed", "1", "--seconds", "4", "--keep", tmp_path])
    assert "0 found" in report.splitlines()[-1]
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="session")
def kept() -> list[Clues]:
    return [Clues.of(parse(path.read_text(encoding="utf-8"))) for path in KEPT]


def plain(clues: Clues) -> str:
    """Return a system in the form that the fuzzer reads."""
    total = -1 if clues.free_mines is None else clues.free_mines
    numbers = [len(clues.cells), total, len(clues.clues)]
    for clue in clues.clues:
        numbers += [clue.count, len(clue.cells)]
        for cell, weight in clue.terms:
            numbers += [clues.index[cell], weight]
    return " ".join(map(str, numbers))


def test_what_the_fuzzer_kept_in_the_core(programs: Path, kept: list[Clues]) -> None:
    report = run([programs / "fuzz", "--replay"], "\n".join(map(plain, kept)))
    assert report.splitlines()[-1] == f"{len(kept)} tried, 0 wrong"


@pytest.mark.parametrize("method", VARIANTS, ids=repr)
def test_what_the_fuzzer_kept_in_python(method: EngineMethod, kept: list[Clues]) -> None:
    for clues in small(kept):
        assert_agree(method, Brute(), clues)


def small(systems: list[Clues]) -> Iterator[Clues]:
    return (clues for clues in systems if len(clues.touched) <= 20)
