"""`sapper lab`: the papers' experiments."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from sapper.cli.experiments import Flag, experiment_command, hands, say_where
from sapper.cli.failures import complain
from sapper.cli.options import Command, group, taking
from sapper.cli.patience import counted
from sapper.cli.screen import Screen, emit

if TYPE_CHECKING:
    from sapper.lab import Experiment, Run


class _Row(NamedTuple):
    """An experiment: its class in `sapper.lab`, what its help adds, and how fields are named."""

    kind: str
    help: str
    flags: Mapping[str, Flag] = {}


EXPERIMENTS: Final = {
    "generation": _Row(
        "Generation",
        """Tables 1 and 2 of Suzuki, Hao and Minato: time to make all solutions of random boards.

        30×30 grids, and graphs of 300 vertices and 900 edges; 10, 20 and 30 % mines; 20, 40, 60
        and 80 % of the free cells visible. The report has the published numbers beside ours.

        For example:
          sapper lab generation runs/tables
          sapper lab generation runs/tables --boards 20 --workers 2 --resume
          sapper lab generation runs/one --tables grid --mines 30 --visible 40
        """,
    ),
    "factors": _Row(
        "Factors",
        """Suzuki, Hao and Minato: what the model, the order and propagation each contribute.

        The boards of both tables, made by cells and by edges as items, row by row and in our order,
        with forced cells in the problem and taken out.

        For example:
          sapper lab factors runs/factors --workers 2
          sapper lab factors runs/one --tables grid --mines 30 --visible 40
        """,
    ),
    "online": _Row(
        "Online",
        """Numbers that arrive one by one: CPU time and diagram size after each.

        A session against counting every position from nothing.

        For example:
          sapper lab online runs/online --workers 2
          sapper lab online runs/one --tables grid --mines 20 --visible 40 --boards 5
        """,
    ),
    "phase-transition": _Row(
        "PhaseTransition",
        """Figure 3 of Dempsey & Guinn: the fraction of mines flagged, and the largest cores met.

        Games on N×N tori by inference alone. Which inferences have their cores measured decides
        the second curve: sequential plays single points first and, when stuck, measures and makes
        the first inference in row-major order; hybrid measures every inference when stuck; batch
        measures every inference of every state.

        For example:
          sapper lab phase-transition runs/figure3 --workers 2
          sapper lab phase-transition runs/alpha --protocol none --sizes 20,40,80,160
          sapper lab phase-transition runs/all --protocol sequential,hybrid,batch --games 50
        """,
        {
            "protocols": Flag("--protocol"),
            "smallest": Flag("--cores", {"minimal": False, "smallest": True}),
        },
    ),
    "k-set": _Row(
        "KSets",
        """Figure 4 of Dempsey & Guinn: k-set search against full inference on the same boards.

        For example:
          sapper lab k-set runs/figure4 --workers 2
          sapper lab k-set runs/more -k 1,2,3,4 --games 100
        """,
        {"ks": Flag("-k")},
    ),
    "cores": _Row(
        "Cores",
        """Smallest cores by size, and how often k-set search fails on a core of k clues.

        For example:
          sapper lab cores runs/cores --workers 2
        """,
    ),
    "turns": _Row(
        "Turns",
        """Equations 10 and 11 of Dempsey & Guinn: P and T measured, and α predicted from them.

        For example:
          sapper lab turns runs/turns --workers 2
        """,
    ),
    "scaling": _Row(
        "Scaling",
        """Where the flagged fraction crosses 1/2 and how steep it is, for growing boards.

        For example:
          sapper lab scaling runs/scaling --workers 2
        """,
    ),
    "sharpness": _Row(
        "Sharpness",
        """Is the transition sharp? Where α passes 3/4, 1/2 and 1/4 as boards grow.

        One board is played at all densities, and the start is an open patch of the same size on
        boards of any size. The report says which fits hold, and which are not determined.

        For example:
          sapper lab sharpness runs/sharpness --workers 2
        """,
    ),
    "percolation": _Row(
        "Percolation",
        """Figure 5 of Dempsey & Guinn: mean cluster sizes of mines and numbers.

        Sites that are a mine or have a nonzero label, against the mine density; and independent
        sites, against their probability; with and without the largest cluster.

        For example:
          sapper lab percolation runs/figure5 --workers 2
          sapper lab percolation runs/small --side 200 --samples 20
        """,
    ),
    "wrapping": _Row(
        "Wrapping",
        """The percolation threshold and its exponents, from when clusters wrap around tori.

        One sweep per lattice lays mines one by one and joins clusters as they meet. The control,
        independent sites, has a threshold and exponents that are known.

        For example:
          sapper lab wrapping runs/wrapping --workers 2
          sapper lab wrapping runs/control --kinds independent --sides 128,256 --samples 2000,500
        """,
    ),
    "hypergraph": _Row(
        "Hypergraphs",
        """Section 5 of Dempsey & Guinn: inference on random hypergraphs, for growing sizes.

        Vertices are mines at random, hyperedges have the number of mines among their vertices as
        label (or labels are free, and hyperedges independent, as in the paper). How likely is it
        that some vertex can be inferred, and how many can?

        For example:
          sapper lab hypergraph runs/hypergraph --workers 2
          sapper lab hypergraph runs/strict --labels strict --edges 4 --densities 0.1:0.8:15
          sapper lab hypergraph runs/paper --labels free --measure independent
        """,
        {"mines": Flag("--mine-probability")},
    ),
}
"""The table of experiments, in the order of the help."""


@dataclass(frozen=True, kw_only=True)
class Work:
    """A run put on the command line: where it is kept, and who works."""

    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Where the run is kept.")]
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Processes.")] = 1
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask scheduler, tcp://host:port, instead."),
    ] = None
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in DIR.")] = False
    json: Annotated[bool, typer.Option("--json", help="The results as one JSON document.")] = False

    def on(self, experiment: Experiment) -> None:
        """Run or resume an experiment and print its report, or its results as JSON."""
        from sapper.lab import Run, require_matplotlib

        # Every report has a figure: better to miss the library now than after hours of work.
        require_matplotlib()
        limits: dict[str, Any] = {}
        retries = 2
        if experiment.name == "generation":
            # The pool stops what goes on long after its own limit; on a cluster a job keeps to the
            # limit of time by itself, and memory is what its workers were started with.
            timed: Any = experiment
            limits = {"seconds": 2 * timed.seconds * timed.repeats + 10, "memory": timed.memory}
            retries = 0
        with hands(self.workers, self.scheduler, 4, **limits) as (pool, ahead):
            run = Run(experiment, self.directory, resume=self.resume)
            try:
                with _bar(experiment.name) as progress:
                    run.execute(pool, ahead=ahead, retries=retries, progress=progress)
            except KeyboardInterrupt:
                complain(f"stopped; what is done is in {self.directory}, --resume goes on")
                raise
        report = run.report()
        if self.json:
            emit({"directory": str(self.directory), "results": _flat(run)})
        else:
            _show(report, self.directory)


def _load(row: _Row) -> Command:
    from sapper import lab as room

    made = experiment_command(getattr(room, row.kind), Work.on, row.help, row.flags)
    return taking(Work, made)


def _lab() -> None:
    """Repeat the papers' experiments.

    A run fills one directory: config.json, results.sqlite, results.csv, report.md and pictures.
    It can be stopped at any moment; --resume goes on where it was.
    """


lab = group({name: partial(_load, row) for name, row in EXPERIMENTS.items()}, _lab)


def _show(report: str, directory: Path) -> None:
    """Print a report: laid out on a terminal, as Markdown in a pipe; and where all of it is."""
    screen = Screen()
    if not screen.is_terminal:
        sys.stdout.write(report)
    else:
        from rich.markdown import Markdown

        # A terminal shows no pictures: say which file it is.
        screen.console.print(Markdown(re.sub(r"!\[(.*?)\]\((.*?)\)", r"\1: \2", report)))
        screen.say()
    say_where(screen, directory)


def _flat(run: Run) -> list[dict[str, Any]]:
    return [
        {"key": row.key, **row.payload, **row.result["answer"], **row.result["measured"]}
        for row in run.rows()
    ]


@contextmanager
def _bar(name: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far a run is and how long it will take: a bar, or now and then a line."""
    with counted() as bar:
        row = bar.add_task(name, total=None)

        def progress(done: int, total: int) -> None:
            bar.update(row, completed=done, total=total)

        yield progress
