"""A run: one directory, filled job by job, that can be stopped and resumed at any moment."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from pathlib import Path
from typing import Any

from sapper.lab.experiment import Experiment, Job, Row
from sapper.lab.pool import JobCrashed, JobTimeout
from sapper.lab.store import FILE, RunError, Store, write_csv, write_parquet
from sapper.limits import Budget, Limits

Progress = Callable[[int, int], object]
"""Called with the number of finished jobs and of all jobs."""

CONFIG = "config.json"
_PACKAGES = ("sapper", "numpy", "networkx", "oxidd", "python-flint")


class Run:
    """A run of an experiment in a directory.

    It belongs to the thread that made it: its store does.

    Parameters
    ----------
    experiment : Experiment
        What is done.
    directory : path
        Where; it is made if it is not there.
    resume : bool
        Go on with the run that is there. Without it a directory with results is refused, and with
        it one whose parameters differ.

    A run pickles; its results are on disk, so a copy goes on where it is. Only one process should
    execute a run at a time; others may look on.

    Raises
    ------
    RunError
        If there is a run and `resume` is off, or a run of something else, or one that is damaged.
    """

    def __init__(
        self, experiment: Experiment, directory: str | Path, *, resume: bool = False
    ) -> None:
        self.experiment = experiment
        self.directory = Path(directory)
        config = self.directory / CONFIG
        if self.is_in(self.directory):
            if not resume:
                raise RunError(
                    f"{self.directory} holds a run already: resume it (--resume) or take another"
                )
            self._require_same(config)
            return
        text = json.dumps(self._configuration(), indent=2, ensure_ascii=False)
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            config.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise RunError(f"{config} cannot be written: {error.strerror}") from None

    @staticmethod
    def is_in(directory: str | Path) -> bool:
        """Tell whether a directory holds a run."""
        return any((Path(directory) / name).exists() for name in (CONFIG, FILE))

    def _configuration(self) -> dict[str, Any]:
        versions = {"python": platform.python_version(), "machine": platform.machine()}
        for name in _PACKAGES:
            try:
                versions[name] = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                continue
        return {
            "experiment": self.experiment.name,
            "parameters": self.experiment.parameters,
            "versions": versions,
        }

    def _require_same(self, config: Path) -> None:
        try:
            found = json.loads(config.read_text(encoding="utf-8"))
            if not isinstance(found, dict):
                raise ValueError("it holds no object")
        except (OSError, ValueError, RecursionError) as error:
            raise RunError(f"{config} cannot be read, so the run cannot go on: {error}") from None
        wanted = json.loads(json.dumps(self._configuration()))
        for part in ("experiment", "parameters"):
            if (there := found.get(part)) != wanted[part]:
                which = _differing(there, wanted[part])
                raise RunError(
                    f"{self.directory} holds a run of other {part}{which}; take another directory"
                )

    def execute(
        self,
        executor: Executor,
        *,
        ahead: int = 4,
        retries: int = 0,
        progress: Progress | None = None,
        enough: Callable[[Row], bool] | None = None,
        prepare: Callable[[Sequence[Job]], None] | None = None,
        limits: Limits | None = None,
    ) -> None:
        """Do all jobs that are not done yet.

        Each result is on disk before the next is asked for, so an interrupt costs at most the jobs
        under way; they are done again by a resumed run. Workers are ended by whoever made them, as
        `LimitedPool` does when its ``with`` block is left by Ctrl-C.

        Parameters
        ----------
        executor : Executor
            Who does them.
        ahead : int
            How many jobs are handed out at once.
        retries : int
            How often a job whose process crashed is tried again before it counts as failed.
        progress : callable, optional
            Told after every job how many are done, of how many.
        enough : callable, optional
            Shown every result, those of earlier times too; when it says so, the rest is left.
        prepare : callable, optional
            Shown the jobs that are not done yet before the first is handed out: may refuse them.
        limits : Limits, optional
            How many seconds all of it may take; what is done by then stays.

        Raises
        ------
        LimitExceeded
            If they are over.
        """
        budget = Budget(limits)
        with Store(self.directory) as store:
            jobs = list(self.experiment.jobs())
            wanted = {job.key for job in jobs}
            done, is_enough = set(), False
            for row in store.rows():
                if row.key in wanted:
                    done.add(row.key)
                    is_enough |= enough is not None and enough(row)
            left = [job for job in jobs if job.key not in done]
            waiting = iter(left)
            finished = len(done)
            if progress is not None:
                progress(finished, len(jobs))
            if is_enough:
                return
            if prepare is not None:
                prepare(left)
            running: dict[Future[Any], Job] = {}
            crashes: Counter[str] = Counter()
            try:
                self._hand_out(executor, waiting, running, ahead)
                while running:
                    ready, _ = wait(running, budget.seconds, return_when=FIRST_COMPLETED)
                    budget.spend()
                    for future in ready:
                        job = running[future]
                        crashed = isinstance(future.exception(), JobCrashed)
                        crashes[job.key] += crashed
                        if crashed and crashes[job.key] <= retries:
                            running[executor.submit(self.experiment.work, job.payload)] = job
                        else:
                            result = self._result(job, future)
                            store.add(job.key, job.payload, result)
                            finished += 1
                            if progress is not None:
                                progress(finished, len(jobs))
                            if enough is not None and enough(Row(job.key, job.payload, result)):
                                for rest in running:
                                    rest.cancel()
                                return
                        del running[future]
                    self._hand_out(executor, waiting, running, ahead)
            except BaseException:
                # Whatever ends the run, what was finished by then is kept.
                for future, job in running.items():
                    if future.done() and not future.cancelled() and future.exception() is None:
                        store.add(job.key, job.payload, future.result())
                raise

    def _hand_out(
        self,
        executor: Executor,
        waiting: Iterator[Job],
        running: dict[Future[Any], Job],
        ahead: int,
    ) -> None:
        for job in islice(waiting, max(0, ahead - len(running))):
            running[executor.submit(self.experiment.work, job.payload)] = job

    def _result(self, job: Job, future: Future[Any]) -> dict[str, Any]:
        try:
            result: dict[str, Any] = future.result()
        except (JobTimeout, JobCrashed, MemoryError) as error:
            return self.experiment.failed(job.payload, str(error) or "out of memory")
        return result

    def rows(self) -> list[Row]:
        """Return all results so far, in the order of the jobs."""
        with Store(self.directory) as store:
            found = {row.key: row for row in store.rows()}
        return [found[job.key] for job in self.experiment.jobs() if job.key in found]

    def report(self) -> str:
        """Write ``results.csv``, ``report.md`` and the pictures, and return the text.

        Where pyarrow is installed, ``results.parquet`` too.
        """
        rows = self.rows()
        write_csv(rows, self.directory / "results.csv")
        write_parquet(rows, self.directory / "results.parquet")
        text = self.experiment.report(rows, self.directory)
        (self.directory / "report.md").write_text(text, encoding="utf-8")
        return text


def _differing(there: object, wanted: object) -> str:
    """Name what differs between the parameters of two runs, as far as that fits into a line."""
    if not (isinstance(there, dict) and isinstance(wanted, dict)):
        return ""
    keys = [key for key in {**there, **wanted} if there.get(key) != wanted.get(key)]

    def said(value: object) -> str:
        text = json.dumps(value)
        return text if len(text) <= 40 else f"{text[:39]}…"

    few = [f"{key} is {said(there.get(key))}, not {said(wanted.get(key))}" for key in keys[:3]]
    return f" ({'; '.join(few)}{'; …' if len(keys) > 3 else ''})"
