"""Labels: what is known of a cell, as a character and as an integer code.

====== ========= ==========================================
code   character meaning
====== ========= ==========================================
``-1`` ``?``     covered
``-2`` ``*``     known mine
``-3`` ``_``     known free, its number not known
``≥0`` digit     uncovered number; ``[12]`` beyond one digit
====== ========= ==========================================

The codes are also those of numpy arrays (`Position.from_array`, `Position.to_array`).
"""

from __future__ import annotations

import operator
import re
from array import array
from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias

from sapper.errors import PositionError, quoted

__all__ = ["COVERED", "FREE", "MAX_NUMBER", "MINE", "Label", "LabelError"]

COVERED: Final = -1
MINE: Final = -2
FREE: Final = -3
MAX_NUMBER: Final = 2**31 - 1

Label: TypeAlias = int | Literal["?", "*", "_"]

_CODE_OF: Final[dict[str, int]] = {"?": COVERED, "*": MINE, "_": FREE}
_CHARACTER_OF: Final[dict[int, Literal["?", "*", "_"]]] = {COVERED: "?", MINE: "*", FREE: "_"}
_BAD: Final = 0x80
_WANTED: Final = "use a number, '?' (covered), '*' (mine) or '_' (free)"


def _translation() -> bytes:
    table = bytearray([_BAD]) * 256
    for digit in range(10):
        table[ord("0") + digit] = digit
    for character, code in _CODE_OF.items():
        table[ord(character)] = code & 0xFF
    return bytes(table)


_TRANSLATION: Final = _translation()
_CELL: Final = re.compile(r"\s*(?:([0-9?*_])|\[([0-9]+)\])")
_BLANK: Final = re.compile(r"\s*\Z")


class LabelError(PositionError):
    """A label that makes no sense; `column` is its place in its row, counted from 1."""

    def __init__(self, message: str, *, column: int | None = None) -> None:
        super().__init__(message)
        self.column = column


def code_of(label: object) -> int:
    """Return the code of a label given as a number or a character.

    Raises
    ------
    LabelError
        If it is neither.

    Examples
    --------
    >>> [code_of(label) for label in (3, "3", "?", "*", "_")]
    [3, 3, -1, -2, -3]
    """
    if isinstance(label, str):
        code = _CODE_OF.get(label)
        if code is not None:
            return code
        if label.isascii() and label.isdigit():
            return _number(label)
        raise LabelError(f"unknown label {quoted(label)}: {_WANTED}")
    if isinstance(label, bool):
        raise LabelError(f"unknown label {label!r}: {_WANTED}")
    try:
        number = operator.index(label)  # type: ignore[arg-type]  # the TypeError is the test
    except TypeError:
        raise LabelError(f"unknown label {quoted(label)}: {_WANTED}") from None
    if number < 0:
        raise LabelError(f"a number cannot be negative: {quoted(number)}; {_WANTED}")
    if number > MAX_NUMBER:
        raise LabelError(f"the number {quoted(number)} is above {MAX_NUMBER:,}")
    return number


def label_of(code: int) -> Label:
    """Return the label of a code.

    Examples
    --------
    >>> [label_of(code) for code in (3, -1, -2, -3)]
    [3, '?', '*', '_']
    """
    return code if code >= 0 else _CHARACTER_OF[code]


def encode_row(row: str) -> array[int]:
    """Return the codes of a row of labels; spaces between cells are allowed.

    Raises
    ------
    LabelError
        With the column of what is not a label.

    Examples
    --------
    >>> list(encode_row("1? *_ [12]"))
    [1, -1, -2, -3, 12]
    """
    plain = encode_plain(row.encode("utf-8", "surrogatepass"))
    return plain if plain is not None else _encode_slowly(row)


def encode_plain(row: bytes) -> array[int] | None:
    """Return the codes of a row of one-character labels, or None if there is anything else."""
    codes = row.translate(_TRANSLATION)
    # A byte beyond ASCII maps to _BAD as well, so one search rejects all that is not a label.
    return None if _BAD in codes else array("i", array("b", codes))


def _encode_slowly(row: str) -> array[int]:
    codes = array("i")
    at = 0
    while not _BLANK.match(row, at):
        cell = _CELL.match(row, at)
        if cell is None:
            at += len(row[at:]) - len(row[at:].lstrip())
            if row[at] == "[":
                raise LabelError(
                    "'[' must be followed by a number and ']', as in [12]", column=at + 1
                )
            raise LabelError(f"unknown character {_character(row[at])}: {_WANTED}", column=at + 1)
        digit, number = cell.groups()
        if number is not None:
            try:
                codes.append(_number(number))
            except LabelError as error:
                raise LabelError(str(error), column=cell.start(2) + 1) from None
        else:
            codes.append(_CODE_OF[digit] if digit in _CODE_OF else int(digit))
        at = cell.end()
    return codes


def column_of_cell(row: str, place: int) -> int:
    """Return the column, counted from 1, at which the cell number `place` of a row stands."""
    at = 0
    while (cell := _CELL.match(row, at)) is not None:
        if place == 0:
            return (cell.start(1) if cell.group(1) else cell.start(2) - 1) + 1
        place -= 1
        at = cell.end()
    return len(row.rstrip()) + 1


def format_row(codes: Iterable[int]) -> str:
    """Return a row of codes as text that `encode_row` reads back.

    Examples
    --------
    >>> format_row([1, -1, -2, -3, 12])
    '1?*_[12]'
    """
    return "".join(
        _CHARACTER_OF[code] if code < 0 else str(code) if code < 10 else f"[{code}]"
        for code in codes
    )


def join_rows(rows: Iterable[Any], width: int) -> array[int]:
    """Return the codes of rows that are strings or sequences of labels."""
    codes = array("i")
    for number, row in enumerate(rows):
        if isinstance(row, str):
            try:
                encoded = encode_row(row)
            except LabelError as error:
                raise PositionError(f"row {number}, character {error.column}: {error}") from None
        elif isinstance(row, Iterable):
            encoded = encode_labels(row, f"row {number}, column {{}}")
        else:
            encoded = encode_labels([row], f"row {number}, column {{}}")
        if len(encoded) != width:
            raise PositionError(f"row {number} has {len(encoded)} cells, not {width}")
        codes.extend(encoded)
    return codes


def encode_labels(labels: Iterable[Any], place: str) -> array[int]:
    """Return the codes of labels, one by one; `place` names one of them in a message."""
    codes = array("i")
    for number, label in enumerate(labels):
        try:
            codes.append(code_of(label))
        except LabelError as error:
            raise PositionError(f"{place.format(number)}: {error}") from None
    return codes


def _number(digits: str) -> int:
    # Python refuses to convert very long digit strings, and they are far too large anyway.
    stripped = digits.lstrip("0") or "0"
    if len(stripped) > 10 or int(stripped) > MAX_NUMBER:
        raise LabelError(f"the number {quoted(digits)} is above {MAX_NUMBER:,}")
    return int(stripped)


def _character(character: str) -> str:
    """Return a character as itself, and its number too where it may look like another."""
    if character.isascii() or not character.isprintable():
        return repr(character)
    return f"{character!r} (U+{ord(character):04X})"
