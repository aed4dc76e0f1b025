"""Worker processes with a limit per job, behind the standard executor interface.

Other executors, such as a cluster's, can stand in its place; they then keep no limits of their own.
"""

from __future__ import annotations

import multiprocessing
import queue
import resource
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from sapper.errors import SapperError

T = TypeVar("T")


class JobTimeout(SapperError, TimeoutError):  # noqa: N818 - says what happened, like LimitExceeded
    """A job took longer than it may, and its process was ended."""


class JobCrashed(SapperError, RuntimeError):  # noqa: N818
    """The process of a job ended without an answer, mostly for want of memory."""


class LimitedPool(Executor):
    """Run each job in one of some worker processes, and end those that take too long.

    Parameters
    ----------
    workers : int
        How many processes.
    seconds : float, optional
        What a job may take by the clock; beyond, its process is killed and a new one started.
    memory : int, optional
        Address space of a process, in bytes.

    Examples
    --------
    >>> with LimitedPool(1) as pool:
    ...     pool.submit(pow, 2, 10).result()
    1024
    """

    def __init__(
        self, workers: int = 1, *, seconds: float | None = None, memory: int | None = None
    ) -> None:
        if workers < 1:
            raise ValueError(f"a pool needs at least one worker, not {workers}")
        self._seconds = seconds
        self._memory = memory
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Any] | None] = queue.SimpleQueue()
        self._closed = False
        self._stopping = threading.Event()
        # One thread per process: it hands over a job, waits for the answer and keeps the time.
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Schedule a call; function and arguments must be importable and picklable."""
        if self._closed:
            raise RuntimeError("the pool has been shut down")
        future: Future[T] = Future()
        self._jobs.put((future, (fn, args, kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers; with `cancel_futures` at once, else when all jobs are done."""
        self._closed = True
        if cancel_futures:
            self._stopping.set()
        for _ in self._threads:
            self._jobs.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _serve(self) -> None:
        worker: _Worker | None = None
        try:
            while (item := self._jobs.get()) is not None:
                future, call = item
                if self._stopping.is_set() or not future.set_running_or_notify_cancel():
                    future.cancel()
                    continue
                try:
                    worker = worker or _Worker(self._memory)
                    ok, value = worker.call(call, self._seconds, self._stopping)
                except (JobTimeout, JobCrashed) as error:
                    if worker is not None:
                        worker.kill()
                        worker = None
                    future.set_exception(error)
                else:
                    future.set_result(value) if ok else future.set_exception(value)
        finally:
            if worker is not None:
                worker.kill()


class _Worker:
    """A process and the pipe to it."""

    def __init__(self, memory: int | None) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(
            target=_work, args=(theirs, memory), daemon=True
        )
        self._process.start()
        theirs.close()
        # Starting takes its time; the clock of the first job must not pay for it.
        try:
            if self._pipe.poll(60):
                self._pipe.recv()
                return
        except (EOFError, OSError):
            pass
        self.kill()
        raise JobCrashed("a worker process did not start")

    def call(self, call: Any, seconds: float | None, stopping: threading.Event) -> tuple[bool, Any]:
        try:
            self._pipe.send(call)
            waited = 0.0
            while not self._pipe.poll(0.1):
                waited += 0.1
                if seconds is not None and waited > seconds:
                    raise JobTimeout(f"stopped after {seconds:g} s")
                if stopping.is_set():
                    raise JobCrashed("the run was stopped")
            answer: tuple[bool, Any] = self._pipe.recv()
        except JobTimeout:  # a TimeoutError is an OSError, but this one is ours
            raise
        except (EOFError, OSError):
            raise JobCrashed("the worker process ended without an answer") from None
        return answer

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _work(pipe: Connection, memory: int | None) -> None:
    """Answer calls until the pipe closes; the body of a worker process."""
    import signal

    # Ctrl-C is for the parent, which ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    pipe.send("ready")
    while True:
        try:
            fn, args, kwargs = pipe.recv()
        except EOFError:
            return
        try:
            answer = True, fn(*args, **kwargs)
        except Exception as error:
            answer = False, error
        try:
            pipe.send(answer)
        except Exception as error:  # an answer that cannot travel must not end the worker
            pipe.send((False, RuntimeError(f"{type(error).__name__}: {error}")))
