"""Exact counts and reduced ZDDs of the instances of Suzuki, Hao and Minato, section 5."""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks.harness import Options, Report, Worker, duration, load, times

PEER_SECONDS = 60.0
REPEATS = 3


def family_of(name: str) -> str:
    """Return an instance's name without its seed.

    >>> family_of("grid_m30_v40_s2")
    'grid_m30_v40'
    """
    return name.rpartition("_")[0]


def measure(
    record: dict[str, Any], ours: Worker, peer: Worker, *, seconds: float
) -> dict[str, Any]:
    """Count and compile one instance, and ask pyganak for its count."""
    system = {"cells": record["cells"], "clues": record["clues"]}
    count = ours.ask("sapper-count", {**system, "repeats": REPEATS}, seconds=seconds)
    zdd = ours.ask("sapper-zdd", {**system, "repeats": REPEATS}, seconds=seconds)
    theirs = peer.ask("pyganak", {**system, "repeats": REPEATS}, seconds=min(seconds, PEER_SECONDS))
    expected = hex(record["count"])
    answers = {"sapper": count, "zdd": zdd, "pyganak": theirs}
    return {
        "name": record["name"],
        "count": count.seconds,
        "zdd": zdd.seconds,
        "nodes": zdd.answer.get("nodes"),
        "pyganak": theirs.seconds,
        "failures": {who: it.failure for who, it in answers.items() if it.failure},
        "wrong": [
            who
            for who, it in answers.items()
            if it.seconds is not None and it.answer["count"] != expected
        ],
    }


def run(options: Options) -> Report:
    """Measure every instance of ``generation.jsonl``."""
    records = load("generation.jsonl")
    if options.quick:
        records = [record for record in records if record["name"].endswith("_s1")]
    with Worker() as ours, Worker() as peer:
        raw = [measure(record, ours, peer, seconds=options.seconds) for record in records]
    families: dict[str, list[dict[str, Any]]] = {}
    for item in raw:
        families.setdefault(family_of(item["name"]), []).append(item)
    wrong = [f"{item['name']} ({', '.join(item['wrong'])})" for item in raw if item["wrong"]]
    failed = [f"{item['name']}: {item['failures']}" for item in raw if item["failures"]]
    finished = sum(item["pyganak"] is not None for item in raw)
    remarks = [
        f"{len(raw)} instances; pyganak finished {finished} of them.",
        f"**Counts that differ from the file: {'; '.join(wrong)}.**"
        if wrong
        else "Every count, by all three ways, equals the one in the file.",
        *(f"No answer: {line}." for line in failed),
    ]
    return Report(
        name="generation",
        title="Counting and compiling: the instances of Suzuki, Hao and Minato",
        text="30 × 30 grids and random graphs with 300 vertices and 900 edges; `m30_v40` means "
        "30 % mines and 40 % of the free cells visible. Median over seeds, from a clue system "
        "that nothing has been computed for. pyganak counts the direct CNF encoding.",
        columns=["instances", "count", "reduced ZDD", "ZDD nodes", "pyganak count", "ratio"],
        rows=[_row(name, items) for name, items in families.items()],
        raw=raw,
        packages=["pyganak"],
        remarks=remarks,
    )


def _row(name: str, items: list[dict[str, Any]]) -> list[str]:
    count, zdd, peer = (_median(items, key) for key in ("count", "zdd", "pyganak"))
    nodes = _median(items, "nodes")
    return [
        f"`{name}`",
        duration(count),
        duration(zdd),
        "–" if nodes is None else f"{nodes:.0f}",
        duration(peer),
        times(peer / count if peer is not None and count else None),
    ]


def _median(items: list[dict[str, Any]], key: str) -> float | None:
    values = [item[key] for item in items if item[key] is not None]
    return statistics.median(values) if values else None
