"""Solutions: as small boards side by side where they fit on a terminal, else one line each."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Final

from sapper.answers import cell_name
from sapper.clues import Clues, Puzzle, Solution
from sapper.field import Geometry, Position
from sapper.render.palette import KNOWN_MINE, MINE, WHITE
from sapper.render.terminal import Line, Piece

if TYPE_CHECKING:
    from sapper.cli.screen import Screen

__all__ = ["show_worlds"]

_GAP: Final = 4
_TALLEST: Final = 40


def show_worlds(screen: Screen, puzzle: Puzzle, found: Iterable[Solution]) -> int:
    """Print solutions; return how many there were."""
    if screen.is_terminal and _fits(puzzle, screen.console.width):
        return _boards(screen, puzzle, found)
    rank = puzzle.index.__getitem__ if isinstance(puzzle, Clues) else puzzle.topology.index
    shown = 0
    for solution in found:
        shown += 1
        screen.say(" ".join(map(cell_name, sorted(solution, key=rank))) or "(no mines)")
    return shown


def _fits(puzzle: Puzzle, width: int) -> bool:
    """Tell whether a solution can be shown as a board in this width."""
    board = puzzle.topology.geometry if isinstance(puzzle, Position) else None
    if board is None or board.layers > 1:
        return False
    return board.height <= _TALLEST and _span(board) <= width


def _span(board: Geometry) -> int:
    return 2 * board.width + (board.height if board.hexagonal else 0)


def _boards(screen: Screen, puzzle: Puzzle, found: Iterable[Solution]) -> int:
    """Print solutions as boards, as many in a line as fit; return how many there were."""
    assert isinstance(puzzle, Position)
    geometry = puzzle.topology.geometry
    assert geometry is not None
    span = _span(geometry)
    in_line = max(1, (screen.console.width + _GAP) // (span + _GAP))
    shown = 0
    rest = iter(found)
    while group := list(islice(rest, in_line)):
        if shown:
            screen.say()
        boards = [_board(screen, puzzle, geometry, solution) for solution in group]
        for parts in zip(*boards, strict=True):
            line: Line = []
            for part in parts:
                wide = sum(len(piece.text) for piece in part)
                line += [*part, Piece(" " * (span + _GAP - wide))]
            screen.draw([line])
        shown += len(group)
    return shown


def _board(
    screen: Screen, position: Position, geometry: Geometry, solution: Solution
) -> list[Line]:
    glyphs = screen.glyphs
    cells = iter(position.items())
    lines: list[Line] = []
    for row in range(geometry.height):
        line: Line = [Piece(" " * row)] if geometry.hexagonal else []
        for cell, label in islice(cells, geometry.width):
            if cell in solution:
                line.append(Piece(f" {glyphs.mine}", f"bold {WHITE} on {MINE}"))
            elif label == "*":
                line.append(Piece(f" {glyphs.known}", f"{WHITE} on {KNOWN_MINE}"))
            elif label == "?":
                line.append(Piece(f" {glyphs.zero}", "dim"))
            else:
                line.append(Piece(f" {label if label else glyphs.zero}", "dim"))
        lines.append(line)
    return lines
