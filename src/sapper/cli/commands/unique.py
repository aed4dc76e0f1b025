"""`sapper unique`: whether there is just one legal assignment."""

from __future__ import annotations

import typer

from sapper import analysis, answers
from sapper.cli.failures import NO
from sapper.cli.patience import Patience
from sapper.cli.screen import BAD, GOOD, emit
from sapper.cli.task import Task, counter, question
from sapper.cli.worlds import show_worlds
from sapper.render import plural


@question
def unique(task: Task) -> None:
    """Tell whether there is just one legal assignment, and show it; or show two that differ.

    The exit code is 0 if there is one and 1 if there are more, or none.

    For example:
      sapper unique examples/unique.txt
      sapper unique board.txt --mines 10 --json | jq .differing
    """
    puzzle, screen = task.puzzle, task.screen
    with Patience("solving") as patience:
        solver = task.solver(patience)
        found = analysis.uniqueness(puzzle, method=solver, limits=task.limits)
    if task.json:
        name = counter(solver)
        emit(answers.unique(puzzle, found, method=name, seconds=patience.seconds))
    elif found.second is None:
        screen.say("unique", GOOD)
        show_worlds(screen, puzzle, [found.layout])
    else:
        screen.say(f"not unique: two that differ in {plural(len(found.differing), 'cell')}", BAD)
        show_worlds(screen, puzzle, [found.layout, found.second], found.differing)
    if not found.is_unique:
        raise typer.Exit(NO)
