"""Where the mines are: the full board."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable
from itertools import compress
from typing import Any, NoReturn

from sapper._native import full_board
from sapper.errors import GameError, expect, quoted
from sapper.field import COVERED, FREE, MINE, Cell, Position, Topology, as_topology
from sapper.game.board import Board

__all__ = ["Layout", "uncover"]


class Layout:
    """A field and where its mines are; a frozen, hashable value.

    Threads can share one.

    Parameters
    ----------
    topology : Topology
        The field; a networkx graph will do.
    mines : iterable of cells
        The cells that are mined.

    Raises
    ------
    PositionError
        If the topology is none.
    UnknownCellError
        If the field has no such cell.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> layout = Layout(Grid(2, 3), mines={(0, 2)})
    >>> layout.numbers
    {(0, 0): 0, (0, 1): 1, (1, 0): 0, (1, 1): 1, (1, 2): 1}
    >>> layout
    Layout(Grid(2, 3), mines=[(0, 2)])
    """

    __slots__ = ("__weakref__", "_codes", "mined", "topology")

    topology: Topology
    mined: bytes
    _codes: bytes | None

    def __init__(self, topology: Topology, mines: Iterable[Cell]) -> None:
        topology = as_topology(topology)
        if not isinstance(mines, Iterable):
            raise GameError(f"mines must be cells, not {quoted(mines)}")
        mined = bytearray(len(topology))
        for cell in mines:
            mined[topology.index(cell)] = 1
        self._fill(topology, bytes(mined))

    def _fill(self, topology: Topology, mined: bytes) -> None:
        put = object.__setattr__
        put(self, "topology", topology)
        put(self, "mined", mined)
        put(self, "_codes", None)

    @classmethod
    def from_bytes(cls, topology: Topology, mined: bytes) -> Layout:
        """Make a layout from one byte per cell in the order of `Topology.cells`: 1 for a mine.

        Raises
        ------
        GameError
            If there are too few or too many, or one is neither 0 nor 1.
        """
        if len(mined) != len(topology) or mined.translate(None, b"\0\1"):
            raise GameError(f"{topology} needs {len(topology)} bytes that are 0 or 1")
        layout = cls.__new__(cls)
        layout._fill(topology, bytes(mined))
        return layout

    @classmethod
    def from_position(cls, position: Position) -> Layout:
        """Make a layout from a position that shows the full board: nothing is covered.

        Raises
        ------
        GameError
            If a cell is covered, or a number or the total does not fit the mines.

        Examples
        --------
        >>> from sapper.field import Grid
        >>> Layout.from_position(Position(Grid(1, 3), ["1*_"]))
        Layout(Grid(1, 3), mines=[(0, 1)])
        """
        if not isinstance(position, Position):
            raise TypeError(f"expected a Position, not {type(position).__name__}")
        topology, codes = position.topology, memoryview(position.codes).cast("i").tolist()
        if COVERED in codes:
            cell = topology.cells[codes.index(COVERED)]
            raise GameError(f"{quoted(cell)} is covered: this is no full board")
        layout = cls.from_bytes(topology, bytes([code == MINE for code in codes]))
        for place, (shown, true) in enumerate(zip(codes, layout._shown, strict=True)):
            if shown not in (true, FREE):
                raise GameError(
                    f"the number at {topology.cells[place]!r} is {shown}, but the mines around it"
                    f" are {true}"
                )
        if position.mines not in (None, sum(layout.mined)):
            raise GameError(f"the total is {position.mines}, but {sum(layout.mined)} mines stand")
        return layout

    @property
    def board(self) -> Board:
        """The field and how many mines it has."""
        return Board(self.topology, sum(self.mined))

    @property
    def mines(self) -> frozenset[Cell]:
        """The cells that are mined."""
        return frozenset(compress(self.topology.cells, self.mined))

    @property
    def numbers(self) -> dict[Cell, int]:
        """How many neighbours of each free cell are mined, in canonical order."""
        return {
            cell: code
            for cell, code in zip(self.topology.cells, self._shown, strict=True)
            if code >= 0
        }

    @property
    def _shown(self) -> memoryview:
        return memoryview(self.codes).cast("i")

    @property
    def codes(self) -> bytes:
        """The full board as the codes of a position: numbers, and -2 for mines."""
        codes = self._codes
        if codes is None:
            codes = full_board(self.topology.adjacency, self.mined)
            object.__setattr__(self, "_codes", codes)
        return codes

    def position(
        self,
        uncovered: Iterable[Cell] | None = None,
        *,
        flagged: Iterable[Cell] = (),
        total: bool = True,
    ) -> Position:
        """Return what is seen of this layout.

        Parameters
        ----------
        uncovered : iterable of cells, optional
            The cells that show what they are, a number or a mine; all if not given.
        flagged : iterable of cells
            Cells that are marked as known mines, whatever they are.
        total : bool
            Whether the number of mines is known.

        Raises
        ------
        UnknownCellError
            If the field has no such cell.

        Examples
        --------
        >>> from sapper.field import Grid
        >>> layout = Layout(Grid(2, 3), mines={(0, 2)})
        >>> layout.position([(0, 1), (1, 2)])
        Position(Grid(2, 3), ['?1?', '??1'], mines=1)
        >>> layout.position(total=False)
        Position(Grid(2, 3), ['01*', '011'])
        """
        topology, shown = self.topology, self._shown
        if uncovered is None:
            seen = array("i", shown)
        else:
            seen = array("i", [COVERED]) * len(topology)
            for place in map(topology.index, uncovered):
                seen[place] = shown[place]
        for place in map(topology.index, flagged):
            seen[place] = MINE
        return Position.from_codes(topology, seen.tobytes(), sum(self.mined) if total else None)

    @classmethod
    def parse(cls, text: str | bytes, format: str | None = None) -> Layout:  # noqa: A002
        """Read a full board in any format that can hold one.

        Raises
        ------
        FormatError
            With line and column, if it cannot be read.
        GameError
            If it is not a full board.

        Examples
        --------
        >>> Layout.parse("1*1")
        Layout(Grid(1, 3), mines=[(0, 1)])
        """
        # The one look to the right of this room, on demand: the word for reading is Layout's own.
        from sapper.formats import examine

        return examine(text, format=format).layout

    def to(self, format: str = "text", **options: Any) -> str:  # noqa: A002 - the word users know
        """Return the full board as text in some format that `parse` reads back.

        Options are those of `sapper.formats.dump`.

        Raises
        ------
        FormatError
            If there is no such format, or it cannot hold this board.

        Examples
        --------
        >>> from sapper.field import Grid
        >>> print(Layout(Grid(3, 3), [(2, 1)]).to("tatham", start=(0, 0)))
        3x3:0,0,m778
        """
        from sapper.formats import dump

        return dump(self, format, **options).removesuffix("\n")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self.mined == other.mined and self.topology == other.topology

    def __hash__(self) -> int:
        return hash((self.mined, self.topology))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a layout is frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a layout is frozen: cannot delete {name!r}")

    def __reduce__(self) -> tuple[object, ...]:
        return Layout.from_bytes, (self.topology, self.mined)

    def __str__(self) -> str:
        return str(self.position())

    def svg(self) -> str:
        """Return a picture of the full board."""
        return self.position().svg()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        mines = list(compress(self.topology.cells, self.mined))
        return f"Layout({self.topology!r}, mines={mines!r})"


def uncover(
    layout: Layout, seen: array[int], places: Iterable[int], flags: Collection[int] = ()
) -> list[int]:
    """Uncover cells, and the neighbours of zeros, and so on; return what was uncovered.

    Parameters
    ----------
    layout : Layout
        Where the mines are; a mine is uncovered too, if it is asked for.
    seen : array of int
        What is visible so far, as the codes of a position; what is uncovered goes in here.
    places : iterable of int
        Indices of cells; those that are not covered are passed over.
    flags : collection of int
        Indices of cells that stay covered in any case.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> layout, seen = Layout(Grid(1, 5), [(0, 3)]), array("i", [COVERED]) * 5
    >>> sorted(uncover(layout, seen, [0])), seen.tolist()
    ([0, 1, 2], [0, 0, 1, -1, -1])
    """
    expect(layout, Layout, "cells of a Layout are uncovered")
    expect(seen, array, "what is visible is an array of codes")
    expect(places, Iterable, "cells are uncovered by their indices")
    expect(flags, Collection, "flags are indices of cells")
    shown, around = memoryview(layout.codes).cast("i"), layout.topology.neighbours_at
    waiting, opened = list(places), []
    if len(seen) != len(shown):
        raise GameError(f"{layout.topology} shows {len(shown)} cells, not {len(seen)}")
    for place in waiting:
        if not isinstance(place, int) or not 0 <= place < len(shown):
            raise GameError(f"{layout.topology} has no cell number {quoted(place)}")
    while waiting:
        place = waiting.pop()
        if seen[place] != COVERED or place in flags:
            continue
        seen[place] = shown[place]
        opened.append(place)
        if shown[place] == 0:
            waiting.extend(around(place))
    return opened
