"""`sapper explain`: why a cell is safe, a mine, or undecided."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from sapper import analysis, answers
from sapper.cli.patience import Patience
from sapper.cli.screen import emit
from sapper.cli.task import Task, UsageError, is_keyboard, question


@question
def explain(
    task: Task,
    cell: Annotated[
        str | None,
        typer.Argument(
            metavar="ROW,COL",
            show_default=False,
            help="The cell: row and column from 0, or a name.",
        ),
    ] = None,
    smallest: Annotated[
        bool, typer.Option("--smallest", help="Use as few clues as possible.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the reasons as an SVG picture.")
    ] = None,
) -> None:
    """Say why a cell is safe, a mine, or cannot be decided.

    A certain cell comes with the clues that force it, none of which can be left out;
    an undecided one with two legal assignments; an impossible board with the clues
    that contradict each other. Everything is checked twice before it is shown.

    For example:
      sapper explain examples/graph.json road
      sapper explain board.txt 3,4 --smallest --json | jq .clues
      sapper explain board.txt 3,4 --svg reasons.svg
    """
    named = task.file is not None and (str(task.file) == "-" or task.file.exists())
    if cell is None and task.file and not (named or is_keyboard()):
        # What comes through a pipe need not be named.
        task, cell = replace(task, file=None), str(task.file)
    if cell is None:
        raise UsageError("ROW,COL is missing: say which cell, such as 3,4")
    puzzle = task.puzzle
    place = answers.cell_named(puzzle, cell)
    with Patience("explaining") as patience:
        found = analysis.explain(
            puzzle,
            place,
            method=task.solver(patience),
            smallest=smallest,
            limits=task.limits,
        )
    if svg is not None:
        from sapper.render.explanation import explanation_svg

        svg.write_text(explanation_svg(found), encoding="utf-8")
    if task.json:
        emit(answers.explanation(found, seconds=patience.seconds))
        return
    summary, *steps = found.text.splitlines()
    task.screen.say(summary, "bold")
    for step in steps:
        number = step.index(". ") + 2
        task.screen.say(step, hang=number)
