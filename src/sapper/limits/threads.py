"""Threads that Ctrl-C cannot leave behind half begun, or waited for without end."""

from __future__ import annotations

from _thread import start_new_thread
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

__all__ = ["begin", "in_order"]

J = TypeVar("J")
T = TypeVar("T")

# How often whoever waits looks up, in seconds.
_LOOK: Final = 0.05


def begin(
    body: Callable[[], object],
    *,
    daemon: bool = False,
    failed: Callable[[BaseException], object] = lambda _: None,
) -> None:
    """Begin a thread, and do not wait until it has begun.

    `Thread.start` waits for an Event: interrupted by Ctrl-C, it can leave a thread that never
    begins and that Python waits for at its end. Started from another thread, it is not interrupted.

    Parameters
    ----------
    body
        What the thread does.
    daemon
        Whether Python may end before it.
    failed
        Called, in yet another thread, with the error if the system gives us no thread.
    """

    def start() -> None:
        try:
            Thread(target=body, daemon=daemon).start()
        except BaseException as error:
            failed(error)

    start_new_thread(start, ())


def in_order(
    work: Callable[[J], T],
    jobs: Iterable[J],
    workers: int,
    *,
    stop: Callable[[], object],
    look: Callable[[], object] = lambda: None,
) -> Generator[T, None, None]:
    """Yield what comes of the jobs, in their order, done by several threads.

    If the system gives fewer threads than were asked for, those do it all.

    The queues are taken and filled in one step each, so that Ctrl-C leaves no lock taken.

    Parameters
    ----------
    work
        Does a job.
    jobs
        They are taken one by one, four for each worker ahead of what was yielded.
    workers
        How many threads, at most.
    stop
        Called when the rest is not wanted, whatever the reason: it makes `work` end soon.
    look
        Called often by whoever waits; what it raises ends it all.

    Raises
    ------
    BaseException
        What a job raises; then the others are stopped. What the system says if it gives no thread.

    Examples
    --------
    >>> list(in_order(abs, [-1, 2, -3], 2, stop=lambda: None))
    [1, 2, 3]
    """
    todo: SimpleQueue[tuple[int, J] | None] = SimpleQueue()
    done: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()

    def serve() -> None:
        while (job := todo.get()) is not None:
            try:
                done.put((job[0], work(job[1]), None))
            except BaseException as error:
                done.put((job[0], None, error))
        done.put((-1, None, None))

    waiting, found = enumerate(jobs), dict[int, T]()
    given = taken = begun = 0
    over = False
    try:
        for _ in range(workers):
            begun += 1  # before it begins: an interrupt may come between
            try:
                begin(serve, failed=lambda error: done.put((-1, None, error)))
            except RuntimeError:
                begun -= 1
                if begun == 0:
                    raise
                break
        while True:
            while given - taken < 4 * workers and not over:
                job = next(waiting, None)
                over = job is None
                if job is not None:
                    todo.put(job)
                    given += 1
            if taken == given:
                return
            while taken not in found:
                look()
                with suppress(Empty):
                    number, value, error = done.get(timeout=_LOOK)
                    begun -= number < 0
                    if error is not None and (number >= 0 or begun == 0):
                        raise error
                    if number >= 0:
                        found[number] = value
            taken += 1
            yield found.pop(taken - 1)
    finally:
        if taken < given:
            stop()
            with suppress(Empty):
                while True:
                    todo.get_nowait()
        for _ in range(begun):
            todo.put(None)
        left = begun
        while left > 0:
            left -= done.get()[0] < 0
