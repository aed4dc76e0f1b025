"""From what a mouse did to the moves of a game, as every Minesweeper with two buttons has it.

A left button that goes up digs. A right button that goes down sets or takes a flag. Both together,
the middle button, or shift and the left one are a chord when the first of them goes up; the other
then does nothing more. Question marks, where a program has them, come after the flag.
"""

from __future__ import annotations

from typing import Final

from sapper.game import Game, Layout

__all__ = ["EVENTS", "Mouse"]

EVENTS: Final = frozenset({"mv", "lc", "lr", "rc", "rr", "mc", "mr", "sc", "cc", "pf"})
"""What a mouse does: moves; left, right and middle go down (c) and up (r); shift and left, both
buttons at once; a flag from before the game."""


class Mouse:
    """A mouse above the board of a game.

    Parameters
    ----------
    layout
        The board, a grid.
    marks
        Whether the program has question marks.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> mouse = Mouse(Layout(Grid(1, 3), [(0, 2)]))
    >>> for event, column in [("rc", 2), ("rr", 2), ("lc", 0), ("lr", 0)]:
    ...     mouse.does(event, 0, column)
    >>> mouse.game.status, mouse.game.moves
    ('won', (Move(kind='flag', cell=(0, 2)), Move(kind='dig', cell=(0, 0))))
    """

    def __init__(self, layout: Layout, *, marks: bool = False) -> None:
        self.game = Game(layout)
        self._marks = marks
        self._questions: set[tuple[int, int]] = set()
        self._left = self._right = self._both = self._spent = False

    def does(self, event: str, row: int, column: int) -> None:
        """Take note of an event; those outside the board or after the end change nothing on it."""
        if self.game.status != "playing":
            return
        cell = (row, column)
        inside = cell in self.game.board.topology
        match event:
            case "lc":
                self._left, self._both, self._spent = True, self._right, False
            case "sc":
                self._left = self._both = True
            case "cc":
                self._left = self._right = self._both = True
            case "rc":
                self._right = True
                if self._left:
                    self._both = True
                elif inside:
                    self._flag(cell)
            case "lr" | "rr":
                self._up(event, cell, inside)
            case "mr" if inside:
                self.game.chord(cell)
            case "pf" if inside:
                self._flag(cell)

    def _up(self, event: str, cell: tuple[int, int], inside: bool) -> None:
        if self._both:
            # What is still down after a chord does nothing more when it goes up.
            self._both, self._spent = False, True
            if inside:
                self.game.chord(cell)
        elif event == "lr" and self._left and not self._spent and inside:
            self.game.dig(cell)
        if event == "lr":
            self._left = False
        else:
            self._right = False

    def _flag(self, cell: tuple[int, int]) -> None:
        if cell in self._questions:
            self._questions.discard(cell)
            return
        if self._marks and cell in self.game.flagged:
            self._questions.add(cell)
        self.game.flag(cell)
