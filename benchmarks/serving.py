"""The page's server under load: many who ask for little, and some who ask for too much."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Sequence

from benchmarks.clients import Asked, asked, expert, held, hopeless, pressed, running, spent
from benchmarks.harness import Options, Report, busy

CLIENTS = 50
HOPELESS = 20


def _at(share: float, seconds: Sequence[float]) -> float:
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _row(what: str, found: Sequence[Asked], memory: int, cpu: float | None) -> list[str]:
    seconds = [one.seconds for one in found]
    statuses = ", ".join(
        f"{n} × {status}" for status, n in Counter(o.status for o in found).items()
    )
    times = [f"{_at(share, seconds) * 1000:.0f} ms" for share in (0.5, 0.95, 0.99)]
    each = "" if cpu is None else f"{cpu / len(found) * 1000:.1f} ms"
    return [what, f"{len(found):,}", statuses, *times, each, f"{memory >> 20} MiB"]


async def _loaded(seconds: float) -> tuple[list[list[str]], list[dict[str, object]]]:
    boards = expert(100)
    rows, raw = [], []

    def note(what: str, found: list[Asked], memory: int, cpu: float | None = None) -> None:
        rows.append(_row(what, found, memory, cpu))
        times = [round(one.seconds, 4) for one in found]
        raw.append({"what": what, "seconds": times, "memory": memory, "cpu": cpu})

    async with running() as (port, process):
        end, before = time.monotonic() + seconds, spent(process.pid)
        found = await pressed(port, CLIENTS, boards, lambda: time.monotonic() < end)
        cpu = spent(process.pid) - before
        note(f"{CLIENTS} clients, Expert boards", found, held(process), cpu)

        wishes = [hopeless(seed=seed) for seed in range(HOPELESS)]
        waiting = asyncio.gather(*(asked(port, "analyze", one) for one in wishes))
        light = await pressed(port, 2, boards, lambda: not waiting.done())
        hard = await waiting
        assert all("limit" in json.loads(one.body)["error"]["message"] for one in hard)
        note(f"{HOPELESS} hopeless boards at once", hard, held(process))
        note("2 clients meanwhile, Expert boards", light, held(process))
    return rows, raw


def run(options: Options) -> Report:
    """Press the server on the loopback."""
    seconds = 3.0 if options.quick else 30.0
    rows, raw = asyncio.run(_loaded(seconds))
    return Report(
        name="serving",
        title="The server of the page under load",
        text=f"`sapper serve` on the loopback, for {seconds:g} s: {CLIENTS} clients each ask for"
        " one Expert board after the other, as soon as they have an answer. Then"
        f" {HOPELESS} boards that nobody can answer come at once, while others go on asking."
        " Clients and server share the cores. Times are by the clock, as a user waits; the CPU is"
        " that of the server with its workers for one request.",
        columns=["who", "requests", "statuses", "median", "95 %", "99 %", "CPU", "memory after"],
        rows=rows,
        raw=raw,
        packages=["starlette", "uvicorn"],
        remarks=["504 is the message that a limit was hit.", busy()],
    )
