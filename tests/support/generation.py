"""The instances of Suzuki, Hao and Minato, section 5, with their counts."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sapper.clues import Clue, Clues

_FILE = Path(__file__).parent.parent / "data" / "generation.jsonl.xz"


class Instance(NamedTuple):
    """A clue system and the number of its solutions."""

    name: str
    clues: Clues
    solutions: int


@cache
def instances() -> tuple[Instance, ...]:
    """Return all 48."""
    found = []
    with lzma.open(_FILE, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            clues = [Clue(clue["count"], clue["cells"]) for clue in record["clues"]]
            found.append(Instance(record["name"], Clues(clues, record["cells"]), record["count"]))
    return tuple(found)
