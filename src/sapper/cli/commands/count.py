"""`sapper count`: how many legal assignments there are."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from sapper import analysis, answers
from sapper.answers import digits
from sapper.cli.patience import Patience
from sapper.cli.screen import Screen, emit
from sapper.cli.task import Task, counter, question
from sapper.render import amount, plural

_ROWS: Final = 40
_BAR: Final = 30
_EIGHTHS: Final = ("", *"▏▎▍▌▋▊▉")


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
    puzzle = task.puzzle
    with Patience("counting") as patience:
        solver = task.solver(patience)
        asked: Any = {"method": solver, "limits": task.limits}
        counts = analysis.count_by_mines(puzzle, **asked) if by_mines else None
        if counts is None:
            number = analysis.count(puzzle, **asked)
        elif puzzle.mines is None:
            number = sum(counts.values())
        else:
            number = counts.get(puzzle.mines, 0)
    if task.json:
        emit(answers.count(number, counts, method=counter(solver), seconds=patience.seconds))
    else:
        _show(task.screen, number, counts, puzzle.mines)


def _show(screen: Screen, number: int, counts: dict[int, int] | None, total: int | None) -> None:
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
    screen.table(("mines", "assignments", ""), rows, right=("mines", "assignments"))
    hidden = len(numbers) - len(shown)
    if hidden:
        screen.say(f"… and {plural(hidden, 'other number')} of mines; --json lists all", "dim")
