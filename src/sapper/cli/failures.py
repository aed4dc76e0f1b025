"""From errors to one line on standard error and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

from sapper.cli import was_interrupted

__all__ = ["BROKEN_PIPE", "LIMIT", "NO", "WRONG", "complain", "guarded"]

NO: Final = 1
WRONG: Final = 2
LIMIT: Final = 3
BROKEN_PIPE: Final = 141
_CODES: Final = {"no": NO, "input": WRONG, "limit": LIMIT, "internal": 70}


def complain(message: str) -> None:
    """Print one line on standard error."""
    line = " ".join(message.split("\n"))
    shown = "".join(character if character.isprintable() else "\ufffd" for character in line)
    encoding = sys.stderr.encoding or "utf-8"
    print(f"sapper: {shown}".encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr)


@contextmanager
def guarded(source: str | None = None) -> Iterator[None]:
    """Turn every error into one line and an exit code; nobody gets to see a traceback.

    Parameters
    ----------
    source
        What is being read, to name it where an error does not.
    """
    try:
        yield
    except (typer.Exit, typer.Abort, KeyboardInterrupt):
        raise
    except BrokenPipeError:
        close_quietly()
        raise typer.Exit(BROKEN_PIPE) from None
    except Exception as error:
        if isinstance(error, usage_error()):
            raise
        if was_interrupted(error):
            raise KeyboardInterrupt from None
        from sapper import answers

        problem = answers.error(error, source)["error"]
        if problem["kind"] == "internal" and os.environ.get("SAPPER_TRACEBACK"):
            raise
        complain(problem["message"])
        raise typer.Exit(_CODES[problem["kind"]]) from None


def usage_error() -> type[Exception]:
    """Return the base of all errors of usage, wherever this version of typer keeps it."""
    named = (kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
    return next(named)


def close_quietly() -> None:
    """Give standard output a place to go, so that Python does not complain when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # not a real file, as in tests
        pass
    finally:
        os.close(nowhere)
