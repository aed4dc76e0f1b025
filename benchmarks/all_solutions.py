"""Making all solutions: the engine, `subgraph`, `zdd` and Graphillion on the same instances.

Run with ``python -m benchmarks.all_solutions``; ``--quick`` takes one seed, ``--seconds`` is the
limit for Graphillion.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from typing import Any

from benchmarks.generation import family_of
from benchmarks.harness import ROOT, Options, Outcome, Report, Worker, duration, load, times

METHODS = ("engine", "subgraph", "zdd")
REPEATS = 3
NOTICEABLE = 0.010


class SolutionsWorker(Worker):
    """A worker that knows the tasks of this benchmark."""

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.solutions_tasks", str(self._memory)],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._process


def measure(record: dict[str, Any], options: Options) -> dict[str, Any]:
    """Ask every method and Graphillion for all solutions of one instance."""
    system = {"cells": record["cells"], "clues": record["clues"]}
    found: dict[str, Outcome] = {}
    # A process per request: its peak memory is then that of one answer.
    with SolutionsWorker(fresh=True) as worker:
        for method in METHODS:
            payload = {**system, "method": method, "repeats": REPEATS}
            found[method] = worker.ask("method-zdd", payload, seconds=options.seconds)
        found["graphillion"] = worker.ask("graphillion", system, seconds=options.seconds)
    expected = hex(record["count"])
    return {
        "name": record["name"],
        "seconds": {name: it.seconds for name, it in found.items()},
        "nodes": {name: it.answer.get("nodes") for name, it in found.items()},
        "peak_bytes": {name: it.answer.get("peak_bytes") for name, it in found.items()},
        "failures": {name: it.failure for name, it in found.items() if it.failure},
        "wrong": [n for n, it in found.items() if it.answer.get("count", expected) != expected],
    }


def run(options: Options) -> Report:
    """Measure every instance of ``generation.jsonl``."""
    records = load("generation.jsonl")
    if options.quick:
        records = [record for record in records if record["name"].endswith("_s1")]
    raw = [measure(record, options) for record in records]
    families: dict[str, list[dict[str, Any]]] = {}
    for item in raw:
        families.setdefault(family_of(item["name"]), []).append(item)
    slowest = max(item["seconds"]["subgraph"] or options.seconds for item in raw)
    widest = max(item["peak_bytes"]["subgraph"] or 0 for item in raw)
    larger = [
        item["name"]
        for item in raw
        if None not in (sizes := [item["nodes"][name] for name in METHODS])
        and sizes[0] > min(sizes[1:])
    ]
    wrong = [f"{item['name']} ({', '.join(item['wrong'])})" for item in raw if item["wrong"]]
    return Report(
        name="solutions",
        title="All solutions at once: engine, subgraphs, intersected ZDDs, Graphillion",
        text="CPU time from the clue system to the reduced ZDD of all solutions; median over "
        "seeds, Graphillion once. Graphillion makes its degree-constrained sets over the edges of "
        f"MG, cell by cell in row-major order, within {options.seconds:g} s by the clock and "
        "4 GiB; where some seed did not finish, the limit stands in its place (≥), a lower "
        "bound of CPU time only on an otherwise idle machine.",
        columns=[
            "instances",
            *METHODS,
            "Graphillion",
            "subgraph / engine",
            "Graphillion / engine",
            "nodes engine",
            "nodes subgraph",
            "nodes zdd",
        ],
        rows=[_row(name, items, options.seconds) for name, items in families.items()],
        raw=raw,
        packages=["oxidd", "graphillion"],
        remarks=[
            f"The slowest `subgraph` run takes {duration(slowest)}; the largest process "
            f"{widest / 2**20:.0f} MiB.",
            f"**Wrong counts: {'; '.join(wrong)}.**" if wrong else "All finished counts are right.",
            "The engine's diagram is larger than the smaller of the two others on: "
            + (", ".join(larger) or "none")
            + ".",
            "Ratios are given where the slower side needs over 10 ms.",
        ],
    )


def _row(name: str, items: list[dict[str, Any]], limit: float) -> list[str]:
    middle = {who: _median(items, who, limit) for who in (*METHODS, "graphillion")}
    unfinished = any(item["seconds"]["graphillion"] is None for item in items)
    engine = middle["engine"]
    sizes = [
        statistics.median(found) if (found := _sizes(items, method)) else None for method in METHODS
    ]
    return [
        f"`{name}`",
        *(duration(middle[method]) for method in METHODS),
        ("≥ " if unfinished else "") + duration(middle["graphillion"]),
        times(middle["subgraph"] / engine if middle["subgraph"] > NOTICEABLE else None),
        ("≥ " if unfinished else "")
        + times(middle["graphillion"] / engine if middle["graphillion"] > NOTICEABLE else None),
        *("–" if size is None else f"{size:,.0f}" for size in sizes),
    ]


def _sizes(items: list[dict[str, Any]], method: str) -> list[int]:
    return [item["nodes"][method] for item in items if item["nodes"][method] is not None]


def _median(items: list[dict[str, Any]], who: str, limit: float) -> float:
    return statistics.median(item["seconds"][who] or limit for item in items)


def main() -> int:
    """Run the benchmark and print its section."""
    from benchmarks.__main__ import markdown, stamp

    parser = argparse.ArgumentParser(prog="python -m benchmarks.all_solutions")
    parser.add_argument("--quick", action="store_true", help="one seed per family")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit per instance")
    given = parser.parse_args()
    report = run(Options(seconds=given.seconds, quick=given.quick))
    print(markdown(report, stamp(report)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
