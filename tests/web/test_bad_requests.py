"""What no page would send: mutated, huge, slow and deep requests, and clients that go away."""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.clients import Asked, Client, asked, hopeless, running

from sapper.limits import Limits
from sapper.web.answering import Job, answer
from tests.web.serving import POSITION, PROGRAM, TEXT
from tests.web.test_pool import workers
from tests.web.test_tasks import ASKED, CLUES, GRAPH

STATUSES = {200, 400, 413, 422, 504}


def mutated(body: bytes, rng: random.Random) -> bytes:
    """Return a request with something wrong in it, mostly."""
    made = bytearray(body)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(made) + 1)
        match rng.randrange(7):
            case 0:
                made[at:at] = rng.choice((b"{", b"[", b'"', b"}", b"null", b",", b"\xff", b"\0"))
            case 1:
                del made[at : at + rng.randrange(1, 9)]
            case 2:
                made[at : at + 1] = bytes([rng.randrange(256)])
            case 3:
                made[at:at] = str(rng.choice((-1, 0, 9, 10**6, 10**30, 1e308))).encode()
            case 4:
                end = min(len(made), at + rng.randrange(40))
                made[at:at] = made[at:end] * rng.choice((1, 3, 50))
            case 5:
                made = made[:at]
            case 6:
                words = (b"labels", b"clues", b"text", b"mines", b"kind", b"cell", b"position")
                old, new = rng.choice(words), rng.choice((*words, b"x"))
                made = bytearray(bytes(made).replace(old, new, 1))
    return bytes(made)


def cases(number: int, seed: int) -> Iterator[tuple[str, bytes]]:
    rng = random.Random(seed)
    bases = [(task, json.dumps(body).encode()) for task, body in ASKED]
    bases += [("explain", json.dumps({"position": one}).encode()) for one in (GRAPH, CLUES)]
    for _ in range(number):
        task, body = rng.choice(bases)
        yield task, mutated(body, rng)


def test_mutated_requests_get_an_answer_or_a_sentence() -> None:
    limits = Limits(seconds=2, bytes=64 << 20)
    refused = 0
    for task, body in cases(4700, seed=1):
        status, found = answer(Job(task, body, limits, cells=10_000))
        assert status in STATUSES, (task, body, found[:500])
        document = json.loads(found)
        if status != 200:
            refused += 1
            assert set(document["error"]) == {"kind", "message", "place"}, (task, body)
            assert document["error"]["kind"] != "internal", (task, body, document)
            assert "\n" not in document["error"]["message"], (task, body, document)
    assert refused > 1000


def sent(port: int, data: bytes) -> bytes:
    """Send bytes as they are, and return what comes until the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(data)
        found = b""
        while part := connection.recv(65536):
            found += part
        return found


def post(port: int, body: bytes, *, host: str = "127.0.0.1", more: str = "") -> bytes:
    head = f"POST /api/analyze HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n{more}"
    if "encoding" not in more and "Length" not in more:
        head += f"Content-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


async def _all_of_it() -> None:
    program = (
        "from sapper.web import Settings, serve\n"
        "serve(0, settings=Settings(seconds=60, patience=1.0, body=100_000),"
        " say=lambda line: print(line, flush=True))"
    )
    async with running((sys.executable, "-c", program)) as (port, process):
        client = Client(port)

        async def status(data: bytes) -> int:
            found = await asyncio.to_thread(sent, port, data)
            assert b"Traceback" not in found
            return int(found.split()[1])

        for task, body in cases(300, seed=2):
            found = await client.ask(task, body)
            assert found.status in STATUSES, (task, body, found)
        await client.close()  # before the server does, which hangs up on the idle
        body = json.dumps(POSITION).encode()
        assert await status(post(port, body)) == 200
        assert await status(post(port, body, host="localhost")) == 200
        assert await status(post(port, body, host="evil.example")) == 403
        assert await status(post(port, body, host="127.0.0.1.evil.example")) == 403
        assert await status(post(port, body, more="Origin: http://evil.example\r\n")) == 403
        assert await status(post(port, body, more=f"Origin: http://127.0.0.1:{port}\r\n")) == 200
        assert await status(post(port, b"[" * 99_999)) == 400
        # Huge, said before or found out on the way.
        assert await status(post(port, b"", more="Content-Length: 100001\r\n")) == 413
        chunk = b"186a1\r\n" + b" " * 100_001 + b"\r\n0\r\n\r\n"
        assert await status(post(port, chunk, more="Transfer-encoding: chunked\r\n")) == 413
        # Slow: nothing comes, or something but never all of it.
        assert await status(post(port, b"{", more="Content-Length: 10\r\n")) == 408
        # No HTTP at all.
        assert await status(b"nonsense\r\n\r\n") == 400
        assert await status(post(port, body).replace(b"Host", b"Most")) in (400, 403)

        # Who goes away takes the work along.
        hard = asyncio.create_task(client.ask("analyze", hopeless()))
        await asyncio.wait_for(_found(process.pid, 3), 60)
        hard.cancel()
        await asyncio.gather(hard, return_exceptions=True)
        await client.close()
        assert await asyncio.wait_for(_idle(process.pid), 60)

        # Ctrl-C in the middle of work, which `running` sends, ends all processes.
        left = [asyncio.create_task(asked(port, "analyze", hopeless())) for _ in range(3)]
        await asyncio.wait_for(_working(process.pid), 60)
        children = workers(process.pid)
    assert process.returncode == 0
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
    await asyncio.gather(*left, return_exceptions=True)


async def _found(parent: int, number: int) -> None:
    while len(workers(parent)) < number:
        await asyncio.sleep(0.05)


def _spent(parent: int) -> int:
    """Return the clock ticks that all workers have spent."""
    total = 0
    for child in workers(parent):
        words = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        total += int(words[11]) + int(words[12])
    return total


async def _idle(parent: int) -> bool:
    """Wait until the workers have done nothing for some time."""
    before = -1
    while (now := _spent(parent)) != before:
        before = now
        await asyncio.sleep(1)
    return True


async def _working(parent: int) -> None:
    before = _spent(parent)
    while _spent(parent) < before + 10:
        await asyncio.sleep(0.05)


def test_no_request_breaks_the_server() -> None:
    asyncio.run(_all_of_it())


def test_many_at_once_all_get_their_answer() -> None:
    """The load run of benchmarks/serving.py, short and without a clock."""
    program = (
        "from sapper.web import Settings, serve\n"
        "serve(0, settings=Settings(seconds=60), say=lambda line: print(line, flush=True))"
    )

    def limited(seed: int) -> bytes:
        position = json.loads(hopeless(seed=seed))
        return json.dumps({"position": position, "limits": {"seconds": 0.5}}).encode()

    async def press() -> tuple[list[Asked], list[Asked]]:
        async with running((sys.executable, "-c", program)) as (port, _):
            hard = [asked(port, "analyze", limited(seed)) for seed in range(6)]
            bodies = [json.dumps({"text": TEXT}).encode(), json.dumps(POSITION).encode()]
            light = [asked(port, "analyze", bodies[n % 2]) for n in range(60)]
            found = await asyncio.gather(*hard, *light)
            return found[:6], found[6:]

    hard, light = asyncio.run(press())
    assert [one.status for one in light] == [200] * 60
    assert [one.status for one in hard] == [504] * 6
    assert all(b"of 0.5 allowed" in one.body for one in hard), hard


def _run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *arguments], capture_output=True, text=True, timeout=120, **options
    )


def test_a_port_that_is_taken_is_said_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = _run("serve", "--port", str(port))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert f"port {port} is taken" in done.stderr
    done = _run("serve", "--port", "70000")
    assert done.returncode == 2
    assert "port" in done.stderr


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_a_missing_extra_is_named(missing: str, tmp_path: Path) -> None:
    blocker = tmp_path / "sitecustomize.py"
    blocker.write_text(f"import sys\nsys.modules[{missing!r}] = None\n")
    done = _run("serve", env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 2
    assert "pip install 'sapper[web]'" in done.stderr
    assert done.stderr.count("\n") == 1
