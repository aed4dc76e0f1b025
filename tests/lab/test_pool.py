"""Worker processes: limits, crashes, Ctrl-C, and what cannot travel."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from sapper.lab import JobCrashed, JobTimeout, KSets, LimitedPool, Run, RunError
from sapper.lab.store import Store


def test_a_pool_ends_what_takes_too_long_and_survives_a_crash() -> None:
    with LimitedPool(1, seconds=0.5) as pool:
        slow = pool.submit(time.sleep, 60)
        crash = pool.submit(os._exit, 1)
        error = pool.submit(int, "x")
        fine = pool.submit(pow, 2, 5)
        longer = pool.submit_within(30, time.sleep, 0.6)
        with pytest.raises(JobTimeout, match=r"stopped after 0\.5 s"):
            slow.result()
        with pytest.raises(JobCrashed):
            crash.result()
        with pytest.raises(ValueError, match="invalid literal"):
            error.result()
        assert fine.result() == 32
        assert longer.result() is None
    with pytest.raises(ValueError, match="at least one"):
        LimitedPool(0)
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(pow, 2, 5)


def test_what_cannot_travel_is_an_error_and_not_the_end() -> None:
    with LimitedPool(1) as pool:
        away, back = pool.submit(lambda: 1), pool.submit(open, os.devnull)
        lost = pool.submit(_Unwilling())
        with pytest.raises(Exception, match="pickle"):
            away.result(60)
        with pytest.raises(RuntimeError, match="cannot pickle"):
            back.result(60)
        with pytest.raises(ValueError, match="not here"):
            lost.result(60)
        assert pool.submit(pow, 2, 5).result(60) == 32


class _Unwilling:
    """Goes through a pipe and does not come out of it."""

    def __call__(self) -> None:
        raise AssertionError

    def __reduce__(self) -> tuple[object, ...]:
        return _refuse, ()


def _refuse() -> None:
    raise ValueError("not here")


def test_a_fresh_process_for_every_job() -> None:
    with LimitedPool(1, fresh=True) as pool:
        assert len({pool.submit(os.getpid).result() for _ in range(2)}) == 2


def test_leaving_by_an_exception_ends_the_workers_at_once() -> None:
    began = time.monotonic()
    jobs: list[Future[None]] = []

    def interrupted() -> None:
        with LimitedPool(1) as pool:
            jobs.extend(pool.submit(time.sleep, 60) for _ in range(3))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert time.monotonic() - began < 50
    assert all(job.done() for job in jobs)


SCRIPT = """
import sys, time
from pathlib import Path
from sapper.lab import KSets, LimitedPool, Run

EXPERIMENT = KSets(sizes=(8, 90), densities=(0.2,), games=400, ks=(1, 2, 3))

def go(directory):
    run = Run(EXPERIMENT, directory)
    with LimitedPool(2) as pool:
        print(*[pool.submit(worker).result() for _ in range(6)], flush=True)
        run.execute(pool, ahead=8, progress=lambda done, of: print(done, of, flush=True))

def worker():
    import os
    time.sleep(0.05)
    return os.getpid()

if __name__ == "__main__":
    go(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill"])
def test_no_worker_outlives_its_run_and_nothing_finished_is_lost(
    sent: signal.Signals, tmp_path: Path
) -> None:
    script, directory = tmp_path / "script.py", tmp_path / "run"
    script.write_text(SCRIPT, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, script, directory],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    workers = {int(word) for word in process.stdout.readline().split()}
    assert workers
    for line in process.stdout:
        if int(line.split()[0]) >= 4:
            break
    if sent == signal.SIGINT:
        os.killpg(process.pid, sent)  # a terminal tells the whole group
    else:
        process.send_signal(sent)
    rest, errors = process.communicate(timeout=60)
    told = int(([line, *rest.splitlines()])[-1].split()[0])
    assert process.returncode != 0
    assert "KeyboardInterrupt" in errors if sent == signal.SIGINT else not errors, errors
    assert errors.count("Traceback") == (sent == signal.SIGINT), "only one process complains"
    limit = time.monotonic() + 60
    while any(_lives(worker) for worker in workers):
        assert time.monotonic() < limit, "a worker lives on"
        time.sleep(0.05)
    with Store(directory) as store:
        assert len(store.keys()) >= told


def _lives(process: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False


def test_what_pickles_and_what_says_why_not(tmp_path: Path) -> None:
    experiment = KSets(sizes=(8,), densities=(0.2,), games=1, ks=(1,))
    run = Run(experiment, tmp_path / "run")
    assert pickle.loads(pickle.dumps(experiment)) == experiment == copy.deepcopy(experiment)
    again = pickle.loads(pickle.dumps(run))
    assert (again.experiment, again.directory) == (run.experiment, run.directory)
    for error in (RunError("x"), JobCrashed("x"), JobTimeout("x")):
        assert str(pickle.loads(pickle.dumps(error))) == "x"
    with LimitedPool(1) as pool, Store(run.directory) as store:
        for it in (pool, store):
            for way in (pickle.dumps, copy.copy, copy.deepcopy):
                with pytest.raises(TypeError, match=r"(make|open) another"):
                    way(it)
