"""A JSON text that knows where its values stand; they are looked up only to report errors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Final, NoReturn, TypeAlias

from sapper.errors import FormatError, PositionError, quoted
from sapper.field import Cell, cell_from_json

__all__ = ["Document", "Path", "locate", "place"]

Path: TypeAlias = tuple[str | int, ...]

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]')
_CONSTANT: Final = re.compile(r"-?Infinity|NaN")
_LONG: Final = re.compile(r"[0-9]{1000,}")
NOTES: Final = frozenset({"comment", "id", "name", "source"})
"""Keys that are for people; readers pass over them."""


def locate(text: str, path: Path) -> int:
    """Return the offset at which the value at a path of keys and numbers begins.

    The text must be valid JSON and have such a value. Takes time linear in the text.

    Examples
    --------
    >>> locate('{"a": [10, {"b": 7}]}', ("a", 1, "b"))
    17
    """
    skip = json.JSONDecoder().raw_decode
    at = _space(text, 0)
    for step in path:
        at = _space(text, at + 1)
        if isinstance(step, int):
            for _ in range(step):
                _, at = skip(text, at)
                at = _space(text, _space(text, at) + 1)
            continue
        while True:
            key, at = skip(text, at)
            at = _space(text, _space(text, at) + 1)
            if key == step:
                break
            _, at = skip(text, at)
            at = _space(text, _space(text, at) + 1)
    return at


def place(text: str, offset: int) -> tuple[int, int]:
    r"""Return line and column, counted from 1, of an offset in a text.

    Examples
    --------
    >>> place("ab\ncd", 4)
    (2, 2)
    """
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


class Document:
    """A parsed JSON text that can say where a value stands.

    Made for one reading, by one thread.
    """

    __slots__ = ("text", "value")

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            self.value = json.loads(
                text, parse_constant=_no_constant, object_pairs_hook=_no_repeats
            )
        except json.JSONDecodeError as error:
            what = error.msg[:1].lower() + error.msg[1:]
            if error.msg == "Extra data":
                what = "more after the end of the JSON document"
            raise FormatError(
                f"not valid JSON: {what}", line=error.lineno, column=error.colno
            ) from None
        except RecursionError:
            raise FormatError("not valid JSON: nested too deeply", line=1, column=1) from None
        except _NotSupported as error:
            line, column = place(text, error.find(text))
            raise FormatError(str(error), line=line, column=column) from None
        except ValueError:
            # Python refuses to convert very long digit strings.
            line, column = place(text, _offset(_LONG.search(text)))
            raise FormatError("a number has too many digits", line=line, column=column) from None

    def fail(self, path: Path, message: str, *, extra: int = 0) -> NoReturn:
        """Raise FormatError for the value at a path, or `extra` characters into it."""
        line, column = place(self.text, locate(self.text, path) + extra)
        raise FormatError(message, line=line, column=column)

    def part(self, path: Path) -> str:
        """Return the text of the value at a path, with blanks before it: errors keep their place.

        Examples
        --------
        >>> Document('{"a": [1, 2]}').part(("a",))
        '      [1, 2]'
        """
        start = locate(self.text, path)
        _, end = json.JSONDecoder().raw_decode(self.text, start)
        return re.sub(r"[^\n]", " ", self.text[:start]) + self.text[start:end]

    def expect(self, value: object, kind: type, path: Path, wanted: str) -> None:
        """Fail unless a value is of a type."""
        # bool is an int to Python, but not to JSON.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fail(path, f"{where(path)} must be {wanted}, not {quoted(value)}")

    def only(self, value: Mapping[str, object], allowed: set[str], path: Path) -> None:
        """Fail if an object has a key that means nothing; notes for people are free."""
        for key in value:
            if key not in allowed and key not in NOTES:
                wanted = ", ".join(sorted(allowed))
                self.fail((*path, key), f"unknown key {quoted(key)}: use {wanted}")

    def cell(self, value: object, path: Path) -> Cell:
        """Return the cell that a value names: lists become tuples."""
        try:
            return cell_from_json(value, path)
        except PositionError as error:
            self.fail(error.path, str(error))

    def cells(self, value: object, path: Path) -> list[Cell]:
        """Return the cells of a list; fail if one is named twice."""
        self.expect(value, list, path, "a list of cells")
        assert isinstance(value, list)
        cells = [self.cell(cell, (*path, i)) for i, cell in enumerate(value)]
        seen = set()
        for i, cell in enumerate(cells):
            if cell in seen:
                self.fail((*path, i), f"the cell {quoted(cell)} is named twice")
            seen.add(cell)
        return cells


class _NotSupported(Exception):  # noqa: N818 - never leaves this module
    """Valid for Python's reader, but not here; `find` says where it stands."""

    def __init__(self, message: str, find: Callable[[str], int]) -> None:
        super().__init__(message)
        self.find = find


def _no_constant(name: str) -> NoReturn:
    raise _NotSupported(
        f"{name} is not a number that JSON knows", lambda text: _offset(_CONSTANT.search(text))
    )


def _no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _NotSupported(f"the key {quoted(twice)} is given twice", _repeat)
    return value


def _repeat(text: str) -> int:
    """Return the offset of the first key that its object already has."""
    open_: list[set[str] | None] = []
    for token in _TOKEN.finditer(text):
        match token.group()[0]:
            case "{":
                open_.append(set())
            case "[":
                open_.append(None)
            case "}" | "]":
                open_.pop()
            case _ if open_ and (keys := open_[-1]) is not None:
                if text.startswith(":", _space(text, token.end())):
                    key = json.loads(token.group())
                    if key in keys:
                        return token.start()
                    keys.add(key)
    return 0


def where(path: Path) -> str:
    """Name a path for people."""
    names = [f"[{step}]" if isinstance(step, int) else step for step in path]
    return (
        "".join(
            name if i == 0 or name.startswith("[") else f".{name}" for i, name in enumerate(names)
        )
        or "the document"
    )


def _offset(found: re.Match[str] | None) -> int:
    return found.start() if found else 0


def _space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    assert space is not None
    return space.end()
