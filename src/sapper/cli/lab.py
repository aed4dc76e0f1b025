"""`sapper lab`: the papers' experiments."""

from __future__ import annotations

from typing import Annotated

import typer

from sapper.cli import lab_games, lab_models
from sapper.cli.lab_run import Work
from sapper.cli.shared import help_text, taking
from sapper.cli.task import UsageError

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the group of commands to the program."""
    lab = typer.Typer(no_args_is_help=True)
    lab.callback(help=help_text(_lab))(_lab)
    lab.command()(taking(Work, generation, without=["scheduler"]))
    lab_games.register(lab)
    lab_models.register(lab)
    app.add_typer(lab, name="lab")


def _lab() -> None:
    """Repeat the papers' experiments.

    A run fills one directory: config.json, results.sqlite, results.csv, report.md and pictures.
    It can be stopped at any moment; --resume goes on where it was.
    """


def generation(
    work: Work,
    methods: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Methods, separated by spaces; options after a colon: subgraph:order=row-major.",
        ),
    ] = "zdd subgraph engine",
    boards: Annotated[int, typer.Option(metavar="N", min=1, help="Boards per cell.")] = 5,
    seed: Annotated[int, typer.Option(metavar="S", help="Decides the boards.")] = 1,
    tables: Annotated[
        str, typer.Option(metavar="NAMES", help="Of grid and graph, separated by spaces.")
    ] = "grid graph",
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0.001, help="Limit per board and method.")
    ] = 120.0,
) -> None:
    """Tables 1 and 2 of Suzuki, Hao and Minato: time to make all solutions of random boards.

    30×30 grids, and graphs of 300 vertices and 900 edges; 10, 20 and 30 % mines; 20, 40, 60 and
    80 % of the free cells visible. The report has the published numbers beside ours.

    For example:
      sapper lab generation runs/tables
      sapper lab generation runs/tables --boards 20 --workers 2 --resume
    """
    from sapper.lab import Generation

    known = {"grid", "graph"}
    chosen = tuple(tables.split())
    if not chosen or not known.issuperset(chosen):
        raise UsageError(f"--tables takes grid and graph, not {tables!r}")
    experiment = Generation(
        methods=tuple(methods.split()),
        boards=boards,
        seed=seed,
        tables=chosen,  # type: ignore[arg-type]
        seconds=seconds,
    )
    # The pool stops what goes on long after its own limit.
    work.on(
        experiment,
        seconds=2 * seconds * experiment.repeats + 10,
        memory=experiment.memory,
        retries=0,
    )
