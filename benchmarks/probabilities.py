"""Probabilities under the mine total against ms_toollib, on the shared expert boards."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.harness import Options, Outcome, Report, Worker, duration, load, quantile, times

FULL = "cal_probability_onboard"
"""The one call of ms_toollib that answers for every covered cell."""
CALLS = ("cal_probability_enum", "cal_probability_csp", FULL)
TOLERANCE = 1e-12
ROUNDS = 7


def largest_difference(ours: list[list[Any]], theirs: list[list[Any]]) -> float:
    """Return the largest difference over the cells of `theirs`; infinite where we lack one."""
    first = {(r, c): p for r, c, p in ours}
    return max((abs(first.get((r, c), float("inf")) - p) for r, c, p in theirs), default=0.0)


def compare(
    records: Sequence[Mapping[str, Any]],
    ours: Worker,
    peer: Worker,
    *,
    calls: tuple[str, ...] = CALLS,
    rounds: int = ROUNDS,
    seconds: float,
) -> list[dict[str, Any]]:
    """Time positions with sapper and with each call of the peer; the peer's fastest counts."""
    positions = [{"rows": record["rows"], "mines": record["mines"]} for record in records]
    payload = {"positions": positions, "rounds": rounds}
    mine = ours.ask("sapper-probabilities", payload, seconds=seconds)
    peers = {
        call: peer.ask("ms_toollib", {**payload, "call": call}, seconds=seconds) for call in calls
    }
    return [_compared(record["id"], place, mine, peers) for place, record in enumerate(records)]


def _compared(name: str, place: int, mine: Outcome, peers: Mapping[str, Outcome]) -> dict[str, Any]:
    finished = {call: it for call, it in peers.items() if it.seconds is not None}
    spent = {call: it.answer["each"][place] for call, it in finished.items()}
    result: dict[str, Any] = dict.fromkeys(("sapper", "fastest", "ratio", "full_ratio"))
    result |= dict.fromkeys(CALLS) | spent
    result |= {"id": name, "failure": mine.failure, "difference": None}
    if spent:
        result["fastest"] = min(spent.values())
    if mine.seconds is not None:
        result["sapper"] = mine.answer["each"][place]
        if spent:
            result["ratio"] = result["fastest"] / result["sapper"]
            result["difference"] = max(
                largest_difference(mine.answer["cells"][place], it.answer["cells"][place])
                for it in finished.values()
            )
        if FULL in spent:
            result["full_ratio"] = spent[FULL] / result["sapper"]
    return result


def summarise(name: str, title: str, text: str, raw: list[dict[str, Any]]) -> Report:
    """Return the section for one data file."""
    columns = ["", "median", "p90", "worst"]
    rows = []
    spread: dict[str, tuple[float, float, float]] = {}
    labels = {"sapper": "`sapper.analyze(position).probabilities`"}
    labels |= {call: f"`ms_toollib.{call}`" for call in CALLS}
    labels |= {"fastest": "the fastest of these three on each position"}
    for key, label in labels.items():
        values = [item[key] for item in raw if item[key] is not None]
        if values:
            spread[key] = statistics.median(values), quantile(values, 0.9), max(values)
            rows.append([label, *map(duration, spread[key])])
    for key, label in (("fastest", "the fastest"), (FULL, f"`{FULL}`")):
        if {"sapper", key} <= spread.keys():
            shares = zip(spread[key], spread["sapper"], strict=True)
            row = [times(theirs / ours) for theirs, ours in shares]
            rows.append([f"**{label} / sapper**, column by column", *row])
    for key, label in (("ratio", "the fastest"), ("full_ratio", f"`{FULL}`")):
        ratios = [item[key] for item in raw if item[key] is not None]
        if ratios:
            levels = statistics.median(ratios), quantile(ratios, 0.1), min(ratios)
            rows.append([f"{label} / sapper, position by position", *map(times, levels)])
    remarks = [f"{len(raw)} positions."]
    if any(item["difference"] is not None for item in raw):
        remarks.append("Position by position, p90 is the ratio that nine positions in ten reach.")
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


def _run(filename: str, name: str, title: str, text: str, options: Options) -> Report:
    records = load(filename)[: 10 if options.quick else None]
    with Worker() as ours, Worker() as peer:
        raw = compare(records, ours, peer, seconds=options.seconds)
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


def run_many(options: Options) -> Report:
    """Many positions in one call."""
    records = load("expert_positions.jsonl")
    positions = [{"rows": record["rows"], "mines": record["mines"]} for record in records]
    payload = {"positions": positions, "copies": 1 if options.quick else 20, "rounds": ROUNDS}
    ways = {
        "array": "`sapper.analyze_many(boards, mines=…)`, an int8 array",
        "positions": "`sapper.analyze_many(positions)`",
        "one by one": "`sapper.analyze(position).probabilities` for each",
    }
    raw: list[dict[str, Any]] = []
    rows = []
    with Worker() as ours:
        for way, label in ways.items():
            done = ours.ask("sapper-many", {**payload, "way": way}, seconds=options.seconds)
            each = None if done.seconds is None else done.seconds / done.answer["positions"]
            raw.append({"way": way, "each": each, "failure": done.failure})
            rate = "–" if each is None else f"{1 / each:,.0f}"
            rows.append([label, duration(each, done.failure), rate])
    return Report(
        name="many",
        title="Many positions at once",
        text="The positions of `expert_positions.jsonl`, twenty times over, in one call that "
        "returns verdicts, chances, counts and the cell to dig as arrays; the crossing into Python "
        "and back is inside the clock. Nothing is kept from one position to the next.",
        columns=["", "a position", "positions a second"],
        rows=rows,
        raw=raw,
        remarks=[f"{len(records)} positions, each {payload['copies']} times."],
    )
