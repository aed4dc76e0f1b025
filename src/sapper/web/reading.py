"""From the body of a request to what was asked."""

from __future__ import annotations

import types
import typing
from base64 import b64decode
from math import prod
from typing import Any, Final, Literal, NotRequired, TypeAlias

from sapper.clues import Clues, Puzzle
from sapper.errors import FormatError, PositionError, SapperError, quoted
from sapper.field import Box, Cell, Position, Topology, topology_from_spec
from sapper.formats import Document, Reading, examine
from sapper.game import Board, board_named
from sapper.web.requests import Text

__all__ = ["Request", "TooLarge"]

Path: TypeAlias = tuple[str | int, ...]

_TEXT: Final = frozenset(Text.__annotations__)


class TooLarge(SapperError, ValueError):  # noqa: N818 - says what happened, like LimitExceeded
    """A request or a board that is larger than the server allows."""


class Request:
    """The body of a request, read and checked.

    Parameters
    ----------
    body
        What was sent.
    kind
        The typed dictionary that it must fit. Where there must be a `position`, the request may be
        the position itself, and a text with its options may stand beside other keys.
    cells
        How many cells a board may have.

    Raises
    ------
    FormatError
        With line and column.
    """

    def __init__(self, body: bytes, kind: Any, cells: int) -> None:
        self.document = Document(_decoded(body))
        self._cells = cells
        value = self.document.value
        self.document.expect(value, dict, (), "an object")
        self.value: dict[str, Any] = dict(value)
        self._place: Path = ("position",)
        if "position" in kind.__annotations__ and "position" not in value:
            self._place = ()
            if "text" in value or "data" in value:
                self.value = {key: value[key] for key in value.keys() - _TEXT}
                self.value["position"] = {key: value[key] for key in value.keys() & _TEXT}
            elif "labels" in value or "clues" in value:
                self.value = {"position": value}
            else:
                self.document.fail((), "the key 'position' is missing")
        check(self.document, self.value, (), kind)

    def get(self, key: str, default: Any = None) -> Any:
        """Return what stands under a key, or something else if nothing or null does."""
        found = self.value.get(key)
        return default if found is None else found

    def cell(self, key: str) -> Cell:
        """Return the cell that stands under a key."""
        return self.document.cell(self.value[key], (key,))

    @property
    def puzzle(self) -> Puzzle:
        """The position or the clue system that is asked about."""
        return self.reading.puzzle

    @property
    def reading(self) -> Reading:
        """The same, and what else the text or the file holds."""
        value = self.value["position"]
        if isinstance(value, dict) and ("text" in value or "data" in value):
            return self.examined(value, self._place)
        wanted = "an object with 'labels', 'clues', 'text' or 'data'"
        self.document.expect(value, dict, self._place, wanted)
        return self._fitting(examine(self.document.part(self._place), format="json"))

    def examined(self, value: dict[str, Any], path: Path) -> Reading:
        """Return what a text, or a file in base64, holds."""
        check(self.document, value, path, Text)
        if ("text" in value) == ("data" in value):
            self.document.fail(path, "give either 'text' or 'data'")
        content: str | bytes = value.get("text", "")
        if "data" in value:
            try:
                content = b64decode(value["data"], validate=True)
            except ValueError:
                self.document.fail((*path, "data"), "data is a file in base64, and this is not")
        options = {key: value.get(key) for key in ("format", "mines", "topology")}
        return self._fitting(examine(content, name=value.get("name") or "", **options))

    def _fitting(self, found: Reading) -> Reading:
        value = found.value
        if isinstance(value, Clues):
            self._fits(len(value.cells))
        else:
            self._fits(len(value.topology if isinstance(value, Position) else value.board.topology))
        return found

    @property
    def position(self) -> Position:
        """The position that is asked about, where a bare clue system will not do."""
        made = self.puzzle
        if isinstance(made, Clues):
            raise PositionError("this needs a position, not bare clues")
        return made

    @property
    def board(self) -> Board:
        """The board that is asked for: by its name, or by field and mines."""
        wish = self.value["board"]
        if isinstance(wish, str):
            made = board_named(wish)
        else:
            made = Board(self._topology(wish["topology"]), wish["mines"])
        self._fits(len(made.topology))
        return made

    def _topology(self, spec: object) -> Topology:
        path: Path = ("board", "topology")
        if isinstance(spec, dict):
            sides = [side for key in Box.axes if isinstance(side := spec.get(key), int)]
            self._fits(prod(max(side, 1) for side in sides))
        try:
            return topology_from_spec(spec)
        except PositionError as error:
            self.document.fail((*path, *(error.path if isinstance(spec, dict) else ())), str(error))

    def _fits(self, cells: int) -> None:
        if cells > self._cells:
            # Imported here, so that workers start sooner.
            from sapper.render import amount

            raise TooLarge(
                f"the board has {amount(cells)} cells, and this server takes {self._cells:,} at"
                " most; the command line and the package take any"
            )


def _decoded(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"byte 0x{body[error.start]:02x} is not text in UTF-8"
        line = body.count(b"\n", 0, error.start) + 1
        column = error.start - body.rfind(b"\n", 0, error.start)
        raise FormatError(problem, line=line, column=column) from None


_WORDS: Final = {
    bool: "true or false",
    dict: "an object",
    float: "a number",
    int: "a whole number",
    list: "a list",
    str: "a text",
}


def check(document: Document, value: object, path: Path, kind: Any) -> None:
    """Raise FormatError, with its place, unless a JSON value fits a type."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return
    if typing.is_typeddict(kind):
        _check_keys(document, value, path, kind)
    elif origin is NotRequired:
        check(document, value, path, arguments[0])
    elif origin in (typing.Union, types.UnionType):
        if value is None and type(None) in arguments:
            return
        fitting = [one for one in arguments if isinstance(value, _plain(one))]
        check(document, value, path, (fitting or arguments)[0])
    elif origin is Literal:
        if value not in arguments:
            words = ", ".join(map(str, arguments))
            document.fail(path, f"{path[-1]} is one of {words}, not {quoted(value)}")
    elif origin is list:
        document.expect(value, list, path, _WORDS[list])
        assert isinstance(value, list)
        for place, part in enumerate(value):
            check(document, part, (*path, place), arguments[0])
    else:
        wanted = float if kind is float and isinstance(value, float) else _plain(kind)
        document.expect(value, wanted, path, _WORDS[kind])


def _plain(kind: Any) -> type:
    """Return what Python's reader makes of a JSON value of a type."""
    if typing.is_typeddict(kind):
        return dict
    return int if kind is float else kind if isinstance(kind, type) else object


def _check_keys(document: Document, value: object, path: Path, kind: Any) -> None:
    document.expect(value, dict, path, _WORDS[dict])
    assert isinstance(value, dict)
    hints = typing.get_type_hints(kind, include_extras=True)
    document.only(value, set(hints), path)
    for key in sorted(kind.__required_keys__ - value.keys()):
        document.fail(path, f"the key {key!r} is missing")
    for key, wanted in hints.items():
        if key in value:
            check(document, value[key], (*path, key), wanted)
