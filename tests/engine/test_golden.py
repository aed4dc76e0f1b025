"""Counts that other programs found too.

``golden.jsonl`` holds some of the instances made as in Suzuki, Hao and Minato, section 5: grids of
30 by 30 and random graphs with 300 vertices and 900 edges. Their counts were agreed by three
independent programs. Where the whole collection lies beside this clone, all of it is tried.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sapper.clues import Clue, Clues
from sapper.engine import EngineMethod

COPIED = Path(__file__).parent / "golden.jsonl"
COLLECTION = Path(__file__).parents[3] / "shared" / "data" / "generation.jsonl"


def rows(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


INSTANCES = {row["name"]: row for row in [*rows(COPIED), *rows(COLLECTION)]}


def test_some_are_always_there() -> None:
    assert len(rows(COPIED)) == 8


@pytest.mark.parametrize("name", INSTANCES)
def test_count(name: str) -> None:
    row = INSTANCES[name]
    clues = Clues([Clue(clue["count"], clue["cells"]) for clue in row["clues"]])
    engine = EngineMethod()
    assert engine.findings(clues).count == row["count"]
    assert sum(engine.findings(clues).by_mines.values()) == row["count"]


@pytest.mark.parametrize("row", rows(COPIED), ids=lambda row: str(row["name"]))
def test_other_ways_to_count(row: dict[str, Any]) -> None:
    clues = Clues([Clue(clue["count"], clue["cells"]) for clue in row["clues"]])
    assert EngineMethod(order="path").findings(clues).count == row["count"]
    view = EngineMethod().solutions(clues)
    assert view.zdd().count() == row["count"]
    cell = clues.cells[0]
    assert view.including(cell).count() + view.excluding(cell).count() == row["count"]
