"""`sapper lab online`: what one more number costs, and how the diagram grows and shrinks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Any, ClassVar

from sapper.analysis import Session, count, solutions
from sapper.clues import Clues
from sapper.field import Position
from sapper.lab.experiment import BaseExperiment, Job, Record, Row
from sapper.lab.games import LabError
from sapper.lab.instances import GRID_SIDE, Table, generation_position
from sapper.lab.plots import curve, figure
from sapper.lab.statistics import mean_of
from sapper.lab.tables import failures, markdown, page, rows_by, write_table

__all__ = ["Online"]


@dataclass(frozen=True, kw_only=True)
class Online(BaseExperiment):
    """Numbers of a random board arrive one by one, in random order; after each, count.

    Frozen: threads can share one.

    A session keeps what it found before; beside it, every position is counted from nothing. At the
    end of each of so many parts of the numbers the reduced ZDD of all solutions is measured.

    Parameters
    ----------
    boards : int
        How many boards per cell of a table.
    seed : int
        Decides the boards and the order of the numbers.
    tables : tuple of str
        ``"grid"`` and ``"graph"``; see `generation_position`.
    mines, visible : tuple of int
        Per cent of mines, and of free cells that show their number in the end.
    parts : int
        Into how many equal parts the numbers are divided for the curves.
    side : int
        Of the grids; 30 in the paper.

    Examples
    --------
    >>> experiment = Online(boards=1, tables=("grid",), mines=(20,), visible=(40,), side=6)
    >>> (job,) = experiment.jobs()
    >>> answer = experiment.work(job.payload)["answer"]
    >>> answer["numbers"], len(answer["nodes"]), answer["equal"]
    (11, 10, True)
    """

    boards: int = 20
    seed: int = 1
    tables: tuple[Table, ...] = ("grid", "graph")
    mines: tuple[int, ...] = (10, 20, 30)
    visible: tuple[int, ...] = (20, 40, 60, 80)
    parts: int = 10
    side: int = GRID_SIDE

    name: ClassVar[str] = "online"

    def __post_init__(self) -> None:
        if self.parts < 1 or self.boards < 1:
            raise LabError("an online run needs at least one board and one part")

    def jobs(self) -> Iterator[Job]:
        """Yield a job per board."""
        places = product(self.tables, self.mines, self.visible, range(1, self.boards + 1))
        for table, mines, visible, board in places:
            payload: Record = {
                "table": table,
                "mines": mines,
                "visible": visible,
                "seed": f"{self.seed}/{board}",
                "parts": self.parts,
                "side": self.side,
            }
            yield Job(f"{table}/m{mines}/v{visible}/{board}", payload)

    def work(self, payload: Record) -> Record:
        """Reveal the numbers of one board; the clock runs from a number to the exact count."""
        drawn = {name: payload[name] for name in ("mines", "visible", "seed", "side")}
        final = generation_position(payload["table"], **drawn)
        numbers = list(final.numbers.items())
        Random(f"online {payload['seed']}").shuffle(numbers)
        position = Position(final.topology, {})
        session = Session(position)
        kept: list[float] = []
        rebuilt: list[float] = []
        equal, nodes = True, []
        ends = [len(numbers) * (part + 1) // payload["parts"] for part in range(payload["parts"])]
        for place, (cell, number) in enumerate(numbers, start=1):
            started = process_time()
            session.reveal(cell, number)
            found = session.count()
            kept.append(process_time() - started)
            position = position.with_label(cell, number)
            started = process_time()
            again = count(position, method="engine")
            rebuilt.append(process_time() - started)
            equal = equal and found == again
            for _ in range(ends.count(place)):
                clues = Clues.from_position(position)
                nodes.append(len(solutions(Clues(clues.clues, clues.touched)).zdd()))
        return {
            "answer": {"numbers": len(numbers), "nodes": nodes, "equal": equal},
            "measured": {"session": kept, "rebuilt": rebuilt},
        }

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Draw the curves, write ``summary.csv`` and return the text of the report."""
        done = [row for row in rows if row.result["answer"]]
        groups = rows_by(done, ("table", "mines", "visible"))
        lines = [
            {"table": table, "mines": f"{mines} %", "visible": f"{visible} %"} | _line(group)
            for (table, mines, visible), group in groups.items()
        ]
        write_table(lines, directory / "summary.csv")
        if groups:
            self._draw(groups, directory)
        wrong = sum(not row.result["answer"]["equal"] for row in done)
        agree = f"Both counted the same after every number of all {len(done)} boards."
        if wrong:
            agree = f"**On {wrong} of {len(done)} boards the two counts differ.**"
        return page(
            "# Numbers that arrive one by one",
            f"{self.boards} random boards per cell, seed {self.seed}. CPU milliseconds from a new "
            "number to the exact count: in a session, and counted from nothing; ratio of their "
            f"sums. Nodes of the reduced ZDD: the largest met, and the last. {agree}",
            "![figure](online.png)",
            markdown(lines),
            failures(rows),
        )

    def _draw(self, groups: dict[tuple[Any, ...], list[Row]], directory: Path) -> None:
        places = [(part + 1) / self.parts for part in range(self.parts)]
        with figure(directory, self.name, columns=2, rows=len(self.tables)) as axes:
            for place, table in enumerate(self.tables):
                times, sizes = axes[2 * place : 2 * place + 2]
                # Boards with more numbers go on where those with fewer end.
                last = max(self.visible)
                shown = [key for key in groups if (key[0], key[2]) == (table, last)]
                for number, key in enumerate(shown):
                    label = f"{key[1]} % mines"
                    for name, style in (("session", "-"), ("rebuilt", ":")):
                        timed = [row.result["measured"][name] for row in groups[key]]
                        spent = zip(*(_parts(one, self.parts) for one in timed), strict=True)
                        means = [mean_of(part) for part in spent]
                        named = label if name == "session" else ""
                        curve(times, places, means, named, number, linestyle=style)
                    sized = [row.result["answer"]["nodes"] for row in groups[key]]
                    nodes = zip(*sized, strict=True)
                    curve(sizes, places, [mean_of(part) for part in nodes], label, number)
                seen = f"share of the numbers seen ({last} % of all)"
                times.set(xlabel=seen, ylabel="ms per number", yscale="log")
                times.set_title(f"{table}: session (solid), from nothing (dotted)")
                sizes.set(xlabel=seen, ylabel="nodes of the ZDD", yscale="log")
                sizes.legend()


def _parts(seconds: Sequence[float], parts: int) -> list[float]:
    """Return the mean milliseconds of equal parts of what was measured."""
    bounds = [len(seconds) * part // parts for part in range(parts + 1)]
    return [
        1e3 * sum(seconds[first:last]) / max(1, last - first) for first, last in pairwise(bounds)
    ]


def _line(group: Iterable[Row]) -> Record:
    """Return the line of one cell of the table."""
    rows = list(group)
    line: Record = {"numbers": median(row.result["answer"]["numbers"] for row in rows)}
    sums = []
    for name, label in (("session", "session"), ("rebuilt", "from nothing")):
        times = [1e3 * second for row in rows for second in row.result["measured"][name]]
        sums.append(sum(times))
        ninth = quantiles(times, n=10)[-1] if len(times) > 1 else times[0]
        line[f"{label}: median, 90 %, worst"] = (
            f"{median(times):.3f}, {ninth:.3f}, {max(times):.1f}"
        )
    ratios = [
        sum(row.result["measured"]["rebuilt"]) / max(1e-9, sum(row.result["measured"]["session"]))
        for row in rows
    ]
    ratio = mean_of(ratios)
    line["from nothing / session"] = f"{ratio.value:.2f} ± {ratio.error:.2f}"
    sizes = [row.result["answer"]["nodes"] for row in rows]
    line["nodes: largest, last"] = (
        f"{median(max(nodes) for nodes in sizes):,.0f}, {median(nodes[-1] for nodes in sizes):,.0f}"
    )
    return line
