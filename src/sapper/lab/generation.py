"""`sapper lab generation`: tables 1 and 2 of Suzuki, Hao and Minato, measured again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

from sapper.analysis import named
from sapper.clues import Clues
from sapper.errors import LimitExceeded, MethodError
from sapper.lab.experiment import BaseExperiment, Job, Record, Row
from sapper.lab.instances import GRID_SIDE, Table, generation_clues
from sapper.limits import Limits
from sapper.questions import Method

MINES: Final = (10, 20, 30)
VISIBLE: Final = (20, 40, 60, 80)


@dataclass(frozen=True, kw_only=True)
class Generation(BaseExperiment):
    """Make all solutions of random boards with several methods, and take the time.

    Frozen: threads can share one.

    Parameters
    ----------
    methods : tuple of str
        Names of methods, with options after a colon: ``"subgraph:order=row-major"``.
    boards : int
        How many boards per cell of a table.
    seed : int
        Decides the boards; the same seed gives the same boards to every method.
    tables : tuple of str
        ``"grid"`` and ``"graph"``.
    mines, visible : tuple of int
        Per cent of mines, and of free cells that show their number.
    seconds : float
        Limit per job.
    memory : int
        Limit of a worker process, in bytes.
    side : int
        Of the grids; 30 in the paper.
    repeats : int
        A job that takes less than a second is done so often, and the least time counts.

    Raises
    ------
    MethodError
        If there is no such method, or it does not take such an option.
    """

    methods: tuple[str, ...] = ("zdd", "subgraph", "engine")
    boards: int = 5
    seed: int = 1
    tables: tuple[Table, ...] = ("grid", "graph")
    mines: tuple[int, ...] = MINES
    visible: tuple[int, ...] = VISIBLE
    seconds: float = 120.0
    memory: int = 4 << 30
    side: int = GRID_SIDE
    repeats: int = 3

    name = "generation"

    def __post_init__(self) -> None:
        for method in self.methods:
            named(method)

    def jobs(self) -> Iterator[Job]:
        """Yield a job per board and method; the methods of a board follow each other."""
        places = product(self.tables, self.mines, self.visible, range(1, self.boards + 1))
        for (table, mines, visible, board), method in product(places, self.methods):
            payload: Record = {
                "table": table,
                "mines": mines,
                "visible": visible,
                "board": board,
                "seed": f"{self.seed}/{board}",
                "method": method,
                "seconds": self.seconds,
                "side": self.side,
                "repeats": self.repeats,
            }
            yield Job(f"{table}/m{mines}/v{visible}/{board}/{method}", payload)

    def work(self, payload: Record) -> Record:
        """Make a board and let one method find all its solutions.

        The clock runs from the clue system to the finished diagram; methods that make no diagram
        count instead, and those that do not count tell whether there is a solution.
        """
        drawn = {name: payload[name] for name in ("mines", "visible", "seed", "side")}
        clues = generation_clues(payload["table"], **drawn)
        method = named(payload["method"])
        limits = Limits(seconds=payload["seconds"])
        try:
            answer, seconds = _timed(method, clues, limits)
            for _ in range(payload["repeats"] - 1):
                if seconds > 1:
                    break
                seconds = min(seconds, _timed(method, clues, limits)[1])
        except (LimitExceeded, MethodError, MemoryError) as error:
            return self.failed(payload, str(error) or "out of memory")
        return {"answer": answer, "measured": {"seconds": seconds}}

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Draw the pictures and return the tables beside the published ones."""
        from sapper.lab.generation_report import report

        return report(self, rows, directory)


def _timed(method: Method, clues: Clues, limits: Limits) -> tuple[Record, float]:
    """Return what a method found, and its CPU seconds.

    The clues are made anew, so that nothing computed for an earlier call is at hand.
    """
    fresh = Clues(clues.clues, clues.cells)
    started = time.process_time()
    zdd = _diagram(method, fresh, limits)
    if zdd is not None:
        seconds = time.process_time() - started
        return {"count": hex(zdd.count()), "nodes": len(zdd)}, seconds
    started = time.process_time()
    if "count" in method.answers:
        number = method.findings(fresh, limits).count
        return {"count": hex(number)}, time.process_time() - started
    consistent = method.findings(fresh, limits).consistent
    return {"consistent": consistent}, time.process_time() - started


def _diagram(method: Method, clues: Clues, limits: Limits) -> Any:
    if not {"solutions", "count"} <= method.answers:
        return None
    view = method.solutions(clues, limits)
    return view.zdd() if hasattr(view, "zdd") else None
