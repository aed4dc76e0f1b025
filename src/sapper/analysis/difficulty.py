"""How hard the easiest certain move is."""

from __future__ import annotations

from typing import NamedTuple

from sapper.analysis.cores import Cores
from sapper.clues import VERDICTS, Puzzle, Verdict
from sapper.field import Cell
from sapper.questions import Budget

__all__ = ["Difficulty", "easiest"]


class Difficulty(NamedTuple):
    """An easiest certain move: no certain cell has a smaller core.

    Frozen: threads can share one.
    """

    cell: Cell
    verdict: Verdict
    size: int


def easiest(puzzle: Puzzle, codes: bytes, budget: Budget) -> Difficulty | None:
    """Return a certain cell whose smallest core is smallest, with its size; None if none is.

    Of equals the first in canonical order is taken, safe or mine.
    """
    cores: Cores | None = None
    best: Difficulty | None = None
    for variable, code in enumerate(codes):
        verdict = VERDICTS[code]
        if verdict == "unknown":
            continue
        cores = cores or Cores(puzzle, budget)
        below = best.size if best else 0
        core = cores.core(variable, verdict == "safe", smallest=True, below=below)
        if core is not None and (best is None or len(core) < best.size):
            best = Difficulty(cores.cells[variable], verdict, len(core))
            if best.size == 1:
                break
    return best
