"""How fast, in one chart, from the measured results: ``python -m benchmarks.chart``."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from benchmarks.harness import ROOT, duration
from sapper.lab.plots import COLOURS, figure

RESULTS: Final = ROOT / "benchmarks" / "results"
ASSETS: Final = ROOT / "docs" / "assets"


class Comparison(NamedTuple):
    """One line of the chart: medians of CPU seconds over the same inputs."""

    task: str
    peer: str
    ours: float
    theirs: float
    inputs: int


class Task(NamedTuple):
    """Where a line comes from."""

    results: str
    task: str
    peer: str
    wanted: Callable[[dict[str, Any]], bool]
    ours: Callable[[dict[str, Any]], float]
    theirs: Callable[[dict[str, Any]], float | None]


def _named(*starts: str) -> Callable[[dict[str, Any]], bool]:
    return lambda row: str(row.get("name") or row.get("id")).startswith(starts)


TASKS: Final = (
    Task(
        "expert",
        "Expert, mid-game:\nthe chance of every cell",
        "the fastest call of ms_toollib",
        lambda row: True,
        lambda row: row["sapper"],
        lambda row: row["fastest"],
    ),
    Task(
        "scattered",
        "30 × 16 opened at random:\nthe same",
        "the fastest call of ms_toollib",
        lambda row: True,
        lambda row: row["sapper"],
        lambda row: row["fastest"],
    ),
    Task(
        "large",
        "50 × 50, 20 % opened:\nthe same",
        "the fastest call of ms_toollib",
        _named("scattered50x50_515_o20"),
        lambda row: row["sapper"],
        lambda row: row["fastest"],
    ),
    Task(
        "generation",
        "Suzuki, Hao, Minato, grids\nwith 30 % mines: the count",
        "pyganak",
        _named("grid_m30"),
        lambda row: row["count"],
        lambda row: row["pyganak"],
    ),
    Task(
        "grids",
        "100 × 100, 20 to 30 % mines:\nthe count",
        "pyganak",
        _named("grid100x100"),
        lambda row: row["sapper"],
        lambda row: row["pyganak"],
    ),
    Task(
        "solutions",
        "Suzuki, Hao, Minato, grids\nwith 20 % mines: all solutions",
        "Graphillion",
        _named("grid_m20"),
        lambda row: row["seconds"]["engine"],
        lambda row: row["seconds"]["graphillion"],
    ),
)


def comparisons() -> list[Comparison]:
    """Return the lines of the chart.

    Inputs on which a peer passed its limit are left out for both, and the page says so.

    >>> all(line.ours > 0 and line.theirs > 0 and line.inputs for line in comparisons())
    True
    """
    lines = []
    for task in TASKS:
        document = json.loads((RESULTS / f"{task.results}.json").read_text(encoding="utf-8"))
        rows = [row for row in document["results"] if task.wanted(row)]
        times = [(task.ours(row), task.theirs(row)) for row in rows]
        both = [(ours, theirs) for ours, theirs in times if ours and theirs]
        ours, theirs = (statistics.median(column) for column in zip(*both, strict=True))
        lines.append(Comparison(task.task, task.peer, ours, theirs, len(both)))
    return lines


def times(ratio: float) -> str:
    """Return how many times as long.

    >>> times(6.4031), times(3812.1)
    ('6.4×', '3,810×')
    """
    return f"{float(f'{ratio:.3g}'):,.0f}×" if ratio >= 10 else f"{ratio:.1f}×"


def draw(lines: Iterable[Comparison]) -> None:
    """Write docs/assets/how-fast.svg, and the same for dark pages."""
    ordered = list(lines)[::-1]
    with figure(ASSETS, "how-fast", columns=2) as (axis, unused):
        unused.remove()
        axis.set_subplotspec(axis.get_gridspec()[:])
        peers = sorted({line.peer for line in ordered})
        for height, line in enumerate(ordered):
            number = 1 + peers.index(line.peer)
            axis.plot(
                [line.ours, line.theirs], [height] * 2, color="#999999", linewidth=1, zorder=1
            )
            axis.plot(line.ours, height, "o", color=COLOURS[0], markersize=7)
            axis.plot(line.theirs, height, "s", color=COLOURS[number], markersize=6)
            axis.annotate(
                times(line.theirs / line.ours),
                ((line.ours * line.theirs) ** 0.5, height),
                xytext=(0, 4),
                textcoords="offset points",
                ha="center",
            )
        axis.plot([], [], "o", color=COLOURS[0], label="sapper")
        for number, peer in enumerate(peers, 1):
            axis.plot([], [], "s", color=COLOURS[number], label=peer)
        axis.set_xscale("log")
        axis.set_yticks(range(len(ordered)), [line.task for line in ordered])
        axis.set_ylim(-0.5, len(ordered) - 0.4)
        axis.set_xlabel("CPU time, median")
        ticks = [10.0**power for power in range(-4, 2)]
        axis.set_xticks(ticks, [duration(tick) for tick in ticks])
        axis.legend(loc="upper center", bbox_to_anchor=(0.4, -0.16), ncols=4)
    (ASSETS / "how-fast.png").unlink()


if __name__ == "__main__":
    draw(comparisons())
    for comparison in comparisons():
        print(comparison)
