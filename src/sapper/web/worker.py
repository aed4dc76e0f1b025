"""The process that does the work: one request at a time, until its input ends.

It is told to stop by a frame, which a thread of its own reads, and stops as it would for Ctrl-C.
When the server is gone, so is the input, and the process ends in the middle of whatever it does.
"""

from __future__ import annotations

import os
import queue
import resource
import signal
import sys
import threading
from _thread import interrupt_main
from contextlib import suppress
from types import FrameType
from typing import Any, BinaryIO, Final

from sapper.errors import LimitExceeded
from sapper.limits import Limits, begin
from sapper.web.answering import Job, answer
from sapper.web.frames import from_pipe, packed

__all__ = ["main"]

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_LATE: Final = 0.2
_MOST_HELD: Final = 400 << 20
# What threads and their heaps reserve without using it.
_ROOM: Final = 256 << 20
_FIRST: Final = {
    "analyze": b'{"text": "mines: 2\\n1??\\n12?\\n_1?"}',
    "explain": b'{"position": {"text": "mines: 2\\n1??\\n12?\\n_1?"}, "cell": [0, 1]}',
}


class Stopped(BaseException):
    """Nobody waits for the answer any more."""


class _Worker:
    def __init__(self, requests: BinaryIO, answers: BinaryIO, size: int) -> None:
        self._size = size
        self._requests = requests
        self._answers = answers
        self._jobs: queue.SimpleQueue[tuple[dict[str, Any], bytes]] = queue.SimpleQueue()
        self._now: int | None = None
        self._unwanted: int | None = None
        self._seconds = 0.0

    def run(self) -> None:
        signal.signal(signal.SIGUSR1, self._stop)
        for number in (signal.SIGALRM, signal.SIGPROF):
            signal.signal(number, self._late)
        begin(self._listen, daemon=True)
        # What is imported on first use is imported now: nobody is waiting yet.
        for task, body in _FIRST.items():
            answer(Job(task, body, Limits(), cells=9))
        _confine(self._size)
        self._say({"ready": True})
        while True:
            head, body = self._jobs.get()
            try:
                status, document = self._work(head, body)
            except Stopped:
                status, document = 0, b""
            self._say({"status": status, "worn": _worn()}, document)

    def _work(self, head: dict[str, Any], body: bytes) -> tuple[int, bytes]:
        seconds, moment = head["seconds"], head["moment"]
        limits = Limits(seconds=seconds, bytes=head["bytes"])
        self._seconds = moment or seconds
        self._now = head["number"]
        try:
            # The limits are kept by who works; the clock is for what knows none.
            signal.setitimer(signal.ITIMER_REAL, seconds + _LATE)
            # A moment is one of this process, however many others there are.
            signal.setitimer(signal.ITIMER_PROF, moment)
            # What was called off before it began.
            if self._unwanted == self._now:
                raise Stopped
            job = Job(head["task"], body, limits, head["cells"], head["whole"], not moment)
            return answer(job)
        finally:
            self._now = None
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if self._now is not None and self._now == self._unwanted:
            raise Stopped

    def _late(self, number: int, frame: FrameType | None) -> None:
        if self._now is not None:
            raise LimitExceeded("seconds", allowed=self._seconds, spent=self._seconds)

    def _listen(self) -> None:
        """Take what comes in: requests, and that one is not wanted any more."""
        try:
            while True:
                head, body = from_pipe(self._requests)
                if "stop" in head:
                    self._unwanted = head["stop"]
                    interrupt_main(signal.SIGUSR1)
                else:
                    self._jobs.put((head, body))
        finally:
            os._exit(0)

    def _say(self, head: dict[str, Any], body: bytes = b"") -> None:
        try:
            self._answers.write(packed(head, body))
            self._answers.flush()
        except BrokenPipeError:
            os._exit(0)


def _worn() -> bool:
    """Tell whether a new process should take over: this one holds too much, or is not alone.

    A library that did not stop when it was told works on in a thread of its own.
    """
    if threading.active_count() > 2:
        return True
    with suppress(OSError), open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * _PAGE > _MOST_HELD
    return False


def _confine(size: int) -> None:
    """Let this process take so many bytes more, and then no memory at all.

    Limits count what is taken and stop in good order; this is for what they do not count.
    """
    with suppress(OSError, ValueError), open("/proc/self/statm", "rb") as file:
        most = int(file.read().split()[0]) * _PAGE + 2 * size + _ROOM
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main(nice: int, size: int) -> None:
    """Answer requests from standard input to standard output."""
    # Ctrl-C is for the server, which ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # Nothing that a library prints may get between the frames.
    os.dup2(2, 1)
    os.nice(nice)
    _Worker(requests, answers, size).run()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
