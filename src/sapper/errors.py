"""Everything `sapper` raises on purpose.

All errors derive from `SapperError`, and each also derives from the built-in that a caller would
expect, so ``except ValueError`` and ``except KeyError`` keep working. Messages fit on one line.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Hashable
from contextlib import suppress
from reprlib import Repr
from types import UnionType
from typing import Final, Literal

__all__ = [
    "CostError",
    "DecompositionError",
    "FormatError",
    "GameError",
    "InconsistentError",
    "LimitExceeded",
    "MethodError",
    "PositionError",
    "SapperError",
    "TooWide",
    "UnknownCellError",
    "expect",
    "pip_install",
    "quoted",
]


_MOST_QUOTED: Final = 60


class _Quotes(Repr):
    """Representations that stay short, and quick to make, however long the value is."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = _MOST_QUOTED
        self.maxtuple = self.maxlist = 8

    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to write very long numbers.
        if x.bit_length() > 3 * _MOST_QUOTED:
            return f"a number of {x.bit_length():,} bits"
        return repr(x)


_QUOTES: Final = _Quotes()


def quoted(value: object) -> str:
    """Return a value as a message may repeat it: one line of at most 60 characters.

    Examples
    --------
    >>> quoted((2, "x")), quoted(10**5000)
    ("(2, 'x')", 'a number of 16,610 bits')
    >>> len(quoted("9" * 5000)), len(quoted([["9" * 5000] * 100] * 100))
    (60, 60)
    """
    if isinstance(value, str):
        value = str(value)  # not numpy's, which has a representation of its own
    text = " ".join(line.strip() for line in _QUOTES.repr(value).splitlines())
    return text if len(text) <= _MOST_QUOTED else f"{text[: _MOST_QUOTED - 3]}..."


def pip_install(what: str) -> str:
    """Return the command that installs something for the Python that runs this, not for another."""
    python = sys.executable or "python"
    with suppress(OSError):  # the directory may be gone
        near = python.removeprefix(os.path.join(os.getcwd(), ""))
        # A bare name would be looked for on the path.
        python = near if os.sep in near else python
    return f"{shlex.quote(python)} -m pip install '{what}'"


def expect(value: object, kind: type | UnionType, what: str) -> None:
    """Raise `TypeError` if a value is of another kind than somebody must give.

    Examples
    --------
    >>> expect("5", int, "a size is an integer")
    Traceback (most recent call last):
        ...
    TypeError: a size is an integer, not '5'
    """
    if not isinstance(value, kind):
        raise TypeError(f"{what}, not {quoted(value)}")


class SapperError(Exception):
    """Base of every error that `sapper` raises on purpose."""


class FormatError(SapperError, ValueError):
    """A text, file or array cannot be read or written in the format asked for.

    Parameters
    ----------
    message
        What is wrong and what would be right, without the place.
    line, column
        Where, counted from 1; None if the input has no lines.
    source
        Name of the input, usually a file name.

    Examples
    --------
    >>> str(FormatError("unknown character 'x'", line=3, column=7, source="a.txt"))
    "a.txt: line 3, column 7: unknown character 'x'"
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.source = source

    def __str__(self) -> str:
        place = [
            f"{name} {number}"
            for name, number in (("line", self.line), ("column", self.column))
            if number is not None
        ]
        source = self.source and (self.source if len(self.source) < 200 else quoted(self.source))
        parts = [source, ", ".join(place), self.message]
        return ": ".join(part for part in parts if part)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_format_error, (self.message, self.line, self.column, self.source)


def _rebuild_format_error(
    message: str, line: int | None, column: int | None, source: str | None
) -> FormatError:
    return FormatError(message, line=line, column=column, source=source)


class PositionError(SapperError, ValueError):
    """A topology, a label or a mine total that makes no sense.

    Parameters
    ----------
    message
        What is wrong and what would be right.
    path
        Which value is wrong inside what a field was made from: keys and places, outermost first.
    """

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.path = path


class UnknownCellError(SapperError, KeyError):
    """A cell that the field does not have.

    Examples
    --------
    >>> str(UnknownCellError((9, 9), "a 3×3 grid"))
    'no cell (9, 9) in a 3×3 grid'
    """

    def __init__(self, cell: Hashable, where: str | None = None) -> None:
        super().__init__(cell, where)
        self.cell = cell
        self.where = where

    # KeyError shows the repr of its argument; people deserve a sentence.
    def __str__(self) -> str:
        return f"no cell {quoted(self.cell)}" + (f" in {self.where}" if self.where else "")


class InconsistentError(SapperError, ValueError):
    """No legal assignment exists, so there is nothing to sample or to choose from."""


class GameError(SapperError, ValueError):
    """A board, a layout or a move that the rules of the game do not allow."""


class MethodError(SapperError, ValueError):
    """The method does not answer this question, or not for this input."""


class DecompositionError(SapperError, ValueError):
    """A tree decomposition is none, or none of the graph at hand; the broken condition is named."""


class CostError(SapperError, ValueError):
    """A cost that is not a finite number, or belongs to no covered cell."""


class LimitExceeded(SapperError, RuntimeError):  # noqa: N818 - the name is public interface
    """A limit that the caller set was reached before the answer was.

    Parameters
    ----------
    limit
        Which limit: ``"seconds"``, ``"nodes"`` or ``"bytes"``.
    allowed
        What the caller allowed.
    spent
        What was spent, or would have been with the next step.

    Examples
    --------
    >>> str(LimitExceeded("nodes", allowed=1000, spent=1024))
    'limit reached: 1,024 nodes spent of 1,000 allowed'
    """

    def __init__(
        self, limit: Literal["seconds", "nodes", "bytes"], *, allowed: float, spent: float
    ) -> None:
        super().__init__(limit, allowed, spent)
        self.limit = limit
        self.allowed = allowed
        self.spent = spent

    def __str__(self) -> str:
        return (
            f"limit reached: {_amount(self.spent)} {self.limit} spent"
            f" of {_amount(self.allowed)} allowed"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_limit_exceeded, (self.limit, self.allowed, self.spent)


def _rebuild_limit_exceeded(
    limit: Literal["seconds", "nodes", "bytes"], allowed: float, spent: float
) -> LimitExceeded:
    return LimitExceeded(limit, allowed=allowed, spent=spent)


class TooWide(LimitExceeded):
    """More nodes are expected than anybody could hold; nothing was compiled."""

    def __init__(self, *, expected: float, place: str = "") -> None:
        super().__init__("nodes", allowed=0, spent=0)
        self.expected = expected
        self.place = place

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        return (
            f"{place}too wide for the engine: up to {self.expected:.1e} nodes expected; counts and "
            "probabilities are out of reach, method='sat' finds verdicts and solutions one by one"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_too_wide, (self.expected, self.place)


def _rebuild_too_wide(expected: float, place: str = "") -> TooWide:
    return TooWide(expected=expected, place=place)


def _amount(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:.3g}"
