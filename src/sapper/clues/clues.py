"""A clue system: the hypergraph form of a minefield."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from sapper.clues.clue import Clue, refuse_repeats
from sapper.clues.simplify import Simplified, simplify
from sapper.clues.structure import components, groups
from sapper.errors import MethodError, PositionError, UnknownCellError, expect, quoted
from sapper.field import Cell, Position, Shown, whole

if TYPE_CHECKING:
    from sapper._native import System
    from sapper.limits import Limits


@dataclass(frozen=True, repr=False, init=False)
class Clues(Shown):
    """Covered cells, clues over them and, optionally, the number of mines in all.

    Clue systems are frozen, hashable values that threads can share.

    Parameters
    ----------
    clues : iterable of Clue
        The exact sums. Each must hold.
    cells : iterable of cells
        Cells that come first in the order of cells; here a cell that stands in no clue is named.
        Cells that only clues name follow in the order in which they first appear.
    mines : int, optional
        The number of mines in all, `known_mines` included. A number that cannot be reached makes
        the system inconsistent; it is not an error.
    known_mines : int
        Mines outside `cells` that `mines` and the keys of `count_by_mines` count as well.

    Raises
    ------
    PositionError
        If something is not a `Clue`, `cells` names a cell twice, or a number of mines is not an
        integer of at least 0.

    Examples
    --------
    >>> clues = Clues([Clue(1, "uv"), Clue(2, "vwx")], cells="uvwxy")
    >>> clues.cells
    ('u', 'v', 'w', 'x', 'y')
    >>> clues.untouched
    ('y',)
    >>> clues.is_solution({"v", "x"})
    True
    """

    cells: tuple[Cell, ...]
    clues: tuple[Clue, ...]
    mines: int | None
    known_mines: int

    def __init__(
        self,
        clues: Iterable[Clue],
        cells: Iterable[Cell] = (),
        mines: int | None = None,
        *,
        known_mines: int = 0,
    ) -> None:
        expect(clues, Iterable, "a system is made of clues")
        expect(cells, Iterable, "cells are given one by one")
        clues = tuple(clues)
        cells = tuple(cells)
        refuse_repeats(cells, "the list of cells")
        order = dict.fromkeys(cells)
        for clue in clues:
            if not isinstance(clue, Clue):
                raise PositionError(f"a clue must be a Clue(count, cells), not {quoted(clue)}")
            order.update(dict.fromkeys(clue.cells))
        known_mines = _not_negative(known_mines, "the number of known mines")
        if mines is not None:
            mines = _not_negative(mines, "the mine total")
        self._set(tuple(order), clues, mines, known_mines)

    @classmethod
    def from_position(cls, position: Position, look: Callable[[], object] | None = None) -> Clues:
        """Return the clue system of a position.

        The cells are the covered ones (``?``). The known mines around a number are subtracted from
        it; a number with nothing covered around it is left out once it is right. Linear in the
        numbers and their neighbours. `look` is called every some hundred clues; what it raises
        ends the work.

        Examples
        --------
        >>> from sapper.field import Grid
        >>> clues = Clues.from_position(Position(Grid(1, 4), ["*2??"], mines=2))
        >>> clues.clues
        (Clue(1, ((0, 2),), cell=(0, 1)),)
        >>> clues.mines, clues.known_mines
        (2, 1)
        """
        if not isinstance(position, Position):
            raise TypeError(f"expected a Position, not {type(position).__name__}")
        topology = position.topology
        look = look or (lambda: None)
        covered = position.covered
        look()
        is_covered = frozenset(covered)
        look()
        is_mine = frozenset(position.known_mines)
        look()
        clues = []
        for done, (place, number) in enumerate(position.numbers.items()):
            if done % 512 == 0:
                look()
            around = topology.neighbours(place)
            cells = tuple(cell for cell in around if cell in is_covered)
            count = number - sum(cell in is_mine for cell in around)
            if cells or count:
                clues.append(Clue(count, cells, cell=place))
        made = cls.__new__(cls)
        made._set(covered, tuple(clues), position.mines, len(is_mine))
        return made

    @classmethod
    def of(cls, puzzle: Puzzle, look: Callable[[], object] | None = None) -> Clues:
        """Return `puzzle` as a clue system: itself, or that of a position.

        `look` is called while one is made; see `from_position`.

        Raises
        ------
        TypeError
            If it is neither.
        """
        if isinstance(puzzle, Clues):
            return puzzle
        if isinstance(puzzle, Position):
            return cls.from_position(puzzle, look)
        raise TypeError(f"expected a Position or Clues, not {type(puzzle).__name__}")

    def _set(
        self, cells: tuple[Cell, ...], clues: tuple[Clue, ...], mines: int | None, known_mines: int
    ) -> None:
        fields = {"cells": cells, "clues": clues, "mines": mines, "known_mines": known_mines}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def free_mines(self) -> int | None:
        """How many of `cells` are mined in all: `mines` less `known_mines`; `None` if not given."""
        return None if self.mines is None else self.mines - self.known_mines

    @property
    def is_weighted(self) -> bool:
        """Whether any clue has weights."""
        return any(clue.weights is not None for clue in self.clues)

    @cached_property
    def touched(self) -> tuple[Cell, ...]:
        """The cells that stand in a clue, in the order of `cells`."""
        return tuple(cell for cell in self.cells if cell in self._in_clues)

    @cached_property
    def untouched(self) -> tuple[Cell, ...]:
        """The cells that stand in no clue, in the order of `cells`."""
        return tuple(cell for cell in self.cells if cell not in self._in_clues)

    @cached_property
    def _in_clues(self) -> frozenset[Cell]:
        return frozenset(cell for clue in self.clues for cell in clue.cells)

    @cached_property
    def _place(self) -> dict[Cell, int]:
        return {cell: place for place, cell in enumerate(self.cells)}

    @cached_property
    def index(self) -> Mapping[Cell, int]:
        """The place of each cell in `cells`."""
        return MappingProxyType(self._place)

    @cached_property
    def system(self) -> System:
        """The same system in the compiled core.

        Raises
        ------
        MethodError
            If the count and the weights of a clue add up to 2^61 or more.
        """
        from sapper._native import System

        offsets, counts, weights = array("i", [0]), array("q"), array("q")
        cells: list[int] = []
        place = self._place
        weighted = self.is_weighted
        total = self.free_mines
        if total is not None and not 0 <= total <= len(self.cells):
            # Any total that cannot be reached will do, and this one fits in the core's integers.
            total = len(self.cells) + 1
        try:
            for clue in self.clues:
                cells += [place[cell] for cell in clue.cells]
                offsets.append(len(cells))
                counts.append(clue.count)
                if weighted:
                    weights.extend(clue.weights or (1,) * len(clue.cells))
            return System.from_clues(
                len(self.cells),
                offsets.tobytes(),
                array("i", cells).tobytes(),
                weights.tobytes(),
                counts.tobytes(),
                total,
            )
        except OverflowError:
            raise MethodError(
                "the engine takes clues whose count and weights add up to less than 2^61, and a "
                "clue goes beyond; 'brute' takes integers of any size"
            ) from None

    def is_solution(self, mines: Iterable[Cell]) -> bool:
        """Tell whether exactly these mines on `cells` satisfy every clue and the total."""
        expect(mines, Iterable, "mines are cells")
        mined = frozenset(mines)
        return (
            mined.issubset(self.index)
            and self.free_mines in (None, len(mined))
            and all(clue.is_satisfied_by(mined) for clue in self.clues)
        )

    def with_clue(self, clue: Clue) -> Clues:
        """Return the system with one more clue."""
        return Clues((*self.clues, clue), self.cells, self.mines, known_mines=self.known_mines)

    def with_mines(self, mines: int | None) -> Clues:
        """Return the system with another number of mines, or with none given."""
        return Clues(self.clues, self.cells, mines, known_mines=self.known_mines)

    def including(self, cell: Cell) -> Clues:
        """Return the system in which `cell` is a mine.

        Raises
        ------
        UnknownCellError
            If it is not one of `cells`.
        """
        return self.with_clue(Clue(1, (self._known(cell),)))

    def excluding(self, cell: Cell) -> Clues:
        """Return the system in which `cell` is free.

        Raises
        ------
        UnknownCellError
            If it is not one of `cells`.
        """
        return self.with_clue(Clue(0, (self._known(cell),)))

    def simplify(self, limits: Limits | None = None) -> Simplified:
        """Return the system without the cells that its clues decide, with the way back.

        Every cell with the same value in all assignments that satisfy the clues is substituted;
        the total is not used. Clues that say nothing any more, or what another one says, are left
        out. Solutions correspond one to one, and so do counts by mines. The search for decided
        cells may take exponential time in the worst case, and keeps to `limits`.

        Raises
        ------
        LimitExceeded
            If a limit is hit.
        MethodError
            If the count and the weights of a clue add up to 2^61 or more.

        Examples
        --------
        >>> simple = Clues([Clue(1, "ab"), Clue(2, "abc"), Clue(2, "cde")]).simplify()
        >>> simple.mines
        frozenset({'c'})
        >>> simple.clues
        Clues([Clue(1, ('a', 'b')), Clue(1, ('d', 'e'))], cells=('a', 'b', 'd', 'e'), known_mines=1)
        >>> sorted(simple.restore({"a", "e"}))
        ['a', 'c', 'e']
        """
        return simplify(self, limits)

    def groups(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the cells in groups of interchangeable ones, in canonical order.

        Two cells are interchangeable if they stand in the same clues with the same weights: to
        exchange them turns solutions into solutions. Cells in no clue are one group. Linear in the
        size of the clues.

        Examples
        --------
        >>> Clues([Clue(1, "abc"), Clue(2, "cde")]).groups()
        (('a', 'b'), ('c',), ('d', 'e'))
        """
        return groups(self)

    def components(self) -> tuple[Clues, ...]:
        """Return the independent parts, each with the clues and cells that hang together.

        Cells in no clue are in no part (see `untouched`), and parts have no total: under one, all
        of them share it. Without it the solutions of the system are the unions of one solution
        from each part and any untouched cells. Almost linear in the size of the clues.

        Examples
        --------
        >>> [part.cells for part in Clues([Clue(1, "ab"), Clue(1, "cd")], "abcde").components()]
        [('a', 'b'), ('c', 'd')]
        """
        return tuple(Clues(clues, cells) for clues, cells in components(self))

    def _known(self, cell: Cell) -> Cell:
        if cell not in self.index:
            raise UnknownCellError(cell, "the covered cells")
        return cell

    def __repr__(self) -> str:
        parts = [repr(list(self.clues)), f"cells={self.cells!r}"]
        if self.mines is not None:
            parts.append(f"mines={self.mines!r}")
        if self.known_mines:
            parts.append(f"known_mines={self.known_mines!r}")
        return f"Clues({', '.join(parts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Leave out what is cached: the compiled system does not travel.
        return _restore, (self.cells, self.clues, self.mines, self.known_mines)


def _not_negative(value: int, what: str) -> int:
    number = whole(value, what)
    if number < 0:
        raise PositionError(f"{what} cannot be negative: {quoted(number)}")
    return number


def _restore(
    cells: tuple[Cell, ...], clues: tuple[Clue, ...], mines: int | None, known_mines: int
) -> Clues:
    return Clues(clues, cells, mines, known_mines=known_mines)


Puzzle: TypeAlias = Position | Clues
"""What every question is asked of."""
