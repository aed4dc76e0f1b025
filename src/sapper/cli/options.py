"""From functions to commands: options that several share, groups that load what is asked for."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from difflib import get_close_matches
from functools import wraps
from typing import Annotated, Any, Final, TypeAlias

import typer
from typer.core import TyperGroup

from sapper.cli.failures import guarded

__all__ = ["BoardName", "Command", "Json", "Rows", "RuleName", "group", "help_text", "taking"]

Command: TypeAlias = Callable[..., None] | typer.Typer
Rows: TypeAlias = Mapping[str, Callable[[], Command]]
"""The commands of a group by name, each behind a function that loads it."""

BoardName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--board",
        metavar="B",
        help="beginner, intermediate, expert or [TOPOLOGY:]HEIGHTxWIDTH/MINES.",
    ),
]
RuleName: TypeAlias = Annotated[
    str, typer.Option("--rule", metavar="R", help="Start rule: any, safe or zero.")
]
Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON document instead of text.")
]

# Panels are for people; a pipe gets plain help.
_STYLE: Final[Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": "rich" if sys.stdout is not None and sys.stdout.isatty() else None,
}


def group(rows: Rows, callback: Callable[..., None], **settings: Any) -> typer.Typer:
    """Return a group of commands that imports only those that are asked for.

    Parameters
    ----------
    rows
        The table of its commands, in the order of the help.
    callback
        Takes the options of the group itself; its docstring is the help.
    settings
        What typer takes besides.
    """

    class Loading(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(rows)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            return _command(cmd_name, rows[cmd_name]()) if cmd_name in rows else None

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            near = get_close_matches(args[0][:40], rows, 1)
            if args[0] not in rows and near:
                ctx.fail(f"No such command {args[0][:40]!r}, did you mean {near[0]!r}?")
            return super().resolve_command(ctx, args)

    app = typer.Typer(cls=Loading, **{"add_completion": False, **_STYLE, **settings})
    app.callback(help=help_text(callback))(callback)
    return app


def _command(name: str, made: Command) -> Any:
    if not isinstance(made, typer.Typer):
        app = typer.Typer(add_completion=False, **_STYLE)
        app.command(name, help=help_text(made))(made)
        made = app
    found = typer.main.get_command(made)
    found.name = name
    # The list of commands shows the whole first sentence, which typer would cut to one line.
    found.short_help = (found.help or "").split("\n\n")[0]
    return found


def taking(
    kind: type[Any], command: Callable[..., None], *, without: Collection[str] = ()
) -> Callable[..., None]:
    """Give a command the options that a dataclass lists.

    The command takes them first, as one value, and its own options after it. Its help begins with
    the first field of the dataclass, which is an argument; then comes what is special about the
    command. Errors become one line and an exit code.

    Parameters
    ----------
    kind
        The dataclass; its fields are annotated for typer.
    command
        The command.
    without
        Fields that are no options of this command: they keep their defaults.
    """
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    names = [field.name for field in fields(kind) if field.name not in without]
    known = inspect.signature(kind, eval_str=True).parameters
    shared = [known[name] for name in names]

    @wraps(command)
    def run(**values: Any) -> None:
        given = kind(**{name: values.pop(name) for name in names})
        with guarded():
            command(given, **values)

    parameters = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in sorted([*own, *shared], key=lambda p: p.default is not p.empty)
    ]
    parameters.sort(key=lambda p: p.name != names[0])
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {}
    del run.__wrapped__
    return run


def help_text(command: Callable[..., None]) -> str:
    """Return the docstring of a command as help: text in paragraphs, examples line by line."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    # A backspace tells typer to leave the lines of a paragraph alone.
    return "\n\n".join(
        f"\b\n{text}" if text.startswith("For example:") else " ".join(text.split())
        for text in paragraphs
    )
