"""`sapper estimate`: what answering would cost."""

from __future__ import annotations

from typing import Final

from sapper import analysis, answers
from sapper.cli.patience import Patience
from sapper.cli.screen import Screen, emit
from sapper.cli.task import Task, counter, question

_PARTS: Final = 10


@question
def estimate(task: Task) -> None:
    """Tell what answering would cost, before it is paid.

    Components are solved one by one; the width is the largest number of clues that are
    open at once. Nodes are a bound, often far too high; memory is a forecast.

    For example:
      sapper estimate board.txt
      sapper estimate board.txt --json
    """
    puzzle = task.puzzle
    with Patience("estimating") as patience:
        solver = task.solver(patience)
        found = analysis.estimate(puzzle, method=solver, limits=task.limits)
    document = answers.estimate(found, method=counter(solver), seconds=patience.seconds)
    if task.json:
        emit(document)
    else:
        _show(task.screen, document)


def _show(screen: Screen, document: answers.EstimateAnswer) -> None:
    names = {
        "components": "independent components",
        "width": "clues open at once",
        "nodes": "nodes at most, about",
        "bytes": "memory, about",
        "forced": "cells forced beforehand",
        "free": "cells in no clue",
    }
    wide = max(map(len, names.values()))
    for key, words in names.items():
        if key in document:
            value = document[key]  # type: ignore[literal-required]
            shown = _size(value) if key == "bytes" else _number(value)
            screen.say(f"{words.ljust(wide)}  {shown}")
    parts = sorted(document["parts"], key=lambda part: -(part["nodes"] or float("inf")))
    if not (parts and screen.is_terminal):
        return
    headings = ("cells", "groups", "clues", "width", "nodes", "order")
    rows = [
        [
            *(_number(part[key]) for key in headings[:5]),
            "tree" if part["joins"] else "path",
        ]
        for part in parts[:_PARTS]
    ]
    screen.say()
    screen.say("the largest components" if len(parts) > _PARTS else "the components", "bold")
    screen.table(headings, rows, right=headings[:5])


def _number(value: float | None) -> str:
    if value is None:
        return "beyond all bounds"
    return f"{value:,}" if isinstance(value, int) else f"{value:.2e}"


def _size(value: float | None) -> str:
    if value is None or value >= 1e15:
        return "beyond all bounds"
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:.3g} {unit}" if value < 100 else f"{value:.0f} {unit}"
        value /= 1000
    return f"{value:,.0f} TB"
