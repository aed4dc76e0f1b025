"""Programs that tests start and watch, whatever else the machine does."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def processor_time(pid: int) -> float:
    """Return the processor time in seconds that a process has used, by ticks of 0.01 s."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children_time() -> float:
    """Return the processor time of all processes that this one has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def soon(seconds: float) -> float:
    """Return how long that many seconds of a quiet machine may take on this one now."""
    return seconds * (1 + os.getloadavg()[0] / (os.cpu_count() or 1))


def work_on(process: subprocess.Popen[Any], seconds: float) -> None:
    """Wait until a process has used so much more processor time."""
    until = processor_time(process.pid) + seconds
    while processor_time(process.pid) < until:
        assert process.poll() is None, "the instance is too easy to test anything"
        time.sleep(0.01)


@contextmanager
def started(command: Sequence[object], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a program that does not outlive a test that fails."""
    with subprocess.Popen([str(word) for word in command], **options) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
