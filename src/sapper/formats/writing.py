"""Write a puzzle, a full board or a game in any format that can hold it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeAlias

from sapper.clues import Clues
from sapper.errors import FormatError, GameError, quoted
from sapper.field import Position
from sapper.formats.table import Format, format_by_ending, format_named
from sapper.game import Game, Layout

__all__ = ["dump", "encode", "write"]

Written: TypeAlias = Position | Clues | Layout | Game


def dump(
    puzzle: Written,
    format: str = "text",  # noqa: A002 - the word users know
    *,
    total: bool = True,
    **options: Any,
) -> str:
    """Return a position, a clue system, a full board or a game as text in some format.

    Parameters
    ----------
    puzzle
        What to write. A bare clue system has no rows, so text, line and numpy do not take it. A
        format of full boards takes a position in which nothing is covered; of a game, a format
        that has no games gets the full board.
    format
        A name of the table of formats that can be written; for ``"numpy"``, which is not text, see
        `encode` and `write`. ``"mbf"``, which is bytes, becomes a text of hexadecimal digits.
    total
        Whether to write the mine total, if there is one.
    options
        What the format takes besides: ``encoding`` for ``"dimacs"``, ``start`` for ``"line"`` and
        ``"tatham"``, ``masked`` for ``"tatham"``.

    Raises
    ------
    FormatError
        If there is no such format, it takes no such option, or it cannot hold this puzzle.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(dump(Position(Grid(2, 2), ["1?", "??"], mines=1)), end="")
    mines: 1
    1?
    ??
    """
    row = format_named(format, to="write")
    if row.as_hex:
        return _written(puzzle, row, total, options).hex() + "\n"
    if row.binary:
        raise FormatError(f"a {row.endings[0]} file is bytes, not text: write it to a file")
    return _written(puzzle, row, total, options).decode("utf-8")


def encode(
    puzzle: Written,
    format: str = "text",  # noqa: A002 - the word users know
    *,
    total: bool = True,
    **options: Any,
) -> bytes:
    """Return a position or a clue system as the bytes of a file; as `dump`, and numpy too."""
    return _written(puzzle, format_named(format, to="write"), total, options)


def write(
    puzzle: Written,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002 - the word users know
    *,
    total: bool = True,
    **options: Any,
) -> None:
    """Write a position or a clue system to a file.

    Parameters
    ----------
    puzzle, total, options
        As for `dump`.
    path
        The file; it is replaced if it exists.
    format
        By default the end of the file's name decides: ``.txt``, ``.line``, ``.json``, ``.npy``,
        ``.cnf``, ``.opb``, ``.lp``, ``.mps``.

    Raises
    ------
    FormatError
        If no format is named and the end of the name tells none, or if the format cannot hold
        this puzzle; then no file is touched.
    OSError
        If the file cannot be written.
    """
    target = Path(path)
    row = format_by_ending(target.name) if format is None else format_named(format, to="write")
    target.write_bytes(_written(puzzle, row, total, options))


def _written(puzzle: Written, row: Format, total: bool, options: dict[str, Any]) -> bytes:
    if not isinstance(puzzle, Written):
        raise TypeError(f"expected a Position, Clues, Layout or Game, not {type(puzzle).__name__}")
    if isinstance(puzzle, Clues) and "clues" not in row.holds:
        raise FormatError(f"a bare clue system has no rows for {row.name}: use json")
    for name in options:
        if name not in row.options:
            raise FormatError(f"the format {row.name} takes no option {quoted(name)}")
    held = _held(puzzle, row)
    if not total and isinstance(held, Position | Clues):
        held = held.with_mines(None)
    made = row.write(held, **options)
    return made if isinstance(made, bytes) else made.encode("utf-8", "backslashreplace")


def _held(puzzle: Written, row: Format) -> Written:
    """Return what a format can hold of a puzzle, a board or a game."""
    if isinstance(puzzle, Game) and "replay" not in row.holds:
        if puzzle.layout is None:
            raise FormatError("nothing was dug in this game, so its mines have no place yet")
        puzzle = puzzle.layout
    if isinstance(puzzle, Layout) and "layout" not in row.holds:
        return puzzle.position()
    if isinstance(puzzle, Position) and "position" not in row.holds:
        try:
            return Layout.from_position(puzzle)
        except GameError as error:
            raise FormatError(f"the format {row.name} holds full boards only: {error}") from None
    return puzzle
