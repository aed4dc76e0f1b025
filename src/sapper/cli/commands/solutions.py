"""`sapper solutions`: the legal assignments one by one."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from sapper import answers
from sapper.cli.failures import complain
from sapper.cli.patience import Patience
from sapper.cli.screen import emit
from sapper.cli.task import Task, UsageError, counter, question
from sapper.cli.worlds import show_worlds
from sapper.errors import TooWide
from sapper.render import amount, plural

if TYPE_CHECKING:
    from sapper.questions import Solutions

_LOOKED_AT: Final = 12
_LISTED: Final = 1000


def _counted(view: Solutions) -> int | None:
    """Return how many there are, unless nobody can tell: they can be listed all the same."""
    try:
        return view.count()
    except TooWide:
        return None


@question
def solutions(
    task: Task,
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help=f"List at most N; 0 for all. By default {_LOOKED_AT} on a terminal, else"
            f" {_LISTED:,}.",
        ),
    ] = None,
    dot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the reduced ZDD of all of them as DOT."),
    ] = None,
) -> None:
    """List the legal assignments one by one.

    Each is shown by its mined cells. They come in a fixed order, as they are found; nothing
    is kept in memory.

    For example:
      sapper solutions board.txt --limit 5
      sapper solutions board.txt --limit 0 | wc -l
      sapper solutions board.txt --json
      sapper solutions board.txt --dot zdd.dot && dot -Tsvg zdd.dot -o zdd.svg
    """
    if limit is not None and limit < 0:
        raise UsageError(f"--limit: {limit} is negative")
    puzzle, screen = task.puzzle, task.screen
    with Patience("solving") as patience:
        solver = task.solver(patience)
        view = task.solutions(solver)
        # A method that does not count would have to list them all first.
        number = _counted(view) if "count" in solver.answers else None
        if dot is not None:
            dot.write_text(view.zdd().to_dot(), encoding="utf-8")
    if limit is None:
        limit = _LOOKED_AT if screen.is_terminal and not task.json else _LISTED
    listed = iter(view) if limit == 0 else islice(view, min(limit, sys.maxsize))
    if task.json:
        seconds, name = patience.seconds, counter(solver)
        emit(answers.solutions(puzzle, listed, number, method=name, seconds=seconds))
        return
    shown = show_worlds(screen, puzzle, listed)
    if number is None and limit and shown == limit:
        more = f"{plural(shown, 'solution')}, and there may be more"
    elif number is not None and shown < number:
        more = f"{shown:,} of {amount(number)} solutions"
    else:
        # In a pipe all lines are solutions: there is something to add only where there is none.
        if screen.is_terminal:
            screen.say(plural(shown, "solution") if shown else "no solutions", "dim")
        elif not shown and number == 0:
            complain("no solutions")
        return
    words = f"{more}; --limit N lists more, --limit 0 all"
    if screen.is_terminal:
        screen.say(words, "dim")
    else:
        complain(words)
