"""The report of `sapper lab generation`: our tables beside the published ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sapper.lab.experiment import Row
from sapper.lab.plots import COLOURS, MARKERS, figure
from sapper.lab.published import SUZUKI
from sapper.lab.statistics import geometric_mean

if TYPE_CHECKING:
    from sapper.lab.generation import Generation

_TITLES: Final = {
    "grid": "Table 1: grids",
    "graph": "Table 2: graphs of 300 vertices and 900 edges",
}


def report(experiment: Generation, rows: Sequence[Row], directory: Path) -> str:
    """Write the figure and return the report."""
    cells = _grouped(rows)
    lines = [
        "# All solutions at once: tables 1 and 2 again",
        "",
        f"{experiment.boards} random boards per cell, seed {experiment.seed}. CPU seconds from the "
        "clue system to the reduced ZDD of all solutions, and the number of its nodes: geometric "
        "means over the boards, after ×/÷ the factor of the standard error; a job may take "
        f"{experiment.seconds:g} s. The published columns are those of "
        "Suzuki, Hao and Minato (their *zdd* and *dc*) on an Intel Core i7-3930K.",
        "",
    ]
    for table in experiment.tables:
        lines += [f"## {_TITLES[table]}", "", *_markdown(experiment, table, cells), ""]
    lines += ["## Agreement", "", _agreement(rows), ""]
    if any("seconds" in row.result["measured"] for row in rows):
        _draw(experiment, cells, directory)
        lines += ["![times](generation.png)", ""]
    return "\n".join(lines)


def _grouped(rows: Sequence[Row]) -> dict[tuple[Any, ...], list[Row]]:
    cells: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        key = tuple(row.payload[name] for name in ("table", "mines", "visible", "method"))
        cells.setdefault(key, []).append(row)
    return cells


def _markdown(
    experiment: Generation, table: str, cells: dict[tuple[Any, ...], list[Row]]
) -> list[str]:
    methods = experiment.methods
    head = ["mines", "visible", "published zdd", "published dc", *methods]
    nodes = [f"nodes {name}" for name in methods]
    lines = ["| " + " | ".join([*head, *nodes]) + " |", "|---" * (len(head) + len(nodes)) + "|"]
    for mines in experiment.mines:
        for visible in experiment.visible:
            published = SUZUKI[table].get((mines, visible))
            shown = [f"{mines} %", f"{visible} %"]
            shown += [f"{value:.3f}" for value in published] if published else ["–", "–"]
            groups = [cells.get((table, mines, visible, method), []) for method in methods]
            shown += [_seconds(group) for group in groups]
            shown += [_nodes(group) for group in groups]
            lines.append("| " + " | ".join(shown) + " |")
    return lines


def times(group: Sequence[Row]) -> list[float]:
    """Return the seconds of the jobs that came to an end."""
    measured = (row.result["measured"] for row in group)
    return [found["seconds"] for found in measured if "seconds" in found]


def _seconds(group: Sequence[Row]) -> str:
    found = times(group)
    if not found:
        return "failed" if group else "–"
    missing = len(group) - len(found)
    return geometric_mean(found).shown(".4f") + (f" ({missing} failed)" if missing else "")


def _nodes(group: Sequence[Row]) -> str:
    # A diagram that is nothing but a terminal has no nodes.
    answers = [row.result["answer"] for row in group]
    found = [max(1, answer["nodes"]) for answer in answers if "nodes" in answer]
    return geometric_mean(found).shown(",.0f") if found else "–"


def _agreement(rows: Sequence[Row]) -> str:
    counts: dict[tuple[Any, ...], set[str]] = {}
    for row in rows:
        if "count" in row.result["answer"]:
            board = tuple(row.payload[name] for name in ("table", "mines", "visible", "board"))
            counts.setdefault(board, set()).add(row.result["answer"]["count"])
    unlike = [board for board, found in counts.items() if len(found) > 1]
    failed = [row for row in rows if "failure" in row.result["measured"]]
    text = f"All methods count the same on each of {len(counts)} boards."
    if unlike:
        text = f"**The methods disagree on {len(unlike)} boards: {unlike}.**"
    for row in failed:
        text += f"\n- {row.key}: {row.result['measured']['failure']}"
    return text


def _draw(experiment: Generation, cells: dict[tuple[Any, ...], list[Row]], directory: Path) -> None:
    places = [(m, v) for m in experiment.mines for v in experiment.visible]
    with figure(directory, "generation", columns=len(experiment.tables)) as axes:
        for axis, table in zip(axes, experiment.tables, strict=True):
            for field, style in (("zdd", "k--"), ("dc", "k:")):
                points = [
                    (place, getattr(SUZUKI[table][key], field))
                    for place, key in enumerate(places)
                    if key in SUZUKI[table]
                ]
                if points:
                    axis.plot(*zip(*points, strict=True), style, lw=1, label=f"published {field}")
            for number, method in enumerate(experiment.methods):
                found = {
                    place: seconds
                    for place, key in enumerate(places)
                    if (seconds := times(cells.get((table, *key, method), [])))
                }
                _means(axis, found, method, number)
            axis.set_yscale("log")
            axis.set_ylim(top=40 * axis.get_ylim()[1])  # room for the legend
            axis.set_ylabel("CPU seconds")
            axis.set_title(_TITLES[table])
            per_row = len(experiment.visible)
            labels = [
                f"{v}\n{m} % mines" if not place % per_row else f"{v}"
                for place, (m, v) in enumerate(places)
            ]
            axis.set_xticks(range(len(places)), labels)
            axis.set_xlabel("% visible")
        axes[0].legend(ncols=2, fontsize=7)


def _means(axis: Any, found: dict[int, list[float]], method: str, number: int) -> None:
    """Draw geometric means over boards, with their standard errors."""
    if not found:
        return
    means = [geometric_mean(seconds) for seconds in found.values()]
    axis.errorbar(
        list(found),
        [mean.value for mean in means],
        yerr=[
            [mean.value * (1 - 1 / mean.factor) for mean in means],
            [mean.value * (mean.factor - 1) for mean in means],
        ],
        label=method,
        color=COLOURS[number % len(COLOURS)],
        marker=MARKERS[number % len(MARKERS)],
        elinewidth=0.8,
    )
