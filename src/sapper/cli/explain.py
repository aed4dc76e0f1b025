"""`sapper explain`: why a cell is safe, a mine, or undecided."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sapper.cli.patience import Patience
from sapper.cli.screen import emit
from sapper.cli.task import Task, UsageError, question

if TYPE_CHECKING:
    from sapper.analysis import Explanation
    from sapper.clues import Clue, Puzzle
    from sapper.field import Cell

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
    from sapper.analysis.explain import explain as reasons

    puzzle = task.puzzle
    place = _place(puzzle, cell)
    with Patience("explaining") as patience:
        found = reasons(puzzle, place, task.solver(patience), smallest=smallest, limits=task.limits)
        if svg is not None:
            from sapper.render.explanation import explanation_svg

            svg.write_text(explanation_svg(found), encoding="utf-8")
    if task.json:
        emit(_document(found))
        return
    summary, *steps = found.text.splitlines()
    task.screen.say(summary, "bold")
    for step in steps:
        task.screen.say(step)


def _place(puzzle: Puzzle, text: str) -> Cell:
    """Return the cell that a text names: numbers with commas, or the name of a vertex."""
    from sapper.clues import Clues

    names = puzzle.cells if isinstance(puzzle, Clues) else puzzle.topology.cells
    parts = text.strip("() ").split(",")
    try:
        numbers = tuple(int(part) for part in parts)
    except ValueError:
        numbers = ()
    lattice = not isinstance(puzzle, Clues) and len(puzzle.topology.shape) > 1
    if numbers and (lattice or numbers in names):
        return numbers
    if len(numbers) == 1 and numbers[0] in names:
        return numbers[0]
    if lattice:
        raise UsageError(f"{text[:40]!r} is not a cell such as 3,4")
    return text


def _document(found: Explanation) -> dict[str, Any]:
    from sapper.formats.jsonwrite import as_json

    def clue(one: Clue) -> dict[str, Any]:
        made: dict[str, Any] = {
            "cell": None if one.cell is None else as_json(one.cell),
            "count": one.count,
            "cells": [as_json(cell) for cell in one.cells],
            "total": one is found.total,
        }
        if one.weights is not None:
            made["weights"] = list(one.weights)
        return made

    return {
        "cell": as_json(found.cell),
        "verdict": found.verdict,
        "clues": [clue(one) for one in found.clues],
        "text": found.text,
        "steps": [step.text for step in found.steps],
        "smallest": found.is_smallest,
        "probability": None if found.probability is None else str(found.probability),
        "solutions": [sorted(map(as_json, solution)) for solution in found.solutions],
        "method": found.method,
    }
