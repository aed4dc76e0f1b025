"""Clients of the page's server: as little as it takes to ask over the loopback."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sapper import play

HEAD = "POST /api/{task} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {size}\r\n\r\n"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request that was answered: status, seconds by the clock, and the document."""

    status: int
    seconds: float
    body: bytes


class Client:
    """One connection to the server, kept open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, task: str, body: bytes) -> Asked:
        """Send a request and wait for the whole answer."""
        start = time.perf_counter()
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        head = HEAD.format(task=task, host=f"127.0.0.1:{self.port}", size=len(body))
        writer.write(head.encode() + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
        content = await reader.readexactly(int(fields["content-length"]))
        if fields.get("connection") == "close":
            await self.close()
        seconds = time.perf_counter() - start
        return Asked(status=int(lines[0].split()[1]), seconds=seconds, body=content)

    async def close(self) -> None:
        """Go away, whether an answer is under way or not."""
        if self._streams is not None:
            self._streams[1].close()
            with suppress(ConnectionError):
                await self._streams[1].wait_closed()
            self._streams = None


async def asked(port: int, task: str, body: bytes) -> Asked:
    """Send one request."""
    client = Client(port)
    try:
        return await client.ask(task, body)
    finally:
        await client.close()


@asynccontextmanager
async def running(program: Sequence[str] = ()) -> AsyncIterator[tuple[int, Process]]:
    """Run a server, by default `sapper serve`, and yield its port; Ctrl-C ends it."""
    ours = (str(Path(sys.executable).with_name("sapper")), "serve", "--port", "0")
    process = await asyncio.create_subprocess_exec(*(program or ours), stdout=PIPE)
    assert process.stdout is not None
    try:
        address = (await process.stdout.readline()).decode()
        yield int(address.rstrip("/\n").rpartition(":")[2]), process
        process.send_signal(signal.SIGINT)
        await asyncio.wait_for(process.wait(), 30)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def expert(number: int, seed: int = 1) -> list[bytes]:
    """Return positions of Expert games, early and late, as requests."""
    made = []
    rng = random.Random(seed)
    for game_seed in range(seed, seed + number):
        layout = play.random_layout("expert", start=(8, 8), rule="zero", seed=game_seed)
        game = play.Game(layout)
        game.dig((8, 8))
        free = [cell for cell in layout.topology.cells if cell not in layout.mines]
        for cell in rng.sample(free, rng.randrange(len(free) // 2)):
            if game.status == "playing" and cell not in game.uncovered:
                game.dig(cell)
        made.append(game.position.to("json").encode())
    return made


def hopeless(size: int = 100, seed: int = 1) -> bytes:
    """Return a board that no method answers in seconds: every second row of a crowded field."""
    layout = play.random_layout(f"{size}x{size}/{size * size * 2 // 5}", seed=seed)
    numbers = layout.numbers
    rows = [
        "".join(
            str(numbers[row, column]) if row % 2 == 0 and (row, column) in numbers else "?"
            for column in range(size)
        )
        for row in range(size)
    ]
    return json.dumps({"labels": rows, "mines": sum(layout.mined)}).encode()


async def pressed(
    port: int, clients: int, bodies: Sequence[bytes], more: Callable[[], bool]
) -> list[Asked]:
    """Let clients ask one board after the other, each as soon as it has its answer."""

    async def one(number: int) -> list[Asked]:
        client, found = Client(port), list[Asked]()
        while more():
            found.append(await client.ask("analyze", bodies[(number + len(found)) % len(bodies)]))
        await client.close()
        return found

    return [one for found in await asyncio.gather(*map(one, range(clients))) for one in found]


def held(process: Process) -> int:
    """Return the memory of a server and its workers, in bytes; 0 where the system does not say."""
    total = 0
    with suppress(OSError):
        for status in Path("/proc").glob("[0-9]*/status"):
            with suppress(OSError):
                fields: dict[str, Any] = dict(
                    line.split(":", 1) for line in status.read_text().splitlines() if ":" in line
                )
                if process.pid in (int(fields["Pid"]), int(fields["PPid"])):
                    total += int(fields.get("VmRSS", "0 kB").split()[0]) * 1024
    return total


def spent(server: int) -> float:
    """Return the processor's seconds that a server and its workers have taken."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = stat.read_text().rpartition(")")[2].split()
            if server in (int(stat.parent.name), int(words[1])):
                ticks += int(words[11]) + int(words[12])
    return ticks / os.sysconf("SC_CLK_TCK")
