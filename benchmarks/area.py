"""How the cost of verdicts and a count grows with the area of a square board."""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks.harness import Options, Report, Worker, duration, exponent

# Most of the time goes into seeds where they cost least.
SIDES = ((100, 3), (200, 2), (300, 2), (400, 2), (600, 1), (1000, 1))
SHARES = ((15, 30), (15, 50), (20, 40), (25, 30), (25, 50))


def run(options: Options) -> Report:
    """Time square boards of growing side, one after the other in one process."""
    raw: list[dict[str, Any]] = []
    with Worker() as ours:
        for side, seeds in SIDES[: 2 if options.quick else None]:
            for mines, visible in SHARES:
                for seed in options.seeds(seeds):
                    board: dict[str, Any] = {"side": side, "mines": mines, "visible": visible}
                    board["seed"] = seed
                    outcome = ours.ask("sapper-area", board, seconds=options.seconds)
                    board |= {"seconds": outcome.seconds, "failure": outcome.failure}
                    raw.append(board | {"peak": outcome.answer.get("peak_bytes")})
    done = [item for item in raw if item["seconds"] is not None]
    remarks = []
    if len({item["side"] for item in done}) > 1:
        slope = exponent([i["side"] ** 2 for i in done], [i["seconds"] for i in done])
        remarks.append(f"Fitted exponent of the cost against cells, all boards: {slope:.2f}.")
    remarks += [f"**{i['side']}², seed {i['seed']}: {i['failure']}.**" for i in raw if i["failure"]]
    return Report(
        name="area",
        title="Area",
        text="Verdicts and the exact count of one n×n board without a total, the Python side "
        "included; 15 to 25 % mines, 30 to 50 % of the free cells visible "
        f"({', '.join(f'{mines}/{visible}' for mines, visible in SHARES)}). CPU seconds from a "
        "position to `verdict_codes` and `count`, each board once, after a small one; memory is "
        "the peak of the process so far, making the boards included.",
        columns=["n", "boards", "mean", "µs per cell, mean", "worst", "peak memory"],
        rows=[_row(side, [i for i in done if i["side"] == side]) for side, _ in SIDES],
        raw=raw,
        remarks=remarks,
    )


def _row(side: int, items: list[dict[str, Any]]) -> list[str]:
    if not items:
        return [str(side), "0", "–", "–", "–", "–"]
    spent = [item["seconds"] for item in items]
    mean = statistics.fmean(spent)
    return [
        str(side),
        str(len(items)),
        duration(mean),
        f"{mean / side**2 * 1e6:.2f}",
        f"{max(spent) / side**2 * 1e6:.2f}",
        f"{max(item['peak'] for item in items) / 2**20:,.0f} MiB",
    ]
