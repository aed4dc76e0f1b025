"""Ctrl-C stops the core at once, and other threads run while it works."""

from __future__ import annotations

import hashlib
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from sapper import Grid
from sapper._native import Run, long_product, run_under
from sapper.engine import EngineMethod
from sapper.errors import LimitExceeded
from sapper.game import Layout
from sapper.limits import Limits
from tests.engine.boards import random_graph
from tests.support.processes import processor_time, started, work_on

ROOT: Final = Path(__file__).parents[2]
PROMPT: Final = 0.2
"""Seconds of computing after which the interrupt must have taken effect."""

# The child reports how much processor time it had used when the interrupt came through; the
# parent knows how much it had used when it was sent. On an idle machine that is the time that
# passed, and on a busy one it does not count the time of others.
CHILD: Final = """
import sys, time
from sapper import Grid
from sapper.engine import EngineMethod
from tests.engine.boards import *
from tests.engine.test_interrupt import count_on_two_threads, multiply
from tests.engine.test_limits import partition
engine = EngineMethod()
work = {
    "compiling": lambda: engine.findings(random_graph(400, 2000, seed=1)).count,
    "searching": lambda: [*map(engine.estimate, [random_graph(1500, 9000, seed=2)] * 100)],
    "counting": lambda: engine.findings(chain(30000)).count,
    "fractions": lambda: engine.findings(chain(6000).with_mines(3000)).exact_probabilities,
    "sampling": lambda: engine.solutions(chain(2000)).sample(10**7, seed=1),
    "big samples": lambda: engine.solutions(partition(60, 3000, total=True)).sample(10**7, seed=1),
    "walking": lambda: sum(1 for _ in engine.solutions(chain(300))),
    "diagram": lambda: [
        engine.solutions(minefield(Grid(60, 60), mines=0.3, visible=0.35, seed=1, total=True)).zdd()
        for _ in range(100)
    ],
    "products": multiply,
    "on two threads": count_on_two_threads,
}[sys.argv[1]]
print("ready", flush=True)
try:
    work()
    print("finished", flush=True)
except KeyboardInterrupt:
    print(time.process_time(), flush=True)
"""


def multiply() -> None:
    """Multiply polynomials with long coefficients, for a second or two."""
    long_product(bytes([1]) * 12_000_000, 1500, bytes([1]) * 12_000_000, 1500, run_under(None))


def count_on_two_threads(run: Run | None = None) -> None:
    """Count for many seconds on a wide board, where the core spreads single joins by itself."""
    rng = random.Random("200-30-34-1")
    field = Grid(200, 200)
    cells = list(field.cells)
    layout = Layout(field, rng.sample(cells, len(cells) * 30 // 100))
    shown = rng.sample(list(layout.numbers), len(layout.numbers) * 34 // 100)
    findings = EngineMethod().findings(layout.position(shown))
    findings.prepare()
    assert findings._board is not None
    compiled = findings._board.compiled
    compiled.counts_by_mines(run_under(None) if run is None else run, 2)


@pytest.mark.parametrize(
    "work",
    [
        "compiling",
        "searching",
        "counting",
        "fractions",
        "sampling",
        "big samples",
        "walking",
        "diagram",
        "products",
        "on two threads",
    ],
)
def test_interrupt(work: str) -> None:
    command = [sys.executable, "-c", CHILD, work]
    with started(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        threads = 2 if work == "on two threads" else 1
        work_on(child, 0.4 if threads == 1 else 2.0)  # making the wide board takes a while
        sent = processor_time(child.pid)
        child.send_signal(signal.SIGINT)
        answer = child.stdout.readline().strip()
        assert answer != "finished", "the instance is too easy to test anything"
        # A tick of the clock that the kernel counts by is 0.01 s.
        assert float(answer) - sent < threads * PROMPT + 0.02


def test_threads_work_at_once() -> None:
    """Two analyses make progress in turns, and a third thread of plain Python is not held up."""
    reports: list[str] = []

    def analyze(name: str) -> None:
        method = EngineMethod(progress=lambda nodes: reports.append(name))
        with pytest.raises(LimitExceeded):
            _ = method.findings(random_graph(400, 2000, seed=1), Limits(seconds=1.0)).count

    threads = [threading.Thread(target=analyze, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    rounds = 0
    while any(thread.is_alive() for thread in threads):
        rounds += 1
        time.sleep(0.001)
    assert rounds > 20, "Python stood still while the core worked"
    turns = sum(one != other for one, other in pairwise(reports))
    assert turns >= 3, f"the threads did not work side by side: {''.join(reports)}"


def test_threads_use_both_processors() -> None:
    """Two threads in the core get as much processor time as two that are known to run side by side.

    Others may be busy too, so both are measured in turn, and one good try is enough.
    """
    tries = []
    for _ in range(8):
        ours, theirs = _processors_used(_count_for_a_while), _processors_used(_hash_for_a_while)
        tries.append((ours, theirs))
        if ours > 0.8 * theirs:
            return
    pytest.fail(f"processors used by two counts and by two hashes: {tries}")


def _processors_used(work: Callable[[], None]) -> float:
    wall, used = time.monotonic(), time.process_time()
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.process_time() - used) / (time.monotonic() - wall)


def _count_for_a_while() -> None:
    with pytest.raises(LimitExceeded):
        _ = EngineMethod().findings(random_graph(400, 2000, seed=1), Limits(seconds=0.4)).count


def _hash_for_a_while() -> None:
    end = time.monotonic() + 0.4
    while time.monotonic() < end:
        hashlib.pbkdf2_hmac("sha256", b"mine", b"field", 20_000)  # releases the lock of Python


def test_progress_may_raise() -> None:
    class EnoughError(Exception):
        pass

    def stop(nodes: int) -> None:
        assert nodes >= 0
        raise EnoughError

    with pytest.raises(EnoughError):
        _ = EngineMethod(progress=stop).findings(random_graph(400, 2000, seed=1)).count


def test_progress_may_raise_while_two_threads_count() -> None:
    reports: list[int] = []

    def stop(nodes: int) -> None:
        reports.append(nodes)
        if len(reports) == 10:
            raise LookupError

    with pytest.raises(LookupError):
        count_on_two_threads(Run(progress=stop))
    assert len(reports) == 10


def test_an_interrupt_while_a_limit_is_reported_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The error of a limit is made by Python code, and Ctrl-C may come in the middle of it."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LimitExceeded, "__init__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _ = EngineMethod().findings(random_graph(40, 80, seed=1), Limits(nodes=1)).count


def test_import_is_quick_and_light() -> None:
    """Within 200 ms of processor time on top of an empty interpreter, and without any extra."""
    code = (
        "import sys, time; start = time.process_time(); import sapper; "
        "print(time.process_time() - start); "
        "print(*sorted({name.split('.')[0] for name in sys.modules}))"
    )
    times = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True
        )
        seconds, modules = done.stdout.splitlines()
        times.append(float(seconds))
        heavy = {"numpy", "networkx", "flint", "rich", "typer", "pysat", "ortools", "matplotlib"}
        assert not heavy & set(modules.split())
    assert min(times) < 0.2
