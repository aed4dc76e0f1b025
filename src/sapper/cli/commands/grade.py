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
from sapper.limits import Budget
from sapper.render import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sapper.cli.screen import Screen
    from sapper.field import Cell
    from sapper.formats import Reading
    from sapper.game import Layout
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
    hard: four or five; fiendish: more. A file with a board in each line gives a line for each.

    For example:
      sapper generate --board expert --no-guess | sapper grade
      sapper generate --board expert -n 100 | sapper grade
      sapper grade board.txt --start 0,0
      sapper grade board.txt --json
    """
    several = len(task.readings) > 1
    # All are looked at before the first is graded: nothing is said of a file with a bad board.
    boards = [_board(task, reading, start, several) for reading in task.readings]
    found = _graded(boards, Budget(task.limits))
    if not several:
        layout, first, made = next(found)
        if task.json:
            emit(answers.grade(made, first))
        else:
            _show(task.screen, layout, first, made)
    elif task.json:
        # Not while they are found: a limit would leave half a document.
        emit(answers.grades([(made, first) for _, first, made in found]))
    else:
        for number, (_, _, made) in enumerate(found, 1):
            task.screen.say(f"{number}: {made.level}; {describe(made)}", hang=4)


def _board(task: Task, reading: Reading, start: str | None, several: bool) -> tuple[Layout, Cell]:
    """Return a full board, and where to begin; what is wrong is said with its line."""
    from sapper import play
    from sapper.game import Layout

    line = f"line {reading.line}: " if several else ""
    puzzle = reading.puzzle
    if not isinstance(puzzle, Position):
        raise UsageError(f"{task.source}: {line}this is a system of clues, not a full board")
    try:
        layout = Layout.from_position(puzzle)
    except GameError as error:
        raise UsageError(f"{task.source}: {line}{error}") from None
    try:
        if start is not None:
            first = cell_named(puzzle, start)
        elif reading.start is not None and reading.start not in layout.mines:
            first = reading.start
        else:
            first = play.usual_start(layout)
    except SapperError as error:
        raise UsageError(f"--start: {line}{error}") from None
    if first in layout.mines:
        raise UsageError(f"{line}the start {first} is a mine")
    return layout, first


def _graded(
    boards: Iterable[tuple[Layout, Cell]], budget: Budget
) -> Iterator[tuple[Layout, Cell, Grade]]:
    """Yield what is found of each board; the time is for all of them together."""
    from sapper import play

    for layout, first in boards:
        with Patience("grading"), budget.step() as left:
            made = play.grade(layout, first, limits=left)
        yield layout, first, made


def _show(screen: Screen, layout: Layout, first: Cell, found: Grade) -> None:
    from sapper import play

    board = play.metrics(layout)
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
        between = "between guesses " if found.guesses else ""
        words = f"{between}single numbers say everything"
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
