"""`sapper explain`: why a cell is safe, a mine, or undecided."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sapper import analysis, answers
from sapper.cli.patience import Patience
from sapper.cli.screen import Screen, emit
from sapper.cli.task import Task, UsageError, is_keyboard, question
from sapper.render import Board, Explained, Piece, beside, has_rows, save, worlds_of

if TYPE_CHECKING:
    from sapper.analysis import Explanation
    from sapper.render import Scene


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
        Path | None,
        typer.Option(metavar="FILE", help="Also draw the reasons, as SVG or HTML."),
    ] = None,
) -> None:
    """Say why a cell is safe, a mine, or cannot be decided.

    A certain cell comes with the clues that force it, none of which can be left out;
    an undecided one with two legal assignments; an impossible board with the clues
    that contradict each other. Everything is checked twice before it is shown.

    On the board the small digit at a number is the step that first uses it, [✓] the cell
    asked about, and (?) a cell that the clues speak of.

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
        save(found, svg)
    if task.json:
        emit(answers.explanation(found, seconds=patience.seconds))
        return
    screen = task.screen
    summary, *steps = found.text.splitlines()
    screen.say(summary, "bold")
    if has_rows(puzzle):
        _boards(screen, found)
    for step in steps:
        screen.say(step, hang=step.index(". ") + 2)


def _boards(screen: Screen, found: Explanation) -> None:
    """Print the part of the board that the reasons speak of; both worlds if it is undecided."""
    scenes: list[Scene] = [*worlds_of(found)] or [Explained(found)]
    room = None if screen.width is None else (screen.width - 4 * (len(scenes) - 1)) // len(scenes)
    boards = [
        Board(
            scene,
            width=room,
            rows=30,
            colour=screen.has_colour,
            glyphs=screen.glyphs,
            marked=True,
        )
        for scene in scenes
    ]
    screen.say()
    blocks = [list(board.lines()) for board in boards]
    if len(scenes) > 1:
        blocks = [[[Piece(one.finding)], *block] for one, block in zip(scenes, blocks, strict=True)]
    screen.draw(beside(blocks, 4))
    sign = "small digit" if screen.speaks_unicode else "digit after '"
    marks = [f"{sign}: the step that first uses the number", "[ ] the cell asked about"]
    if len(scenes) > 1:
        marks = [marks[1], "( ) others that differ"]
    elif found.verdict == "inconsistent":
        marks = marks[:1]
    screen.say(", ".join(marks), "dim")
    screen.say()
