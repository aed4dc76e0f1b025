"""Fields with a neighbourhood that looks the same everywhere: grid, torus, hex, offsets, box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from sapper.errors import PositionError, quoted
from sapper.field.cells import MAX_CELLS, article, whole
from sapper.field.rows import Rows
from sapper.field.topology import Geometry

if TYPE_CHECKING:
    from sapper._native import Adjacency

__all__ = ["KNIGHT", "Box", "Grid", "Hex", "Lattice", "Offsets", "Torus"]

Offset: TypeAlias = tuple[int, int]


def _around(axes: int) -> tuple[tuple[int, ...], ...]:
    """Return the steps of a king in so many dimensions."""
    return tuple(step for step in product((-1, 0, 1), repeat=axes) if any(step))


KING: Final = _around(2)
HEXAGON: Final[tuple[Offset, ...]] = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
KNIGHT: Final[tuple[Offset, ...]] = tuple(
    sorted(
        (row, column) for row, column in product((-2, -1, 1, 2), repeat=2) if row**2 != column**2
    )
)


class Lattice(Rows):
    """Rows with one set of offsets for all cells.

    This is the common part of `Grid`, `Torus`, `Hex`, `Offsets` and `Box`; use those.
    """

    __slots__ = ()

    offsets: tuple[tuple[int, ...], ...]
    """The steps to the neighbours, ascending, with as many numbers as there are axes."""
    wrap: bool = False
    """Whether opposite borders meet."""

    def __init__(self, height: int, width: int) -> None:
        super().__init__(height, width)

    def _adjacency(self) -> Adjacency:
        from sapper._native import Adjacency

        if len(self) * (len(self.offsets) + 1) > MAX_CELLS:
            raise PositionError(f"{self} is too large: it has over {MAX_CELLS:,} neighbours in all")
        flat = [number for offset in self.offsets for number in offset]
        return Adjacency.lattice(self.shape, flat, self.wrap)

    @property
    def adjacency_bytes(self) -> int:
        """What `adjacency` takes: an integer a cell, one and a bit for every neighbour."""
        steps = len(self.offsets)
        return len(self) * (4 * (steps + 1) + (steps + 7) // 8)

    @property
    def geometry(self) -> Geometry | None:
        """How the field is drawn: rows of squares, layer by layer."""
        plain = super().geometry
        return replace(plain, wraps=self.wrap) if plain else None

    def neighbours_at(self, index: int) -> Sequence[int]:
        """Return the indices of the neighbours of the cell with this index, ascending."""
        place, rest = [], index
        for side in reversed(self.shape):
            rest, coordinate = divmod(rest, side)
            place.append(coordinate)
        place.reverse()
        axes = zip(place, self.shape, self._reach, strict=True)
        if all(reach <= coordinate < side - reach for coordinate, side, reach in axes):
            inner = self._late.inner
            if inner is None:
                inner = self._late.inner = [other - index for other in self._search(place, index)]
            return [index + step for step in inner]
        return self._search(place, index)

    def _search(self, place: Sequence[int], index: int) -> list[int]:
        # On a tiny torus two offsets can meet in one cell, or come back to the start.
        around: set[int] = set()
        for offset in self.offsets:
            target = 0
            for coordinate, step, side in zip(place, offset, self.shape, strict=True):
                there = coordinate + step
                if self.wrap:
                    there %= side
                elif not 0 <= there < side:
                    break
                target = target * side + there
            else:
                around.add(target)
        around.discard(index)
        return sorted(around)

    @property
    def _reach(self) -> list[int]:
        """How far the offsets go along each axis."""
        made = self._late.reach
        if made is None:
            steps = zip(*self.offsets, strict=True)
            made = self._late.reach = [max(map(abs, along)) for along in steps]
        return made

    def too_large(self, codes: Sequence[int]) -> Iterator[int]:
        """Yield the indices of the numbers that are above the size of their neighbourhood."""
        late = self._late
        if late.small and max(codes) <= len(self.offsets):
            # Inner cells have all neighbours, so only the border can be at fault.
            if late.border is None:
                late.border = [
                    (index, degree)
                    for start, stop, degree in self._spans()
                    for index in range(start, stop)
                    if degree < len(self.offsets)
                ]
            for index, degree in late.border:
                if codes[index] > degree:
                    yield index
            return
        for start, stop, degree in self._spans():
            if max(codes[start:stop]) > degree:
                yield from (index for index in range(start, stop) if codes[index] > degree)

    def _spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield all indices in spans (start, stop, degree) of cells with as many neighbours."""
        if self.wrap:
            yield 0, len(self), len(self.neighbours_at(0))
            return
        *reaches, reach = self._reach
        *sides, width = self.shape
        left, right = min(reach, width), max(width - reach, min(reach, width))
        edges = [*range(left), *([left] if left < right else []), *range(right, width)]
        # How many neighbours a cell has depends on the borders within reach, and on nothing else.
        known: dict[tuple[int, ...], int] = {}
        for row, place in enumerate(product(*map(range, sides))):
            near = [
                number
                for at, side, far in zip(place, sides, reaches, strict=True)
                for number in (min(at, far), min(side - 1 - at, far))
            ]
            for column in edges:
                start = row * width + column
                key = (*near, column)
                degree = known.get(key)
                if degree is None:
                    degree = known[key] = len(self.neighbours_at(start))
                yield start, row * width + right if column == left < right else start + 1, degree


class Grid(Lattice):
    """The board everybody knows: up to eight neighbours, edges and corners included.

    Examples
    --------
    >>> Grid(16, 30).neighbours((0, 0))
    ((0, 1), (1, 0), (1, 1))
    """

    __slots__ = ()
    kind: ClassVar[str] = "grid"
    offsets = KING


class Torus(Lattice):
    """A grid whose left meets its right and whose top meets its bottom.

    On a torus with a side below three, some of the eight directions lead to one and the same cell;
    it is one neighbour, and a cell is never its own.

    Examples
    --------
    >>> Torus(9, 9).degree((0, 0)), Torus(2, 2).degree((0, 0))
    (8, 3)
    """

    __slots__ = ()
    kind: ClassVar[str] = "torus"
    offsets = KING
    wrap = True


class Hex(Lattice):
    """Hexagons in axial rows: six neighbours, those by (0, ±1), (±1, 0), (1, -1) and (-1, 1).

    Drawn, each row is shifted by half a cell to the right of the row above it.

    Examples
    --------
    >>> Hex(3, 3).neighbours((1, 1))
    ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))
    """

    __slots__ = ()
    kind: ClassVar[str] = "hex"
    offsets = HEXAGON

    @property
    def geometry(self) -> Geometry | None:
        """How the field is drawn: slanted rows of hexagons."""
        return Geometry(height=self.height, width=self.width, hexagonal=True)


class Box(Lattice):
    """A box of cells `(layer, row, column)` with up to 26 neighbours each.

    Examples
    --------
    >>> box = Box(3, 3, 3)
    >>> box.degree((1, 1, 1)), box.degree((0, 0, 0))
    (26, 7)
    """

    __slots__ = ()
    kind: ClassVar[str] = "box"
    axes = ("depth", "height", "width")
    offsets = _around(3)

    def __init__(self, depth: int, height: int, width: int) -> None:
        Rows.__init__(self, depth, height, width)

    @property
    def depth(self) -> int:
        """The number of layers."""
        return self.shape[0]


class Offsets(Lattice):
    """A lattice with a neighbourhood of your own, such as the moves of a knight.

    Parameters
    ----------
    height, width
        Size of the field.
    offsets
        Pairs (rows down, columns to the right). Being a neighbour is mutual, so with an offset its
        opposite must be there too; nothing is added silently.
    wrap
        Whether opposite borders meet, as on a torus.

    Raises
    ------
    PositionError
        If there is none, or one is zero, given twice, or lacks its opposite.

    Examples
    --------
    >>> Offsets(3, 3, [(0, 1), (0, -1)]).neighbours((1, 1))
    ((1, 0), (1, 2))
    >>> Offsets(3, 3, [(0, 1)])
    Traceback (most recent call last):
    ...
    sapper.errors.PositionError: offset (0, 1) lacks its opposite (0, -1)
    """

    __slots__ = ("offsets", "wrap")
    kind: ClassVar[str] = "offsets"

    offsets: tuple[Offset, ...]
    wrap: bool

    def __init__(
        self, height: int, width: int, offsets: Iterable[Offset] = KNIGHT, *, wrap: bool = False
    ) -> None:
        if not isinstance(wrap, bool):
            raise PositionError(f"wrap must be true or false, not {quoted(wrap)}", ("wrap",))
        checked = _checked_offsets(offsets)
        object.__setattr__(self, "offsets", checked)
        object.__setattr__(self, "wrap", wrap)
        Rows.__init__(self, height, width, options=(checked, wrap))

    @property
    def name(self) -> str:
        """The field in one line: ``knight``, or its offsets, after ``torus`` if it wraps."""
        if self.offsets == KNIGHT and not self.wrap:
            return "knight"
        pairs = " ".join(f"({down},{right})" for down, right in self.offsets)
        return f"torus {pairs}" if self.wrap else pairs

    def spec(self) -> dict[str, Any]:
        """Return the field as JSON has it: its sides, its offsets, and whether it wraps."""
        return super().spec() | {"offsets": [list(o) for o in self.offsets], "wrap": self.wrap}

    def __reduce__(self) -> tuple[object, ...]:
        return _offsets, (self.height, self.width, self.offsets, self.wrap)

    def __repr__(self) -> str:
        wrap = ", wrap=True" if self.wrap else ""
        return f"Offsets({self.height}, {self.width}, {list(self.offsets)!r}{wrap})"

    def __str__(self) -> str:
        sides = f"{article(self.height)} {self.height}×{self.width}"
        return f"{sides} field with {len(self.offsets)} offsets"


def _offsets(height: int, width: int, offsets: tuple[Offset, ...], wrap: bool) -> Offsets:
    return Offsets(height, width, offsets, wrap=wrap)


def _checked_offsets(offsets: Iterable[Offset]) -> tuple[Offset, ...]:
    try:
        given = tuple(offsets)
    except TypeError:
        raise PositionError(f"offsets must be pairs, not {quoted(offsets)}", ("offsets",)) from None
    if not given:
        wanted = "pairs such as (1, 2) and (-1, -2)"
        raise PositionError(f"there are no offsets; give {wanted}", ("offsets",))
    places: dict[Offset, int] = {}
    for place, offset in enumerate(given):
        where = ("offsets", place)
        try:
            down, right = (whole(step, "a step") for step in offset)
        except (TypeError, ValueError):
            wanted = "a pair (rows, columns) of whole numbers"
            raise PositionError(f"offset {quoted(offset)} is not {wanted}", where) from None
        if (down, right) == (0, 0):
            raise PositionError("offset (0, 0) would make every cell its own neighbour", where)
        # Longer steps leave any field that fits in memory, and overflow the core's integers.
        if max(abs(down), abs(right)) > MAX_CELLS:
            raise PositionError(f"an offset is longer than {MAX_CELLS:,}", where)
        if places.setdefault((down, right), place) != place:
            raise PositionError(f"offset {(down, right)} is given twice", where)
    for (down, right), place in sorted(places.items(), reverse=True):
        if (-down, -right) not in places:
            what = f"offset {(down, right)} lacks its opposite {(-down, -right)}"
            raise PositionError(what, ("offsets", place))
    return tuple(sorted(places))
