"""Runs of experiments on the command line: who works, how far it is, what is printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sapper.cli.screen import emit

if TYPE_CHECKING:
    from sapper.lab import Experiment, Run

__all__ = ["run_experiment"]


def run_experiment(
    experiment: Experiment,
    directory: Path,
    *,
    resume: bool,
    workers: int,
    json: bool,
    seconds: float | None = None,
    memory: int | None = None,
    scheduler: str | None = None,
    retries: int = 0,
) -> None:
    """Run or resume an experiment and print its report, or its results as JSON."""
    from sapper.lab import Run
    from sapper.lab.plots import require_matplotlib

    # Every report has a figure: better to miss the library now than after hours of work.
    require_matplotlib()
    with _hands(scheduler, workers, seconds, memory) as (pool, ahead):
        run = Run(experiment, directory, resume=resume)
        with _bar(experiment.name) as progress:
            run.execute(pool, ahead=ahead, retries=retries, progress=progress)
    text = run.report()
    if json:
        emit({"directory": str(directory), "results": _flat(run)})
    else:
        sys.stdout.write(text)


@contextmanager
def _hands(
    scheduler: str | None, workers: int, seconds: float | None, memory: int | None
) -> Iterator[tuple[Executor, int]]:
    """Yield those who do the work, and how many jobs to hand out at once."""
    if scheduler is not None:
        from sapper.lab.cluster import connected

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
