"""What a game is played on: a field and a number of mines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index as as_int
from types import MappingProxyType
from typing import Final

from sapper.errors import GameError
from sapper.field import Grid, Topology, topology_from_spec

__all__ = ["BOARDS", "Board", "board_named"]


@dataclass(frozen=True, slots=True)
class Board:
    """A field and how many mines it gets; where they are is a `Layout`.

    Parameters
    ----------
    topology : Topology
        The field.
    mines : int
        At most one for every cell.

    Raises
    ------
    GameError
        If so many mines have no room.

    Examples
    --------
    >>> from sapper.field import Torus
    >>> Board(Torus(20, 20), mines=60)
    Board(Torus(20, 20), mines=60)
    """

    topology: Topology
    mines: int

    def __post_init__(self) -> None:
        if not isinstance(self.topology, Topology):
            raise GameError(
                f"a board needs a topology such as Grid(16, 30), not {self.topology!r:.60}"
            )
        try:
            mines = as_int(self.mines)
        except TypeError:
            raise GameError(f"mines must be a whole number, not {self.mines!r:.60}") from None
        if isinstance(self.mines, bool) or not 0 <= mines <= len(self.topology):
            raise GameError(
                f"{self.topology} has room for 0 to {len(self.topology)} mines, not {mines!r:.60}"
            )
        object.__setattr__(self, "mines", mines)

    def __repr__(self) -> str:
        return f"Board({self.topology!r}, mines={self.mines})"

    def __str__(self) -> str:
        return f"{self.topology} with {self.mines} mine{'s' if self.mines != 1 else ''}"


BOARDS: Final[Mapping[str, Board]] = MappingProxyType(
    {
        "beginner": Board(Grid(9, 9), mines=10),
        "intermediate": Board(Grid(16, 16), mines=40),
        "expert": Board(Grid(16, 30), mines=99),
    }
)
"""The boards that everybody knows, by name."""

_WRITTEN: Final = re.compile(r"(?:([a-z]+):)?([0-9]{1,9})x([0-9]{1,9})/([0-9]{1,18})")


def board_named(board: str | Board) -> Board:
    """Return a board, given as such, by its name or as ``[TOPOLOGY:]HEIGHTxWIDTH/MINES``.

    Raises
    ------
    GameError
        If it is neither.

    Examples
    --------
    >>> board_named("expert")
    Board(Grid(16, 30), mines=99)
    >>> board_named("torus:20x20/60")
    Board(Torus(20, 20), mines=60)
    """
    if isinstance(board, Board):
        return board
    if board in BOARDS:
        return BOARDS[board]
    written = _WRITTEN.fullmatch(board) if isinstance(board, str) else None
    if written is None:
        raise GameError(
            f"a board is {', '.join(BOARDS)}, [TOPOLOGY:]HEIGHTxWIDTH/MINES or a Board,"
            f" not {board!r:.60}"
        )
    kind, height, width, mines = written.groups(default="grid")
    spec = {"kind": kind, "height": int(height), "width": int(width)}
    return Board(topology_from_spec(spec), int(mines))
