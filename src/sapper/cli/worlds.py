"""Solutions: as small boards side by side where they fit on a terminal, else one line each."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Final

from sapper.answers import cell_name
from sapper.clues import Clues, Puzzle, Solution
from sapper.render import Board, World, beside, has_rows

if TYPE_CHECKING:
    from sapper.cli.screen import Screen

__all__ = ["show_worlds"]

_GAP: Final = 4
_TALLEST: Final = 40


def show_worlds(screen: Screen, puzzle: Puzzle, found: Iterable[Solution]) -> int:
    """Print solutions; return how many there were."""
    if screen.width is not None and has_rows(puzzle):
        empty = _board(screen, puzzle, frozenset())
        if not empty.cropped and empty.height <= _TALLEST and len(empty.layers) == 1:
            return _boards(screen, puzzle, found, (screen.width + _GAP) // (empty.span + _GAP))
    rank = puzzle.index.__getitem__ if isinstance(puzzle, Clues) else puzzle.topology.index
    shown = 0
    for solution in found:
        shown += 1
        screen.say(" ".join(map(cell_name, sorted(solution, key=rank))) or "(no mines)")
    return shown


def _board(screen: Screen, puzzle: Puzzle, solution: Solution) -> Board:
    return Board(
        World(puzzle, solution),
        width=screen.width,
        colour=screen.has_colour,
        glyphs=screen.glyphs,
        axes=False,
    )


def _boards(screen: Screen, puzzle: Puzzle, found: Iterable[Solution], in_line: int) -> int:
    """Print solutions as boards, so many in a line; return how many there were."""
    shown = 0
    rest = iter(found)
    while group := list(islice(rest, max(1, in_line))):
        boards = [_board(screen, puzzle, solution) for solution in group]
        screen.draw(beside([list(board.lines()) for board in boards], _GAP))
        screen.say()
        shown += len(group)
    if shown:
        screen.draw([boards[0].legend()])
    return shown
