"""What a mine total costs on grids with one wide component: the same board with it and without."""

from __future__ import annotations

import random
import statistics
from typing import Any

from benchmarks.harness import Options, Report, Worker, duration, times

QUESTIONS = ("count", "by_mines", "verdicts", "probabilities")
# Side, per cent of mines and of the free cells shown, seeds, and what is asked: exact counts of the
# largest take too long. Of a hundred seeds or so most boards are easy; the first ones of 60 × 60
# are those with the most nodes among them.
BOARDS = (
    (60, 30, 35, (41, 105, 94, 15), QUESTIONS),
    (80, 30, 35, (1, 2), QUESTIONS),
    (100, 30, 35, (4, 5), QUESTIONS),
    (150, 30, 35, (1, 2), ("verdicts", "probabilities")),
    (200, 30, 35, (1, 2), ("verdicts", "probabilities")),
)
MB = 1e6
ROUNDS = 3


def board(
    side: int, mines: int, visible: int, seed: int
) -> tuple[list[list[int]], list[list[int]]]:
    """Return the mined cells of a grid, and the free cells that show their number.

    >>> mined, shown = board(10, 30, 35, 1)
    >>> len(mined), len(shown)
    (30, 24)
    """
    rng = random.Random(f"{side}-{mines}-{visible}-{seed}")
    cells = [[row, column] for row in range(side) for column in range(side)]
    mined = rng.sample(cells, len(cells) * mines // 100)
    taken = set(map(tuple, mined))
    free = [cell for cell in cells if tuple(cell) not in taken]
    return mined, rng.sample(free, len(free) * visible // 100)


def run(options: Options) -> Report:
    """Ask each question without and with the total, each time in a process of its own."""
    raw: list[dict[str, Any]] = []
    with Worker(fresh=True) as worker:
        for side, mines, visible, seeds, questions in BOARDS[: 1 if options.quick else None]:
            for seed in seeds[: 1 if options.quick else None]:
                mined, shown = board(side, mines, visible, seed)
                for question in questions:
                    item: dict[str, Any] = {
                        "name": f"{side} × {side}, {mines} %, {visible} %, seed {seed}",
                        "question": question,
                    }
                    for total in (False, True) * (1 if options.quick else ROUNDS):
                        payload = {
                            "side": side,
                            "mined": mined,
                            "shown": shown,
                            "total": total,
                            "question": question,
                        }
                        found = worker.ask("sapper-total", payload, seconds=options.seconds)
                        key = "with" if total else "without"
                        seconds = [s for s in (item.get(key), found.seconds) if s is not None]
                        item[key] = min(seconds, default=None)
                        item[f"{key}_failure"] = found.failure
                        item[f"{key}_peak_bytes"] = found.answer.get("peak_bytes")
                        item["nodes"] = found.answer.get("nodes")
                    raw.append(item)
    ratios = [item["with"] / item["without"] for item in raw if item["with"] and item["without"]]
    return Report(
        name="totals",
        title="A mine total on a wide component",
        text="Grids with so many per cent of mines of which so many per cent of the free cells are "
        "shown; from the position to the answer, without and with the number of all mines. Each "
        "measurement is the least CPU time of three processes, their primes found before; the "
        "memory is that of a whole process, of which Python and its libraries are some 40 MB.",
        columns=["board", "nodes", "question", "without", "with", "ratio", "memory with"],
        rows=[_row(item) for item in raw],
        raw=raw,
        remarks=[
            f"Ratio: median {statistics.median(ratios):.1f}, largest {max(ratios):.1f}."
            if ratios
            else "No board was answered."
        ],
    )


def _row(item: dict[str, Any]) -> list[str]:
    both = item["with"] is not None and item["without"] is not None
    peak = item["with_peak_bytes"]
    return [
        item["name"],
        "–" if item["nodes"] is None else f"{item['nodes']:,}",
        f"`{item['question']}`",
        duration(item["without"], item["without_failure"]),
        duration(item["with"], item["with_failure"]),
        times(item["with"] / item["without"] if both else None),
        "–" if peak is None else f"{peak / MB:.0f} MB",
    ]
