"""What `threads=` gains, by the clock: the same question on one thread and on all cores."""

from __future__ import annotations

import os
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

from benchmarks.harness import Options, Report, Worker, busy, duration, times
from benchmarks.totals import board

QUESTIONS = ("count", "by_mines", "exact_probabilities", "probabilities")
# Side, per cent of mines and of the free cells shown, seed, whether the total is known, and what is
# asked: exact chances take minutes on the largest.
BOARDS = (
    (50, 30, 40, 1, True, QUESTIONS),
    (60, 30, 35, 94, False, QUESTIONS),
    (60, 30, 35, 15, True, QUESTIONS),
    (80, 30, 40, 1, False, QUESTIONS),
    (120, 30, 35, 2, True, ("count", "by_mines", "probabilities")),
    (150, 30, 35, 2, True, ("count", "by_mines", "probabilities")),
    (600, 20, 40, 1, True, ("count", "probabilities")),
    (600, 20, 40, 1, False, ("count", "probabilities")),
)
LONG = 0.2
"""Below so many seconds nobody asks for threads."""
ROUNDS = 5


def run(options: Options) -> Report:
    """Ask each question on one thread and on all cores, in turn; the quickest of some times."""
    threads = os.cpu_count() or 1
    raw: list[dict[str, Any]] = []
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(fresh=True)) for _ in range(threads)]
        together = stack.enter_context(ThreadPoolExecutor(threads))
        worker = workers[0]
        for side, mines, visible, seed, total, questions in BOARDS[: 1 if options.quick else None]:
            mined, shown = board(side, mines, visible, seed)
            given = {"side": side, "mined": mined, "shown": shown, "total": total}
            name = f"{side} × {side}, {mines} %, {visible} %, seed {seed}"
            for question in questions:
                item: dict[str, Any] = {
                    "name": f"{name}{', total' if total else ''}",
                    "question": question,
                    "failure": None,
                }
                answers = set()
                for number in (1, threads) * (1 if options.quick else ROUNDS):
                    payload = {**given, "question": question, "threads": number}
                    found = worker.ask("sapper-threads", payload, seconds=options.seconds)
                    if found.seconds is None:
                        item["failure"] = found.failure
                        break
                    answers.add(found.answer["answer"])
                    for what in ("clock", "compiling"):
                        key = f"{what} {number}"
                        item[key] = min(item.get(key, float("inf")), found.answer[what])
                item["same"] = len(answers) <= 1
                item["ratio"] = item["most"] = None
                if item["failure"] is None:
                    item["ratio"] = item["clock 1"] / item[f"clock {threads}"]
                    if item["clock 1"] >= LONG:
                        payload = {**given, "question": question, "threads": 1}
                        item["most"] = _most(item, payload, workers, together, options)
                raw.append(item)
    long = [item["ratio"] for item in raw if item["ratio"] and item["clock 1"] >= LONG]
    gained = f"Of those that take {LONG} s and more on one thread: "
    gained += f"median {times(statistics.median(long))}, least {times(min(long))}." if long else "–"
    most = [item["most"] for item in raw if item["most"]]
    if most:
        gained += f" As many processes at once: median {times(statistics.median(most))}, "
        gained += f"least {times(min(most))}."
    differing = [f"{item['name']} {item['question']}" for item in raw if not item["same"]]
    remarks = [gained, busy()]
    if differing:
        remarks.append(f"**Answers differ** on: {', '.join(differing)}.")
    return Report(
        name="threads",
        title="Threads",
        text="The same question with `threads=1` and with a thread a core, by the clock, each in a "
        "process of its own; answers are compared byte for byte. Processors share memory, and "
        "often more: the last column is what as many processes gain that have nothing to do with "
        "each other, each with one thread and begun at once. But for noise, threads can hardly "
        "gain more.",
        columns=[
            "board",
            "question",
            "one thread",
            "of it compiling",
            "a thread a core",
            "gain",
            "a process a core",
        ],
        rows=[_row(item, threads) for item in raw],
        raw=raw,
        remarks=remarks,
    )


def _most(
    item: dict[str, Any],
    payload: dict[str, Any],
    workers: list[Worker],
    together: ThreadPoolExecutor,
    options: Options,
) -> float | None:
    """Return what processes gain that answer the same, each for itself: the best of some times."""
    best = 0.0
    for _ in range(1 if options.quick else ROUNDS):
        # By then both have read their board.
        payload["begin"] = time.monotonic() + 1 + payload["side"] / 100
        asked = [
            together.submit(each.ask, "sapper-threads", payload, seconds=options.seconds)
            for each in workers
        ]
        found = [each.result() for each in asked]
        if any(each.seconds is None for each in found):
            continue  # one was late
        slowest = max(each.answer["clock"] for each in found)
        best = max(best, len(workers) * item["clock 1"] / slowest)
    return best or None


def _row(item: dict[str, Any], threads: int) -> list[str]:
    keys = ("clock 1", "compiling 1", f"clock {threads}")
    spent = [duration(item.get(key), item["failure"]) for key in keys]
    return [
        item["name"],
        f"`{item['question']}`",
        *spent,
        times(item["ratio"]),
        times(item["most"]),
    ]
