"""Replays of Arbiter (AVF), Viennasweeper (RMV), Metasweeper (EVF) and Clone (MVF).

They are read by ms_toollib, an extra (``python -m pip install 'sapper[replays]'``), in a process of
its own: a damaged file makes that library end its process. What it gives is the board and what the
mouse did; the moves follow from these by our own rules, and a file that does not fit them is
refused.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from sapper.errors import FormatError, pip_install, quoted
from sapper.field import Grid
from sapper.formats.boards import checked_sides
from sapper.formats.mouse import EVENTS, Mouse
from sapper.game import Game, Layout

__all__ = [
    "KINDS",
    "Library",
    "read_avf",
    "read_evf",
    "read_mvf",
    "read_rmv",
    "recognises_avf",
    "recognises_evf",
]

KINDS: Final = ("avf", "rmv", "evf", "mvf")
_LEVELS: Final = {3: (8, 8, 10), 4: (16, 16, 40), 5: (30, 16, 99)}


class Library:
    """The library in its process, which is started when asked; a context in which to read files."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._home: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def read(self, kind: str, content: bytes) -> Game:
        """Read a replay.

        Raises
        ------
        FormatError
            If the library is not installed, or cannot read it, or what it gives is no game.
        """
        if find_spec("ms_toollib") is None:
            raise FormatError(f"replays are read by ms_toollib: {pip_install('sapper[replays]')}")
        found = self._asked(kind, content)
        if "error" in found:
            why = quoted(found["error"]) if found["error"] else "ms_toollib gave up"
            raise FormatError(f"not a readable .{kind} file: {why}")
        return _played(kind, found)

    def _asked(self, kind: str, content: bytes) -> dict[str, Any]:
        """Return the library's answer."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        line = b""
        try:
            with suppress(BrokenPipeError):
                process.stdin.write(f"{kind} {len(content)}\n".encode() + content)
                process.stdin.flush()
            line = process.stdout.readline()
        finally:
            if not line:
                self._end()
        found: dict[str, Any] = json.loads(line) if line else {"error": ""}
        return found

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            # The library writes a log where it stands when it breaks off.
            self._home = tempfile.TemporaryDirectory(prefix="sapper-")
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("replay_child.py"))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self._home.name,
                start_new_session=True,
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            with suppress(BrokenPipeError):
                process.communicate()
        if self._home is not None:
            self._home.cleanup()
            self._home = None


def _played(kind: str, found: dict[str, Any]) -> Game:
    """Return the game that a board and the events of a mouse make."""
    rows = found["board"]
    height, width = len(rows), len(rows[0]) if rows else 0
    checked_sides(width, height)
    mined = bytes(number == -1 for row in rows for number in row)
    layout = Layout.from_bytes(Grid(height, width), mined)
    mouse = Mouse(layout)
    for event, row, column in found["events"]:
        if event not in EVENTS:
            raise FormatError(f"not a readable .{kind} file: unknown event {quoted(event)}")
        mouse.does(event, row, column)
    return mouse.game


def _read(kind: str, content: bytes) -> Game:
    with Library() as library:
        return library.read(kind, content)


read_avf = partial(_read, "avf")
read_rmv = partial(_read, "rmv")
read_evf = partial(_read, "evf")
read_mvf = partial(_read, "mvf")


def recognises_avf(content: bytes) -> bool:
    """Tell whether bytes are an Arbiter replay: its mines must be distinct cells of its board."""
    if len(content) < 30 or content[5] not in (3, 4, 5, 6):
        return False
    width, height, mines = _LEVELS.get(
        content[5], (content[6] + 1, content[7] + 1, int.from_bytes(content[8:10]))
    )
    start = 6 if content[5] in _LEVELS else 10
    pairs = content[start : start + 2 * mines]
    cells = set(zip(pairs[::2], pairs[1::2], strict=False))
    fits = all(1 <= row <= height and 1 <= column <= width for row, column in cells)
    return len(cells) == mines and fits


def recognises_evf(content: bytes) -> bool:
    """Tell whether bytes are a Metasweeper replay; no text begins with such a byte."""
    if len(content) < 40 or content[0] > 4:
        return False
    at = 3 if content[0] > 1 else 2
    height, width, mines = content[at], content[at + 1], int.from_bytes(content[at + 2 : at + 4])
    return 0 < mines < height * width
