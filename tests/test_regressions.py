"""Puzzles that once broke the engine, and the fuzzer that finds them."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.analysis import get
from sapper.formats import parse
from tests.fuzz.__main__ import Child, shrink
from tests.fuzz.cases import Document, random_document, smaller
from tests.fuzz.parts import PARTS, verdict
from tests.support.agreement import assert_agree

KEPT = sorted((Path(__file__).parent / "regressions").glob("*.json"))

ROOT = Path(__file__).parents[1]


def test_kept_puzzles() -> None:
    for path in KEPT:
        assert_agree(get("engine"), get("brute"), parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("seed", range(40))
def test_fuzz_cases_are_puzzles(seed: int) -> None:
    document = random_document(random.Random(seed))
    assert verdict("puzzles", document) == ("ok", 0), document


def short_run(part: str) -> None:
    faults = 0
    for seed in range(60):
        complaint, injected = verdict(part, PARTS[part].make(seed))
        assert complaint == "ok", f"seed {seed}: {complaint}"
        faults += injected
    assert faults > 20, "the faults do not take effect"


@pytest.mark.parametrize("part", [part for part in PARTS if part != "puzzles"])
def test_a_short_run_with_fixed_seeds(part: str) -> None:
    """``make fuzz`` goes on for as long as one likes."""
    # Alone in a process, so that no interrupt meets what other tests left running.
    code = f"from tests.test_regressions import short_run; short_run({part!r})"
    # Two seconds of work. A process that hangs says where, and ends.
    watch = "import faulthandler; faulthandler.dump_traceback_later(500, exit=True); "
    subprocess.run([sys.executable, "-c", watch + code], cwd=ROOT, check=True)


class Suspicious:
    """Stands in for the child: finds fault with whatever has a clue of three cells or more."""

    def judge(self, part: str, case: Document) -> tuple[str | None, int]:
        assert part == "puzzles"
        return ("wrong" if any(len(clue["cells"]) >= 3 for clue in case["clues"]) else None), 0


def test_shrinking_reaches_a_smallest_puzzle() -> None:
    seeds = (random_document(random.Random(seed)) for seed in range(500))
    child = Suspicious()

    def complaint(document: Document) -> str | None:
        return child.judge("puzzles", document)[0]

    start = next(d for d in seeds if "clues" in d and len(d["clues"]) > 4 and complaint(d))
    small = shrink(start, child)
    assert len(small["clues"]) == 1
    assert len(small["clues"][0]["cells"]) == 3
    assert len(small["cells"]) == 3
    assert small["clues"][0]["count"] <= 0
    assert not any(complaint(document) for document in smaller(small))


@pytest.mark.parametrize(
    ("reaction", "complaint"),
    [
        ("import os; os.abort()", "crash, exit code -6"),
        ("""print('["wrong: no", 0]', flush=True); sys.stdin.readline()""", "wrong: no"),
        ("""print('["ok", 0]', flush=True); sys.stdin.readline()""", None),
    ],
)
def test_the_child_is_watched(reaction: str, complaint: str | None) -> None:
    child = Child([sys.executable, "-c", f"import sys; sys.stdin.readline(); {reaction}"])
    assert child.judge("puzzles", {}) == (complaint, 0)
    child.stop()


def test_every_kind_of_document_gets_smaller() -> None:
    kinds = set()
    for seed in range(60):
        document = random_document(random.Random(seed))
        kinds.add("clues" if "clues" in document else document["topology"]["kind"])
        first = next(smaller(document), None)
        assert first != document
    assert kinds == {"clues", "grid", "torus", "hex", "graph"}
