"""`sapper estimate`: what answering would cost."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any, Final

import typer

from sapper.cli.patience import Patience
from sapper.cli.screen import Screen, emit
from sapper.cli.task import Task, question

__all__ = ["register"]

_PARTS: Final = 10


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(estimate)


@question
def estimate(task: Task) -> None:
    """Tell what answering would cost, before it is paid.

    Components are solved one by one; the width is the largest number of clues that are
    open at once. Nodes and memory are bounds: often far too high, almost never too low.

    For example:
      sapper estimate board.txt
      sapper estimate board.txt --json
    """
    puzzle = task.puzzle
    with Patience("estimating") as patience:
        found = task.solver(patience).estimate(puzzle, task.limits)
    parts: list[dict[str, Any]] = [asdict(part) for part in getattr(found, "parts", ())]
    document: dict[str, Any] = {
        "components": found.components,
        "width": found.width,
        "nodes": _whole(found.nodes),
        "bytes": _whole(found.bytes),
    }
    for name in ("forced", "free"):
        if hasattr(found, name):
            document[name] = getattr(found, name)
    if task.json:
        for part in parts:
            part["nodes"] = _whole(part["nodes"])
        emit({**document, "parts": parts})
    else:
        _show(task.screen, document, parts)


def _whole(number: float) -> int | float | None:
    """Return a bound as a whole number, while it is one that people would write out."""
    if not math.isfinite(number):
        return None
    return math.ceil(number) if number < 1e15 else float(number)


def _show(screen: Screen, document: dict[str, Any], parts: list[dict[str, Any]]) -> None:
    names = {
        "components": "independent components",
        "width": "clues open at once",
        "nodes": "nodes at most, about",
        "bytes": "memory at most, about",
        "forced": "cells forced beforehand",
        "free": "cells in no clue",
    }
    wide = max(map(len, names.values()))
    for key, value in document.items():
        shown = _size(value) if key == "bytes" else _number(value)
        screen.say(f"{names[key].ljust(wide)}  {shown}")
    if not (parts and screen.is_terminal):
        return
    from sapper.cli.show import table

    parts.sort(key=lambda part: -part["nodes"])
    headings = ("cells", "groups", "clues", "width", "nodes", "order")
    rows = [
        [
            *(_number(part[key]) for key in headings[:4]),
            _number(_whole(part["nodes"])),
            "tree" if part["joins"] else "path",
        ]
        for part in parts[:_PARTS]
    ]
    screen.say()
    screen.say("the largest components" if len(parts) > _PARTS else "the components", "bold")
    table(screen, headings, rows, right=headings[:5])


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
