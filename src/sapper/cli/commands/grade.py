"""`sapper grade`: how hard a full board is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sapper import answers
from sapper.answers import cell_name, cell_named
from sapper.cli.patience import Patience
from sapper.cli.screen import emit
from sapper.cli.task import Task, UsageError, question
from sapper.errors import GameError, SapperError
from sapper.field import Position
from sapper.render import plural

if TYPE_CHECKING:
    from sapper.play import Grade


@question
def grade(
    task: Task,
    start: Annotated[
        str | None,
        typer.Option(
            "--start",
            metavar="R,C",
            help="The first dig; if not given that of the file, or in the largest opening.",
        ),
    ] = None,
) -> None:
    """Tell how hard a full board is, and where it needs a guess.

    The level comes from the hardest deduction that cannot be avoided: how many numbers it takes
    to force a cell. trivial: one; easy: two, or a look at the number of mines; tricky: three;
    hard: four or five; fiendish: more.

    For example:
      sapper generate --board expert --no-guess | sapper grade
      sapper grade board.txt --start 0,0
      sapper grade board.txt --json
    """
    from sapper import play
    from sapper.game import Layout

    puzzle = task.puzzle
    if not isinstance(puzzle, Position):
        raise UsageError("this is a system of clues, not a full board")
    try:
        layout = Layout.from_position(puzzle)
    except GameError as error:
        raise UsageError(f"{task.source}: {error}") from None
    try:
        if start is not None:
            first = cell_named(puzzle, start)
        elif task.reading.start is not None and task.reading.start not in layout.mines:
            first = task.reading.start
        else:
            first = play.usual_start(layout)
    except SapperError as error:
        raise UsageError(f"--start: {error}") from None
    with Patience("grading"):
        found = play.grade(layout, first, limits=task.limits)
    if task.json:
        emit(answers.grade(found, first))
        return
    screen, board = task.screen, play.metrics(layout)
    screen.say(f"{layout.board}, start {cell_name(first)}: {found.level}", "bold")
    screen.say(describe(found))
    for size, times in found.steps.items():
        screen.say(f"  {plural(times, 'deduction')} from {size} numbers")
    if found.guesses:
        screen.say(f"guesses: {'  '.join(map(cell_name, found.guessed))}", hang=9)
    screen.say(
        f"3BV {board.three_bv}, {plural(board.openings, 'opening')},"
        f" {plural(board.islands, 'island')}, ZiNi {board.zini}",
        "dim",
    )


def describe(found: Grade) -> str:
    """Return a grade in words."""
    if found.hardest_core <= 1:
        words = "single numbers say everything"
    else:
        words = f"the hardest deduction takes {found.hardest_core} numbers"
    if found.k is None:
        words += ", k-set search misses some"
    elif found.k > 1:
        words += f", k-set search finds all with k = {found.k}"
    if found.uses_total:
        words += ", the number of mines is needed"
    guesses = plural(found.guesses, "guess") if found.guesses < 2 else f"{found.guesses} guesses"
    return f"{words}, {'no guess' if not found.guesses else guesses}"
