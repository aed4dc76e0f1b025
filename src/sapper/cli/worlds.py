"""Solutions: as small boards side by side where they fit on a terminal, else one line each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from sapper.answers import cell_name
from sapper.clues import Clues, Puzzle, Solution
from sapper.render import Board, World, beside, has_rows

if TYPE_CHECKING:
    from sapper.cli.screen import Screen
    from sapper.field import Cell

__all__ = ["show_worlds"]

_GAP: Final = 4
_TALLEST: Final = 40


def show_worlds(
    screen: Screen, puzzle: Puzzle, found: Iterable[Solution], changed: Collection[Cell] = ()
) -> int:
    """Print solutions, with the cells that `changed` marked; return how many there were."""
    if screen.width is not None and has_rows(puzzle):
        empty = _board(screen, World(puzzle, frozenset()))
        if not empty.cropped and empty.height <= _TALLEST and len(empty.layers) == 1:
            worlds = (World(puzzle, solution, changed=changed) for solution in found)
            return _boards(screen, worlds, (screen.width + _GAP) // (empty.span + _GAP))
    rank = puzzle.index.__getitem__ if isinstance(puzzle, Clues) else puzzle.topology.index
    covered = puzzle.cells if isinstance(puzzle, Clues) else puzzle.covered
    nothing = "(no mines)" if covered else "(nothing is covered)"
    shown = 0
    for solution in found:
        shown += 1
        screen.say(" ".join(map(cell_name, sorted(solution, key=rank))) or nothing)
    return shown


def _board(screen: Screen, world: World) -> Board:
    return Board(
        world,
        width=screen.width,
        colour=screen.has_colour,
        glyphs=screen.glyphs,
        axes=False,
    )


def _boards(screen: Screen, worlds: Iterator[World], in_line: int) -> int:
    """Print worlds as boards, so many in a line; return how many there were."""
    shown = 0
    while group := list(islice(worlds, max(1, in_line))):
        boards = [_board(screen, world) for world in group]
        screen.draw(beside([list(board.lines()) for board in boards], _GAP))
        screen.say()
        shown += len(group)
    if shown:
        screen.draw([boards[0].legend()])
    return shown
