"""Making all solutions: the engine, `subgraph`, `zdd` and Graphillion on the same instances."""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks.generation import family_of
from benchmarks.harness import Options, Outcome, Report, Worker, duration, load, times

METHODS = ("engine", "subgraph", "zdd")
REPEATS = 5
NOTICEABLE = 0.010
PEER_SECONDS = 60.0


def run_counts(options: Options) -> Report:
    """From the clues of every instance to all its solutions in a method's own form, counted."""
    limit = min(options.seconds, PEER_SECONDS)
    raw = _measured("sapper-count", options, peer_seconds=limit)
    slowest = max(item["seconds"]["subgraph"] or options.seconds for item in raw)
    widest = max(item["peak_bytes"]["subgraph"] or 0 for item in raw)
    return Report(
        name="solutions",
        title="All solutions at once: engine, subgraphs, intersected ZDDs, Graphillion",
        text="CPU time from the clues to all solutions and their exact number, each method in its "
        "own form: `count(clues, method=…)` for ours, `len` of the degree-constrained sets over "
        "the edges of MG, cell by cell in row-major order, for Graphillion; median over seeds. "
        f"Graphillion runs once, within {limit:g} s by the clock and 4 GiB; where some seed did "
        "not finish, the limit stands in its place (≥), a lower bound of CPU time only on an "
        "otherwise idle machine.",
        columns=[
            "instances",
            *METHODS,
            "Graphillion",
            "**subgraph / engine**",
            "**Graphillion / engine**",
        ],
        rows=[_counts_row(name, items, limit) for name, items in _families(raw).items()],
        raw=raw,
        packages=["oxidd", "graphillion"],
        remarks=[
            f"The slowest `subgraph` run takes {duration(slowest)}; the largest process "
            f"{widest / 2**20:.0f} MiB.",
            _right_or_wrong(raw),
            "Ratios are given where the slower side needs over 10 ms.",
        ],
    )


def run_diagrams(options: Options) -> Report:
    """From the clues of every instance to the reduced ZDD over its cells, and its size."""
    raw = _measured("sapper-zdd", options)
    larger = [
        item["name"]
        for item in raw
        if None not in (sizes := [item["nodes"][name] for name in METHODS])
        and sizes[0] > min(sizes[1:])
    ]
    return Report(
        name="diagrams",
        title="All solutions as a reduced ZDD",
        text="CPU time from the clues to the reduced ZDD over the cells, "
        "`solutions(clues, method=…).zdd()`, and its nodes under each method's own order; medians "
        "over seeds.",
        columns=[
            "instances",
            *METHODS,
            "**subgraph / engine**",
            *(f"nodes {method}" for method in METHODS),
        ],
        rows=[_diagrams_row(name, items) for name, items in _families(raw).items()],
        raw=raw,
        packages=["oxidd"],
        remarks=[
            _right_or_wrong(raw),
            "The engine's diagram is larger than the smaller of the two others on: "
            + (", ".join(larger) or "none")
            + ".",
            "The engine spends most of its time on a small diagram: it sifts, and where clues are "
            "few it tries the order of `subgraph` too.",
        ],
    )


def _records(options: Options) -> list[dict[str, Any]]:
    records = load("generation.jsonl")
    return [r for r in records if r["name"].endswith("_s1")] if options.quick else records


def _measured(
    task: str, options: Options, *, peer_seconds: float | None = None
) -> list[dict[str, Any]]:
    """Put a task to all our methods on every instance and, with a limit for it, to Graphillion."""
    raw = []
    for record in _records(options):
        system = {"cells": record["cells"], "clues": record["clues"]}
        # A process per request: its peak memory is then that of one answer.
        with Worker(fresh=True) as worker:
            found = {
                method: worker.ask(
                    task,
                    {**system, "method": method, "repeats": REPEATS},
                    seconds=options.seconds,
                )
                for method in METHODS
            }
            if peer_seconds is not None:
                found["graphillion"] = worker.ask("graphillion", system, seconds=peer_seconds)
        raw.append(_noted(record, found))
    return raw


def _noted(record: dict[str, Any], found: dict[str, Outcome]) -> dict[str, Any]:
    expected = hex(record["count"])
    return {
        "name": record["name"],
        "seconds": {name: it.seconds for name, it in found.items()},
        "nodes": {name: it.answer.get("nodes") for name, it in found.items()},
        "peak_bytes": {name: it.answer.get("peak_bytes") for name, it in found.items()},
        "failures": {name: it.failure for name, it in found.items() if it.failure},
        "wrong": [n for n, it in found.items() if it.answer.get("count", expected) != expected],
    }


def _families(raw: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    families: dict[str, list[dict[str, Any]]] = {}
    for item in raw:
        families.setdefault(family_of(item["name"]), []).append(item)
    return families


def _right_or_wrong(raw: list[dict[str, Any]]) -> str:
    wrong = [f"{item['name']} ({', '.join(item['wrong'])})" for item in raw if item["wrong"]]
    return f"**Wrong counts: {'; '.join(wrong)}.**" if wrong else "All finished counts are right."


def _counts_row(name: str, items: list[dict[str, Any]], limit: float) -> list[str]:
    middle = {who: _median(items, who, limit) for who in (*METHODS, "graphillion")}
    bound = "≥ " if any(item["seconds"]["graphillion"] is None for item in items) else ""
    return [
        f"`{name}`",
        *(duration(middle[method]) for method in METHODS),
        bound + duration(middle["graphillion"]),
        _ratio(middle["subgraph"], middle["engine"]),
        bound + _ratio(middle["graphillion"], middle["engine"]),
    ]


def _diagrams_row(name: str, items: list[dict[str, Any]]) -> list[str]:
    middle = {who: _median(items, who, float("inf")) for who in METHODS}
    sizes = [[i["nodes"][who] for i in items if i["nodes"][who] is not None] for who in METHODS]
    return [
        f"`{name}`",
        *(duration(middle[method]) for method in METHODS),
        _ratio(middle["subgraph"], middle["engine"]),
        *(f"{statistics.median(found):,.0f}" if found else "–" for found in sizes),
    ]


def _ratio(slower: float, engine: float) -> str:
    return times(slower / engine if slower > NOTICEABLE else None)


def _median(items: list[dict[str, Any]], who: str, limit: float) -> float:
    return statistics.median(item["seconds"][who] or limit for item in items)
