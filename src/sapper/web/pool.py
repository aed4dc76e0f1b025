"""Worker processes in two lanes, for the loop that serves.

A request begins in the quick lane and, if it is not done in a moment, starts again in the slow one.
Whoever stops waiting stops the work: the worker is told, and killed if it does not obey. A worker
that died is replaced when the next request needs one.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from sapper.errors import LimitExceeded, SapperError
from sapper.web.frames import from_stream, packed
from sapper.web.settings import Allowance, Settings

__all__ = ["Busy", "Died", "Pool"]

_START: Final = 60.0
_ENDING: Final = "the server is ending"


class Busy(SapperError, RuntimeError):  # noqa: N818 - says what happened, like LimitExceeded
    """More requests wait than may."""


class Died(SapperError, RuntimeError):  # noqa: N818
    """A worker ended without an answer, twice."""


@dataclass(slots=True)
class Job:
    """What a worker is told; `unwanted` is set when nobody waits for the answer any more."""

    head: dict[str, Any]
    body: bytes
    unwanted: asyncio.Event


class _Worker:
    """A process and the pipes to it."""

    def __init__(self, process: Process, grace: float) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._in = process.stdin
        self._out = process.stdout
        self._grace = grace

    @classmethod
    async def start(cls, lane: Allowance, grace: float) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            f"{__package__}.worker",
            str(lane.nice),
            str(lane.bytes),
            stdin=PIPE,
            stdout=PIPE,
            # Ctrl-C is for the server.
            start_new_session=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        worker = cls(process, grace)
        try:
            await asyncio.wait_for(from_stream(worker._out), _START)
        except BaseException as error:
            await worker.end()
            if isinstance(error, TimeoutError | asyncio.IncompleteReadError | OSError):
                raise Died("a worker process did not start") from None
            raise
        return worker

    async def ask(self, job: Job) -> tuple[int, bytes, bool]:
        """Return the status, which is 0 if it gave up, the document, and if the worker is worn.

        Raises
        ------
        asyncio.IncompleteReadError, ConnectionError
            If the process is dead.
        TimeoutError
            If it did not obey.
        """
        self._in.write(packed(job.head, job.body))
        await self._in.drain()
        reading = asyncio.create_task(from_stream(self._out))
        calling_off = asyncio.create_task(job.unwanted.wait())
        try:
            late = job.head["seconds"] + self._grace
            await asyncio.wait(
                (reading, calling_off), timeout=late, return_when=asyncio.FIRST_COMPLETED
            )
            if not reading.done():
                self._in.write(packed({"stop": job.head["number"]}))
                await asyncio.wait((reading,), timeout=self._grace)
                if not reading.done():
                    raise TimeoutError
            head, body = reading.result()
            return head["status"], body, head["worn"]
        finally:
            for task in (reading, calling_off):
                task.cancel()
            await asyncio.gather(reading, calling_off, return_exceptions=True)

    async def end(self) -> None:
        # Not Process.kill: it may collect a process that died, and its watcher then complains.
        with suppress(ProcessLookupError):
            if self._process.returncode is None:
                os.kill(self._process.pid, signal.SIGKILL)
        self._in.close()
        with suppress(ConnectionError):
            await self._in.wait_closed()
        await self._process.wait()


class Lane:
    """Some workers, and those who wait for one.

    Parameters
    ----------
    allowance
        How many workers, and what they may take.
    settings
        What holds for all lanes.
    """

    def __init__(self, allowance: Allowance, settings: Settings) -> None:
        self.allowance = allowance
        self._settings = settings
        self._free = asyncio.Semaphore(allowance.workers)
        self._waiting = 0
        self._idle: list[_Worker] = []
        self._at_work: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def busy(self) -> int:
        """How many workers are at work."""
        return len(self._at_work)

    async def run(self, job: Job, until: float) -> tuple[int, bytes]:
        """Return the status and the document of a request, if it is done until then."""
        if self._waiting >= self.allowance.waiting:
            raise Busy(f"{self._waiting} requests are waiting already: try again in a moment")
        self._waiting += 1
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout_at(until):
                await self._free.acquire()
        except TimeoutError:
            seconds = self._settings.seconds
            raise LimitExceeded("seconds", allowed=seconds, spent=seconds) from None
        finally:
            self._waiting -= 1
        if self._closed:
            self._free.release()
            raise Busy(_ENDING)
        job.head["seconds"] = max(until - loop.time(), 0.001)
        task = asyncio.create_task(self._work(job))
        self._at_work.add(task)
        task.add_done_callback(self._done)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            job.unwanted.set()
            if self._closed:
                raise Busy(_ENDING) from None
            raise

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._at_work.discard(task)
        self._free.release()
        if not task.cancelled():
            task.exception()  # whoever waited was told, or has gone

    async def _work(self, job: Job) -> tuple[int, bytes]:
        # Processes may have been killed while they were idle; so one that is found dead is no
        # reason to give up, but to start another.
        for again in (False, True):
            worker = self._idle.pop() if self._idle and not again else await self._started()
            try:
                status, body, worn = await worker.ask(job)
            except (asyncio.IncompleteReadError, ConnectionError):
                await worker.end()
                continue
            except TimeoutError:
                await worker.end()
                seconds = self._settings.seconds
                raise LimitExceeded("seconds", allowed=seconds, spent=seconds) from None
            except BaseException:
                await worker.end()
                raise
            if worn:
                await worker.end()
            else:
                self._idle.append(worker)
            return status, body
        raise Died("the process that worked on this ended without an answer; ask again")

    async def _started(self) -> _Worker:
        return await _Worker.start(self.allowance, self._settings.grace)

    async def warm(self) -> None:
        """Start a worker before somebody waits for it."""
        self._idle.append(await self._started())

    async def close(self) -> None:
        """End the workers; who waits is told so."""
        self._closed = True
        for task in self._at_work:
            task.cancel()
        await asyncio.gather(*self._at_work, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self._idle))
        self._idle.clear()


class Pool:
    """The two lanes, `quick` and `slow`.

    Parameters
    ----------
    settings
        How much they allow.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.quick = Lane(settings.quick, settings)
        self.slow = Lane(settings.slow, settings)
        self._numbers = count(1)

    async def run(self, task: str, body: bytes) -> tuple[int, bytes]:
        """Return the status and the document of a request.

        Raises
        ------
        Busy
            If too many are waiting.
        LimitExceeded
            If no worker was free in time, or one did not obey its limits.
        Died
            If the workers did.
        """
        allowed = self._settings
        until = asyncio.get_running_loop().time() + allowed.seconds
        moment = allowed.moment + allowed.moment_per_kilobyte * len(body) / 1024
        status, document = await self.quick.run(self._job(task, body, moment), until)
        if not status:
            status, document = await self.slow.run(self._job(task, body, 0), until)
        return status, document

    def _job(self, task: str, body: bytes, moment: float) -> Job:
        lane = self._settings.quick if moment else self._settings.slow
        head = {
            "task": task,
            "number": next(self._numbers),
            "moment": moment,
            "bytes": lane.bytes,
            "whole": self._settings.seconds,
            "cells": self._settings.cells,
        }
        return Job(head, body, asyncio.Event())

    async def warm(self) -> None:
        """Start the quick workers, so that nobody has to wait for them."""
        await asyncio.gather(*(self.quick.warm() for _ in range(self._settings.quick.workers)))

    async def close(self) -> None:
        """End all workers."""
        await self.quick.close()
        await self.slow.close()
