"""Tables and lists that several commands print."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from sapper import answers
from sapper.clues import Clues
from sapper.render import equation, table

if TYPE_CHECKING:
    from sapper.cli.screen import Screen
    from sapper.cli.task import Task
    from sapper.field import Cell
    from sapper.render import Scene

__all__ = ["cells", "problems"]

_ROWS: Final = 40
_PROBLEMS: Final = 10


def cells(screen: Screen, scene: Scene) -> None:
    """Print the cells of a puzzle without rows, and its clues if it is nothing but clues."""
    puzzle = scene.puzzle
    if isinstance(puzzle, Clues):
        shown = puzzle.clues[:_ROWS] if screen.is_terminal else puzzle.clues
        for clue in shown:
            screen.say(equation(clue), hang=4)
        if len(shown) < len(puzzle.clues):
            screen.say(f"… and {len(puzzle.clues) - len(shown):,} more clues", "dim")
        if not screen.is_terminal:
            screen.say()
    made = table(scene, limit=_ROWS if screen.is_terminal else None)
    if not screen.is_terminal:
        for line in made.lines():
            screen.say(line)
        screen.say()
        return
    screen.table(made.headings, made.rows)
    if made.hidden:
        screen.say(f"… and {made.hidden:,} more cells; --json lists all", "dim")
        screen.say()


def problems(task: Task) -> None:
    """Print what is visibly wrong with an inconsistent puzzle, and how to learn more."""
    screen = task.screen
    found = answers.problems(task.puzzle)
    for message in found[:_PROBLEMS]:
        screen.say(f"  {message}")
    if len(found) > _PROBLEMS:
        screen.say(f"  … and {len(found) - _PROBLEMS:,} more")
    puzzle = task.puzzle
    covered = puzzle.cells if isinstance(puzzle, Clues) else puzzle.covered
    if covered:
        screen.say(f"'{_explaining(task, covered[0])}' names clues that contradict each other")


def _explaining(task: Task, cell: Cell) -> str:
    """Return the command that explains a cell of the same puzzle."""
    words = ["sapper", "explain", task.path, answers.cell_name(cell)]
    for name in ("mines", "topology", "format"):
        value = getattr(task, name)
        if value is not None:
            words += [f"--{name}", str(value)]
    return shlex.join(words)
