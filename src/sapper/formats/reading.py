"""Read a puzzle, a full board or a game from text, bytes or a file, whatever its format."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from sapper.clues import Clues
from sapper.errors import FormatError, GameError
from sapper.field import Cell, Position, Topology, checked_mines, topology_of_shape
from sapper.formats.table import FORMATS, Format, format_named, from_hex, recognised
from sapper.game import Game, Layout

__all__ = ["Found", "Reading", "examine", "examine_boards", "examine_file", "parse", "read"]

_BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"

Value: TypeAlias = Position | Clues | Layout | Game


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read, and how.

    Frozen: threads can share one.

    Parameters
    ----------
    value
        A position, a clue system, a full board or a game: what such a file holds.
    format
        The name of the format.
    notes
        A sentence for everything that people should know of how it was read.
    start
        Where the first dig is, if the file says so or a game was played.
    board
        The full board, where the file shows a position and also what is below.
    line
        The line of the file at which it begins.

    Examples
    --------
    >>> found = examine("9x9:1,8,mb6289d7938566b5d315e8")
    >>> found.format, found.start, found.layout.board
    ('tatham', (8, 1), Board(Grid(9, 9), mines=10))
    """

    value: Value
    format: str = ""
    notes: tuple[str, ...] = ()
    start: Cell | None = None
    board: Layout | None = field(default=None, repr=False)
    line: int = field(default=1, repr=False)

    @property
    def puzzle(self) -> Position | Clues:
        """The puzzle; of a full board or a game, the board with nothing covered."""
        value = self.value
        if isinstance(value, Position | Clues):
            return value
        if isinstance(value, Game) and value.layout is None:
            return value.position  # nothing was dug, so everything is covered
        return self.layout.position()

    @property
    def layout(self) -> Layout:
        """The full board.

        Raises
        ------
        GameError
            If something is covered, or a number does not fit.
        """
        value = self.value
        if self.board is not None:
            return self.board
        if isinstance(value, Layout):
            return value
        if isinstance(value, Position):
            return Layout.from_position(value)
        if isinstance(value, Game):
            if value.layout is None:
                raise GameError("nothing was dug in this game, so its mines have no place yet")
            return value.layout
        raise GameError("this is a system of clues, not a full board")

    @property
    def game(self) -> Game:
        """The game that was played.

        Raises
        ------
        GameError
            If the file holds no game.
        """
        if not isinstance(self.value, Game):
            raise GameError(f"{self.format} holds no played game here, only what it was played on")
        return self.value


Found: TypeAlias = Value | Reading
"""What readers of formats return: a reading if there is something to say about it."""


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    mines: int | None = None,
    topology: str | Topology | None = None,
) -> Position | Clues:
    """Read a position, or a bare clue system, from a file.

    Parameters
    ----------
    path
        The file, or ``"-"`` for standard input.
    format
        A name of the table of formats, such as ``"json"``; by default the content decides, and
        the end of the name where the content cannot.
    mines
        Total number of mines; replaces what the file says.
    topology
        ``"grid"``, ``"torus"``, ``"hex"``, ``"knight"``, ``"box"``, offsets such as
        ``"(1,2) (-1,-2)"``, or a topology; replaces what the file says.

    Raises
    ------
    FormatError
        With the name of the file, line and column.
    PositionError
        If `mines` or `topology` makes no sense.
    OSError
        If the file cannot be opened.
    """
    return examine_file(path, format=format, mines=mines, topology=topology).puzzle


def examine_file(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    mines: int | None = None,
    topology: str | Topology | None = None,
) -> Reading:
    """Read a file as `read` does, and tell what it holds and how it was read.

    Raises
    ------
    FormatError, PositionError, OSError
        As `read`.
    """
    name = os.fspath(path)
    return _of_file(_data(name), name, None, format=format, mines=mines, topology=topology)


def examine_boards(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    mines: int | None = None,
    topology: str | Topology | None = None,
) -> list[Reading]:
    """Read a file as `examine_file` does; one that has a board in each line gives them all.

    Raises
    ------
    FormatError, PositionError, OSError
        As `read`.
    """
    name = os.fspath(path)
    data = _data(name)
    chosen = None if format is None else format_named(format, to="read")
    return [
        _of_file(content, name, first, format=row.name, mines=mines, topology=topology)
        for first, content, row in _boards(data, chosen)
    ] or [_of_file(data, name, None, format=format, mines=mines, topology=topology)]


def _boards(data: bytes, chosen: Format | None) -> list[tuple[int, str, Format]]:
    """Return the boards of a file that has several, one a line, each with its first line."""
    text = data.decode(errors="replace").removeprefix(_BOM)
    lines = text.splitlines()
    written = [at for at, line in enumerate(lines) if line.strip()]
    if len(written) < 2:
        return []
    whole = recognised(data) or recognised(text)
    row = chosen or whole or recognised(lines[written[0]])
    if row is None or row.begins is None:
        return []
    begin = [at for at in written if re.match(row.begins, lines[at])]
    if len(begin) < 2 or begin[0] != written[0]:
        return []
    # The bytes of one board, or their digits in several lines.
    if row.binary and (whole is row or begin != written):
        return []
    # Only the first line looks so: a text whose first row does by chance has others that do not.
    if row not in (chosen, whole) and begin != written:
        return []
    ends = [*begin[1:], len(lines)]
    return [(at + 1, "\n".join(lines[at:end]), row) for at, end in zip(begin, ends, strict=True)]


def _data(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _of_file(content: str | bytes, name: str, first: int | None, **options: Any) -> Reading:
    """Examine a file, or what stands in it from a line on."""
    try:
        found = examine(content, name=name, **options)
        return found if first is None else replace(found, line=first)
    except FormatError as error:
        raise FormatError(
            error.message,
            line=error.line if first is None else first - 1 + (error.line or 1),
            column=error.column,
            source="standard input" if name == "-" else name,
        ) from None


def _row_of_name(name: str) -> Format | None:
    """Return the format of bytes that the end of a name tells: text is told by what it says."""
    rows = (row for row in FORMATS.values() if row.reads and row.binary)
    return next((row for row in rows if name.lower().endswith(row.endings)), None)


def parse(
    text: str | bytes,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    mines: int | None = None,
    topology: str | Topology | None = None,
) -> Position | Clues:
    r"""Read a position, or a bare clue system, from a string.

    Parameters
    ----------
    text
        The content of a file of any readable format.
    format, mines, topology
        As for `read`.

    Returns
    -------
    Position or Clues
        A bare hypergraph in JSON gives clues, everything else a position: of a full board or a
        played game the board with nothing covered. `examine` tells more.

    Raises
    ------
    FormatError
        With line and column: an unknown character, rows of unequal length, a number above its
        neighbourhood, an impossible mine total and so on.
    PositionError
        If `mines` or `topology` makes no sense.
    TypeError
        If it is neither text nor bytes.

    Examples
    --------
    >>> parse("mines: 2\n1??\n12?\n_1?")
    Position(Grid(3, 3), ['1??', '12?', '_1?'], mines=2)
    >>> parse("1??\n12")
    Traceback (most recent call last):
    ...
    sapper.errors.FormatError: line 2, column 3: this row has 2 cells, the first one has 3
    """
    return examine(text, format=format, mines=mines, topology=topology).puzzle


def examine(
    text: str | bytes,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    mines: int | None = None,
    topology: str | Topology | None = None,
    name: str = "",
) -> Reading:
    r"""Read a text as `parse` does, and tell what it holds and how it was read.

    `name` is that of the file it is from, whose end tells the format where the content cannot.

    Raises
    ------
    FormatError, PositionError, TypeError
        As `parse`.

    Examples
    --------
    >>> examine("1??\n12?").format
    'text'
    """
    content = _content(text)
    mines = checked_mines(mines)
    row = None if format is None else format_named(format, to="read")
    if isinstance(content, bytes):
        row = row or recognised(content) or _row_of_name(name)
        if row is None or not row.binary:
            content = _decoded(content, row)
    if isinstance(content, str):
        content = content.removeprefix(_BOM)
        row = row or recognised(content) or FORMATS["text"]
        if row.binary:
            content = _bytes_in(content, row)
    assert row is not None
    return _reading(row, content, mines, topology)


def _reading(
    row: Format, content: str | bytes, mines: int | None, topology: str | Topology | None
) -> Reading:
    options: dict[str, Any] = {}
    if "position" in row.holds:
        options = {"mines": mines, "topology": topology}
    found = row.read(content, **options)
    found = found if isinstance(found, Reading) else Reading(found)
    if isinstance(found.value, Game):
        digs = (move.cell for move in found.value.moves if move.kind == "dig")
        found = replace(found, start=next(digs, None))
    found = replace(found, format=row.name)
    if isinstance(found.value, Layout | Game):
        _same_board(found, mines, topology)
    return found


def _same_board(found: Reading, mines: int | None, topology: str | Topology | None) -> None:
    """Refuse a total or a field that a full board contradicts."""
    value = found.value
    assert isinstance(value, Layout | Game)
    board = value.board
    if mines not in (None, board.mines):
        raise FormatError(f"this full board has {board.mines} mines, not {mines}")
    if topology is not None and topology_of_shape(topology, board.topology.shape) != board.topology:
        raise FormatError(f"this full board is {board.topology}, and no other field")


def _bytes_in(text: str, row: Format) -> bytes:
    data = from_hex(text) if row.as_hex else None
    if data is None:
        also = ", or a text of hexadecimal digits" if row.as_hex else ", not text"
        raise FormatError(f"a {row.endings[0]} file is bytes{also}")
    return data


def _content(value: object) -> str | bytes:
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    if isinstance(value, str | bytes):
        return value
    kind = type(value).__name__
    raise TypeError(f"parse takes the text or the bytes of a puzzle, not {kind}; see read")


def _decoded(data: bytes, row: Format | None) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = data.decode("latin-1")
        row = row or recognised(text)
        if row is not None and row.loose:
            return text
        start = data.rfind(b"\n", 0, error.start) + 1
        raise FormatError(
            f"byte 0x{data[error.start]:02x} is not text in UTF-8",
            line=data.count(b"\n", 0, error.start) + 1,
            column=len(data[start : error.start].decode("utf-8")) + 1,
        ) from None
