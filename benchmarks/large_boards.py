"""Probabilities on large boards of our own making, against ms_toollib."""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks.harness import Options, Report, Worker, duration, times
from benchmarks.instances import scattered_board
from benchmarks.probabilities import TOLERANCE, compare

FAMILIES = ((50, 515, 10), (50, 515, 20), (100, 2060, 10), (100, 2060, 20))
PEER_SECONDS = 45.0
# cal_probability_enum panics or runs on for minutes on boards of this size.
CALLS = ("cal_probability_csp", "cal_probability_onboard")


def run(options: Options) -> Report:
    """Time both programs on square boards of side 50 and 100."""
    raw: list[dict[str, Any]] = []
    rows = []
    seconds = min(options.seconds, PEER_SECONDS)
    with Worker() as ours, Worker() as peer:
        for side, mines, opened in FAMILIES:
            family = []
            for seed in options.seeds(10 if side == 50 else 3):
                board = scattered_board(side, side, mines=mines, opened_percent=opened, seed=seed)
                # One round where the peer takes long: the limit is on a whole request.
                calls, rounds = (CALLS, 3) if side == 50 else (CALLS[:1], 1)
                (item,) = compare([board], ours, peer, calls=calls, rounds=rounds, seconds=seconds)
                family.append({**item, "side": side, "mines": mines, "opened_percent": opened})
            raw.extend(family)
            rows.append(_row(f"{side} × {side}, {mines} mines, {opened} % opened", family, seconds))
    differences = [item["difference"] for item in raw if item["difference"] is not None]
    remarks = []
    if differences:
        apart = max(differences)
        remarks.append(f"Largest difference between the two answers: {apart:.1e}.")
        if apart > TOLERANCE:
            remarks.append(f"**That is more than {TOLERANCE:g}.**")
    remarks += [f"**sapper**, {i['id']}: {i['failure']}." for i in raw if i["failure"]]
    return Report(
        name="large",
        title="Large boards with scattered numbers",
        text="A share of the free cells, drawn at random, is opened one after the other, zeros "
        "spreading as in the game; 10 % gives boards like those of `scattered_positions.jsonl`. "
        "Probabilities under the mine total, as above; `cal_probability_enum` panics or does not "
        "end on these boards and is left out. Where ms_toollib passes the time limit "
        "the ratio counts the limit, so it is a lower bound.",
        columns=[
            "board",
            "positions",
            "sapper median",
            "sapper worst",
            "ms_toollib median",
            "median ratio",
        ],
        rows=rows,
        raw=raw,
        packages=["ms_toollib"],
        remarks=remarks,
    )


def _row(label: str, family: list[dict[str, Any]], limit: float) -> list[str]:
    ours = [item["sapper"] for item in family if item["sapper"] is not None]
    if not ours:
        return [label, str(len(family)), "–", "–", "–", "–"]
    peers = [item["fastest"] or limit for item in family]
    unfinished = sum(item["fastest"] is None for item in family)
    ratio = statistics.median(
        peer / item["sapper"] for peer, item in zip(peers, family, strict=True) if item["sapper"]
    )
    bound = "≥ " if unfinished else ""
    note = f" ({unfinished} over {limit:g} s)" if unfinished else ""
    return [
        label,
        str(len(family)),
        duration(statistics.median(ours)),
        duration(max(ours)),
        f"{bound}{duration(statistics.median(peers))}{note}",
        f"{bound}{times(ratio)}",
    ]
