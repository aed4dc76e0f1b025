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
from sapper.limits import Limits
from sapper.web.answering import Job, answer
from sapper.web.frames import from_pipe, packed

__all__ = ["main"]

_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_FIRST: Final = {
    "analyze": b'{"text": "mines: 2\\n1??\\n12?\\n_1?"}',
    "explain": b'{"position": {"text": "mines: 2\\n1??\\n12?\\n_1?"}, "cell": [0, 1]}',
}


class Stopped(BaseException):
    """Nobody waits for the answer any more."""


class _Worker:
    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers
        self._jobs: queue.SimpleQueue[tuple[dict[str, Any], bytes]] = queue.SimpleQueue()
        self._now: int | None = None
        self._unwanted: int | None = None
        self._seconds = 0.0

    def run(self) -> None:
        signal.signal(signal.SIGUSR1, self._stop)
        signal.signal(signal.SIGALRM, self._late)
        threading.Thread(target=self._listen, daemon=True).start()
        # What is imported on first use is imported now: nobody is waiting yet.
        for task, body in _FIRST.items():
            answer(Job(task, body, Limits(), last=True, cells=9))
        self._say({"ready": True})
        while True:
            head, body = self._jobs.get()
            try:
                status, document = self._work(head, body)
            except Stopped:
                status, document = 0, b""
            self._say({"status": status, "held": _held()}, document)

    def _work(self, head: dict[str, Any], body: bytes) -> tuple[int, bytes]:
        self._seconds = head["seconds"]
        limits = Limits(seconds=head["seconds"], bytes=head["bytes"])
        self._now = head["number"]
        try:
            signal.setitimer(signal.ITIMER_REAL, head["seconds"])
            # What was called off before it began.
            if self._unwanted == self._now:
                raise Stopped
            return answer(Job(head["task"], body, limits, last=head["last"], cells=head["cells"]))
        finally:
            self._now = None
            signal.setitimer(signal.ITIMER_REAL, 0)

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


def _held() -> int:
    """Return the memory of this process, in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except OSError:
        return 0


def _confine(size: int) -> None:
    """Let this process take so many bytes more, and then no memory at all."""
    with suppress(OSError, ValueError), open("/proc/self/statm", "rb") as file:
        most = int(file.read().split()[0]) * _PAGE + size
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main(nice: int, size: int) -> None:
    """Answer requests from standard input to standard output."""
    # Ctrl-C is for the server, which ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # Nothing that a library prints may get between the frames.
    os.dup2(2, 1)
    os.nice(nice)
    _confine(size)
    _Worker(requests, answers).run()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
