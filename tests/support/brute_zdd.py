"""The reduced diagram of a list of solutions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from sapper.clues import Solution
from sapper.errors import UnknownCellError
from sapper.field import Cell

BOTTOM: Final = -1
TOP: Final = -2


class BruteZdd:
    """The reduced zero-suppressed decision diagram of listed sets of cells.

    Parameters
    ----------
    cells : iterable of cells
        The variables in order. The diagram depends on nothing but this order and the sets.
    solutions : iterable of sets of cells
        The sets.

    Raises
    ------
    UnknownCellError
        If a set has an element that is not a variable.

    Examples
    --------
    >>> zdd = BruteZdd("abc", [{"a"}, {"b"}, {"c"}])
    >>> len(zdd), zdd.count()
    (3, 3)
    >>> print(zdd.dumps(), end="")
    0 3 B T
    1 2 0 T
    2 1 1 T
    .
    """

    def __init__(self, cells: Iterable[Cell], solutions: Iterable[Iterable[Cell]]) -> None:
        self._cells = tuple(cells)
        place = {cell: number for number, cell in enumerate(self._cells)}
        try:
            family = {tuple(sorted(place[cell] for cell in mines)) for mines in solutions}
        except KeyError as error:
            raise UnknownCellError(error.args[0], "the variables of the diagram") from None
        self._nodes: list[tuple[int, int, int]] = []
        self._root = self._build(sorted(family), 0, {})

    def _build(
        self, family: list[tuple[int, ...]], depth: int, unique: dict[tuple[int, int, int], int]
    ) -> int:
        """Return the node of the tails, from `depth` on, of sorted sets that agree before it."""
        if not family:
            return BOTTOM
        ended = len(family[0]) == depth
        if ended and len(family) == 1:
            return TOP
        # Branch on the first variable that any set still has; those before it are suppressed.
        variable = min(mines[depth] for mines in family if len(mines) > depth)
        low = [m for m in family if len(m) == depth or m[depth] != variable]
        high = [m for m in family if len(m) > depth and m[depth] == variable]
        node = (variable, self._build(low, depth, unique), self._build(high, depth + 1, unique))
        if node not in unique:
            unique[node] = len(self._nodes)
            self._nodes.append(node)
        return unique[node]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The variables: cells in the order in which paths from the root meet them."""
        return self._cells

    @property
    def nodes(self) -> list[tuple[Cell, int, int]]:
        """The branching nodes ``(cell, low, high)``, each after its children; the root is last.

        A child is the place of a node in this list, or -1 for ⊥ and -2 for ⊤.
        """
        return [(self._cells[variable], low, high) for variable, low, high in self._nodes]

    def __len__(self) -> int:
        return len(self._nodes)

    # A diagram with no branching node is a diagram all the same: ask `count` for emptiness.
    def __bool__(self) -> bool:
        return self._root != BOTTOM

    def __iter__(self) -> Iterator[Solution]:
        return self._walk(self._root)

    def _walk(self, child: int) -> Iterator[Solution]:
        if child == TOP:
            yield frozenset()
        elif child != BOTTOM:
            variable, low, high = self._nodes[child]
            yield from self._walk(low)
            for mines in self._walk(high):
                yield mines | {self._cells[variable]}

    def count(self) -> int:
        """Return the number of sets."""
        counts = {BOTTOM: 0, TOP: 1}
        for place, (_, low, high) in enumerate(self._nodes):
            counts[place] = counts[low] + counts[high]
        return counts[self._root]

    def to_dot(self) -> str:
        """Return the diagram in the DOT language: a low edge is dashed, a high edge solid."""
        name = {BOTTOM: "B", TOP: "T"} | {place: f"n{place}" for place in range(len(self))}
        lines = ["digraph zdd {", '  B [shape=box, label="⊥"];', '  T [shape=box, label="⊤"];']
        for place, (cell, low, high) in enumerate(self.nodes):
            label = str(cell).replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'  {name[place]} [label="{label}"];')
            lines.append(f"  {name[place]} -> {name[low]} [style=dashed];")
            lines.append(f"  {name[place]} -> {name[high]};")
        return "\n".join([*lines, "}", ""])

    def dumps(self) -> str:
        """Return the diagram as Graphillion writes it; variable ``i`` is ``cells[i - 1]``."""
        name = {BOTTOM: "B", TOP: "T"} | {place: str(place) for place in range(len(self))}
        lines = [
            f"{place} {variable + 1} {name[low]} {name[high]}"
            for place, (variable, low, high) in enumerate(self._nodes)
        ]
        return "\n".join([*(lines or [name[self._root]]), ".", ""])

    def __repr__(self) -> str:
        return f"<BruteZdd of {len(self)} nodes over {len(self._cells)} cells>"
