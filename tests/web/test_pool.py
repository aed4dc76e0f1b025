"""The worker processes: limits, cancelling, death, and an end that leaves nobody behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from benchmarks.clients import hopeless

from sapper.errors import LimitExceeded
from sapper.web.pool import Busy, Pool
from sapper.web.settings import Allowance, Settings
from tests.web.serving import POSITION

EASY = json.dumps(POSITION).encode()
HARD = hopeless()
ONE = Allowance(workers=1, waiting=2, bytes=128 << 20)


def workers(parent: int) -> set[int]:
    """Return the processes that a process has started."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == parent and words[0] != "Z":
            found.add(int(status.parent.name))
    return found


@asynccontextmanager
async def pool(**settings: Any) -> AsyncIterator[tuple[Pool, set[int]]]:
    """Yield a pool of one worker in each lane, and the processes that were there before."""
    before = workers(os.getpid())
    made = Pool(Settings(quick=ONE, slow=ONE, **settings))
    try:
        await made.warm()
        yield made, before
    finally:
        await made.close()
    assert workers(os.getpid()) <= before


def waits_for(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    def run() -> None:
        asyncio.run(asyncio.wait_for(test(), 120))

    run.__name__ = test.__name__
    return run


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.02)


@waits_for
async def test_a_hard_board_is_told_its_limit_and_keeps_nobody_waiting() -> None:
    async with pool(seconds=60) as (made, _):
        hard = asyncio.create_task(made.run("analyze", HARD))
        await until(lambda: made.slow.busy == 1)
        for _ in range(3):
            assert (await made.run("analyze", EASY))[0] == 200
        assert not hard.done()
        hard.cancel()
    async with pool(seconds=2) as (made, _):
        await made.slow.warm()  # to start a process may take two seconds
        status, document = await made.run("analyze", HARD)
        assert status == 504
        error = json.loads(document)["error"]
        assert error["kind"] == "limit"
        assert error["message"].endswith("of 2 allowed")


@waits_for
async def test_work_that_nobody_wants_any_more_is_called_off() -> None:
    async with pool(seconds=60) as (made, before):
        await made.slow.warm()
        for _ in range(5):
            there = workers(os.getpid()) - before
            hard = asyncio.create_task(made.run("analyze", HARD))
            await until(lambda: made.slow.busy == 1)
            hard.cancel()
            await until(lambda: made.slow.busy == 0)
            assert (await made.run("analyze", EASY))[0] == 200
            # The workers obeyed: they are still the same. One in which a thread is late to end is
            # replaced, which may happen on a busy machine: one good try is enough.
            if workers(os.getpid()) - before == there:
                return
        pytest.fail("no worker stops its work in time")


@waits_for
async def test_workers_that_were_killed_are_replaced() -> None:
    async with pool() as (made, before):
        (old,) = workers(os.getpid()) - before
        os.kill(old, signal.SIGKILL)
        assert (await made.run("analyze", EASY))[0] == 200
        (new,) = workers(os.getpid()) - before
        assert new != old

        await made.quick.warm()
        for idle in workers(os.getpid()) - before:  # all at once
            os.kill(idle, signal.SIGKILL)
        assert (await made.run("analyze", EASY))[0] == 200
        assert (await made.run("analyze", EASY))[0] == 200
        (new,) = workers(os.getpid()) - before

        await made.slow.warm()
        (slow,) = workers(os.getpid()) - before - {new}
        hard = asyncio.create_task(made.run("analyze", HARD))
        await until(lambda: made.slow.busy == 1)
        os.kill(slow, signal.SIGKILL)
        await until(lambda: slow not in workers(os.getpid()))
        assert (await made.run("analyze", EASY))[0] == 200
        hard.cancel()


@waits_for
async def test_a_worker_that_does_not_obey_is_killed() -> None:
    async with pool(seconds=1, grace=0.2) as (made, before):
        (old,) = workers(os.getpid()) - before
        os.kill(old, signal.SIGSTOP)
        with pytest.raises(LimitExceeded, match="seconds"):
            await made.run("analyze", EASY)
        assert old not in workers(os.getpid())
        status, _ = await made.run("analyze", EASY)
        assert status in (200, 504)  # a machine may be too busy to start a process in a second


@waits_for
async def test_who_cannot_be_served_soon_is_told_at_once() -> None:
    async with pool(seconds=60) as (made, before):
        (worker,) = workers(os.getpid()) - before
        os.kill(worker, signal.SIGSTOP)
        asked = [asyncio.create_task(made.run("analyze", EASY)) for _ in range(3)]
        await until(lambda: made.quick.busy == 1)
        with pytest.raises(Busy, match="2 requests are waiting"):
            await made.run("analyze", EASY)
        os.kill(worker, signal.SIGCONT)
        assert [status for status, _ in await asyncio.gather(*asked)] == [200] * 3


@waits_for
async def test_memory_is_bounded() -> None:
    tight = Allowance(workers=1, waiting=2, bytes=1 << 20)
    made = Pool(Settings(quick=tight, slow=tight))
    try:
        status, document = await made.run("analyze", HARD)
        assert status == 504
        assert "bytes" in json.loads(document)["error"]["message"]
    finally:
        await made.close()
