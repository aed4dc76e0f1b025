"""Options that several commands share, handed to each of them as one value."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from dataclasses import fields
from functools import wraps
from typing import Any

from sapper.cli.failures import guarded

__all__ = ["help_text", "taking"]


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
    run.__doc__ = help_text(command)
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
