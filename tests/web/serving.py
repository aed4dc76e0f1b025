"""A server in a process of its own, for tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

PROGRAM = str(Path(sys.executable).with_name("sapper"))
TEXT = "mines: 2\n1??\n12?\n_1?"
POSITION = {"labels": ["1??", "12?", "_1?"], "mines": 2}


@contextmanager
def served(
    *options: str, env: dict[str, str] | None = None
) -> Iterator[tuple[httpx.Client, subprocess.Popen[str]]]:
    """Run `sapper serve` and yield a client of it; Ctrl-C must end it."""
    with subprocess.Popen(
        [PROGRAM, "serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            with httpx.Client(base_url=address, timeout=60) as client:
                yield client, process
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()
