"""Boards as lines of text, with colours for those who can show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from sapper.clues import Puzzle
from sapper.field import Position
from sapper.render.palette import COVERED, INK, KNOWN_MINE, MINE, SAFE, WHITE, ramp
from sapper.render.scene import Scene, Tile
from sapper.render.tables import table

if TYPE_CHECKING:
    from sapper.analysis import Analysis

__all__ = ["ASCII", "UNICODE", "Board", "Glyphs", "Line", "Piece", "beside", "has_rows", "joined"]


class Piece(NamedTuple):
    """Some characters and the style (as rich writes styles) they want.

    Frozen: threads can share one.
    """

    text: str
    style: str = ""


Line: TypeAlias = list[Piece]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The signs of a board.

    Frozen: threads can share one.
    """

    safe: str
    mine: str
    zero: str
    empty: str
    raised: str
    known: str = "*"
    free: str = "_"
    covered: str = "?"


UNICODE: Final = Glyphs(safe="✓", mine="✗", zero="·", empty="○", raised="⁰¹²³⁴⁵⁶⁷⁸⁹")
ASCII: Final = Glyphs(safe="o", mine="x", zero=".", empty="-", raised="")

_AXIS: Final = "dim"
# Where there is no room for percentages, a letter stands for ten of them.
_LETTERS: Final = "abcdefghij"
_LETTER_WIDTH: Final = 2
_MARKED_WIDTH: Final = 4
_SMALL: Final = 12
_NEAR: Final = 6
_MEANINGS: Final = {
    "safe": "safe",
    "mine": "mine",
    "known": "known mine",
    "empty": "covered, no mine",
    "zero": "number 0",
}


def has_rows(puzzle: Puzzle) -> bool:
    """Tell whether a puzzle can be shown as a board: not so graphs and bare clue systems."""
    return isinstance(puzzle, Position) and puzzle.topology.geometry is not None


class Board:
    """A field with rows, laid out for a given width.

    Made for one picture, by one thread.

    Parameters
    ----------
    scene
        What to show.
    width
        How many characters fit in a line; None for any number.
    rows
        How many lines a reader can take in; None for any number.
    colour
        Whether styles will be shown.
    glyphs
        The signs to use.
    around
        The index of a cell to show if not everything fits.
    marked
        Whether to mark the cells that the scene frames: ``2³`` is the clue of step 3, brackets
        stand around the cell that was asked about and parentheses around the others. Of a large
        board only their surroundings are shown.
    axes
        Whether to number rows and columns.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        width: int | None = None,
        rows: int | None = None,
        colour: bool = False,
        glyphs: Glyphs = UNICODE,
        around: int | None = None,
        marked: bool = False,
        axes: bool = True,
    ) -> None:
        puzzle = scene.puzzle
        assert isinstance(puzzle, Position)
        geometry = puzzle.topology.geometry
        assert geometry is not None
        self.scene = scene
        self.topology = puzzle.topology
        self.colour = colour
        self.glyphs = glyphs
        self.marked = marked
        self.available = width
        self.height, self.width, self.slant = geometry.height, geometry.width, geometry.hexagonal
        self.axes = axes
        self.margin = len(str(self.height - 1)) + 1 if axes else 0
        self.layers = range(geometry.layers)
        self.rows, self.columns = range(self.height), range(self.width)
        if marked:
            self._focus()
        self.cell = self._cell_width(width)
        self._crop(width, rows, self._interesting() if around is None else around)

    @property
    def cropped(self) -> bool:
        """Whether a part of the field is left out."""
        return (len(self.rows), len(self.columns)) != (self.height, self.width)

    @property
    def span(self) -> int:
        """How many characters a line of one layer has."""
        slant = (len(self.rows) - 1) * self.cell // 2 if self.slant else 0
        return self.margin + self.cell * len(self.columns) + slant

    def _cell_width(self, width: int | None) -> int:
        puzzle = self.scene.puzzle
        assert isinstance(puzzle, Position)
        index = self.topology.index
        largest = max(memoryview(puzzle.codes).cast("i"), default=0)
        least = 2 if largest < 10 else len(str(largest)) + 1
        choices = [6, 4, 2] if self.slant else [5, 4, 3, 2]
        if self.marked:
            notes = (self.scene.tile(index(cell)).note for cell in self.scene.frames)
            least = max(least, _MARKED_WIDTH, max(map(len, notes), default=0) + 3)
            choices = choices[1:2]
        elif not self.scene.chances:
            choices = choices[-1:] if not self.axes else choices
        choices = [choice for choice in choices if choice >= least] or [least + least % 2]
        roomy = choices[min(1, len(choices) - 1)]
        if width is None:
            return roomy if self.width > 16 else choices[0]
        # A board that has to be cropped anyway is better read with room between its cells.
        for self.cell in choices:
            if self.span <= width:
                return self.cell
        return roomy

    def _crop(self, width: int | None, rows: int | None, around: int) -> None:
        row, column = divmod(around % (self.height * self.width), self.width)
        if rows is not None:
            self.rows = _window(row, self.rows, max(rows, 3))
        if width is not None:
            shift = (len(self.rows) - 1) * self.cell // 2 if self.slant else 0
            fits = (width - self.margin - shift) // self.cell
            self.columns = _window(column, self.columns, max(fits, 3))

    def _interesting(self) -> int:
        """Return the index of a cell to look at first."""
        scene = self.scene
        safe = (cell for cell, verdict in scene.verdicts.items() if verdict == "safe")
        asked = (cell for cell, frame in scene.frames.items() if frame == "asked")
        first = next(asked, None) or next(safe, None) or next(iter(scene.frames), None)
        return 0 if first is None else self.topology.index(first)

    def _focus(self) -> None:
        """Keep the surroundings of the framed cells, and the layers that have any."""
        size, index = self.height * self.width, self.topology.index
        frames = self.scene.frames
        places = [divmod(index(cell), size) for cell in frames]
        # What is far from the cell that was asked about is left to the words.
        asked = next((index(cell) for cell, frame in frames.items() if frame == "asked"), None)
        if asked is not None and self.height * self.width > _SMALL**2:
            row, column = divmod(asked % size, self.width)
            rows = range(row - _NEAR, row + _NEAR + 1)
            columns = range(column - _NEAR, column + _NEAR + 1)
            places = [
                (layer, place)
                for layer, place in places
                if place // self.width in rows and place % self.width in columns
            ]
        if not places:
            return
        if len(self.layers) > 1:
            first, *_, last = sorted(layer for layer, _ in places * 2)
            self.layers = range(first, last + 1)
        inside = [divmod(place, self.width) for _, place in places]
        self.rows = _surroundings([row for row, _ in inside], self.height)
        self.columns = _surroundings([column for _, column in inside], self.width)

    def lines(self) -> Iterator[Line]:
        """Yield the lines of the board, with numbers of rows and columns at its edges."""
        if len(self.layers) == 1:
            yield from self._layer(self.layers[0])
            return
        fits = len(self.layers)
        if self.available is not None:
            fits = max(1, (self.available + 3) // (self.span + 3))
        for first in range(0, len(self.layers), fits):
            group = self.layers[first : first + fits]
            if first:
                yield []
            blocks = [
                [[Piece(f"{' ' * self.margin}layer {z}", _AXIS)], *self._layer(z)] for z in group
            ]
            yield from beside(blocks, 3)

    def legend(self) -> Line:
        """Return a line that explains the signs; empty if there is nothing to explain."""
        scene, line = self.scene, Line()
        shown: dict[str, Tile] = {}
        letters = set()
        for index in self._indices():
            tile = scene.tile(index)
            zero = tile.kind == "number" and not tile.number
            shown.setdefault("zero" if zero else tile.kind, tile)
            if tile.chance is not None and tile.kind == "unknown":
                letters.add(_letter(tile.chance))
        asked = bool(scene.verdicts) or "empty" in shown or "mine" in shown
        for kind, meaning in _MEANINGS.items():
            if kind in shown and asked and (kind != "zero" or "empty" in shown):
                tile = shown[kind]
                line += [Piece(f" {self._sign(tile)} ", _style(tile)), Piece(f" {meaning}   ")]
        unknown = shown.get("unknown")
        if unknown is None or unknown.chance is None:
            return line
        if self.cell > _LETTER_WIDTH:
            sign = self._sign(unknown)
            meaning = "chance of a mine" if sign.endswith("%") else "chance of a mine in %"
            return [*line, Piece(f" {sign} ", _style(unknown)), Piece(f" {meaning}   ")]
        for letter in sorted(letters):
            low = 10 * _LETTERS.index(letter)
            meaning = {0: "<10%", 90: ">90%"}.get(low, f"{low}–{low + 10}%")
            style = f"{INK} on {ramp((low + 5) / 100)}"
            line += [Piece(f" {letter} ", style), Piece(f" {meaning}   ")]
        return line

    def _indices(self) -> Iterator[int]:
        for layer in self.layers:
            for row in self.rows:
                start = (layer * self.height + row) * self.width
                yield from range(start + self.columns[0], start + self.columns[-1] + 1)

    def _layer(self, layer: int) -> Iterator[Line]:
        if self.axes:
            yield [Piece(" " * self.margin), Piece(self._header(), _AXIS)]
        for row in self.rows:
            shift = (row - self.rows[0]) * self.cell // 2 if self.slant else 0
            axis = f"{row:>{self.margin - 1}} " if self.axes else ""
            line = [Piece(" " * shift), Piece(axis, _AXIS)]
            start = (layer * self.height + row) * self.width
            line += (self._piece(start + column) for column in self.columns)
            yield _merged(line)

    def _header(self) -> str:
        """Return the number of every column if there is room, else of every fifth."""
        last = self.columns[-1]
        if len(str(last)) < self.cell:
            shown = [_centred(str(column), self.cell) for column in self.columns]
            return "".join(shown).rstrip()
        line = ""
        for place, column in enumerate(self.columns):
            at = place * self.cell
            if column % 5 == 0 and len(line) <= at:
                line = line.ljust(at) + str(column).rjust(2)
        return line

    def _piece(self, index: int) -> Piece:
        tile = self.scene.tile(index)
        sign = self._sign(tile)
        text = self._with_marks(sign, tile) if self.marked else _centred(sign, self.cell)
        if not self.colour:
            return Piece(text)
        style = _style(tile)
        if tile.frame == "wrong":
            style = f"bold {WHITE} on {MINE}"
        elif tile.frame in ("best", "asked"):
            style += " bold underline"
        elif tile.frame == "clue":
            style = "bold reverse"
        elif self.marked and tile.kind == "covered" and not tile.frame:
            style = "dim"
        return Piece(text, style)

    def _with_marks(self, sign: str, tile: Tile) -> str:
        note, raised = tile.note, self.glyphs.raised
        if note:
            note = "".join(raised[int(digit)] for digit in note) if raised else f"'{note}"
            return (_centred(sign, self.cell).rstrip() + note).ljust(self.cell)[-self.cell :]
        if tile.frame in ("asked", "wrong"):
            sign = f"[{sign}]"
        elif tile.frame in ("spoken", "clue"):
            sign = f"({sign})"
        return _centred(sign, self.cell)

    def _sign(self, tile: Tile) -> str:
        glyphs = self.glyphs
        match tile.kind:
            case "number":
                return str(tile.number) if tile.number else glyphs.zero
            case "unknown" if tile.chance is not None and not self.marked:
                if self.cell >= 4:
                    return tile.text
                return _two(tile.chance) if self.cell == 3 else _letter(tile.chance)
            case "unknown":
                return glyphs.covered
        return str(getattr(glyphs, tile.kind))


def _letter(chance: float) -> str:
    return _LETTERS[min(int(10 * chance), 9)]


def _two(chance: float) -> str:
    """Return a percentage in two characters that cannot be taken for a number on a board.

    Examples
    --------
    >>> [_two(chance) for chance in (0.001, 0.04, 0.31, 0.999)]
    ['<1', '4%', '31', '99']
    """
    if chance < 0.01:
        return "<1"
    percent = min(max(round(100 * chance), 1), 99)
    return str(percent) if percent > 9 else f"{percent}%"


def _centred(sign: str, width: int) -> str:
    """Centre a sign; where it cannot be exact, the free place is on the left."""
    left = (width - len(sign) + 1) // 2
    return (" " * left + sign).ljust(width)


def _style(tile: Tile) -> str:
    match tile.kind:
        case "number":
            return "bold" if tile.number else "dim"
        case "free" | "empty":
            return "dim"
        case "known":
            return f"{WHITE} on {KNOWN_MINE}"
        case "safe":
            return f"bold {WHITE} on {SAFE}"
        case "mine":
            return f"bold {WHITE} on {MINE}"
        case "unknown" if tile.chance is not None:
            return f"{INK} on {ramp(tile.chance)}"
        case _:
            return f"{INK} on {COVERED}"


def _window(centre: int, places: range, wanted: int) -> range:
    """Return `wanted` places around a centre, as far as they go."""
    if wanted >= len(places):
        return places
    start = min(max(centre - wanted // 2, places.start), places.stop - wanted)
    return range(start, start + wanted)


def _surroundings(places: Sequence[int], length: int) -> range:
    """Return all places if they are few, else those around some."""
    if length <= _SMALL:
        return range(length)
    return range(max(min(places) - 1, 0), min(max(places) + 2, length))


def _merged(line: Line) -> Line:
    """Join neighbours of one style, so that a terminal has less to read."""
    seen = (piece for piece in line if piece.text)
    return [
        Piece("".join(piece.text for piece in run), style)
        for style, run in groupby(seen, key=lambda piece: piece.style)
    ]


def beside(blocks: Sequence[Sequence[Line]], gap: int) -> Iterator[Line]:
    """Yield blocks of equally many lines side by side."""
    spans = [max(sum(len(p.text) for p in line) for line in block) for block in blocks]
    for parts in zip(*blocks, strict=True):
        line: Line = []
        for part, span in zip(parts, spans, strict=True):
            wide = sum(len(piece.text) for piece in part)
            line += [*part, Piece(" " * (span + gap - wide))]
        yield line[:-1]


def joined(lines: Iterable[Line]) -> Iterator[str]:
    """Yield lines as plain text."""
    for line in lines:
        yield "".join(piece.text for piece in line).rstrip()


def text(puzzle: Puzzle, analysis: Analysis | None = None) -> str:
    r"""Show a position, or a clue system, as plain text.

    Covered cells say ``✓`` (safe), ``✗`` (mine) or how likely they are mines; ``*`` and ``_`` are
    known mines and known free cells, and ``·`` is a 0. Puzzles without rows become a table.

    Parameters
    ----------
    puzzle : Position or Clues
        What to show.
    analysis : Analysis, optional
        What `sapper.analyze` found.

    Examples
    --------
    >>> import sapper
    >>> position = sapper.parse("1??\n12?\n_1?", mines=2)
    >>> print(text(position, sapper.analyze(position, method="brute")))
        0    1    2
    0   1    ✗    ✓
    1   1    2   50%
    2   _    1   50%
    """
    scene = Scene(puzzle, analysis)
    if has_rows(puzzle):
        return "\n".join(joined(Board(scene).lines()))
    return "\n".join(table(scene).lines())
