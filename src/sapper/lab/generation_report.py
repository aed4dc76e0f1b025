"""The report of `sapper lab generation`: our tables beside the published ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sapper.lab.experiment import Row
from sapper.lab.plots import COLOURS, MARKERS, figure
from sapper.lab.published import SUZUKI
from sapper.lab.statistics import geometric_mean
from sapper.lab.tables import grouped, markdown, page, rows_by

if TYPE_CHECKING:
    from sapper.lab.generation import Generation

_TITLES: Final = {
    "grid": "Table 1: grids",
    "graph": "Table 2: graphs of 300 vertices and 900 edges",
}


def report(experiment: Generation, rows: Sequence[Row], directory: Path) -> str:
    """Write the figure and return the report."""
    cells = rows_by(rows, ("table", "mines", "visible", "method"))
    picture = []
    if any("seconds" in row.result["measured"] for row in rows):
        _draw(experiment, cells, directory)
        picture = ["![times](generation.png)"]
    tables = (
        block
        for table in experiment.tables
        for block in (f"## {_TITLES[table]}", markdown(_lines(experiment, table, cells)))
    )
    return page(
        "# All solutions at once: tables 1 and 2 again",
        f"{experiment.boards} random boards per cell, seed {experiment.seed}. CPU seconds from the "
        "clue system to the reduced ZDD of all solutions, and the number of its nodes: geometric "
        "means over the boards, after ×/÷ the factor of the standard error; a job may take "
        f"{experiment.seconds:g} s. The published columns are those of "
        "Suzuki, Hao and Minato (their *zdd* and *dc*) on an Intel Core i7-3930K.",
        *tables,
        "## Agreement",
        _agreement(rows),
        picture,
    )


def _lines(
    experiment: Generation, table: str, cells: dict[tuple[Any, ...], list[Row]]
) -> list[dict[str, str]]:
    lines = []
    for mines, visible in product(experiment.mines, experiment.visible):
        published = SUZUKI[table].get((mines, visible))
        zdd, dc = (f"{value:.3f}" for value in published) if published else ("–", "–")
        groups = {name: cells.get((table, mines, visible, name), []) for name in experiment.methods}
        lines.append(
            {"mines": f"{mines} %", "visible": f"{visible} %"}
            | {"published zdd": zdd, "published dc": dc}
            | {name: _seconds(group) for name, group in groups.items()}
            | {f"nodes {name}": _nodes(group) for name, group in groups.items()}
        )
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
    counted = (row for row in rows if "count" in row.result["answer"])
    boards = grouped(counted, ("table", "mines", "visible", "board"))
    unlike = [board for board, found in boards.items() if len({a["count"] for a in found}) > 1]
    failed = [row for row in rows if "failure" in row.result["measured"]]
    text = f"All methods count the same on each of {len(boards)} boards."
    if unlike:
        text = f"**The methods disagree on {len(unlike)} boards: {unlike}.**"
    for row in failed:
        text += f"\n- {row.key}: {row.result['measured']['failure']}"
    return text


def _draw(experiment: Generation, cells: dict[tuple[Any, ...], list[Row]], directory: Path) -> None:
    places = list(product(experiment.mines, experiment.visible))
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
