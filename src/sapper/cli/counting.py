"""`sapper check` and `sapper count`: is there a legal assignment, and how many."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from sapper.cli.failures import NO
from sapper.cli.patience import Patience
from sapper.cli.screen import Screen, emit
from sapper.cli.task import Task, counter, question

__all__ = ["register"]

_ROWS: Final = 40
_BAR: Final = 30
_EIGHTHS: Final = ("", *"▏▎▍▌▋▊▉")


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command()(check)
    app.command()(count)


@question
def check(task: Task) -> None:
    """Tell whether there is a legal assignment at all.

    The exit code is 0 if there is one and 1 if not.

    For example:
      sapper check board.txt
      sapper check board.txt --mines 10 && echo possible
    """
    from sapper import answers
    from sapper.cli.show import problems
    from sapper.render.palette import MINE, SAFE, WHITE

    puzzle, screen = task.puzzle, task.screen
    with Patience("checking") as patience:
        solver = task.solver(patience)
        if solver.name == "auto":
            found = solver.analyze(puzzle, task.limits)
            consistent, name = found.consistent, getattr(found, "method", "engine")
        else:
            consistent, name = solver.is_consistent(puzzle, task.limits), solver.name
    if task.json:
        emit(answers.check(puzzle, consistent, method=name, seconds=patience.seconds))
    elif consistent:
        screen.say("consistent", f"bold {WHITE} on {SAFE}")
    else:
        screen.say("inconsistent", f"bold {WHITE} on {MINE}")
        problems(task)
    if not consistent:
        raise typer.Exit(NO)


@question
def count(
    task: Task,
    by_mines: Annotated[
        bool,
        typer.Option("--by-mines", help="Also for every number of mines, ignoring the total."),
    ] = False,
) -> None:
    """Count the legal assignments, exactly.

    In a pipe you get the number alone, and with --by-mines one line 'mines count' for
    every number of mines that is possible.

    For example:
      sapper count board.txt
      sapper count board.txt --mines 99 --json
      sapper count board.txt --by-mines
    """
    from sapper import answers

    puzzle = task.puzzle
    with Patience("counting") as patience:
        solver = task.solver(patience)
        counts = solver.count_by_mines(puzzle, task.limits) if by_mines else None
        if counts is None:
            number = solver.count(puzzle, task.limits)
        elif puzzle.mines is None:
            number = sum(counts.values())
        else:
            number = counts.get(puzzle.mines, 0)
    if task.json:
        emit(answers.count(number, counts, method=counter(solver), seconds=patience.seconds))
    else:
        _show(task.screen, number, counts, puzzle.mines)


def _show(screen: Screen, number: int, counts: dict[int, int] | None, total: int | None) -> None:
    from sapper.render.wording import amount, digits

    if not screen.is_terminal:
        if counts is None:
            screen.say(digits(number))
        for mines, ways in (counts or {}).items():
            screen.say(f"{mines} {digits(ways)}")
        return
    text = digits(number)
    screen.say(f"{number:,}" if len(text) < 31 else text, "bold")
    if len(text) >= 31:
        screen.say(f"≈ {amount(number)}, {len(text):,} digits", "dim")
    if counts:
        _chart(screen, counts, total)


def _chart(screen: Screen, counts: dict[int, int], total: int | None) -> None:
    """Print the counts by mines with a bar for each, around the largest if there are many."""
    from sapper.cli.show import table
    from sapper.render.wording import amount, plural

    numbers = list(counts)
    top = max(numbers, key=counts.__getitem__)
    first = max(0, min(numbers.index(top) - _ROWS // 2, len(numbers) - _ROWS))
    shown = numbers[first : first + _ROWS]
    most = counts[top]
    rows = []
    for mines in shown:
        # Integers all the way: these numbers leave the range of floats.
        whole, eighths = divmod(-(-8 * _BAR * counts[mines] // most), 8)
        bar = "█" * whole + _EIGHTHS[eighths]
        rows.append((str(mines), amount(counts[mines]), bar + " ← total" * (mines == total)))
    table(screen, ("mines", "assignments", ""), rows, right=("mines", "assignments"))
    hidden = len(numbers) - len(shown)
    if hidden:
        screen.say(f"… and {plural(hidden, 'other number')} of mines; --json lists all", "dim")
