"""The board as a widget: draws the game, moves a cursor, tells where somebody clicked."""

from __future__ import annotations

from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.events import MouseDown, MouseMove
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from sapper.cli.arcade.match import Match
from sapper.field import Cell
from sapper.render import INK, ramp, short

__all__ = ["Minefield"]

_NUMBERS: Final = (
    *("", "#5aa9e6", "#58b368", "#ef6f6c", "#a78bfa", "#e8a33d", "#3cc0c0", "#d4d4d8", "#9ca3af"),
)
_COVERED: Final = ("#3b4654", "#36404d")
_OPEN: Final = ("#12171d", "#161c23")
_FLAG: Final = "#f2c14e"
_BOOM: Final = "#d1495b"
_CURSOR: Final = "#f8fafc"
_AXIS: Final = Style(color="#7d8896")


# Without what a scroll view makes of keys: arrows move the cursor, and the view follows it.
class Minefield(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows a match; clicks become messages."""

    cursor: reactive[int] = reactive(0)
    """The cell under the cursor, by its place in the field."""

    class Pressed(Message):
        """Somebody clicked a cell: to dig or chord, or to flag."""

        def __init__(self, cell: Cell, flag: bool) -> None:
            super().__init__()
            self.cell, self.flag = cell, flag

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        geometry = match.board.topology.geometry
        assert geometry is not None
        self.geometry = geometry
        self.cell = 4 if geometry.hexagonal else 3
        self.margin = len(str(geometry.height - 1)) + 1
        self.odds: dict[Cell, float] = {}
        self.hint: Cell | None = None
        self.clues: frozenset[Cell] = frozenset()

    def on_mount(self) -> None:
        """Take as much room as the board needs, and begin in its middle."""
        tall, wide = self.geometry.height, self.geometry.width
        wide_as_drawn = self.margin + self.cell * wide + self._shift(tall - 1)
        self.virtual_size = size = Size(wide_as_drawn, tall + 1)
        self.styles.width, self.styles.height = size.width, size.height
        self.cursor = tall // 2 * wide + wide // 2

    @property
    def at(self) -> Cell:
        """The cell under the cursor."""
        return self.match.board.topology.cells[self.cursor]

    def go(self, cell: Cell) -> None:
        """Move the cursor to a cell."""
        self.cursor = self.match.board.topology.index(cell)

    def step(self, down: int, right: int) -> None:
        """Move the cursor, around the edge where the field goes around too."""
        height, width = self.geometry.height, self.geometry.width
        row, column = divmod(self.cursor, width)
        row, column = row + down, column + right
        if self.geometry.wraps:
            row, column = row % height, column % width
        if 0 <= row < height and 0 <= column < width:
            self.cursor = row * width + column

    def watch_cursor(self) -> None:
        """Keep the cursor in sight, beside the numbers of rows and columns, which stay."""
        row, column = divmod(self.cursor, self.geometry.width)
        left = self._shift(row) + column * self.cell
        self.scroll_to_region(
            Region(left - self.cell, row - 1, 3 * self.cell + self.margin, 4),
            animate=False,
            force=True,
        )
        self.refresh()

    def on_resize(self) -> None:
        """Keep the cursor in sight where the room changes: of the window, or beside the words."""
        self.call_after_refresh(self.watch_cursor)

    def _shift(self, row: int) -> int:
        return row * self.cell // 2 if self.geometry.hexagonal else 0

    def _cell_at(self, x: int, y: int) -> Cell | None:
        row = y - 1 + int(self.scroll_offset.y)
        column = (x - self.margin + int(self.scroll_offset.x) - self._shift(row)) // self.cell
        if y < 1 or x < self.margin:
            return None
        if not (0 <= row < self.geometry.height and 0 <= column < self.geometry.width):
            return None
        return self.match.board.topology.cells[row * self.geometry.width + column]

    def on_mouse_down(self, event: MouseDown) -> None:
        """Dig, chord or flag where the mouse is."""
        cell = self._cell_at(event.x, event.y)
        if cell is not None:
            self.go(cell)
            self.post_message(self.Pressed(cell, flag=event.button != 1))

    def on_mouse_move(self, event: MouseMove) -> None:
        """Let the cursor follow the mouse."""
        cell = self._cell_at(event.x, event.y)
        if cell is not None:
            self.go(cell)

    def render_line(self, y: int) -> Strip:
        """Draw one line of what is in sight; the first has the numbers of the columns."""
        row, width = max(0, y - 1) + int(self.scroll_offset.y), self.geometry.width
        if row >= self.geometry.height:
            return Strip.blank(self.size.width, self.rich_style)
        left, seen = int(self.scroll_offset.x), self.size.width - self.margin
        if y == 0:
            return Strip([Segment(" " * self.margin + self._headings(row, left, seen), _AXIS)])
        segments = [Segment(" " * self._shift(row), self.rich_style)]
        # Rows of hexagons are shifted by half a cell: their columns alternate by themselves.
        odd = 0 if self.geometry.hexagonal else row
        segments += (
            self._segment(row * width + column, (odd + column) % 2) for column in range(width)
        )
        shown = Strip(segments).crop_extend(left, left + seen, self.rich_style)
        return Strip.join([Strip([Segment(f"{row:>{self.margin - 1}} ", _AXIS)]), shown])

    def _headings(self, row: int, left: int, seen: int) -> str:
        """Return the numbers of the columns in sight above a row; of wide boards every fifth.

        A number of which the edge would cut something off is left out: the rest would be another.
        """
        width, line = self.geometry.width, ""
        end = self._shift(row) + width * self.cell
        for column in range(0, width, 1 if width <= 100 else 5):
            number = str(column)
            place = self._shift(row) + column * self.cell + (len(number) < 3)
            place = min(place, end - len(number)) - left
            if place >= 0 and place + len(number) <= seen:
                line = line.ljust(place) + number
        return line.ljust(seen)

    def _segment(self, place: int, odd: int) -> Segment:
        sign, style = self._look(place, odd)
        text = sign.center(3).ljust(self.cell)
        if place == self.cursor and self.has_focus:
            text = f"[{sign.center(1) if len(sign) < 2 else sign}]"[: self.cell].ljust(self.cell)
            style += Style(color=_CURSOR, bold=True)
        return Segment(text, style)

    def _look(self, place: int, odd: int) -> tuple[str, Style]:
        game = self.match.game
        cell = game.board.topology.cells[place]
        label = game.position[cell]
        if label == "*":
            return "✸", Style(color=_CURSOR, bgcolor=_BOOM, bold=True)
        if isinstance(label, int):
            if cell in self.clues:
                return str(label), Style(color=INK, bgcolor=_FLAG, bold=True)
            colour = _NUMBERS[min(label, 8)] or None
            return str(label or " "), Style(color=colour, bgcolor=_OPEN[odd], bold=True)
        covered = _COVERED[odd]
        over, layout = self.match.over, game.layout
        mined = over and layout is not None and layout.mined[place]
        if cell in game.flagged:
            wrong = over and not mined
            return "✗" if wrong else "⚑", Style(color=_BOOM if wrong else _FLAG, bgcolor=covered)
        if mined:
            return ("⚑" if game.status == "won" else "●"), Style(color=_FLAG, bgcolor=covered)
        if cell == self.hint:
            return "◆", Style(color="#12171d", bgcolor="#8ecae6", bold=True)
        chance = self.odds.get(cell)
        if chance is None:
            return " ", Style(bgcolor=covered)
        if chance in (0.0, 1.0):
            return "✗" if chance else "✓", Style(
                color=_CURSOR, bgcolor=_BOOM if chance else "#0072b2"
            )
        return short(chance).rstrip("%"), Style(color=INK, bgcolor=ramp(chance))
