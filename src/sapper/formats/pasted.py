"""Boards as people paste them: the characters of other programs, emoji, chat games with spoilers.

Each sign has a meaning, or one of two: a dot is an empty cell here and a covered one there. A sign
of two meanings is read only if the board leaves one: not the meaning that another sign of the board
has; not *empty* beside a covered cell, which every program would have opened; nothing that plainly
contradicts itself. Otherwise the board is refused, with the place of the sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final, NamedTuple

from sapper.errors import FormatError, GameError, quoted
from sapper.field import COVERED, Position
from sapper.formats.reading import Reading
from sapper.game import Layout

__all__ = ["Pasted", "pasted"]

_NAMES: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_COLOURS: Final = ("black", "white", "red", "orange", "yellow", "green", "blue", "purple", "brown")
_MEANINGS: Final = {
    "0": "0",
    "?": "covered",
    "*": "a known mine",
    "_": "free",
}
# What a sign stands for: a label of ours, or one of two.
_SIGNS: Final[dict[str, str]] = {
    **{str(number): str(number) for number in range(10)},
    **{f":{name}:": str(number) for number, name in enumerate(_NAMES)},
    **dict.fromkeys("?#H■█▓▒", "?"),
    **dict.fromkeys("*FM⚑💣💥🚩🏴", "*"),
    **dict.fromkeys((":bomb:", ":boom:", ":collision:", ":triangular_flag_on_post:"), "*"),
    "_": "_",
    "·": "0",
    **dict.fromkeys(" .□▫▪◻◼⬜⬛🟥🟧🟨🟩🟦🟪🟫", "0?"),
    **{
        f":{colour}_{kind}:": "0?"
        for colour in _COLOURS
        for kind in ("square", "large_square", "small_square")
    },
}
_OURS: Final = frozenset("0123456789?*_")
_MOST_CHOICES: Final = 4
_MOST_CHARACTERS: Final = 1_000_000
# What no text of ours has: one look tells whether there is more to look for.
_OTHERS: Final = "".join(sign for sign in _SIGNS if len(sign) == 1 and sign not in _OURS | {" "})
_FOREIGN: Final = re.compile(rf"\|\||\u20e3|:[a-z_]+:|[{re.escape(_OTHERS)}]")
_TOKEN: Final = re.compile(
    r"(?P<name>:[a-z0-9_+-]{1,40}:)|(?P<key>[0-9])\ufe0f?\u20e3|(?P<spoiler>\|\|)"
    r"|(?P<between>[\s|,;│\u200b\u200d\ufe0f]+)|(?P<sign>.)"
)
_HEADER: Final = re.compile(r"\s*(?:mines|topology|offsets)\s*:", re.IGNORECASE)
# Comments, fences of chats and wikis, and lines between rows that hold no cells.
_BETWEEN: Final = re.compile(r"\s*(?:%.*|```\w*|[-=+|\s]*\+[-=+|\s]*|[─┌┬┐├┼┤└┴┘│╔═╗╚╝\s]+)\Z")


class _Cell(NamedTuple):
    sign: str
    column: int
    hidden: bool


@dataclass(frozen=True)
class Pasted:
    """A pasted board, and once its signs are chosen, its rows in our characters."""

    headers: list[tuple[int, str]]
    cells: list[list[_Cell]]
    lines: list[int]
    layers: list[int]
    rows: list[str] = field(default_factory=list)
    spaced: Pasted | None = None

    @property
    def columns(self) -> list[list[int]]:
        """Where each cell stands in its line."""
        return [[cell.column for cell in row] for row in self.cells]

    def signs(self) -> dict[str, tuple[int, int]]:
        """Return the signs, each with the line and column at which it first stands."""
        first: dict[str, tuple[int, int]] = {}
        for row, line in zip(self.cells, self.lines, strict=True):
            for cell in row:
                first.setdefault(cell.sign, (line, cell.column))
        return first

    def read(self, make: Callable[[Pasted], Position]) -> Reading:
        """Return the board by the one way in which it can be read.

        Parameters
        ----------
        make
            Makes a position of a board whose rows are in our characters, and raises FormatError
            with the place of what is wrong.

        Raises
        ------
        FormatError
            If there is no way, or more than one.
        """
        signs = self.signs()
        for sign, (line, column) in signs.items():
            if sign not in _SIGNS:
                message = f"unknown {_shown(sign)}: it means nothing on a board"
                raise FormatError(message, line=line, column=column)
        even = len({len(row) for row in self.cells}) == 1
        doubtful = [sign for sign in signs if len(_SIGNS[sign]) > 1]
        if self.spaced is None and not (doubtful and even):
            return self._plainly(make)
        ways = [way for board in (self, self.spaced) if board for way in board._ways(make)]
        if len(ways) == 1:
            return ways[0]
        if not ways and not (doubtful and even):
            return self._plainly(make)
        sign = doubtful[0] if doubtful else " "
        line, column = signs[sign] if doubtful else (self.lines[0], 1)
        fits = "fits neither as 0 nor as covered" if not ways else "fits in more than one way"
        message = f"{_shown(sign)} {fits} here: write 0 for empty and ? for covered"
        raise FormatError(message, line=line, column=column)

    def _plainly(self, make: Callable[[Pasted], Position]) -> Reading:
        """Return the board without a choice: its signs are clear, or its rows are not and fail."""
        chosen = {sign: _SIGNS[sign][-1] for sign in self.signs()}
        return self._reading(chosen, make(self._in_ours(chosen)), make)

    def _ways(self, make: Callable[[Pasted], Position]) -> Iterator[Reading]:
        """Yield the readings that do not contradict themselves."""
        signs = self.signs()
        if not signs.keys() <= _SIGNS.keys():  # a header, below a row of spaces
            return
        doubtful = [sign for sign in signs if len(_SIGNS[sign]) > 1]
        if len(doubtful) > _MOST_CHOICES or len({len(row) for row in self.cells}) > 1:
            return
        for meanings in product("0?", repeat=len(doubtful)):
            guessed = dict(zip(doubtful, meanings, strict=True))
            chosen = {sign: guessed.get(sign, _SIGNS[sign]) for sign in signs}
            taken = list(chosen.values())
            if any(taken.count(meaning) > 1 for meaning in meanings):
                continue
            try:
                position = make(self._in_ours(chosen))
            except FormatError:
                continue
            empty = [sign for sign, meaning in guessed.items() if meaning == "0"]
            if not position.status() and not self._unopened(position, empty):
                yield self._reading(chosen, position, make)

    def _unopened(self, position: Position, empty: list[str]) -> bool:
        """Tell whether a cell taken for empty has a covered neighbour, which would be open."""
        codes = memoryview(position.codes).cast("i").tolist()
        around = position.topology.neighbours_at
        cells = (cell for row in self.cells for cell in row)
        places = (place for place, cell in enumerate(cells) if cell.sign in empty)
        return any(codes[other] == COVERED for place in places for other in around(place))

    def _in_ours(self, chosen: Mapping[str, str], *, look_behind: bool = False) -> Pasted:
        """Return the board in our characters; spoilers cover what is behind them, if not all is."""
        hidden = [cell.hidden for row in self.cells for cell in row]
        covering = not look_behind and any(hidden) and not all(hidden)
        rows = [
            "".join("?" if covering and cell.hidden else chosen[cell.sign] for cell in row)
            for row in self.cells
        ]
        return replace(self, rows=rows)

    def _reading(
        self, chosen: Mapping[str, str], position: Position, make: Callable[[Pasted], Position]
    ) -> Reading:
        foreign = [(sign, label) for sign, label in chosen.items() if _foreign(sign, label)]
        parts = [f"{_shown(sign)} as {_MEANINGS.get(label, label)}" for sign, label in foreign]
        more = f" and {len(parts) - 6} more" if len(parts) > 6 else ""
        notes = [f"read {', '.join(parts[:6])}{more}"] if parts else []
        hidden = [cell.hidden for row in self.cells for cell in row]
        board = None
        if all(hidden):
            notes.append("what is behind the spoilers is the full board")
        elif any(hidden):
            notes.append("what is behind spoilers is covered")
            try:
                board = Layout.from_position(make(self._in_ours(chosen, look_behind=True)))
            except (FormatError, GameError):
                board = None
        return Reading(position, notes=tuple(notes), board=board)


def pasted(content: str) -> Pasted | None:
    r"""Return a text as a pasted board; None if no sign in it is another's than ours.

    Examples
    --------
    >>> pasted("1?\n?x") is None
    True
    >>> board = pasted("||:one:||||:bomb:||")
    >>> [cell.sign for cell in board.cells[0]]
    [':one:', ':bomb:']
    """
    if len(content) > _MOST_CHARACTERS:
        return None
    foreign = _FOREIGN.search(content) is not None
    if not foreign and " " not in content:
        return None
    text = content.replace("\r\n", "\n").replace("\r", "\n")
    board = _cut(text, spaces=False)
    if not board.cells:
        return None
    rows = _rows(text)
    spaces = len({len(line) for line in rows}) == 1 and any(" " in line for line in rows)
    regular = all(
        columns == list(range(columns[0], columns[-1] + 1, 2)) for columns in board.columns
    )
    if spaces and not regular:
        board = replace(board, spaced=_cut(text, spaces=True))
    uneven = len({len(row) for row in board.cells}) > 1
    return board if foreign or (board.spaced is not None and uneven) else None


def _rows(text: str) -> list[str]:
    """Return the lines that can be rows if spaces are cells."""
    lines = text.rstrip("\n").split("\n")
    return [line for line in lines if line and not _HEADER.match(line) and not _is_between(line)]


def _is_between(line: str) -> bool:
    return bool(line.strip()) and _BETWEEN.match(line) is not None


def _cut(text: str, *, spaces: bool) -> Pasted:
    """Cut a text into headers and rows of cells."""
    headers: list[tuple[int, str]] = []
    cells: list[list[_Cell]] = []
    lines: list[int] = []
    layers: list[int] = []
    blank, hidden = True, False
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or (not spaces and not line.strip()):
            blank = True
        elif not cells and _HEADER.match(line):
            headers.append((number, line))
        elif not _is_between(line):
            row, hidden = _tokens(line, hidden, spaces=spaces)
            if not row:
                continue
            if blank or not cells:
                layers.append(len(cells))
            blank = False
            cells.append(row)
            lines.append(number)
    return Pasted(headers, cells, lines, layers)


def _tokens(line: str, hidden: bool, *, spaces: bool) -> tuple[list[_Cell], bool]:
    """Return the cells of a line, and whether a spoiler is open at its end."""
    row = []
    for found in _TOKEN.finditer(line):
        if found["spoiler"]:
            hidden = not hidden
        elif found["between"]:
            for at, sign in enumerate(found["between"]):
                if spaces and sign == " ":
                    row.append(_Cell(" ", found.start() + at + 1, hidden))
        else:
            sign = found["name"] or found["key"] or found["sign"]
            row.append(_Cell(sign, found.start() + 1, hidden))
    return row, hidden


def _foreign(sign: str, label: str) -> bool:
    return sign not in _OURS and not (label.isdigit() and label != "0") and sign != ":zero:"


def _shown(sign: str) -> str:
    return "a space" if sign == " " else quoted(sign)
