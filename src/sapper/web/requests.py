"""What may be asked, as typed dictionaries, and the reading of it.

The types are the description: what does not fit them is refused with its place, and the OpenAPI
document is read off them.
"""

import types
import typing
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from sapper.clues import Clues, Puzzle
from sapper.errors import FormatError, SapperError, quoted
from sapper.field import Cell
from sapper.formats import Document, parse

__all__ = ["Request", "TooLarge"]

Path: TypeAlias = tuple[str | int, ...]
JsonCell: TypeAlias = Any
"""A cell: ``[row, column]`` on a board, a string or a number in a graph."""
JsonPosition: TypeAlias = Any
"""A position or a clue system as JSON; or ``{"text": …}`` in any format that can be read."""


class TooLarge(SapperError, ValueError):  # noqa: N818 - says what happened, like LimitExceeded
    """A request or a board that is larger than the server allows."""


class Text(TypedDict):
    """A position as text in any format; what is given besides replaces what the text says."""

    text: str
    format: NotRequired[str | None]
    mines: NotRequired[int | None]
    topology: NotRequired[str | None]


class Allowed(TypedDict):
    """What an answer may cost; never more than the server allows."""

    seconds: NotRequired[float | None]
    nodes: NotRequired[int | None]
    bytes: NotRequired[int | None]


class Question(TypedDict):
    """A question about a position."""

    position: JsonPosition
    method: NotRequired[str]
    limits: NotRequired[Allowed]


class AnalyzeRequest(Question):
    """What is certain and what is likely; `exact` asks for fractions too."""

    exact: NotRequired[bool]


class ExplainRequest(Question):
    """Why a cell is what it is; `smallest` asks for a smallest set of clues."""

    cell: JsonCell
    smallest: NotRequired[bool]


class Request:
    """The body of a request, read and checked.

    Parameters
    ----------
    body
        What was sent.
    kind
        The typed dictionary that it must fit. One with a `position` takes a bare position as well.
    cells
        How many cells a board may have.

    Raises
    ------
    FormatError
        With line and column.
    """

    def __init__(self, body: bytes, kind: Any, cells: int) -> None:
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"byte 0x{body[error.start]:02x} is not text in UTF-8"
            raise FormatError(problem, line=1, column=error.start + 1) from None
        self.document = Document(text)
        self._cells = cells
        value = self.document.value
        self.document.expect(value, dict, (), "an object")
        hints = typing.get_type_hints(kind, include_extras=True)
        self._bare = "position" in hints and not {"position", *hints} & value.keys() - {"mines"}
        self.value: dict[str, Any] = {"position": value} if self._bare else value
        if not self._bare:
            check(self.document, value, (), kind)

    def get(self, key: str, default: Any = None) -> Any:
        """Return what stands under a key, or something else if nothing or null does."""
        found = self.value.get(key)
        return default if found is None else found

    @property
    def puzzle(self) -> Puzzle:
        """The position or the clue system that is asked about."""
        path: Path = () if self._bare else ("position",)
        value = self.value["position"]
        if isinstance(value, dict) and "text" in value:
            check(self.document, value, path, Text)
            made = parse(
                value["text"],
                format=value.get("format"),
                mines=value.get("mines"),
                topology=value.get("topology"),
            )
        else:
            self.document.expect(value, dict, path, "an object with 'labels', 'clues' or 'text'")
            made = parse(self.document.part(path), format="json")
        self.fits(len(made.cells if isinstance(made, Clues) else made.topology))
        return made

    def cell(self, key: str) -> Cell:
        """Return the cell that stands under a key."""
        return self.document.cell(self.value[key], (key,))

    def fits(self, cells: int) -> None:
        """Raise TooLarge if a board has more cells than the server allows."""
        if cells > self._cells:
            raise TooLarge(
                f"the board has {cells:,} cells, and this server takes {self._cells:,} at most;"
                " the command line and the package take any"
            )


_WORDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def check(document: Document, value: object, path: Path, kind: Any) -> None:
    """Raise FormatError, with its place, unless a JSON value fits a type."""
    if kind is Any:
        return
    if typing.is_typeddict(kind):
        document.expect(value, dict, path, "an object")
        assert isinstance(value, dict)
        hints = typing.get_type_hints(kind, include_extras=True)
        document.only(value, set(hints), path)
        for key in sorted(kind.__required_keys__ - value.keys()):
            document.fail(path, f"the key {key!r} is missing")
        for key, wanted in hints.items():
            if key in value:
                check(document, value[key], (*path, key), wanted)
        return
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is NotRequired:
        check(document, value, path, arguments[0])
    elif origin in (typing.Union, types.UnionType):
        if value is not None or type(None) not in arguments:
            (one,) = [argument for argument in arguments if argument is not type(None)]
            check(document, value, path, one)
    elif origin is Literal:
        if value not in arguments:
            words = ", ".join(map(str, arguments))
            document.fail(path, f"{path[-1]} must be one of {words}, not {quoted(value)}")
    elif origin is list:
        document.expect(value, list, path, "a list")
        assert isinstance(value, list)
        for place, part in enumerate(value):
            check(document, part, (*path, place), arguments[0])
    elif kind is float:
        document.expect(value, float if isinstance(value, float) else int, path, _WORDS[float])
    else:
        document.expect(value, kind, path, _WORDS[kind])
