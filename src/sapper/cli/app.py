"""The program: its commands, and how it begins and ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from sapper.cli import analyze, convert, counting, estimate, explain, lab, listing
from sapper.cli.failures import BROKEN_PIPE, WRONG, close_quietly, complain, usage_error
from sapper.cli.shared import help_text

__all__ = ["build", "run"]

_EPILOG = """\
Exit codes: 0 done · 1 the answer is no · 2 wrong input or usage · 3 a limit was hit.
"""


def _version(wanted: bool) -> None:
    if wanted:
        import sapper

        print(f"sapper {sapper.__version__}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Exact answers about minefields: what is certain, how likely, how many.

    Every command reads a FILE with a position, or standard input if it is -.
    On a terminal you get colours; in a pipe plain text; with --json one JSON document.

    For example:
      sapper analyze board.txt               where are the mines?
      sapper count board.txt --mines 99      how many legal assignments?
      sapper check - < board.txt             is it consistent? (exit code 0 or 1)
      sapper COMMAND --help                  more about one command
    """


def build() -> typer.Typer:
    """Return the program with all its commands."""
    app = typer.Typer(
        name="sapper",
        add_completion=True,
        pretty_exceptions_enable=False,
        # Panels are for people; a pipe gets plain help.
        rich_markup_mode="rich" if sys.stdout.isatty() else None,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog=_EPILOG,
    )
    app.callback(help=help_text(_program))(_program)
    for group in (analyze, explain, counting, listing, estimate, convert, lab):
        group.register(app)
    return app


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    # Counts have as many digits as they have; the program's own limits guard its time.
    sys.set_int_max_str_digits(0)
    # A stream that was closed before we began is one that nobody reads.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    given = list(sys.argv[1:] if arguments is None else arguments)
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


def _usage(error: Exception) -> str:
    """Return one line about wrong usage, and where to read more."""
    message = str(getattr(error, "format_message", error.__str__)()).strip().rstrip(".")
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "sapper")
    return f"{message} ('{path} --help' explains)"
