"""Programs that pip does not install, beside sapper on the same inputs: say where they are.

``python -m benchmarks.by_hand minesweepr FOLDER`` takes the chances of the Expert positions from
mrgriscom/minesweepr, which is Python 2: FOLDER has it converted, as docs/benchmarks.md says.
``python -m benchmarks.by_hand sharpsat-td FOLDER`` counts boards with SharpSAT-TD, built in FOLDER,
and ``python -m benchmarks.by_hand d4 FOLDER`` with d4. All compare every answer.
"""

from __future__ import annotations

import importlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import cast

import sapper
from benchmarks.harness import load
from benchmarks.totals import board
from sapper.field import Position
from sapper.formats import write
from sapper.game import Layout

BOARDS = [(side, 30, 40, seed) for side in (30, 50) for seed in (1, 2, 3)]
# How each counter of models is called in its folder, and the line that has the count.
COUNTERS = {
    "sharpsat-td": (
        "./sharpSAT -decot 1 -decow 100 -tmpdir {scratch} -cs 2000 {file}",
        r"exact arb int (\d+)",
    ),
    "d4": ("./d4 -mc {file}", r"(?m)^s (\d+)$"),
}


def minesweepr(folder: str) -> None:
    """Chances under the total, position by position."""
    sys.path.insert(0, folder)
    solver, reader = map(importlib.import_module, ("minesweeper", "minesweeper_util"))
    ratios, theirs, worst = [], [], 0.0
    for record in load("expert_positions.jsonl"):
        text = "\n".join(record["rows"])
        position = sapper.parse(text, mines=record["mines"])
        rules, total = reader.read_board(
            text.translate(str.maketrans("?0_", "x..")), record["mines"]
        )
        began = time.process_time()
        found = solver.solve(rules, total, "other")
        theirs.append(time.process_time() - began)
        ours = []
        for _ in range(5):
            began = time.process_time()
            chances = sapper.analyze(position).probabilities
            ours.append(time.process_time() - began)
        ratios.append(theirs[-1] / min(ours))
        for cell, chance in chances.items():
            row, column = cast("tuple[int, int]", cell)
            other = found.get(f"{row + 1:02}-{column + 1:02}", found.get("other"))
            worst = max(worst, abs(chance - other))
    ratios.sort()
    print(
        f"{len(ratios)} positions: {statistics.median(theirs) * 1e3:.2f} ms in the median, "
        f"{statistics.median(ratios):.0f} times sapper's, {ratios[len(ratios) // 10]:.0f} times on "
        f"nine in ten; largest difference {worst:.1e}"
    )


def counter(name: str, folder: str) -> None:
    """Counts without a total, board by board."""
    call, line = COUNTERS[name]
    sapper.count(sapper.parse("1?"))  # imports what it needs
    for side, mines, visible, seed in BOARDS:
        mined, shown = board(side, mines, visible, seed)
        layout = Layout(sapper.Grid(side, side), [(row, column) for row, column in mined])
        position: Position = layout.position([(row, column) for row, column in shown], total=False)
        began = time.process_time()
        count = sapper.count(position)
        ours = time.process_time() - began
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "board.cnf"
            write(position, path, encoding="direct")
            command = [word.format(scratch=scratch, file=path) for word in call.split()]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, cwd=folder, timeout=600
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        theirs = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        told = re.search(line, done.stdout)
        if told is None or int(told[1]) != count:
            raise AssertionError(f"{side} × {side}, seed {seed}: the counts differ")
        print(f"{side} × {side}, seed {seed}: sapper {ours * 1e3:.1f} ms, {name} {theirs:.2f} s")


if __name__ == "__main__":
    if sys.argv[1] == "minesweepr":
        minesweepr(sys.argv[2])
    else:
        counter(sys.argv[1], sys.argv[2])
