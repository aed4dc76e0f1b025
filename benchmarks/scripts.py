"""Short scripts that people write with a solver, against the engine, on Expert positions.

They are in `benchmarks/peers/plain.py` and do what a reader of the solver's manual would do: a
cardinality constraint a number and one for the total, and two questions a covered cell.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import sapper
from benchmarks.harness import Options, Report, duration, quantile, times
from benchmarks.inference import expert_positions
from benchmarks.peers import plain
from sapper.clues import Clues

# Name, how it is called, and on how many positions: the slower ones on fewer.
PEERS: tuple[tuple[str, Callable[[plain.Sums], Any], int, str], ...] = (
    (
        "PySAT",
        plain.by_pysat,
        60,
        "`CardEnc.equals` (sequential counters), `Cadical153`, `solve(assumptions=[±cell])`",
    ),
    (
        "CP-SAT",
        plain.by_cpsat,
        3,
        "`sum(cells) == number`, one worker, a new model for each cell and value",
    ),
    (
        "Ganak",
        plain.count_by_ganak,
        30,
        "`pyganak.Counter`: the exact count, and without the total",
    ),
)


def run(options: Options) -> Report:
    """Ask each script for what the engine answers, and compare the answers."""
    positions = expert_positions(options)
    rows, raw = [], []
    for name, ask, number, how in PEERS:
        ours, theirs = [], []
        for position in positions[: 1 if options.quick else number]:
            clues = Clues.from_position(position)
            sums = [
                (clue.count, [clues.index[cell] + 1 for cell in clue.cells]) for clue in clues.clues
            ]
            if clues.mines is not None and name != "Ganak":
                sums.append((clues.mines - clues.known_mines, list(range(1, len(clues.cells) + 1))))
            started = time.process_time()
            found = ask(sums)
            theirs.append(time.process_time() - started)
            started = time.process_time()
            if name == "Ganak":
                expected: Any = sapper.count(position.with_mines(None))
                found <<= len(clues.cells) - len(clues.touched)
            else:
                expected = sapper.analyze(position).verdicts
                found = dict(zip(clues.cells, found, strict=True))
            ours.append(time.process_time() - started)
            if found != expected:
                raise AssertionError(f"{name} disagrees with the engine")
        ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
        rows.append(
            [
                name,
                how,
                str(len(ours)),
                duration(statistics.median(ours)),
                duration(statistics.median(theirs)),
                duration(quantile(theirs, 0.9)),
                times(statistics.median(ratios)),
            ]
        )
        raw.append({"peer": name, "sapper": ours, "seconds": theirs})
    return Report(
        name="scripts",
        title="Plain scripts with a solver",
        text="All verdicts (Ganak: the exact count without the total) of the first positions of "
        "`expert_positions.jsonl` under the mine total, by scripts of a few lines that use a "
        "solver directly (`benchmarks/peers/plain.py`). CPU seconds of this process from a list of "
        "sums; for sapper from a parsed position. All answers agree.",
        columns=["solver", "how it is called", "positions", "sapper", "solver", "9 in 10", "ratio"],
        rows=rows,
        raw=raw,
        packages=["python-sat", "ortools", "pyganak"],
    )
