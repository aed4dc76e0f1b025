"""`sapper lab factors`: what the model, the order and propagation each contribute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any, ClassVar, Final, Literal, TypeAlias

from sapper.clues import Clues
from sapper.errors import LimitExceeded, MethodError
from sapper.lab.experiment import BaseExperiment, Job, Record, Row
from sapper.lab.instances import GRID_SIDE, Table, generation_clues
from sapper.lab.plots import curve, figure
from sapper.lab.statistics import geometric_mean, mean_of
from sapper.lab.tables import grouped, markdown, page, rows_by, write_table
from sapper.limits import Limits
from sapper.methods import SubgraphMethod, ZddMethod

__all__ = ["Factors"]

Order: TypeAlias = Literal["paper", "ours"]

_ORDERS: Final[dict[Order, str]] = {"paper": "row by row", "ours": "frontier"}


@dataclass(frozen=True, kw_only=True)
class Factors(BaseExperiment):
    """Both models of Suzuki, Hao and Minato, with their order and ours, forced cells in or out.

    Frozen: threads can share one.

    Cells as items: the ZDDs of the hints are intersected. Edges as items: a frontier-based search
    makes the ZDD of the subgraphs, which is the method's real output. The order is row by row, as
    in the paper, or ours, which keeps few hints half decided. Propagation takes out all cells that
    the clues decide, and counts as a part of the time.

    Parameters
    ----------
    boards : int
        How many boards per cell of a table.
    seed : int
        Decides the boards, which are those of ``lab generation``.
    tables : tuple of str
        ``"grid"`` and ``"graph"``.
    mines, visible : tuple of int
        Per cent of mines, and of free cells that show their number.
    seconds, memory
        Limits per job: seconds by the clock, and bytes.
    side : int
        Of the grids; 30 in the paper.
    orders : tuple of str
        ``"paper"``, row by row, which many boards do not end with, and ``"ours"``.

    Examples
    --------
    >>> experiment = Factors(boards=1, tables=("grid",), mines=(20,), visible=(40,), side=6)
    >>> found = [experiment.work(job.payload)["answer"] for job in experiment.jobs()]
    >>> len(found), len({answer["count"] for answer in found})
    (8, 1)
    """

    boards: int = 5
    seed: int = 1
    tables: tuple[Table, ...] = ("grid", "graph")
    mines: tuple[int, ...] = (10, 20, 30)
    visible: tuple[int, ...] = (20, 40, 60, 80)
    seconds: float = 20.0
    memory: int = 2 << 30
    side: int = GRID_SIDE
    orders: tuple[Order, ...] = ("paper", "ours")

    name: ClassVar[str] = "factors"

    def jobs(self) -> Iterator[Job]:
        """Yield a job per board and combination."""
        places = product(self.tables, self.mines, self.visible, range(1, self.boards + 1))
        ways = list(product(("cells", "edges"), self.orders, (False, True)))
        for (table, mines, visible, board), (model, order, propagation) in product(places, ways):
            payload: Record = {
                "table": table,
                "mines": mines,
                "visible": visible,
                "seed": f"{self.seed}/{board}",
                "model": model,
                "order": order,
                "propagation": propagation,
                "seconds": self.seconds,
                "memory": self.memory,
                "side": self.side,
            }
            forced = "propagated" if propagation else "plain"
            yield Job(f"{table}/m{mines}/v{visible}/{board}/{model}/{order}/{forced}", payload)

    def work(self, payload: Record) -> Record:
        """Make the diagram of one board in one way."""
        drawn = {name: payload[name] for name in ("mines", "visible", "seed", "side")}
        made = generation_clues(payload["table"], **drawn)
        clues = Clues(made.clues, made.cells)
        limits = Limits(seconds=payload["seconds"], bytes=payload["memory"])
        started = process_time()
        try:
            if payload["propagation"]:
                clues = clues.simplify(limits).clues
            diagram, visited = _diagram(payload["model"], payload["order"], clues, limits)
            seconds = process_time() - started
        except (LimitExceeded, MethodError, MemoryError) as error:
            return self.failed(payload, str(error) or "out of memory")
        answer = {"count": hex(diagram.count()), "nodes": len(diagram), "visited": visited}
        return {"answer": answer, "measured": {"seconds": seconds}}

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write ``summary.csv`` and return the text of the report."""
        groups = rows_by(rows, ("table", "mines", "visible", "model", "order", "propagation"))
        lines = []
        for (table, mines, visible, model, order, propagation), group in groups.items():
            done = [row.result for row in group if row.result["answer"]]
            seconds = [result["measured"]["seconds"] for result in done]
            lines.append(
                {
                    "table": table,
                    "mines": f"{mines} %",
                    "visible": f"{visible} %",
                    "model": model,
                    "order": _ORDERS[order],
                    "propagation": "on" if propagation else "off",
                    "finished": f"{len(done)} of {len(group)}",
                    "CPU s": geometric_mean(seconds).shown(".4f") if done else "–",
                    "nodes": _middle(done, "nodes"),
                    "states visited": _middle(done, "visited"),
                }
            )
        write_table(lines, directory / "summary.csv")
        if groups:
            self._draw(groups, directory)
        boards = grouped(rows, ("table", "mines", "visible", "seed")).values()
        unlike = sum(len({answer["count"] for answer in board}) > 1 for board in boards)
        agree = f"All ways count the same on each of {len(boards)} boards."
        if unlike:
            agree = f"**They disagree on {unlike} of {len(boards)} boards.**"
        return page(
            "# Model, order or propagation?",
            f"{self.boards} random boards per cell, seed {self.seed}. CPU seconds to the "
            "diagram, its nodes (over cells, or over edges: the subgraphs) and the states that the "
            "search met: geometric means over the boards that came to an end, after ×/÷ the factor "
            f"of the standard error; a job may take {self.seconds:g} s and "
            f"{self.memory >> 20} MiB. {agree}",
            "![figure](factors.png)",
            markdown(lines),
        )

    def _draw(self, groups: dict[tuple[Any, ...], list[Row]], directory: Path) -> None:
        cells = list(product(self.mines, self.visible))
        ways = list(product(("cells", "edges"), self.orders, (False, True)))
        with figure(directory, self.name, columns=len(self.tables)) as axes:
            for axis, table in zip(axes, self.tables, strict=True):
                for number, (model, order, propagation) in enumerate(ways):
                    spent = {}
                    for place, cell in enumerate(cells):
                        group = groups.get((table, *cell, model, order, propagation), [])
                        done = [row.result for row in group if row.result["answer"]]
                        if done:
                            spent[place] = mean_of(r["measured"]["seconds"] for r in done)
                    if spent:
                        label = f"{model}, {_ORDERS[order]}" + (", propagated" * propagation)
                        style = "--" if propagation else "-"
                        curve(axis, [*spent], [*spent.values()], label, number, linestyle=style)
                names = [f"{mines}/{visible}" for mines, visible in cells]
                axis.set_xticks(list(range(len(cells))), names, fontsize=6)
                axis.set(xlabel="% mines / % visible", ylabel="CPU seconds", yscale="log")
                axis.set_title(table)
            axes[0].legend(fontsize=6)


def _diagram(model: str, order: str, clues: Clues, limits: Limits) -> tuple[Any, int | None]:
    """Return the diagram of a model, and how many states were met if it says so."""
    if model == "cells":
        method = ZddMethod() if order == "ours" else ZddMethod(order="given", intersection="given")
        return method.diagram(clues, limits), None
    edges = SubgraphMethod(order="frontier" if order == "ours" else "row-major")
    made = edges.model(clues, limits)
    return made.subgraphs(), made.statistics.visited


def _middle(done: Sequence[Record], name: str) -> str:
    answers = [result["answer"][name] for result in done]
    # A diagram that is nothing but a terminal has no nodes.
    found = [max(1, count) for count in answers if count is not None]
    return geometric_mean(found).shown(",.0f") if found else "–"
