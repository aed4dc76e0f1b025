"""Worker processes with a limit per job, behind the standard executor interface.

Other executors, such as a cluster's, can stand in its place; they then keep no limits of their own.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import resource
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, NoReturn, TypeVar

from sapper.errors import SapperError
from sapper.limits import begin

T = TypeVar("T")


class JobTimeout(SapperError, TimeoutError):  # noqa: N818 - says what happened, like LimitExceeded
    """A job took longer than it may, and its process was ended."""


class JobCrashed(SapperError, RuntimeError):  # noqa: N818
    """The process of a job ended without an answer, mostly for want of memory."""


class LimitedPool(Executor):
    """Run each job in one of some worker processes, and end those that take too long.

    Left by an exception, Ctrl-C among them, a ``with`` block ends its workers at once; left
    normally, when all jobs are done. Any thread may submit. A pool does not pickle.

    Parameters
    ----------
    workers : int
        How many processes.
    seconds : float, optional
        What a job may take by the clock; beyond, its process is killed and a new one started.
    memory : int, optional
        Address space of a process, in bytes.
    fresh : bool
        Start a new process for every job, so that its peak memory is that of one job.

    Examples
    --------
    >>> with LimitedPool(1) as pool:
    ...     pool.submit(pow, 2, 10).result()
    1024
    """

    def __init__(
        self,
        workers: int = 1,
        *,
        seconds: float | None = None,
        memory: int | None = None,
        fresh: bool = False,
    ) -> None:
        if workers < 1:
            raise ValueError(f"a pool needs at least one worker, not {workers}")
        self._seconds = seconds
        self._memory = memory
        self._fresh = fresh
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Any, float | None] | None] = (
            queue.SimpleQueue()
        )
        self._closed = False
        self._stopping = threading.Event()
        # One thread per process: it hands over a job, waits for the answer and keeps the time.
        self._ended: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._left = self._workers = workers
        for _ in range(workers):
            begin(self._serve, daemon=True, failed=lambda _: self._ended.put(None))

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Schedule a call; function and arguments must be importable and picklable."""
        return self._put(fn, args, kwargs, self._seconds)

    def submit_within(self, seconds: float, fn: Callable[..., T], /, *args: Any) -> Future[T]:
        """Schedule a call that may take so long, whatever the others may."""
        return self._put(fn, args, {}, seconds)

    def _put(self, fn: Callable[..., T], args: Any, kwargs: Any, seconds: Any) -> Future[T]:
        if self._closed:
            raise RuntimeError("the pool has been shut down")
        future: Future[T] = Future()
        self._jobs.put((future, (fn, args, kwargs), seconds))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers; with `cancel_futures` at once, else when all jobs are done."""
        self._closed = True
        if cancel_futures:
            self._stopping.set()
        for _ in range(self._workers):
            self._jobs.put(None)
        while wait and self._left:
            self._ended.get()
            self._left -= 1

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.shutdown(cancel_futures=kind is not None)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a pool holds processes and neither pickles nor copies: make another")

    def _serve(self) -> None:
        # A worker inherits this, so that Ctrl-C cannot hit it before it is ready to ignore it.
        # Python starts a tracker with the first one, and lets signals through again after that.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        worker: _Worker | None = None
        try:
            while (item := self._jobs.get()) is not None:
                future, call, seconds = item
                if self._stopping.is_set() or not future.set_running_or_notify_cancel():
                    future.cancel()
                    continue
                ended = self._fresh
                try:
                    worker = worker or _Worker(self._memory)
                    ok, value = worker.call(call, seconds, self._stopping)
                except Exception as error:  # whatever it is, nobody may wait for ever
                    ok, value, ended = False, error, True
                if ended and worker is not None:
                    worker.kill()
                    worker = None
                future.set_result(value) if ok else future.set_exception(value)
        finally:
            if worker is not None:
                worker.kill()
            self._ended.put(None)


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
        raise JobCrashed(
            "a worker process did not start; a script needs if __name__ == '__main__': for that"
        )

    def call(self, call: Any, seconds: float | None, stopping: threading.Event) -> tuple[bool, Any]:
        deadline = float("inf") if seconds is None else time.monotonic() + seconds
        try:
            self._pipe.send(call)
            while not self._pipe.poll(min(0.1, max(deadline - time.monotonic(), 0))):
                if time.monotonic() >= deadline:
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
    # A parent that was killed leaves a broken pipe, on whichever side of it we are.
    with suppress(EOFError, OSError):
        _answer(pipe, memory)


def _answer(pipe: Connection, memory: int | None) -> None:
    # Ctrl-C is for the parent, which ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    begin(_follow_parent, daemon=True)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    pipe.send("ready")
    while True:
        data = pipe.recv_bytes()
        try:
            fn, args, kwargs = pickle.loads(data)
            answer = True, fn(*args, **kwargs)
        except Exception as error:
            answer = False, error
        try:
            pipe.send(answer)
        except OSError:
            raise
        except Exception as error:  # an answer that cannot travel must not end the worker
            pipe.send((False, RuntimeError(f"{type(error).__name__}: {error}")))


def _follow_parent() -> None:
    """End this process when its parent was killed, in the middle of a job too."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
