"""The program: its commands, and how it begins and ends."""

from __future__ import annotations

import importlib.metadata
import os
import re
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from sapper.cli.failures import BROKEN_PIPE, WRONG, close_quietly, complain, usage_error
from sapper.cli.options import Command, group

__all__ = ["COMMANDS", "build", "run"]

COMMANDS: Final = (
    "analyze",
    "explain",
    "check",
    "count",
    "solutions",
    "sample",
    "cheapest",
    "unique",
    "estimate",
    "decompose",
    "convert",
    "play",
    "review",
    "generate",
    "grade",
    "tournament",
    "serve",
    "puzzles",
    "lab",
)
"""The table of commands: each is what its module in `sapper.cli.commands` calls by that name."""

_EPILOG: Final = """\
Exit codes: 0 done · 1 the answer is no · 2 wrong input or usage · 3 a limit was hit.
"""
# A cell above the board looks like an option: parentheses keep it from being taken for one.
_CELL: Final = re.compile(r"-[0-9]+(,-?[0-9]+)+")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"sapper {importlib.metadata.version('sapper')}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Exact answers about minefields: what is certain, how likely, how many.

    Commands that ask about a position read a FILE, or what a pipe brings. On a terminal you get
    colours; in a pipe plain text; with --json one JSON document.

    For example:
      sapper analyze board.txt               where are the mines?
      sapper explain board.txt 3,4           why is this cell safe?
      sapper count board.txt --mines 99      how many legal assignments?
      sapper check < board.txt               is it consistent? (exit code 0 or 1)
      sapper COMMAND --help                  more about one command
    """


def _load(name: str) -> Command:
    made: Command = getattr(import_module(f"sapper.cli.commands.{name}"), name)
    return made


def build() -> typer.Typer:
    """Return the program with all its commands."""
    return group(
        {name: partial(_load, name) for name in COMMANDS},
        _program,
        name="sapper",
        add_completion=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog=_EPILOG,
    )


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    # Counts have as many digits as they have; the program's own limits guard its time.
    sys.set_int_max_str_digits(0)
    # A stream that was closed before we began is one that nobody reads.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    given = [
        f"({word})" if _CELL.fullmatch(word) else word
        for word in (sys.argv[1:] if arguments is None else arguments)
    ]
    command = typer.main.get_command(build())
    try:
        code = command(args=given or ["--help"], prog_name="sapper", standalone_mode=False)
    except usage_error() as error:
        complain(_usage(error))
        return WRONG
    except typer.Abort:
        return 130
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        close_quietly()
        return BROKEN_PIPE
    except OSError as error:
        close_quietly()
        complain(f"standard output: {(error.strerror or str(error)).lower()}")
        return WRONG
    return code if isinstance(code, int) else 0


# Typer says the same in other words from version to version.
_WORDS: Final = {
    r"^Value error, ": "",
    r"^Input should be": "must be",
    r", unable to parse .*": "",
    r"a valid integer( range)?|an integer": "a whole number",
    r"a valid (float|number)( range)?": "a number",
}


def _usage(error: Any) -> str:
    """Return one line about wrong usage in the style of all others, and where to read more."""
    message = str(getattr(error, "message", None) or error).strip().rstrip(".")
    for theirs, ours in _WORDS.items():
        message = re.sub(theirs, ours, message)
    message = f"{message[0].lower()}{message[1:]}"
    parameter = getattr(error, "param", None)
    if parameter is not None:
        name = parameter.metavar if parameter.param_type_name == "argument" else parameter.opts[-1]
        missing = type(error).__name__ == "MissingParameter"
        message = f"{name} is missing" if missing else f"{name}: {message}"
    # Nobody wants to read a mistake of a thousand letters again.
    message = re.sub(r"'([^']{56})[^']{4,}'", r"'\1…'", message)
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "sapper")
    return f"{message} ('{path} --help' explains)"
