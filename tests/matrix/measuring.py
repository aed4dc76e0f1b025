"""One case in a process of its own: how long, how much memory, what came of it and after it.

Time is what a quiet machine would take: what a thread waited for a processor is subtracted, as far
as the system tells.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

PATIENCE = 20.0
"""Seconds of computing after which a case that does not end is ended."""
BUSY = 10
"""How many times as long that may take by the clock, on a machine that is busy."""


class Measured(NamedTuple):
    """What came of a case."""

    outcome: str
    """``"answered"``, ``"seconds"``, ``"nodes"``, ``"bytes"``, ``"interrupt"``, ``"refused: …"`` or
    ``"fault: …"``."""
    seconds: float
    """From the beginning, or from the interrupt, to the end."""
    growth: int
    """Of the resident set, in bytes."""
    afterwards: bool
    """Was an easy question answered correctly then?"""


def measure(
    ask: Callable[[], object], afterwards: Callable[[], bool], *, interrupt_after: float | None
) -> Measured:
    """Ask in a fork of this process.

    With `interrupt_after`, Ctrl-C comes after so many seconds of computing.
    """
    gc.collect()
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        _in_child(ask, afterwards, write)
    os.close(write)
    try:
        with os.fdopen(read) as answers:
            return _watch(child, answers, interrupt_after)
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _in_child(ask: Callable[[], object], afterwards: Callable[[], bool], write: int) -> None:
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
        before = _memory("VmRSS")
        os.write(write, (json.dumps([time.monotonic(), _waited(os.getpid())]) + "\n").encode())
        outcome = _outcome(ask)
        found = {
            "outcome": outcome,
            "end": time.monotonic(),
            "cpu": time.process_time(),
            "waited": _waited(os.getpid()),
            "growth": _memory("VmHWM") - before,
        }
        try:
            found["afterwards"] = afterwards()
        except BaseException as error:  # an interrupt that comes late is a fault too
            found["afterwards"] = False
            found["outcome"] = f"fault: afterwards {type(error).__name__}: {error}"
        os.write(write, (json.dumps(found) + "\n").encode())
    finally:
        os._exit(0)


def _outcome(ask: Callable[[], object]) -> str:
    from sapper.errors import LimitExceeded, MethodError, TooWide

    try:
        ask()
    except TooWide as refusal:
        return f"refused: {refusal}"
    except LimitExceeded as hit:
        # Whoever gives up by itself needs no limit.
        return hit.limit if hit.limit in ("seconds", "nodes", "bytes") else "answered"
    except KeyboardInterrupt:
        return "interrupt"
    except MethodError as refusal:
        return f"refused: {refusal}"
    except BaseException as error:
        return f"fault: {type(error).__name__}: {error}"
    return "answered"


def _watch(child: int, answers: Any, interrupt_after: float | None) -> Measured:
    began, waited = json.loads(answers.readline())
    used = _used(child)
    if interrupt_after is not None:
        while _used(child) - used < interrupt_after and time.monotonic() - began < BUSY * PATIENCE:
            if select.select([answers], [], [], 0.005)[0]:
                break
        waited, used = _waited(child), _used(child)
        began = time.monotonic()
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGINT)
    ready, end = False, time.monotonic() + BUSY * PATIENCE
    while not ready and time.monotonic() < end and _used(child) - used < PATIENCE:
        ready = bool(select.select([answers], [], [], 0.5)[0])
    line = answers.readline() if ready else ""
    if not line:
        what = "died" if ready else f"went on for {PATIENCE:.0f} s"
        return Measured(f"fault: {what}", PATIENCE, 0, False)
    found = json.loads(line)
    others = max(
        (wait - waited.get(thread, 0.0) for thread, wait in found["waited"].items()), default=0.0
    )
    passed = found["end"] - began - others
    # Where threads of a library do the work, what they waited is gone with them.
    if len(found["waited"]) > 1 or found["cpu"] - used > passed:
        passed = min(passed, max(found["cpu"] - used, 0.0))
    return Measured(found["outcome"], passed, found["growth"], found["afterwards"])


def _memory(key: str) -> int:
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.split(key + ":")[1].split()[0]) * 1024


def _waited(process: int) -> dict[str, float]:
    """Return how many seconds each thread has waited for a processor."""
    found = {}
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError, IndexError, ValueError):
            found[thread.name] = int((thread / "schedstat").read_text().split()[1]) / 1e9
    return found


def _used(process: int) -> float:
    """Return how many seconds of computing a process has used."""
    with suppress(OSError, IndexError):
        fields = (
            Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        )
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return float("inf")
