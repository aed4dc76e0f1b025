"""A strategy in another process that speaks lines of JSON."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shlex
import shutil
import subprocess
import tempfile
import time
from typing import IO, TYPE_CHECKING, Any

from sapper.errors import GameError, expect, quoted
from sapper.field import cell_from_json
from sapper.formats import dump

if TYPE_CHECKING:
    from sapper.field import Cell
    from sapper.game import Board, StartRule
    from sapper.play.view import View

__all__ = ["External", "ExternalError"]

PROTOCOL = 1
_LONGEST = 1 << 22


class ExternalError(GameError):
    """A program that plays did not answer, or not as it should."""


class External:
    """A program that plays, started when it is first needed and again after it failed.

    It reads one JSON document a line from standard input and writes one a line to standard
    output. ``{"type": "hello", "protocol": 1}`` is answered by ``{"type": "hello", "name": …,
    "version": …}``; ``{"type": "game", "topology": …, "mines": …, "rule": …}`` starts a game and
    has no answer; ``{"type": "position", "labels": …}`` is answered by ``{"type": "dig", "cells":
    [[r, c], …]}``. An answer that is no such document, that comes too late, or the end of the
    process raises `ExternalError`, with the last words of its standard error.

    For one thread at a time, but for `kill`; `again` makes one for another.

    Parameters
    ----------
    command : str
        The program and its arguments, as a shell would split them; no shell is involved.
    seconds : float
        How long each answer may take.

    Raises
    ------
    GameError
        If no command can be read. Whether there is such a program, `require` tells.
    """

    def __init__(self, command: str, *, seconds: float = 10.0) -> None:
        expect(command, str, "a command is a text, as for a shell")
        expect(seconds, int | float, "seconds are a number")
        try:
            self._words = shlex.split(command)
        except ValueError as error:  # a quotation that does not end
            what = f"{error}".lower()
            raise GameError(f"exec: {quoted(command)} is no command: {what}") from None
        if not self._words:
            raise GameError("exec: needs a command")
        if not seconds > 0:
            raise GameError(f"seconds must be positive, not {seconds!r:.60}")
        self._command, self._seconds = command, seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._read = b""
        self.name = f"exec:{command}"
        self.version: str | None = None

    def require(self) -> None:
        """Raise if the program cannot be started on this machine.

        Raises
        ------
        GameError
            If there is none, or it is not executable.
        """
        program = self._words[0]
        if shutil.which(program) is not None:
            return
        if shutil.which(program, os.F_OK) is not None:
            raise GameError(f"exec: {quoted(program)} is not executable")
        raise GameError(f"exec: there is no program {quoted(program)} to start")

    def again(self) -> External:
        """Return another one of the same program, for another thread."""
        return External(self._command, seconds=self._seconds)

    def begin(self, board: Board, rule: StartRule | None) -> None:
        """Tell the program that a game begins."""
        self._start()
        self._send(
            {
                "type": "game",
                "topology": board.topology.spec(),
                "mines": board.mines,
                "rule": rule,
            }
        )

    def choose(self, view: View) -> list[Cell]:
        """Ask the program for cells to dig.

        Raises
        ------
        ExternalError
            If it does not answer as it should; it is ended then.
        """
        labels = json.loads(dump(view.position, "json"))["labels"]
        self._send({"type": "position", "labels": labels})
        answer = self._receive("dig")
        cells = answer.get("cells")
        if not isinstance(cells, list):
            raise self._failed('answered without a list of "cells"')
        return [cell_from_json(cell) for cell in cells]

    def kill(self) -> None:
        """End the program; for another thread than the one that plays, which learns of it."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the program."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
        if self._errors is not None:
            self._errors.close()
            self._errors = None
        self._read = b""

    def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        try:
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
            )
        except OSError as error:
            self.close()
            raise ExternalError(f"{self._command!r:.60} does not start: {error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        os.set_blocking(self._process.stdout.fileno(), False)
        self._send({"type": "hello", "protocol": PROTOCOL})
        hello = self._receive("hello")
        self.name = str(hello.get("name") or self.name)
        self.version = None if hello.get("version") is None else str(hello["version"])

    def _send(self, document: dict[str, Any]) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise ExternalError(f"{self._command!r:.60} is not running")
        data = json.dumps(document, separators=(",", ":")).encode() + b"\n"
        try:
            for _ in self._until_ready(process.stdin, selectors.EVENT_WRITE):
                data = data[os.write(process.stdin.fileno(), data) :]
                if not data:
                    return
        except OSError:
            raise self._failed("has ended") from None

    def _receive(self, kind: str) -> dict[str, Any]:
        process = self._process
        if process is None or process.stdout is None:
            raise ExternalError(f"{self._command!r:.60} is not running")
        line = b""
        for _ in self._until_ready(process.stdout, selectors.EVENT_READ):
            if b"\n" not in self._read:
                data = os.read(process.stdout.fileno(), 1 << 16)
                if not data:
                    raise self._failed("has ended")
                self._read += data
                if len(self._read) > _LONGEST:
                    raise self._failed("writes without end")
            if b"\n" in self._read:
                line, self._read = self._read.split(b"\n", 1)
                break
        try:
            answer = json.loads(line)
        except ValueError:
            raise self._failed(f"answered what is no JSON: {line[:60]!r}") from None
        if not isinstance(answer, dict) or answer.get("type") != kind:
            raise self._failed(f'should answer with "type": "{kind}", not {line[:60]!r}')
        return answer

    def _until_ready(self, pipe: IO[bytes], event: int) -> Any:
        """Yield whenever the pipe is ready, until the time for an answer is over."""
        end = time.monotonic() + self._seconds
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, event)
            while True:
                if event == selectors.EVENT_READ and b"\n" in self._read:
                    yield
                left = end - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise self._failed(f"gave no answer in {self._seconds:g} seconds")
                yield

    def _failed(self, what: str) -> ExternalError:
        words = ""
        if self._errors is not None:
            size = self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(0, size - 2000))
            lines = self._errors.read().decode(errors="replace").strip().splitlines()
            words = f"; its last words: {lines[-1][:200]}" if lines else ""
        self.close()
        return ExternalError(f"{self._command!r:.60} {what}{words}")

    def __repr__(self) -> str:
        return f"External({self._command!r})"
