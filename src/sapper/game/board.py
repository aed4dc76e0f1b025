"""What a game is played on: a field and a number of mines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index as as_int
from types import MappingProxyType
from typing import Final

from sapper.errors import GameError, quoted
from sapper.field import Grid, Topology, as_topology, topology_from_spec

__all__ = ["BOARDS", "Board", "board_named"]


@dataclass(frozen=True, slots=True)
class Board:
    """A field and how many mines it gets; where they are is a `Layout`.

    Frozen: threads can share one.

    Parameters
    ----------
    topology : Topology
        The field; a networkx graph will do.
    mines : int
        At most one for every cell.

    Raises
    ------
    GameError
        If so many mines have no room.
    PositionError
        If the topology is none.

    Examples
    --------
    >>> from sapper.field import Torus
    >>> Board(Torus(20, 20), mines=60)
    Board(Torus(20, 20), mines=60)
    """

    topology: Topology
    mines: int

    def __post_init__(self) -> None:
        topology = as_topology(self.topology)
        try:
            mines = as_int(self.mines)
        except TypeError:
            raise GameError(f"mines must be a whole number, not {quoted(self.mines)}") from None
        if isinstance(self.mines, bool) or not 0 <= mines <= len(topology):
            raise GameError(
                f"{topology} has room for 0 to {len(topology)} mines, not {quoted(mines)}"
            )
        object.__setattr__(self, "topology", topology)
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
    text = board if isinstance(board, str) else ""
    if text in BOARDS:
        return BOARDS[text]
    written = _WRITTEN.fullmatch(text)
    if written is None:
        raise GameError(
            f"a board is {', '.join(BOARDS)}, [TOPOLOGY:]HEIGHTxWIDTH/MINES or a Board,"
            f" not {quoted(board)}"
        )
    kind, height, width, mines = written.groups(default="grid")
    spec = {"kind": kind, "height": int(height), "width": int(width)}
    return Board(topology_from_spec(spec), int(mines))
