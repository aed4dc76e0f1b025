"""Look for what is wrong until told to stop: ``python -m tests.fuzz [--seed N] [--seconds S]``.

Cases of every part (`tests.fuzz.parts`) go to a child process, and the core is searched by its own
program if that is built (``make fuzz`` does). When a child reports a fault, crashes or hangs, a
puzzle is shrunk while it still does, and kept in ``tests/regressions``, where `make test` tries it
for ever after; anything else is named by its seed.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from tests.fuzz.parts import PARTS

ROOT: Final = Path(__file__).resolve().parent.parent.parent
KEPT: Final = ROOT / "tests" / "regressions"
CORE: Final = ROOT / "build" / "core-sanitized" / "fuzz"
PATIENCE: Final = 300.0
"""Seconds after which a case of a few cells counts as hanging, also on a busy machine."""
ROUND: Final = 60.0
"""Seconds for each part before the next has its turn, if there is no end."""


class Judge(Protocol):
    """Whoever says what is wrong."""

    def judge(self, part: str, case: Any) -> tuple[str | None, int]:
        """Return what is wrong with a case, or None; and how many faults took effect."""


class Child:
    """A judge in a process of its own, started again when it dies."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        site = ["-S"] if sys.flags.no_site else []
        self._command = command or [sys.executable, *site, "-m", "tests.fuzz.child"]
        self._process: subprocess.Popen[bytes] | None = None

    def judge(self, part: str, case: Any) -> tuple[str | None, int]:
        """Return what is wrong with a case, or None; and how many faults took effect."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([part, case]).encode() + b"\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        line = process.stdout.readline() if ready else b""
        if not line:
            self.stop()
            end = f"crash, exit code {process.returncode}" if ready else f"hangs for {PATIENCE} s"
            return end, 0
        verdict, faults = json.loads(line)
        return (verdict if verdict.startswith("wrong") else None), faults

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


class Tally(NamedTuple):
    """How much was tried, and what came of it."""

    cases: int = 0
    faults: int = 0
    wrong: int = 0

    def plus(self, other: Tally) -> Tally:
        """Return both together."""
        return Tally(*(one + two for one, two in zip(self, other, strict=True)))


def shrink(case: Any, child: Judge, part: str = "puzzles") -> Any:
    """Return a smaller case that still fails, with none of its neighbours failing."""
    shrinking = PARTS[part].smaller
    if shrinking is None:
        return case
    while True:
        for candidate in shrinking(case):
            if child.judge(part, candidate)[0]:
                case = candidate
                break
        else:
            return case


def keep(document: Any) -> Path:
    """Write a puzzle where the tests find it."""
    text = json.dumps(document, indent=1) + "\n"
    name = hashlib.sha256(text.encode()).hexdigest()[:12]
    KEPT.mkdir(exist_ok=True)
    path = KEPT / f"{name}.json"
    path.write_text(text, encoding="utf-8")
    return path


def search(part: str, first: int, seconds: float) -> Tally:
    """Try the cases of a part from a seed on, for some time."""
    child, tally = Child(), Tally()
    started = time.monotonic()
    try:
        for seed in itertools.count(first):
            case = PARTS[part].make(seed)
            complaint, faults = child.judge(part, case)
            tally = tally.plus(Tally(1, faults, bool(complaint)))
            if complaint:
                print(f"{part}, seed {seed}: {complaint}", flush=True)
                if PARTS[part].smaller:
                    print("kept in", keep(shrink(case, child, part)).relative_to(ROOT), flush=True)
            if time.monotonic() - started > seconds:
                return tally
    finally:
        child.stop()
    return tally


def search_core(seed: int, seconds: float) -> Tally:
    """Let the program of the core search for some time."""
    command: list[str | Path] = [CORE, "--seed", str(seed), "--seconds", str(seconds)]
    command += ["--keep", KEPT]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    found = re.search(r"(\d+) tried, (\d+) limits and interrupts, (\d+) found", done.stdout)
    if not found:
        print(f"core: exit code {done.returncode}\n{done.stdout}", flush=True)
        return Tally(wrong=1)
    tally = Tally(*map(int, found.groups()))
    if tally.wrong:
        print(done.stdout, flush=True)
    return tally


def main() -> int:
    """Run until the time is over or Ctrl-C; the exit code is 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, help="begin here instead of at a random seed")
    parser.add_argument("--seconds", type=float, help="stop after this time, all parts together")
    parser.add_argument("--part", action="append", help="only this one; may be given again")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().getrandbits(32)
    parts = arguments.part or [*(["core"] if CORE.exists() else []), *PARTS]
    each = ROUND if arguments.seconds is None else arguments.seconds / len(parts)
    print(f"searching from seed {seed}, {each:.0f} s for each of {', '.join(parts)}", flush=True)
    tallies = dict.fromkeys(parts, Tally())
    try:
        for turn in itertools.count():
            for part in parts:
                begin = seed + turn * 10**6
                found = search_core(begin, each) if part == "core" else search(part, begin, each)
                tallies[part] = tallies[part].plus(found)
            if arguments.seconds is not None:
                break
            show(tallies)
    except KeyboardInterrupt:
        pass
    show(tallies)
    return 1 if any(tally.wrong for tally in tallies.values()) else 0


def show(tallies: dict[str, Tally]) -> None:
    """Print a table, as docs/trust.md has it."""
    print("| what | cases | faults injected | wrong |\n|---|--:|--:|--:|")
    for part, tally in tallies.items():
        print(f"| {part} | {tally.cases:,} | {tally.faults:,} | {tally.wrong:,} |")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
