"""Boards as lines of text, with colours for those who can show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from sapper.clues import VERDICTS, Puzzle
from sapper.field import Position
from sapper.render.palette import COVERED, INK, KNOWN_MINE, MINE, SAFE, WHITE, ramp, shaded
from sapper.render.scene import Scene, Tile
from sapper.render.tables import table

if TYPE_CHECKING:
    from sapper.analysis import Analysis

__all__ = ["ASCII", "UNICODE", "Board", "Glyphs", "Line", "Piece", "has_rows", "joined", "text"]


class Piece(NamedTuple):
    """Some characters and the style (as rich writes styles) they want."""

    text: str
    style: str = ""


Line: TypeAlias = list[Piece]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The signs of a board."""

    safe: str
    mine: str
    zero: str
    known: str = "*"
    free: str = "_"
    covered: str = "?"


UNICODE: Final = Glyphs(safe="✓", mine="✗", zero="·")
ASCII: Final = Glyphs(safe="o", mine="x", zero=".")

_AXIS: Final = "dim"
_GAP: Final = "   "


def has_rows(puzzle: Puzzle) -> bool:
    """Tell whether a puzzle can be shown as a board: not so graphs and bare clue systems."""
    return isinstance(puzzle, Position) and puzzle.topology.geometry is not None


class Board:
    """A field with rows, laid out for a given width.

    Parameters
    ----------
    scene
        What to show.
    width
        How many characters fit in a line; None for any number.
    rows
        How many lines a reader can take in; None for any number.
    colour
        Whether styles will be shown. Without them covered cells need a sign that cannot be taken
        for a number.
    glyphs
        The signs to use.
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
    ) -> None:
        puzzle = scene.puzzle
        assert isinstance(puzzle, Position)
        self.scene = scene
        self.topology = puzzle.topology
        self.colour = colour
        self.glyphs = glyphs
        self.best = frozenset(scene.best)
        geometry = puzzle.topology.geometry
        assert geometry is not None
        self.height, self.width, self.slant = geometry.height, geometry.width, geometry.hexagonal
        self.margin = len(str(self.height - 1)) + 1
        self.cell = self._cell_width(width)
        self.rows, self.columns = range(self.height), range(self.width)
        self._crop(width, rows, around)
        self.layers = range(geometry.layers)
        self.available = width

    @property
    def cropped(self) -> bool:
        """Whether a part of the field is left out."""
        return (len(self.rows), len(self.columns)) != (self.height, self.width)

    def _cell_width(self, width: int | None) -> int:
        puzzle = self.scene.puzzle
        assert isinstance(puzzle, Position)
        largest = max(memoryview(puzzle.codes).cast("i"), default=0)
        least = 2 if largest < 10 else len(str(largest)) + 1
        flat = [5, 4, 3, 2] if self.colour else [5, 4, 2]
        choices = [6, 4, 2] if self.slant else flat
        choices = [choice for choice in choices if choice >= least] or [least + least % 2]
        if width is None:
            return choices[min(1, len(choices) - 1)] if self.width > 16 else choices[0]
        # A board that has to be cropped anyway is better read with room between its cells.
        roomy = choices[min(1, len(choices) - 1)]
        return next((c for c in choices if self._span(c) <= width), roomy)

    def _span(self, cell: int) -> int:
        slant = (self.height - 1) * cell // 2 if self.slant else 0
        return self.margin + cell * self.width + slant

    def _crop(self, width: int | None, rows: int | None, around: int | None) -> None:
        if around is None:
            around = self._interesting()
        row, column = divmod(around % (self.height * self.width), self.width)
        if rows is not None:
            self.rows = _window(row, self.height, max(rows, 3))
        if width is not None:
            shift = (len(self.rows) - 1) * self.cell // 2 if self.slant else 0
            fits = (width - self.margin - shift) // self.cell
            self.columns = _window(column, self.width, max(fits, 3))

    def _interesting(self) -> int:
        """Return the index of a cell to look at first."""
        scene = self.scene
        safe = (cell for cell, verdict in scene.verdicts.items() if verdict == "safe")
        first = next(safe, None) or next(iter(scene.best), None)
        return 0 if first is None else self.topology.index(first)

    def lines(self) -> Iterator[Line]:
        """Yield the lines of the board, with numbers of rows and columns at its edges."""
        if len(self.layers) == 1:
            yield from self._layer(0)
            return
        span = self.margin + self.cell * len(self.columns) + len(_GAP)
        fits = len(self.layers)
        if self.available is not None:
            fits = max(1, (self.available + len(_GAP)) // span)
        for first in range(0, len(self.layers), fits):
            group = self.layers[first : first + fits]
            if first:
                yield []
            heading = [f"{' ' * self.margin}layer {z}".ljust(span) for z in group]
            yield [Piece("".join(heading).rstrip(), _AXIS)]
            for parts in zip(*(list(self._layer(z)) for z in group), strict=True):
                line: Line = []
                for part in parts:
                    wide = sum(len(piece.text) for piece in part)
                    line += [*part, Piece(" " * (span - wide))]
                yield line

    def legend(self) -> Line:
        """Return a line that explains the signs; empty if there is nothing to explain."""
        scene = self.scene
        kinds: dict[str, Tile] = {}
        for cell, verdict in scene.verdicts.items():
            if verdict not in kinds:
                kinds[verdict] = scene.tile(self.topology.index(cell))
                if len(kinds) == len(VERDICTS):
                    break
        puzzle = scene.puzzle
        if kinds and isinstance(puzzle, Position) and puzzle.known_mines:
            kinds["known"] = Tile("known")
        line: Line = []
        for kind, meaning in (("safe", "safe"), ("mine", "mine"), ("known", "known mine")):
            if kind in kinds:
                sign = self._sign(kinds[kind])
                line += [Piece(f" {sign} ", _style(kinds[kind])), Piece(f" {meaning}   ")]
        unknown = kinds.get("unknown")
        if unknown is not None and unknown.chance is not None and self.cell >= 3 - self.colour:
            sign = self._sign(unknown)
            meaning = "chance of a mine" if sign.endswith("%") else "chance of a mine in %"
            line += [Piece(f" {sign} ", _style(unknown)), Piece(f" {meaning}   ")]
        return line

    def _layer(self, layer: int) -> Iterator[Line]:
        yield [Piece(" " * self.margin), Piece(self._header(), _AXIS)]
        base = layer * self.height * self.width
        for row in self.rows:
            shift = (row - self.rows[0]) * self.cell // 2 if self.slant else 0
            line = [Piece(" " * shift), Piece(f"{row:>{self.margin - 1}} ", _AXIS)]
            start = base + row * self.width
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
                line = line.ljust(at) + (" " if self.cell > 2 else "") + str(column)
        return line

    def _piece(self, index: int) -> Piece:
        tile = self.scene.tile(index)
        if not self.colour:
            return Piece(_centred(self._sign(tile), self.cell))
        cell = self.topology.cells[index] if self.best or self.scene.wrong else None
        style = _style(tile)
        if self.cell == 2 and tile.kind == "unknown" and tile.chance is not None:
            # No room for a gap between the digits of neighbours: shade every other cell.
            colour = ramp(tile.chance)
            odd = (index + index // self.width * (1 + self.width % 2)) % 2
            style = f"{INK} on {shaded(colour) if odd else colour}"
        if cell in self.best:
            style += " bold underline"
        if cell in self.scene.wrong:
            style = f"bold {WHITE} on {MINE}"
        return Piece(_centred(self._sign(tile), self.cell), style)

    def _sign(self, tile: Tile) -> str:
        glyphs = self.glyphs
        match tile.kind:
            case "number":
                return str(tile.number) if tile.number else glyphs.zero
            case "known":
                return glyphs.known
            case "free":
                return glyphs.free
            case "safe":
                return glyphs.safe
            case "mine":
                return glyphs.mine
            case "unknown" if tile.chance is not None:
                if self.cell >= 4:
                    return tile.text
                if self.colour:
                    return tile.text.rstrip("%") if self.cell == 3 else _two(tile.chance)
        return glyphs.covered


def _two(chance: float) -> str:
    """Return a percentage in two characters, rounded towards the middle."""
    return "<1" if chance < 0.01 else str(min(max(round(100 * chance), 1), 99))


def _centred(sign: str, width: int) -> str:
    """Centre a sign; where it cannot be exact, the free place is on the left."""
    left = (width - len(sign) + 1) // 2
    return (" " * left + sign).ljust(width)


def _style(tile: Tile) -> str:
    match tile.kind:
        case "number":
            return "bold" if tile.number else "dim"
        case "free":
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


def _window(centre: int, length: int, wanted: int) -> range:
    """Return `wanted` places around a centre, as far as the field goes."""
    if wanted >= length:
        return range(length)
    start = min(max(centre - wanted // 2, 0), length - wanted)
    return range(start, start + wanted)


def _merged(line: Line) -> Line:
    """Join neighbours of one style, so that a terminal has less to read."""
    merged: Line = []
    for piece in line:
        if merged and merged[-1].style == piece.style:
            merged[-1] = Piece(merged[-1].text + piece.text, piece.style)
        elif piece.text:
            merged.append(piece)
    return merged


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
