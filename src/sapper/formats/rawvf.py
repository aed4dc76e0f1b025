"""RAWVF, the replay that people can read: a board, and what the mouse did.

Header lines ``Key: value``, the board with ``*`` for mines, then a line an event: the time, what
the mouse did, column and row from 1. Programs turn their own replays into it.
"""

from __future__ import annotations

import re
from typing import Final

from sapper.errors import FormatError, quoted
from sapper.field import Grid
from sapper.formats.boards import checked_sides, sides_of
from sapper.formats.mouse import EVENTS, Mouse
from sapper.game import BOARDS, Game, Layout

__all__ = ["read", "write"]

_HEADER: Final = re.compile(r"\s*([A-Za-z][A-Za-z0-9_./ ]{0,40}):[ \t]*(.*?)\s*\Z")
_ROW: Final = re.compile(r"\s*[*0-8]+\s*\Z")
_WHOLE: Final = re.compile(r"[0-9]{1,9}")
_CELL: Final = re.compile(r"-?[0-9]{1,9}")
_LEVELS: Final = {board: name.capitalize() for name, board in BOARDS.items()}
_PRESSED: Final = {"dig": ("lc", "lr"), "flag": ("rc", "rr"), "chord": ("mc", "mr")}


def read(content: str) -> Game:
    r"""Read a game.

    Lines among the events that are no events of the mouse, such as what a cell turned out to be,
    are passed over: the rules say it again.

    Raises
    ------
    FormatError
        With line and column.

    Examples
    --------
    >>> game = read("Width: 3\nHeight: 1\nMines: 1\nBoard:\n00*\nEvents:\n0.1 lc 1 1\n0.2 lr 1 1")
    >>> game.status, game.moves
    ('won', (Move(kind='dig', cell=(0, 0)),))
    """
    lines = content.splitlines()
    said: dict[str, tuple[str, int]] = {}
    at = 0
    while at < len(lines):
        header = _HEADER.match(lines[at])
        if header is not None and header[1].lower() == "board":
            at += 1
            break
        if header is not None:
            said.setdefault(header[1].lower(), (header[2], at + 1))
        elif _ROW.match(lines[at]):
            break
        at += 1
    width, height, mines = (_whole(said, key) for key in ("width", "height", "mines"))
    checked_sides(width, height, line=said["width"][1])
    layout = _board(lines, at, width, height)
    if layout.board.mines != mines:
        message = f"the board has {layout.board.mines} mines, and 'Mines' says {mines}"
        raise FormatError(message, line=said["mines"][1], column=1)
    mouse = Mouse(layout, marks=said.get("marks", ("", 0))[0].lower() == "on")
    for number, line in enumerate(lines[at + height :], start=at + height + 1):
        words = line.split()
        if len(words) < 2 or words[1] not in EVENTS or words[1] == "mv":
            continue
        if len(words) < 4 or not all(_CELL.fullmatch(word) for word in words[2:4]):
            message = f"an event is time, name, column and row, not {quoted(line.strip())}"
            raise FormatError(message, line=number, column=1)
        mouse.does(words[1], int(words[3]) - 1, int(words[2]) - 1)
    return mouse.game


def _whole(said: dict[str, tuple[str, int]], key: str) -> int:
    value, line = said.get(key, ("", 1))
    if not _WHOLE.fullmatch(value):
        what = f"is a whole number, not {quoted(value)}" if value else "is missing before the board"
        raise FormatError(f"'{key.capitalize()}' {what}", line=line, column=1)
    return int(value)


def _board(lines: list[str], at: int, width: int, height: int) -> Layout:
    mined = bytearray()
    for number in range(at, at + height):
        row = lines[number].strip() if number < len(lines) else ""
        if len(row) != width or not _ROW.match(row):
            message = f"row {number - at + 1} of the board is {width} of * and 0, not {quoted(row)}"
            raise FormatError(message, line=number + 1, column=1)
        mined += bytes(sign == "*" for sign in row)
    return Layout.from_bytes(Grid(height, width), bytes(mined))


def write(played: Game | Layout) -> str:
    """Return a game, or a board on which nothing was done, as a RAWVF file.

    A game does not know when its moves were made: they are told a hundredth of a second apart.

    Raises
    ------
    FormatError
        If it is no grid.

    Examples
    --------
    >>> game = Game(Layout(Grid(1, 3), [(0, 2)]))
    >>> opened = game.dig((0, 0))
    >>> print(write(game).partition("Board:")[2].strip())
    00*
    Events:
    0.010 lc 1 1 (8 8)
    0.010 lr 1 1 (8 8)
    """
    game = played if isinstance(played, Game) else Game(played)
    layout = game.layout
    if layout is None:
        raise FormatError("nothing was dug in this game, so its mines have no place yet")
    width, height = sides_of(layout.topology, "rawvf")
    signs = layout.mined.translate(_SIGNS).decode()
    lines = [
        "RawVF_Version: Rev6",
        "Program: sapper",
        f"Level: {_LEVELS.get(layout.board, 'Custom')}",
        f"Width: {width}",
        f"Height: {height}",
        f"Mines: {layout.board.mines}",
        "Marks: Off",
        "Board:",
        *(signs[start : start + width] for start in range(0, len(signs), width)),
        "Events:",
    ]
    for number, move in enumerate(game.moves, start=1):
        row, column = divmod(layout.topology.index(move.cell), width)
        place = f"{column + 1} {row + 1} ({16 * column + 8} {16 * row + 8})"
        lines += [f"{number / 100:.3f} {event} {place}" for event in _PRESSED[move.kind]]
    return "\n".join(lines) + "\n"


_SIGNS: Final = bytes.maketrans(b"\0\1", b"0*")
