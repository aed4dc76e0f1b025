"""What a player sees: a field, a label on each cell, perhaps the number of mines."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, Final, NoReturn

from sapper.errors import PositionError, quoted
from sapper.field.cells import whole
from sapper.field.labels import (
    COVERED,
    FREE,
    MINE,
    Label,
    LabelError,
    code_of,
    encode_labels,
    format_row,
    join_rows,
    label_of,
)
from sapper.field.shown import Shown
from sapper.field.status import Problem, problems
from sapper.field.table import as_topology
from sapper.field.topology import Cell, Topology
from sapper.limits import load

if TYPE_CHECKING:
    import numpy

__all__ = ["Position", "checked_mines", "codes_of_stack"]

# Python writes no longer numbers; and no field has as many cells.
_MOST_BITS: Final = 10_000


class Position(Shown):
    """A field with a label on each cell and, if known, the total number of mines.

    Positions are frozen, hashable values that threads can share. A position that contradicts itself
    can be represented; `status` lists what is wrong with it, and solving it is how one learns the
    rest.

    Parameters
    ----------
    topology
        The field; a networkx graph is taken as `Graph` of it.
    labels
        Numbers, ``"?"`` (covered), ``"*"`` (mine) and ``"_"`` (free): as a mapping from cells,
        where a missing cell is covered; as a sequence in the order of `Topology.cells`; or, on a
        lattice or in a box, as rows, each a string or a sequence (a box: all rows of all layers,
        or layers of rows).
    mines
        How many mines the whole field has, those labelled ``"*"`` included.

    Raises
    ------
    PositionError
        If a label is none, there are too few or too many, or the total is negative.
    UnknownCellError
        If a mapping names a cell that the field does not have.

    Examples
    --------
    >>> from sapper.field import Grid, Position
    >>> position = Position(Grid(3, 3), ["1??", "12?", "_1?"], mines=2)
    >>> position[1, 1], position[0, 1]
    (2, '?')
    >>> position.covered
    ((0, 1), (0, 2), (1, 2), (2, 2))
    >>> position.status()
    []
    """

    __slots__ = ("__weakref__", "codes", "mines", "topology")

    topology: Topology
    codes: bytes
    mines: int | None

    def __init__(
        self,
        topology: Any,
        labels: Mapping[Any, Any] | Sequence[Any] | str,
        mines: int | None = None,
    ) -> None:
        topology = as_topology(topology)
        if isinstance(labels, Mapping):
            codes = array("i", [COVERED]) * len(topology)
            for cell, label in labels.items():
                place = topology.index(cell)
                try:
                    codes[place] = code_of(label)
                except LabelError as error:
                    raise PositionError(f"cell {quoted(cell)}: {error}") from None
        else:
            codes = _flatten(topology, labels)
        self._fill(topology, codes.tobytes(), checked_mines(mines))

    def _fill(self, topology: Topology, codes: bytes, mines: int | None) -> None:
        put = object.__setattr__
        put(self, "topology", topology)
        put(self, "codes", codes)
        put(self, "mines", mines)

    @classmethod
    def from_codes(
        cls, topology: Topology, codes: bytes, mines: int | None = None, *, trusted: bool = False
    ) -> Position:
        """Make a position from one code a cell, as native 32-bit integers; the quick way in.

        Codes that are `trusted` are not looked at one by one.

        Raises
        ------
        PositionError
            If there is not one code a cell, or one is below -3.

        Examples
        --------
        >>> from array import array
        >>> from sapper.field import Grid
        >>> Position.from_codes(Grid(2, 2), array("i", [1, -1, -2, -3]).tobytes())
        Position(Grid(2, 2), ['1?', '*_'])
        """
        if len(codes) != 4 * len(topology):
            raise PositionError(f"{topology} needs {4 * len(topology)} bytes, not {len(codes)}")
        if codes and not trusted and min(memoryview(codes).cast("i")) < FREE:
            raise PositionError("codes are numbers, -1 (covered), -2 (mine) and -3 (free)")
        return cls._made(topology, codes, checked_mines(mines))

    @classmethod
    def _made(cls, topology: Topology, codes: bytes, mines: int | None) -> Position:
        position = cls.__new__(cls)
        position._fill(topology, codes, mines)
        return position

    @classmethod
    def from_array(
        cls, array: Any, *, mines: int | None = None, topology: str | Topology | None = None
    ) -> Position:
        """Make a position from a numpy array of codes or of label characters.

        Parameters
        ----------
        array
            Two-dimensional for flat fields, three-dimensional for a box, one-dimensional for a
            graph. Integers ``≥ 0`` are numbers, ``-1`` is covered, ``-2`` a known mine, ``-3``
            known free; an array of strings holds labels.
        mines
            Total number of mines, if known.
        topology
            ``"grid"``, ``"torus"``, ``"hex"``, ``"knight"``, ``"box"`` or a topology of the same
            shape. By default a grid, or a box if there are three dimensions.

        Raises
        ------
        PositionError
            If the shape does not fit or an entry is no label.

        Examples
        --------
        >>> import numpy
        >>> Position.from_array(numpy.array([[1, -1], [-2, -3]]))
        Position(Grid(2, 2), ['1?', '*_'])
        """
        load("numpy")
        from sapper.field.arrays import from_array

        field, codes = from_array(array, topology)
        return cls._made(field, codes, checked_mines(mines))

    def to_array(self) -> numpy.ndarray[Any, numpy.dtype[numpy.int32]]:
        """Return the codes as a fresh numpy array of 32-bit integers, in the field's shape.

        Examples
        --------
        >>> from sapper.field import Grid
        >>> Position(Grid(2, 2), ["1?", "*_"]).to_array().tolist()
        [[1, -1], [-2, -3]]
        """
        load("numpy")
        from sapper.field.arrays import to_array

        return to_array(self.topology, self.codes)

    def label(self, cell: Cell) -> Label:
        """Return the label of a cell: a number, ``"?"``, ``"*"`` or ``"_"``.

        Raises
        ------
        UnknownCellError
            If the field has no such cell.
        """
        return label_of(self._view()[self.topology.index(cell)])

    __getitem__ = label

    def items(self) -> Iterator[tuple[Cell, Label]]:
        """Iterate over cells and their labels in canonical order."""
        return zip(self.topology.cells, map(label_of, self._view()), strict=True)

    @property
    def covered(self) -> tuple[Cell, ...]:
        """The cells labelled ``"?"``, in canonical order."""
        return self._labelled(COVERED)

    @property
    def known_mines(self) -> tuple[Cell, ...]:
        """The cells labelled ``"*"``, in canonical order."""
        return self._labelled(MINE)

    @property
    def known_free(self) -> tuple[Cell, ...]:
        """The cells labelled ``"_"``, in canonical order."""
        return self._labelled(FREE)

    @property
    def numbers(self) -> dict[Cell, int]:
        """The uncovered numbers by cell, in canonical order."""
        pairs = zip(self.topology.cells, self._view(), strict=True)
        return {cell: code for cell, code in pairs if code >= 0}

    def _labelled(self, code: int) -> tuple[Cell, ...]:
        return tuple(compress(self.topology.cells, map(code.__eq__, self._view())))

    def _view(self) -> memoryview:
        return memoryview(self.codes).cast("i")

    def rows(self) -> list[str]:
        """Return the labels as rows of text, for a field that has rows.

        Raises
        ------
        PositionError
            If the field is a graph.
        """
        shape = self.topology.shape
        if len(shape) < 2:
            raise PositionError(f"{self.topology} has no rows")
        width = shape[-1]
        view = self._view().tolist()
        return [format_row(view[start : start + width]) for start in range(0, len(view), width)]

    def with_label(self, cell: Cell, label: Label) -> Position:
        """Return this position with another label on one cell.

        Raises
        ------
        UnknownCellError, PositionError
            If there is no such cell, or it is no label.
        """
        codes = array("i")
        codes.frombytes(self.codes)
        codes[self.topology.index(cell)] = code_of(label)
        return self._made(self.topology, codes.tobytes(), self.mines)

    def with_mines(self, mines: int | None) -> Position:
        """Return this position with another total number of mines, or None for no total."""
        return self._made(self.topology, self.codes, checked_mines(mines))

    def status(self) -> list[Problem]:
        """List everything that is visibly wrong with this position; nothing is solved.

        The checks look at each number and the cells around it, and at the total. An empty list
        does not mean that a legal assignment exists. Takes time linear in the field.

        Examples
        --------
        >>> from sapper.field import Grid
        >>> for problem in Position(Grid(1, 3), ["2?*"], mines=5).status():
        ...     print(problem)
        number-above-neighbourhood at (0, 0): the number 2 has only 1 neighbour
        number-above-open at (0, 0): the number 2 has only 1 covered or mined neighbour
        total-above-cells: 5 mines do not fit in 1 covered cell and 1 known mine
        """
        return problems(self.topology, self._view(), self.mines)

    def __contains__(self, cell: object) -> bool:
        return cell in self.topology

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.topology.cells)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.codes == other.codes
            and self.mines == other.mines
            and self.topology == other.topology
        )

    def __hash__(self) -> int:
        return hash((self.codes, self.mines, self.topology))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"a position is frozen: cannot set {name!r}; see with_label, with_mines"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a position is frozen: cannot delete {name!r}")

    def __reduce__(self) -> tuple[object, ...]:
        return Position.from_codes, (self.topology, self.codes, self.mines)

    def nested(self) -> list[Any]:
        """Return the rows as JSON has them: in a list, or in a list of lists if there are layers.

        Raises
        ------
        PositionError
            If the field has no rows.
        """
        rows: list[Any] = list(self.rows())
        for side in reversed(self.topology.shape[1:-1]):
            rows = [rows[start : start + side] for start in range(0, len(rows), side)]
        return rows

    def __repr__(self) -> str:
        labels = self.nested() if len(self.topology.shape) > 1 else dict(self.items())
        mines = "" if self.mines is None else f", mines={self.mines}"
        return f"Position({self.topology!r}, {labels!r}{mines})"

    def __str__(self) -> str:
        """Return the position as in a text file; a line a cell if the field has no rows."""
        topology = self.topology
        lines = [] if self.mines is None else [f"mines: {self.mines}"]
        word, parenthesis, pairs = topology.name.partition("(")
        kind = word.strip() or "offsets"
        if kind != "grid":
            lines.append(f"topology: {kind}")
        if parenthesis:
            lines.append(f"offsets: ({pairs}")
        if len(topology.shape) == 1:
            lines += [f"{cell} {label}" for cell, label in self.items()]
            return "\n".join(lines)
        rows, height = self.rows(), topology.shape[-2]
        for start in range(len(rows) - height, 0, -height):
            rows.insert(start, "")
        return "\n".join([*lines, *rows])

    def to(self, format: str = "text", **options: Any) -> str:  # noqa: A002 - the word users know
        """Return the position as text in a format, as `sapper.formats.dump` does.

        Examples
        --------
        >>> from sapper.field import Torus
        >>> print(Position(Torus(2, 3), ["1??", "?*_"], mines=2).to("line"))
        1??/?*_ mines=2 torus
        """
        from sapper.formats import dump

        return dump(self, format, **options).removesuffix("\n")


def _flatten(topology: Topology, labels: Sequence[Any] | str) -> array[int]:
    """Return the codes of labels given as rows or one by one."""
    shape, cells = topology.shape, len(topology)
    if isinstance(labels, str):
        labels = labels if len(shape) == 1 else labels.split()
    elif not isinstance(labels, Sequence):
        raise PositionError(f"labels must be a mapping or a sequence, not {type(labels).__name__}")
    if len(shape) == 3 and len(labels) == shape[0] and not isinstance(labels[0], str | int):
        labels = [row for layer in labels for row in layer]
    height = cells // shape[-1] if shape[-1] else 0
    if len(shape) > 1 and len(labels) == height:
        return join_rows(labels, shape[-1])
    if len(labels) != cells:
        rows = f" (or {height} rows)" if len(shape) > 1 else ""
        raise PositionError(f"{topology} needs {cells} labels{rows}, not {len(labels)}")
    return encode_labels(labels, "label {}")


def codes_of_stack(
    values: Any, topology: str | Topology | None
) -> tuple[Topology, numpy.ndarray[Any, numpy.dtype[numpy.int32]]]:
    """Return the field of many boards in one array, and a row of codes for each board.

    Raises
    ------
    PositionError
        If the shape does not fit or an entry is no label.
    """
    from sapper.field.arrays import codes_of_stack as read

    return read(values, topology)


def checked_mines(mines: object) -> int | None:
    """Return a mine total as a plain integer, or raise PositionError."""
    if mines is None:
        return None
    total = whole(mines, "the mine total")
    if total.bit_length() > _MOST_BITS:
        raise PositionError(f"the mine total is too large: {quoted(total)}")
    if total < 0:
        raise PositionError(f"the mine total cannot be negative: {quoted(total)}")
    return total
