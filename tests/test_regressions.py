"""Puzzles that once broke the engine, and the fuzzer that finds them."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest

from sapper.analysis import get
from sapper.formats import parse
from tests.fuzz.__main__ import Child, shrink
from tests.fuzz.cases import Document, random_document, smaller
from tests.fuzz.child import judge
from tests.support.agreement import assert_agree

KEPT = sorted((Path(__file__).parent / "regressions").glob("*.json"))


def test_kept_puzzles() -> None:
    for path in KEPT:
        assert_agree(get("engine"), get("brute"), parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("seed", range(40))
def test_fuzz_cases_are_puzzles(seed: int) -> None:
    document = random_document(random.Random(seed))
    assert judge(json.dumps(document)) == "ok", document


class Suspicious:
    """Stands in for the child: finds fault with whatever has a clue of three cells or more."""

    def judge(self, document: Document) -> str | None:
        clues = document["clues"]
        return "wrong" if any(len(clue["cells"]) >= 3 for clue in clues) else None


def test_shrinking_reaches_a_smallest_puzzle() -> None:
    seeds = (random_document(random.Random(seed)) for seed in range(500))
    child = Suspicious()
    start = next(d for d in seeds if "clues" in d and len(d["clues"]) > 4 and child.judge(d))
    small = shrink(start, child)
    assert len(small["clues"]) == 1
    assert len(small["clues"][0]["cells"]) == 3
    assert len(small["cells"]) == 3
    assert small["clues"][0]["count"] <= 0
    assert not any(child.judge(document) for document in smaller(small))


@pytest.mark.parametrize(
    ("reaction", "complaint"),
    [
        ("import os; os.abort()", "crash, exit code -6"),
        ("""print('"wrong: no"', flush=True); sys.stdin.readline()""", "wrong: no"),
        ("""print('"ok"', flush=True); sys.stdin.readline()""", None),
    ],
)
def test_the_child_is_watched(reaction: str, complaint: str | None) -> None:
    child = Child([sys.executable, "-c", f"import sys; sys.stdin.readline(); {reaction}"])
    assert child.judge({}) == complaint
    child.stop()


def test_every_kind_of_document_gets_smaller() -> None:
    kinds = set()
    for seed in range(60):
        document = random_document(random.Random(seed))
        kinds.add("clues" if "clues" in document else document["topology"]["kind"])
        first = next(smaller(document), None)
        assert first != document
    assert kinds == {"clues", "grid", "torus", "hex", "graph"}
