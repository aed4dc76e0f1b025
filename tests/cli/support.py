"""Run the command line in this process, or as a real program on a pipe or a terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sapper.cli import main

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "import sys; from sapper.cli import main; sys.exit(main())"]


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def answer(self) -> Any:
        """The document without what every answer has."""
        document = self.json
        assert document.pop("seconds") >= 0
        assert document.pop("method") in ("engine", "sat")
        return document


class Shell:
    """Runs commands in this process, in a directory of their own."""

    def __init__(
        self, folder: Path, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
    ) -> None:
        self.folder = folder
        self._capture = capture
        self._patch = patch

    def __call__(self, *arguments: object, stdin: str | bytes = b"") -> Done:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        self._capture.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = self._capture.readouterr()
        return Done(code, out, err)

    def file(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path


def clean_environment(**extra: str) -> dict[str, str]:
    """Return an environment in which nothing forces or forbids colour."""
    unwanted = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE"}
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    source = os.pathsep.join(path for path in sys.path if path)
    return {**kept, "PYTHONPATH": source, "PYTHONIOENCODING": "utf-8", **extra}


def piped(*arguments: object, **extra: str) -> Done:
    """Run the program with its output in pipes."""
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        env=clean_environment(**extra),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def on_terminal(*arguments: object, typed: bytes = b"", **extra: str) -> Done:
    """Run the program on a terminal of 80 columns; both outputs go there."""
    ours, theirs = pty.openpty()
    environment = clean_environment(
        TERM="xterm-256color", COLORTERM="truecolor", COLUMNS="80", LINES="24", **extra
    )
    with subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        env=environment,
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as program:
        os.close(theirs)
        os.write(ours, typed)
        seen = bytearray()
        while select.select([ours], [], [], 60)[0]:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # how Linux says that the other side is gone
                break
            if not chunk:
                break
            seen += chunk
        code = program.wait(60)
    os.close(ours)
    return Done(code, seen.decode().replace("\r\n", "\n"), "")
