"""`sapper check`: whether there is a legal assignment."""

from __future__ import annotations

import typer

from sapper import analysis, answers
from sapper.cli.failures import NO
from sapper.cli.patience import Patience
from sapper.cli.screen import BAD, GOOD, emit
from sapper.cli.show import problems
from sapper.cli.task import Task, question


@question
def check(task: Task) -> None:
    """Tell whether there is a legal assignment at all.

    The exit code is 0 if there is one and 1 if not.

    For example:
      sapper check board.txt
      sapper check board.txt --mines 10 && echo possible
    """
    puzzle, screen = task.puzzle, task.screen
    with Patience("checking") as patience:
        found = analysis.analyze(puzzle, method=task.solver(patience), limits=task.limits)
        consistent, name = found.consistent, found.method
    if task.json:
        emit(answers.check(puzzle, consistent, method=name, seconds=patience.seconds))
    elif consistent:
        screen.say("consistent", GOOD)
    else:
        screen.say("inconsistent", BAD)
        problems(task)
    if not consistent:
        raise typer.Exit(NO)
