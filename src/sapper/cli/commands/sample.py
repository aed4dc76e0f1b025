"""`sapper sample`: legal assignments drawn at random."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from sapper import answers
from sapper.cli.patience import Patience
from sapper.cli.screen import emit
from sapper.cli.task import Task, UsageError, counter, question
from sapper.cli.worlds import show_worlds
from sapper.errors import InconsistentError
from sapper.render import plural


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
    if n < 0:
        raise UsageError(f"-n: cannot draw {n} solutions")
    if n > sys.maxsize:
        raise UsageError(f"-n: {n} solutions are more than a machine can count")
    puzzle, patience = task.puzzle, Patience("sampling")
    solver = task.solver(patience)
    try:
        with patience:
            drawn = task.solutions(solver).sample(n, seed=seed)
    except InconsistentError:
        if task.json:
            emit(answers.sample(puzzle, [], method=counter(solver), seconds=patience.seconds))
        raise
    if task.json:
        emit(answers.sample(puzzle, drawn, method=counter(solver), seconds=patience.seconds))
        return
    show_worlds(task.screen, puzzle, drawn)
    if task.screen.is_terminal:
        task.screen.say(f"{plural(n, 'solution')} drawn, all equally likely", "dim")
