"""`sapper solutions`, `sample` and `cheapest`: legal assignments themselves."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sapper.cli.failures import complain
from sapper.cli.patience import Patience
from sapper.cli.screen import Screen, emit
from sapper.cli.task import Task, UsageError, counter, question

if TYPE_CHECKING:
    from sapper.clues import Puzzle, Solution
    from sapper.field import Cell

__all__ = ["register"]

_LOOKED_AT: Final = 12
_LISTED: Final = 1000


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command()(solutions)
    app.command()(sample)
    app.command()(cheapest)


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
    from sapper import answers

    if limit is not None and limit < 0:
        raise UsageError(f"--limit: {limit} is negative")
    puzzle, screen = task.puzzle, task.screen
    with Patience("solving") as patience:
        solver = task.solver(patience)
        view = solver.solutions(puzzle, task.limits)
        # A method that does not count would have to list them all first.
        number = view.count() if "count" in solver.answers else None
        if dot is not None:
            dot.write_text(view.zdd().to_dot(), encoding="utf-8")
    if limit is None:
        limit = _LOOKED_AT if screen.is_terminal and not task.json else _LISTED
    listed = iter(view) if limit == 0 else islice(view, min(limit, sys.maxsize))
    if task.json:
        seconds, name = patience.seconds, counter(solver)
        emit(answers.solutions(puzzle, listed, number, method=name, seconds=seconds))
        return
    shown = _show(screen, puzzle, listed)
    if number is None and limit and shown == limit:
        from sapper.render.wording import plural

        words = f"{plural(shown, 'solution')}, and there may be more"
        _note(screen, f"{words}; --limit N lists more, --limit 0 all")
    elif number is not None and shown < number:
        _remark(screen, shown, number)


def _remark(screen: Screen, shown: int, number: int) -> None:
    from sapper.render.wording import amount

    words = f"{shown:,} of {amount(number)} solutions; --limit N lists more, --limit 0 all"
    _note(screen, words)


def _note(screen: Screen, words: str) -> None:
    if screen.is_terminal:
        screen.say(words, "dim")
    else:
        complain(words)


@question
def sample(
    task: Task,
    n: Annotated[int, typer.Option("-n", "--number", metavar="N", help="How many to draw.")] = 1,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="The same seed draws the same.")
    ] = None,
) -> None:
    """Draw legal assignments, all equally likely.

    Draws are independent and exactly uniform.

    For example:
      sapper sample board.txt
      sapper sample board.txt -n 1000 --seed 7 --json
    """
    from sapper import answers
    from sapper.errors import InconsistentError

    if n < 0:
        raise UsageError(f"-n: cannot draw {n} solutions")
    if n > sys.maxsize:
        raise UsageError(f"-n: {n} solutions are more than a machine can count")
    puzzle = task.puzzle
    patience = Patience("sampling")
    solver = task.solver(patience)
    try:
        with patience:
            drawn = solver.solutions(puzzle, task.limits).sample(n, seed=seed)
    except InconsistentError:
        if task.json:
            emit(answers.sample(puzzle, [], method=counter(solver), seconds=patience.seconds))
        raise
    if task.json:
        emit(answers.sample(puzzle, drawn, method=counter(solver), seconds=patience.seconds))
    else:
        _show(task.screen, puzzle, drawn)


@question
def cheapest(
    task: Task,
    costs: Annotated[
        Path, typer.Option(metavar="FILE", help="What a mine costs in each cell, as JSON.")
    ],
) -> None:
    """Find a legal assignment of least cost.

    The costs are JSON: an object from cells to numbers, where "3,4" is row 3, column 4; a
    list of pairs of a cell and its cost; or, on a board, rows of numbers. A cell without a
    cost costs nothing.

    For example:
      sapper cheapest examples/clues.json --costs examples/costs.json
    """
    from sapper import answers
    from sapper.cli.costs import read_costs
    from sapper.clues import checked_costs
    from sapper.errors import InconsistentError

    puzzle = task.puzzle
    prices = read_costs(costs, puzzle)
    checked_costs(prices, _cells(puzzle))
    patience = Patience("solving")
    solver = task.solver(patience)
    try:
        with patience:
            found = solver.solutions(puzzle, task.limits).cheapest(prices)
    except InconsistentError:
        if task.json:
            emit(answers.cheapest(puzzle, None, method=counter(solver), seconds=patience.seconds))
        raise
    document = answers.cheapest(puzzle, found, method=counter(solver), seconds=patience.seconds)
    if task.json:
        emit(document)
        return
    _show(task.screen, puzzle, [found.solution])
    task.screen.say(f"cost {document['cost']}", "bold")


def _cells(puzzle: Puzzle) -> Sequence[Cell]:
    from sapper.clues import Clues

    return puzzle.cells if isinstance(puzzle, Clues) else puzzle.covered


def _sorted(puzzle: Puzzle) -> Any:
    """Return a function that puts the cells of a solution in canonical order."""
    from sapper.clues import Clues

    rank = puzzle.index.__getitem__ if isinstance(puzzle, Clues) else puzzle.topology.index
    return lambda solution: sorted(solution, key=rank)


def _show(screen: Screen, puzzle: Puzzle, found: Iterable[Solution]) -> int:
    """Print solutions: as boards where they fit on a terminal, else one line each."""
    from sapper.cli.boards import fits, show_boards
    from sapper.render.wording import cell_name

    if screen.is_terminal and fits(puzzle, screen.console.width):
        return show_boards(screen, puzzle, found)
    order = _sorted(puzzle)
    shown = 0
    for solution in found:
        shown += 1
        screen.say(" ".join(cell_name(cell) for cell in order(solution)) or "(no mines)")
    return shown
