"""`sapper explain`: why a cell is safe, a mine, or undecided."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sapper.cli.patience import Patience
from sapper.cli.screen import emit
from sapper.cli.task import Task, question

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(explain)


@question
def explain(
    task: Task,
    cell: Annotated[
        str, typer.Argument(metavar="ROW,COL", help="The cell: row and column from 0, or a name.")
    ],
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
    from sapper import analysis, answers

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
        task.screen.say(step)
