"""Runs: killed and resumed, with one worker or several, on a cluster that loses a worker."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from sapper.lab import (
    Cores,
    Experiment,
    Factors,
    Generation,
    Hypergraphs,
    JobCrashed,
    KSets,
    LimitedPool,
    Online,
    Percolation,
    PhaseTransition,
    Run,
    RunError,
    Scaling,
    Sharpness,
    Tournament,
    Turns,
    Wrapping,
    connected,
)
from sapper.lab.cluster import Cluster, ClusterError
from sapper.lab.store import Store

PHASE = PhaseTransition(sizes=(12, 16), densities=(0.15, 0.2, 0.25), games=12)
EXPERIMENTS: list[Experiment] = [
    PHASE,
    PhaseTransition(
        sizes=(10,),
        densities=(0.2,),
        games=4,
        protocols=("sequential", "hybrid", "batch"),
        smallest=True,
        extraction="deletion",
        start="zero",
    ),
    PhaseTransition(sizes=(12,), densities=(0.2, 0.3), games=4, protocols=()),
    KSets(sizes=(12,), densities=(0.2, 0.25), games=4),
    Percolation(side=30, densities=(0.05, 0.1), probabilities=(0.5, 0.6), samples=3),
    Hypergraphs(vertices=(40, 80), densities=(0.2, 0.8), samples=4),
    Hypergraphs(
        vertices=(40,), edges={2: 0.5, 4: 0.5}, densities=(0.4,), samples=3, labels="strict"
    ),
    Hypergraphs(
        vertices=(40,), densities=(0.1, 0.4), samples=6, labels="free", measure="independent"
    ),
    Scaling(sizes=(6, 8, 10), densities=(0.1, 0.2, 0.25, 0.3, 0.4), games=12),
    Cores(sizes=(20,), densities=(0.22,), games=3),
    Turns(sizes=(12,), densities=(0.15, 0.25), games=4),
    Wrapping(sides=(16, 24), samples=(6, 3), kinds=("minesweeper", "independent")),
    Sharpness(sizes=(9, 11), boards=(4, 3), lows=(0.1, 0.1), highs=(0.4, 0.4), points=4, patch=3),
]
ON_BOARDS: list[Experiment] = [
    Generation(boards=1, mines=(20,), visible=(40,), side=6, repeats=1),
    Factors(boards=1, tables=("grid",), mines=(20,), visible=(40,), side=6),
    Online(boards=1, tables=("grid",), mines=(20,), visible=(40,), side=6),
    Tournament(("safest", "random"), board="beginner", games=20, seed=3),
]
"""The others, with tests of their own in other files."""


def answers(run: Run) -> list[tuple[str, Any, Any]]:
    return [(row.key, row.payload, row.result["answer"]) for row in run.rows()]


class Inline(Executor):
    """Does a job when it is asked for."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except JobCrashed as error:
            future.set_exception(error)
        return future


def plain(experiment: Experiment, directory: Path) -> Run:
    run = Run(experiment, directory)
    run.execute(Inline())
    return run


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: type(e).__name__)
def test_every_experiment_reports(experiment: Experiment, tmp_path: Path) -> None:
    run = plain(experiment, tmp_path / "run")
    assert len(run.rows()) == len(list(experiment.jobs()))
    text = run.report()
    assert text.startswith("# ")
    assert "nan" not in text
    made = {path.name for path in run.directory.iterdir()}
    name = experiment.name
    assert made >= {"config.json", "results.csv", "report.md", "summary.csv"}
    assert made >= {f"{name}.png", f"{name}.svg"}
    assert f"]({name}.png)" in text
    as_parquet_says(run)


def as_parquet_says(run: Run) -> None:
    """The results in Parquet are those of the store."""
    table = pyarrow.parquet.read_table(run.directory / "results.parquet").to_pylist()
    rows = run.rows()
    assert [line["key"] for line in table] == [row.key for row in rows]
    for line, row in zip(table, rows, strict=True):
        for name, value in (row.payload | row.result["answer"]).items():
            found = line[name]
            if isinstance(value, list | dict):
                found = json.loads(found)
            assert (str(value) if name == "seed" else value) == (
                str(found) if name == "seed" else found
            )


@pytest.mark.parametrize("experiment", EXPERIMENTS[2:6], ids=lambda e: type(e).__name__)
def test_a_report_of_nothing_and_of_a_beginning(experiment: Experiment, tmp_path: Path) -> None:
    run = Run(experiment, tmp_path / "run")
    assert run.report().startswith("# ")
    job = next(experiment.jobs())
    with Store(run.directory) as store:
        store.add(job.key, job.payload, experiment.work(job.payload))
    run.report()


def test_failures_are_reported_and_not_counted(tmp_path: Path) -> None:
    run = Run(PHASE, tmp_path / "run")
    first, second, *_ = PHASE.jobs()
    with Store(run.directory) as store:
        store.add(first.key, first.payload, PHASE.failed(first.payload, "stopped after 1 s"))
        store.add(second.key, second.payload, PHASE.work(second.payload))
    assert f"- **{first.key}: stopped after 1 s**" in run.report()


def test_any_number_of_workers_gives_the_same(tmp_path: Path) -> None:
    expected = answers(plain(PHASE, tmp_path / "plain"))
    for workers in (1, 2):
        run = Run(PHASE, tmp_path / f"{workers}")
        with LimitedPool(workers) as pool:
            run.execute(pool, ahead=3 * workers)
        assert answers(run) == expected


def test_other_parameters_do_not_resume(tmp_path: Path) -> None:
    plain(KSets(sizes=(8,), densities=(0.2,), games=1), tmp_path / "run")
    with pytest.raises(RunError, match="other parameters"):
        Run(KSets(sizes=(8,), densities=(0.2,), games=2), tmp_path / "run", resume=True)


class Fragile(Inline):
    """Loses the first tries of every job."""

    def __init__(self, losses: int) -> None:
        self.losses = losses
        self.tries: dict[int, int] = {}

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        seed = args[0]["seed"]
        self.tries[seed] = self.tries.get(seed, 0) + 1
        if self.tries[seed] <= self.losses:
            future: Future[Any] = Future()
            future.set_exception(JobCrashed("the worker process ended without an answer"))
            return future
        return super().submit(fn, *args, **kwargs)


def test_a_crashed_job_is_tried_again(tmp_path: Path) -> None:
    experiment = KSets(sizes=(8,), densities=(0.2,), games=3)
    expected = answers(plain(experiment, tmp_path / "plain"))
    run = Run(experiment, tmp_path / "run")
    run.execute(Fragile(2), retries=2)
    assert answers(run) == expected
    lost = Run(experiment, tmp_path / "lost")
    lost.execute(Fragile(3), retries=2)
    assert [answer for *_, answer in answers(lost)] == [{}, {}, {}]


COMMAND = [sys.executable, "-c", "import sys; from sapper.cli import main; sys.exit(main())", "lab"]
PHASE_OPTIONS = ["--sizes", "12,16", "--densities", "0.15:0.25:3", "--games", "12"]


def rows_in(directory: Path) -> int:
    if not (directory / "results.sqlite").exists():
        return 0
    with closing(Store(directory)) as store:
        return len(store.keys())


def test_kill_resume_compare(tmp_path: Path) -> None:
    expected = answers(plain(PHASE, tmp_path / "plain"))
    directory = tmp_path / "killed"
    command = [*COMMAND, "phase-transition", str(directory), *PHASE_OPTIONS]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    wait_until(lambda: rows_in(directory) >= 5 or process.poll() is not None)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    with closing(Store(directory)) as store:
        kept = {row.key: row.result for row in store.rows()}
    before = len(kept)
    assert before >= 5
    # Without --resume nothing is touched.
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert "holds a run already" in again.stderr
    assert rows_in(directory) == before
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    run = Run(PHASE, directory, resume=True)
    assert answers(run) == expected
    again_kept = {row.key: row.result for row in run.rows() if row.key in kept}
    assert again_kept == kept, "a job was done twice"


def wait_until(condition: Any, seconds: float = 60.0) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it took too long"
        time.sleep(0.01)


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def scheduler_address(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"Scheduler at:\s+(tcp://\S+)", line):
            return found[1]
    raise AssertionError("the scheduler did not start")


WORKER = ("distributed.cli.dask_worker", "--nworkers", "1", "--nthreads", "1", "--no-dashboard")


def test_all_of_the_laboratory_is_in_these_lists() -> None:
    from sapper import lab
    from sapper.cli.commands.lab import EXPERIMENTS as COMMANDS

    kinds = {type(experiment) for experiment in [*EXPERIMENTS, *ON_BOARDS]}
    assert kinds == {getattr(lab, row.kind) for row in COMMANDS.values()} | {Tournament}


def test_every_experiment_runs_on_a_cluster_of_two_processes(tmp_path: Path) -> None:
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    folder = ("--no-nanny", "--local-directory", str(tmp_path / "scratch"))
    with started(*scheduler, "--no-dashboard") as head:
        address = scheduler_address(head)
        with (
            started(*WORKER, address, *folder),
            started(*WORKER, address, *folder),
            connected(address) as (executor, ahead),
        ):
            client: Any = executor._client  # type: ignore[attr-defined]
            client.wait_for_workers(2, timeout=60)
            for number, experiment in enumerate([*EXPERIMENTS, *ON_BOARDS]):
                run = Run(experiment, tmp_path / f"run {number}")
                run.execute(executor, ahead=ahead)
                assert answers(run) == answers(plain(experiment, tmp_path / f"plain {number}"))
            # Both worked: the keys of jobs are spread over them.
            done = client.run(lambda dask_worker: dask_worker.state.executed_count)
            assert len(done) == 2
            assert all(count > 0 for count in done.values())


def test_a_cluster_that_loses_a_worker(tmp_path: Path) -> None:
    experiment = PhaseTransition(sizes=(12, 40), densities=(0.2, 0.25), games=40)
    expected = answers(plain(experiment, tmp_path / "plain"))
    run = Run(experiment, tmp_path / "run")
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    with started(*scheduler, "--no-dashboard") as head:
        address = scheduler_address(head)
        folder = ("--local-directory", str(tmp_path / "scratch"))
        with (
            started(*WORKER, address, "--no-nanny", *folder) as victim,
            started(*WORKER, address, "--no-nanny", *folder),
            connected(address) as (executor, ahead),
        ):
            client: Any = executor._client  # type: ignore[attr-defined]
            client.wait_for_workers(2, timeout=60)

            def kill_in_the_middle(done: int, total: int) -> None:
                if done == total // 4:
                    victim.send_signal(signal.SIGKILL)

            run.execute(executor, ahead=ahead, progress=kill_in_the_middle)
        assert victim.wait(10) == -signal.SIGKILL
    assert answers(run) == expected
    assert len({row.key for row in run.rows()}) == len(expected)


class LosingClient:
    """As Dask's, but what it was given is lost so many times."""

    status = "running"

    def __init__(self, lost: int) -> None:
        self.lost = lost

    def submit(self, job: Callable[[], int], **options: object) -> Future[int]:
        asked: Future[int] = Future()
        self.lost -= 1
        if self.lost >= 0:
            asked.cancel()
        else:
            asked.set_result(job())
        return asked


def test_what_a_cluster_loses_is_given_again() -> None:
    """Dask's own executor waited for ever for a result whose worker died as it was fetched."""
    assert Cluster(LosingClient(3)).submit(pow, 2, 5).result(timeout=5) == 32
    with pytest.raises(ClusterError, match="lost a job"):
        Cluster(LosingClient(99)).submit(pow, 2, 5).result(timeout=5)
    client = LosingClient(1)
    client.status = "closed"
    with pytest.raises(ClusterError, match="lost a job"):
        Cluster(client).submit(pow, 2, 5).result(timeout=5)
