"""Write a puzzle in any format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sapper.errors import FormatError
from sapper.field import Position

if TYPE_CHECKING:
    from sapper.clues import Clues

__all__ = ["WRITABLE", "dump", "encode", "write"]

WRITABLE: Final = ("text", "json", "numpy", "dimacs", "opb", "lp", "mps")

_BY_SUFFIX: Final = {
    ".json": "json",
    ".npy": "numpy",
    ".cnf": "dimacs",
    ".dimacs": "dimacs",
    ".opb": "opb",
    ".lp": "lp",
    ".mps": "mps",
    ".txt": "text",
}


def dump(
    puzzle: Position | Clues,
    format: str = "text",  # noqa: A002 - the word users know
    *,
    total: bool = True,
) -> str:
    """Return a position or a clue system as text in some format.

    Parameters
    ----------
    puzzle
        What to write. A bare clue system has no rows, so text and numpy do not take it.
    format
        ``"text"``, ``"json"``, ``"dimacs"``, ``"opb"``, ``"lp"`` or ``"mps"``; for ``"numpy"``,
        which is not text, see `encode` and `write`.
    total
        Whether to write the mine total, if there is one.

    Raises
    ------
    FormatError
        If there is no such format, or it cannot hold this puzzle.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(dump(Position(Grid(2, 2), ["1?", "??"], mines=1)), end="")
    mines: 1
    1?
    ??
    """
    if format == "numpy":
        raise FormatError("a .npy file is bytes, not text: write it to a file")
    return encode(puzzle, format, total=total).decode("utf-8")


def encode(
    puzzle: Position | Clues,
    format: str = "text",  # noqa: A002 - the word users know
    *,
    total: bool = True,
) -> bytes:
    """Return a position or a clue system as the bytes of a file; as `dump`, and numpy too."""
    match format:
        case "text":
            from sapper.formats.text import dump_text

            made = dump_text(_position(_less(puzzle, total), format))
        case "json":
            from sapper.formats.jsonwrite import dump_json

            made = dump_json(_less(puzzle, total))
        case "numpy":
            from sapper.formats.npy import dump_npy

            return dump_npy(_position(puzzle, format))
        case "dimacs":
            from sapper.formats.solvers import dump_dimacs

            made = dump_dimacs(puzzle, total=total)
        case "opb":
            from sapper.formats.solvers import dump_opb

            made = dump_opb(puzzle, total=total)
        case "lp":
            from sapper.formats.solvers import dump_lp

            made = dump_lp(puzzle, total=total)
        case "mps":
            from sapper.formats.mps import dump_mps

            made = dump_mps(puzzle, total=total)
        case _:
            raise FormatError(f"cannot write the format {format!r}: use {', '.join(WRITABLE)}")
    return made.encode("utf-8", "backslashreplace")


def write(
    puzzle: Position | Clues,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002 - the word users know
    *,
    total: bool = True,
) -> None:
    """Write a position or a clue system to a file.

    Parameters
    ----------
    puzzle, total
        As for `dump`.
    path
        The file; it is replaced if it exists.
    format
        By default the end of the file's name decides: ``.json``, ``.npy``, ``.cnf``, ``.opb``,
        ``.lp``, ``.mps``, and text otherwise.

    Raises
    ------
    FormatError
        If the format cannot hold this puzzle; then no file is touched.
    OSError
        If the file cannot be written.
    """
    target = Path(path)
    chosen = format or _BY_SUFFIX.get(target.suffix.lower(), "text")
    target.write_bytes(encode(puzzle, chosen, total=total))


def _position(puzzle: Position | Clues, format: str) -> Position:  # noqa: A002 - as above
    if not isinstance(puzzle, Position):
        raise FormatError(f"a bare clue system has no rows for {format}: use json")
    return puzzle


def _less(puzzle: Position | Clues, total: bool) -> Position | Clues:
    if total or puzzle.mines is None:
        return puzzle
    if isinstance(puzzle, Position):
        return puzzle.with_mines(None)
    from sapper.clues import Clues

    return Clues(puzzle.clues, cells=puzzle.cells, known_mines=puzzle.known_mines)
