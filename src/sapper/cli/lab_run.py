"""Runs of experiments on the command line: who works, how far it is, what is printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sapper.cli.screen import emit

if TYPE_CHECKING:
    from sapper.lab import Experiment, Run

__all__ = ["Work"]


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

    def on(
        self,
        experiment: Experiment,
        *,
        seconds: float | None = None,
        memory: int | None = None,
        retries: int = 2,
    ) -> None:
        """Run or resume an experiment and print its report, or its results as JSON."""
        from sapper.lab import Run, require_matplotlib

        # Every report has a figure: better to miss the library now than after hours of work.
        require_matplotlib()
        with _hands(self.scheduler, self.workers, seconds, memory) as (pool, ahead):
            run = Run(experiment, self.directory, resume=self.resume)
            with _bar(experiment.name) as progress:
                run.execute(pool, ahead=ahead, retries=retries, progress=progress)
        text = run.report()
        if self.json:
            emit({"directory": str(self.directory), "results": _flat(run)})
        else:
            sys.stdout.write(text)


@contextmanager
def _hands(
    scheduler: str | None, workers: int, seconds: float | None, memory: int | None
) -> Iterator[tuple[Executor, int]]:
    """Yield those who do the work, and how many jobs to hand out at once."""
    if scheduler is not None:
        from sapper.lab import connected

        with connected(scheduler) as hands:
            yield hands
        return
    from sapper.lab import LimitedPool

    pool = LimitedPool(workers, seconds=seconds, memory=memory)
    try:
        yield pool, 4 * workers
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def _flat(run: Run) -> list[dict[str, Any]]:
    return [
        {"key": row.key, **row.payload, **row.result["answer"], **row.result["measured"]}
        for row in run.rows()
    ]


@contextmanager
def _bar(name: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far a run is and how long it will take: a bar, or now and then a line."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        row = bar.add_task(name, total=None)

        def progress(done: int, total: int) -> None:
            bar.update(row, completed=done, total=total)

        yield progress
