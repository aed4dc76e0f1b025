"""`sapper cheapest`: a legal assignment of least cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sapper import answers
from sapper.cli.costs import read_costs
from sapper.cli.patience import Patience
from sapper.cli.screen import emit
from sapper.cli.task import Task, counter, question
from sapper.cli.worlds import show_worlds
from sapper.clues import Clues, checked_costs
from sapper.errors import InconsistentError


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
    puzzle, patience = task.puzzle, Patience("solving")
    prices = read_costs(costs, puzzle)
    checked_costs(prices, puzzle.cells if isinstance(puzzle, Clues) else puzzle.covered)
    solver = task.solver(patience)
    try:
        with patience:
            found = task.solutions(solver).cheapest(prices)
    except InconsistentError:
        if task.json:
            emit(answers.cheapest(puzzle, None, method=counter(solver), seconds=patience.seconds))
        raise
    document = answers.cheapest(puzzle, found, method=counter(solver), seconds=patience.seconds)
    if task.json:
        emit(document)
        return
    show_worlds(task.screen, puzzle, [found.solution])
    task.screen.say(f"cost {document['cost']}", "bold")
