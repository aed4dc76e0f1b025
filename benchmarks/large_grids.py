"""Exact counts of grids larger than the paper's, made the same way, against pyganak."""

from __future__ import annotations

from typing import Any

from benchmarks.harness import GIB, MEMORY, Options, Report, Worker, duration, times
from benchmarks.instances import generation_grid

FAMILIES = ((50, 30, 40), (100, 20, 40), (100, 25, 40), (100, 30, 40), (200, 20, 40))


def run(options: Options) -> Report:
    """Count each instance with sapper and with pyganak, each in a process of its own."""
    raw: list[dict[str, Any]] = []
    with Worker(fresh=True) as ours, Worker(fresh=True) as peer:
        for side, mines, visible in FAMILIES[: 1 if options.quick else None]:
            for seed in options.seeds(3 if side == 50 else 1):
                record = generation_grid(
                    side, side, mines_percent=mines, visible_percent=visible, seed=seed
                )
                system = {"cells": record["cells"], "clues": record["clues"]}
                mine = ours.ask("sapper-count", {**system, "repeats": 1}, seconds=options.seconds)
                theirs = peer.ask("pyganak", {**system, "repeats": 1}, seconds=options.seconds)
                agree = mine.answer.get("count") == theirs.answer.get("count")
                both = mine.seconds is not None and theirs.seconds is not None
                raw.append(
                    {
                        "name": record["name"],
                        "cells": len(record["cells"]),
                        "clues": len(record["clues"]),
                        "sapper": mine.seconds,
                        "sapper_failure": mine.failure,
                        "sapper_peak_bytes": mine.answer.get("peak_bytes"),
                        "pyganak": theirs.seconds,
                        "pyganak_failure": theirs.failure,
                        "pyganak_peak_bytes": theirs.answer.get("peak_bytes"),
                        "agree": agree if both else None,
                    }
                )
    wrong = [item["name"] for item in raw if item["agree"] is False]
    return Report(
        name="grids",
        title="Larger grids",
        text="Grids made as the instances above are (share of mines, share of the free cells that "
        "are visible, cells next to no number left out), larger; exact count. Each "
        f"measurement runs in its own process, with {MEMORY // GIB} GiB of address space.",
        columns=["instance", "clues", "sapper", "peak", "pyganak", "peak", "ratio"],
        rows=[_row(item) for item in raw],
        raw=raw,
        packages=["pyganak"],
        remarks=[
            f"**The two counts differ on: {', '.join(wrong)}.**"
            if wrong
            else f"Both counts agree on all {sum(bool(item['agree']) for item in raw)} "
            "instances that both finish."
        ],
    )


def _row(item: dict[str, Any]) -> list[str]:
    ratio = None
    if item["sapper"] is not None and item["pyganak"] is not None:
        ratio = item["pyganak"] / item["sapper"]
    return [
        f"`{item['name']}`",
        str(item["clues"]),
        duration(item["sapper"], item["sapper_failure"]),
        _size(item["sapper_peak_bytes"]),
        duration(item["pyganak"], item["pyganak_failure"]),
        _size(item["pyganak_peak_bytes"]),
        times(ratio),
    ]


def _size(count: int | None) -> str:
    return "–" if count is None else f"{count / GIB:.2f} GiB"
