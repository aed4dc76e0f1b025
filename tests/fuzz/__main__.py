"""Fuzz the engine until told to stop: ``python -m tests.fuzz [--seed N] [--seconds S]``.

Random puzzles go to a child process that compares the engine with the oracle. When the child
reports a difference, crashes or hangs, the puzzle is shrunk while it still does, and kept in
``tests/regressions``, where `make test` tries it for ever after.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import random
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from tests.fuzz.cases import Document, random_document, smaller

ROOT = Path(__file__).resolve().parent.parent.parent
KEPT = ROOT / "tests" / "regressions"
PATIENCE = 60.0
"""Seconds after which a case of a few cells counts as hanging."""


class Judge(Protocol):
    """Whoever says what is wrong."""

    def judge(self, document: Document) -> str | None:
        """Return what is wrong with the engine's answers, or None."""


class Child:
    """A judge in a process of its own, started again when it dies."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        site = ["-S"] if sys.flags.no_site else []
        self._command = command or [sys.executable, *site, "-m", "tests.fuzz.child"]
        self._process: subprocess.Popen[bytes] | None = None

    def judge(self, document: Document) -> str | None:
        """Return what is wrong with the engine's answers, or None."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(document).encode() + b"\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        line = process.stdout.readline() if ready else b""
        if not line:
            self.stop()
            return f"crash, exit code {process.returncode}" if ready else f"hangs for {PATIENCE} s"
        verdict: str = json.loads(line)
        return verdict if verdict.startswith("wrong") else None

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            process, self._process = self._process, None
            try:
                process.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            # The sanitizers' run-time must be there before Python is; only the child wants it.
            preload = os.environ.get("SAPPER_FUZZ_PRELOAD")
            environment = {**os.environ, "LD_PRELOAD": preload} if preload else None
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        return self._process


def shrink(document: Document, child: Judge) -> Document:
    """Return a smaller document that still fails, with none of its neighbours failing."""
    while True:
        for candidate in smaller(document):
            if child.judge(candidate):
                document = candidate
                break
        else:
            return document


def keep(document: Document) -> Path:
    """Write a document where the tests find it."""
    text = json.dumps(document, indent=1) + "\n"
    name = hashlib.sha256(text.encode()).hexdigest()[:12]
    KEPT.mkdir(exist_ok=True)
    path = KEPT / f"{name}.json"
    path.write_text(text, encoding="utf-8")
    return path


def main() -> int:
    """Run until the time is over or Ctrl-C; the exit code is 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, help="begin here instead of at a random seed")
    parser.add_argument("--seconds", type=float, help="stop after this time")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().getrandbits(32)
    print(f"fuzzing from seed {seed}; Ctrl-C ends it", flush=True)
    child, found, tried = Child(), 0, 0
    started = shown = time.monotonic()
    try:
        for number in itertools.count(seed):
            document = random_document(random.Random(number))
            complaint = child.judge(document)
            tried += 1
            if complaint:
                print(f"seed {number}: {complaint}", flush=True)
                print("kept in", keep(shrink(document, child)).relative_to(ROOT), flush=True)
                found += 1
            now = time.monotonic()
            if now - shown > 10:
                print(f"{tried} tried, {found} found, {now - started:.0f} s", flush=True)
                shown = now
            if arguments.seconds is not None and now - started > arguments.seconds:
                break
    except KeyboardInterrupt:
        pass
    finally:
        child.stop()
    print(f"{tried} tried, {found} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
