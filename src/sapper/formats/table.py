"""The table of formats: one row and one file for each.

A new format is a module here with `read`, `write` or both, and a row below; reading, writing,
recognising, the command line and the documentation go by the table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, cast

from sapper.errors import FormatError, quoted

if TYPE_CHECKING:
    from sapper.formats.reading import Found

__all__ = [
    "FORMATS",
    "READABLE",
    "WRITABLE",
    "Format",
    "format_by_ending",
    "format_named",
    "from_hex",
    "recognised",
]

Content = Literal["position", "clues", "layout", "replay"]


class Reader(Protocol):
    """Makes a puzzle, a board or a game of a file: text, or bytes if the format is binary.

    One that can give a position also takes `mines` and `topology`, which replace what is written.
    """

    def __call__(self, content: Any, **options: Any) -> Found: ...


class Writer(Protocol):
    """Makes the content of a file: text, or bytes if the format is binary."""

    def __call__(self, puzzle: Any, **options: Any) -> str | bytes: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A row of the table.

    Frozen: threads can share one.

    Parameters
    ----------
    name, what
        What it is called, and what that is, in a few words.
    holds
        What a file of it can hold; readers give the first that fits.
    home
        The module beside this one, if not of the same name, with a function `read`, a function
        `write` or both; one that serves several formats has `read_NAME` for each.
    reads, writes
        Which of the two there are.
    endings
        How names of such files end.
    binary
        Whether it is made of bytes, not of text.
    loose
        Whether names in it may be in any encoding: what is no UTF-8 is taken byte by byte.
    as_hex
        Whether its bytes may also be written, and read, as a text of hexadecimal digits.
    start
        What only files of this format begin with; None if they cannot be told by that.
    begins
        How a line looks that begins a board, where a board is one line and a file may hold many;
        None if it may not. Lines that look otherwise go on with the board before.
    looks
        Whether its module has a function `recognises` that looks closer than `start` can.
    options
        What its `write` takes besides the puzzle.
    """

    name: str
    what: str
    holds: tuple[Content, ...]
    home: str = ""
    reads: bool = True
    writes: bool = True
    endings: tuple[str, ...] = ()
    binary: bool = False
    loose: bool = False
    as_hex: bool = False
    start: str | None = None
    begins: str | None = None
    looks: bool = False
    options: tuple[str, ...] = ()

    @property
    def read(self) -> Reader:
        """The function that reads it."""
        return cast(Reader, self._function("read"))

    @property
    def write(self) -> Writer:
        """The function that writes it."""
        return cast(Writer, self._function("write"))

    def _function(self, name: str) -> Any:
        home = _home(self.home or self.name)
        return getattr(home, f"{name}_{self.name}", None) or getattr(home, name)

    def starts(self, content: str | bytes) -> bool:
        """Tell whether a content looks as only this format does."""
        if self.as_hex and isinstance(content, str):
            content = from_hex(content) or ""
        if self.binary != isinstance(content, bytes):
            return False
        if self.looks:
            return bool(self._function("recognises")(content))
        if self.start is None:
            return False
        if isinstance(content, bytes):
            return re.match(self.start.encode("latin-1"), content) is not None
        return re.match(self.start, content) is not None


def from_hex(text: str) -> bytes | None:
    """Return the bytes that a text of hexadecimal digits stands for; None if it is no such text."""
    digits = "".join(text.split())
    return bytes.fromhex(digits) if _HEX.fullmatch(digits) else None


@cache
def _home(name: str) -> ModuleType:
    return import_module(f"sapper.formats.{name}")


_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2})+")
_PUZZLE: Final[tuple[Content, ...]] = ("position", "clues")

FORMATS: Final[dict[str, Format]] = {
    row.name: row
    for row in (
        Format(
            name="text",
            what="header lines and rows of labels",
            holds=("position",),
            endings=(".txt",),
        ),
        Format(
            name="msor",
            what="replays of minesweeper.online, as JSMinesweeper opens them",
            holds=("replay", "position"),
            writes=False,
            endings=(".msor",),
            looks=True,  # before JSON, which it is
        ),
        Format(
            name="json",
            what="any topology, bare clue systems, records of games",
            holds=(*_PUZZLE, "replay"),
            home="jsons",
            endings=(".json",),
            # An object; or a list, which no document is, so that the error is about JSON. [12] is
            # a label.
            start=r"\s*(?:\{|\[\s*(?:[\[\]{\"-]|[0-9]+\s*,))",
            # No document of several lines begins with a whole object.
            begins=r"\s*\{.*\}\s*\Z",
        ),
        Format(
            name="line",
            what="a position in one line, as FEN is for chess",
            holds=("position",),
            endings=(".line",),
            # One line with strokes, runs, or more than labels behind them; or several with runs or
            # strokes, which is a line too many.
            start=r"\s*[0-9?*_\[][0-9?*_\[\]]*(?:[/{]|[ \t]+(?:mines=|[a-z]{3}|\())[^\n]*"
            r"(?:\s*\Z|\s*\n[ \t]*[0-9?*_\[][0-9?*_\[\]]*[/{])",
            # What follows the rows may stand in lines of its own.
            begins=r"\s*(?:[0-9?*_\[]|\S*/)",
            options=("start",),
        ),
        Format(
            name="numpy",
            what=".npy arrays of label codes",
            holds=("position",),
            home="npy",
            endings=(".npy",),
            binary=True,
            start=r"\x93NUMPY",
        ),
        Format(
            name="tatham",
            what="game IDs of Simon Tatham's Mines",
            holds=("layout",),
            endings=(".tatham",),
            start=r"\s*[0-9]{1,5}x[0-9]{1,5}[naXY0-9]*(?:[:#]|\s*\Z)",
            begins=r"\s*\S",
            options=("start", "masked"),
        ),
        Format(
            name="mine",
            what="files of JSMinesweeper",
            holds=("position",),
            endings=(".mine",),
            start=r"\s*[0-9]{1,9}x[0-9]{1,9}x[0-9]{1,9}[ \t]*[\r\n]",
        ),
        Format(
            name="jsm",
            what="links of JSMinesweeper (?analysis=)",
            holds=("position",),
            start=r"\s*(?:\S*[?&])?analysis=",
            begins=r"(?:.*[?&\s])?analysis=",
        ),
        Format(
            name="ptta",
            what="links with a board (?b=…&m=…)",
            holds=("layout",),
            start=r"\s*(?:\S*[?&])?b=[0-9]*&(?:\S*&)?m=",
            begins=r"(?:.*[?&\s])?b=|.*[?&]m=",
        ),
        Format(
            name="mbf",
            what="Minesweeper board files, .mbf and .abf",
            holds=("layout",),
            endings=(".mbf", ".abf"),
            binary=True,
            as_hex=True,
            begins=r"\s*[0-9a-fA-F]+\s*\Z",
            looks=True,
        ),
        Format(
            name="rawvf",
            what="replays that people can read",
            holds=("replay", "layout"),
            endings=(".rawvf",),
            loose=True,
            start=r"\s*RawVF_Version|(?:[A-Za-z][\w./ ]*:[^\n]*\n){2,60}Board:[ \t]*\r?\n",
        ),
        Format(
            name="avf",
            what="replays of Arbiter",
            holds=("replay",),
            home="replays",
            writes=False,
            endings=(".avf",),
            binary=True,
            looks=True,
        ),
        Format(
            name="rmv",
            what="replays of Viennasweeper",
            holds=("replay",),
            home="replays",
            writes=False,
            endings=(".rmv",),
            binary=True,
            start=r"\*rmv",
        ),
        Format(
            name="mvf",
            what="replays of Minesweeper Clone",
            holds=("replay",),
            home="replays",
            writes=False,
            endings=(".mvf",),
            binary=True,
            start=r"\x11M",
        ),
        Format(
            name="evf",
            what="replays of Metasweeper",
            holds=("replay",),
            home="replays",
            writes=False,
            endings=(".evf",),
            binary=True,
            looks=True,
        ),
        Format(
            name="dimacs",
            what="CNF for SAT solvers and model counters",
            holds=_PUZZLE,
            reads=False,
            endings=(".cnf", ".dimacs"),
            options=("encoding",),
        ),
        Format(
            name="opb",
            what="equations for pseudo-Boolean solvers",
            holds=_PUZZLE,
            reads=False,
            endings=(".opb",),
        ),
        Format(
            name="lp",
            what="equations for mixed-integer solvers",
            holds=_PUZZLE,
            reads=False,
            endings=(".lp",),
        ),
        Format(
            name="mps",
            what="the same for those that read no LP",
            holds=_PUZZLE,
            reads=False,
            endings=(".mps",),
        ),
    )
}
"""Every format by name; the first is what a text is that no other row knows."""

READABLE: Final = tuple(name for name, row in FORMATS.items() if row.reads)
WRITABLE: Final = tuple(name for name, row in FORMATS.items() if row.writes)


def format_named(name: object, *, to: Literal["read", "write"]) -> Format:
    """Return the row of a name, or raise FormatError if it cannot be read or written."""
    able = READABLE if to == "read" else WRITABLE
    if not isinstance(name, str) or name not in able:
        raise FormatError(f"cannot {to} the format {quoted(name)}: use {', '.join(able)}")
    return FORMATS[name]


def format_by_ending(path: str) -> Format:
    """Return the format that the end of a file's name tells, or raise FormatError."""
    for row in FORMATS.values():
        if row.writes and path.lower().endswith(row.endings):
            return row
    known = ", ".join(ending for row in FORMATS.values() if row.writes for ending in row.endings)
    raise FormatError(f"the end of {quoted(path)} tells no format: use {known}, or name a format")


def recognised(content: str | bytes) -> Format | None:
    """Return the format that a content can be told by, or None."""
    return next((row for row in FORMATS.values() if row.reads and row.starts(content)), None)
