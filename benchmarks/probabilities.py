"""Probabilities under the mine total against ms_toollib, on the shared expert boards."""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks.harness import Options, Outcome, Report, Worker, duration, load, quantile, times

FULL = "cal_probability_onboard"
"""The one call of ms_toollib that answers for every covered cell."""
CALLS = ("cal_probability_enum", "cal_probability_csp", FULL)
TOLERANCE = 1e-12
REPEATS = 7


def largest_difference(one: Outcome, other: Outcome) -> float:
    """Return the largest difference over the cells of `other`, infinite where `one` lacks one."""
    first = {(r, c): p for r, c, p in one.answer["cells"]}
    return max(
        (abs(first.get((r, c), float("inf")) - p) for r, c, p in other.answer["cells"]),
        default=0.0,
    )


def compare(
    record: dict[str, Any],
    ours: Worker,
    peer: Worker,
    *,
    calls: tuple[str, ...] = CALLS,
    repeats: int = REPEATS,
    seconds: float,
) -> dict[str, Any]:
    """Time one position with sapper and with each call of the peer; the peer's fastest counts."""
    payload = {"rows": record["rows"], "mines": record["mines"], "repeats": repeats}
    mine = ours.ask("sapper-probabilities", payload, seconds=seconds)
    result: dict[str, Any] = {"id": record["id"], "sapper": mine.seconds, "failure": mine.failure}
    finished: dict[str, Outcome] = {}
    for call in calls:
        theirs = peer.ask("ms_toollib", {**payload, "call": call}, seconds=seconds)
        result[call] = theirs.seconds
        if theirs.seconds is not None:
            finished[call] = theirs
    result["fastest"] = min(finished, key=lambda call: result[call], default=None)
    result["ratio"] = result["full_ratio"] = result["difference"] = None
    if mine.seconds is not None and finished:
        result["ratio"] = result[result["fastest"]] / mine.seconds
        result["difference"] = max(largest_difference(mine, it) for it in finished.values())
        if result.get(FULL) is not None:
            result["full_ratio"] = result[FULL] / mine.seconds
    return result


def summarise(name: str, title: str, text: str, raw: list[dict[str, Any]]) -> Report:
    """Return the section for one data file."""
    columns = ["", "median", "p90", "worst"]
    rows = []
    for key, label in (("sapper", "`sapper.analyze(position).probabilities`"), *_peer_labels()):
        values = [item[key] for item in raw if item[key] is not None]
        if values:
            middle, high, worst = statistics.median(values), quantile(values, 0.9), max(values)
            rows.append([label, duration(middle), duration(high), duration(worst)])
    remarks = [f"{len(raw)} positions."]
    for key, label in (
        ("ratio", "**ratio** to the fastest call of ms_toollib on each position"),
        ("full_ratio", f"ratio to `{FULL}`"),
    ):
        ratios = [item[key] for item in raw if item[key] is not None]
        if ratios:
            shares = (statistics.median(ratios), quantile(ratios, 0.1), min(ratios))
            rows.append([label, *(times(ratio) for ratio in shares)])
    if any(item["difference"] is not None for item in raw):
        remarks.append("In the ratio rows p90 is what nine positions in ten reach or pass.")
        apart = [item for item in raw if item["difference"] is not None]
        worst_apart = max(item["difference"] for item in apart)
        remarks.append(f"Largest difference between the two answers: {worst_apart:.1e}.")
        if worst_apart > TOLERANCE:
            far = [item["id"] for item in apart if item["difference"] > TOLERANCE]
            remarks.append(f"**More than {TOLERANCE:g} apart** on: {', '.join(far)}.")
    failed = [item["id"] for item in raw if item["failure"]]
    if failed:
        remarks.append(f"**sapper gave no answer** on: {', '.join(failed)}.")
    return Report(
        name=name,
        title=title,
        text=text,
        columns=columns,
        rows=rows,
        raw=raw,
        packages=["ms_toollib"],
        remarks=remarks,
    )


def _peer_labels() -> list[tuple[str, str]]:
    return [(call, f"`ms_toollib.{call}`") for call in CALLS]


def _run(filename: str, name: str, title: str, text: str, options: Options) -> Report:
    records = load(filename)[: 10 if options.quick else None]
    with Worker() as ours, Worker() as peer:
        raw = [compare(record, ours, peer, seconds=options.seconds) for record in records]
    return summarise(name, title, text, raw)


def run_expert(options: Options) -> Report:
    """Mid-game expert positions."""
    return _run(
        "expert_positions.jsonl",
        "expert",
        "Expert positions",
        "Mid-game positions on 30 × 16 with 99 mines: the chance of a mine for every covered cell "
        "under the mine total, called from Python on a parsed position. ms_toollib has three "
        f"calls: `{FULL}` answers for every cell, the other two leave out the cells its marking "
        "step has settled. Answers are compared on every cell that it gives.",
        options,
    )


def run_scattered(options: Options) -> Report:
    """Expert boards opened at random places."""
    return _run(
        "scattered_positions.jsonl",
        "scattered",
        "Scattered positions",
        "The same question on 30 × 16 boards opened at random places, which makes long frontiers.",
        options,
    )
