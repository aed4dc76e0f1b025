"""Graphs and tree decompositions in the formats of the PACE challenge, ``.gr`` and ``.td``.

Vertices are numbered from 1 in the canonical order of the field. A decomposition made by any
solver of the challenge can be brought back with the same field.
"""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from sapper.decomposition.tree_decomposition import TreeDecomposition, topology_of
from sapper.errors import DecompositionError, FormatError, expect, quoted
from sapper.field import Graph

MAX_ISOLATED: Final = 100_000
"""The most vertices without an edge that are read: a short text can promise any number of them."""


def format_gr(graph: Any) -> str:
    r"""Return a graph in the ``.gr`` format.

    Examples
    --------
    >>> from sapper.field import Graph
    >>> format_gr(Graph.from_edges([("a", "b"), ("b", "c")]))
    'p tw 3 2\n1 2\n2 3\n'
    """
    field = topology_of(graph)
    edges = [
        f"{place + 1} {other + 1}"
        for place in range(len(field))
        for other in field.neighbours_at(place)
        if place < other
    ]
    return "\n".join([f"p tw {len(field)} {len(edges)}", *edges, ""])


def parse_gr(text: str, *, source: str | None = None) -> Graph:
    r"""Return the graph of a ``.gr`` text, on the vertices 1 to n.

    Raises
    ------
    FormatError
        With the line and column of the mistake. Self-loops and repeated edges are mistakes too,
        and so are more than `MAX_ISOLATED` vertices without an edge.

    Examples
    --------
    >>> parse_gr("c a path\np tw 3 2\n1 2\n2 3\n").neighbours(2)
    (1, 3)
    """
    lines = _Lines(text, source)
    vertices, count = lines.header("p", ("tw",), ("number of vertices", "number of edges"))
    if vertices > MAX_ISOLATED + 2 * len(lines):
        lines.fail(
            f"the first line promises {vertices:,} vertices; with {len(lines):,} edges, that is "
            f"more than {MAX_ISOLATED:,} without any"
        )
    seen: set[frozenset[int]] = set()
    edges = []
    for line in lines:
        if len(line.words) != 2:
            lines.fail("an edge is two vertices", line.number, line.columns[0])
        one, two = (lines.vertex(line, place, vertices) for place in (0, 1))
        if one == two:
            lines.fail(f"{one} {two} is a self-loop", line.number, line.columns[0])
        if frozenset((one, two)) in seen:
            lines.fail(f"the edge {one} {two} is given twice", line.number, line.columns[0])
        seen.add(frozenset((one, two)))
        edges.append((one, two))
    if len(edges) != count:
        lines.fail(f"the first line promises {count} edges, and there are {len(edges)}")
    return Graph.from_edges(edges, nodes=range(1, vertices + 1))


def format_td(decomposition: TreeDecomposition, graph: Any) -> str:
    r"""Return a tree decomposition in the ``.td`` format, with the numbers of ``format_gr``.

    Raises
    ------
    DecompositionError
        If a bag holds something that is no vertex of the graph.

    Examples
    --------
    >>> from sapper.field import Graph
    >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> format_td(TreeDecomposition([{"a", "b"}, {"b", "c"}], [(0, 1)]), path)
    's td 2 2 3\nb 1 1 2\nb 2 2 3\n1 2\n'
    """
    expect(decomposition, TreeDecomposition, "a TreeDecomposition is written")
    field = topology_of(graph)
    lines = [f"s td {len(decomposition)} {decomposition.width + 1} {len(field)}"]
    for number, bag in enumerate(decomposition.bags, start=1):
        for cell in bag:
            if cell not in field:
                raise DecompositionError(
                    f"node {number - 1} holds {quoted(cell)}, which is no vertex"
                )
        places = sorted(field.index(cell) + 1 for cell in bag)
        lines.append(" ".join(map(str, ["b", number, *places])))
    lines += [f"{one + 1} {two + 1}" for one, two in decomposition.edges]
    return "\n".join([*lines, ""])


def parse_td(text: str, graph: Any, *, source: str | None = None) -> TreeDecomposition:
    r"""Return the tree decomposition of a ``.td`` text, with the cells of `graph`.

    Only the format is checked. Whether it is a decomposition of the graph is for
    `TreeDecomposition.violations` to say.

    Raises
    ------
    FormatError
        With the line and column of the mistake.

    Examples
    --------
    >>> from sapper.field import Graph
    >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> parse_td("s td 2 2 3\nb 1 1 2\nb 2 2 3\n1 2\n", path).violations(path)
    []
    """
    field = topology_of(graph)
    lines = _Lines(text, source)
    nodes, largest, vertices = lines.header(
        "s", ("td",), ("number of bags", "size of the largest bag", "number of vertices")
    )
    if vertices != len(field):
        lines.fail(f"the text is about {vertices} vertices, and the graph has {len(field)}")
    bags: dict[int, list[Any]] = {}
    edges = []
    for line in lines:
        if line.words[0] == "b":
            if len(line.words) < 2:
                lines.fail("a bag needs its number", line.number, line.columns[0])
            node = lines.node(line, 1, nodes)
            if node in bags:
                lines.fail(f"bag {node} is given twice", line.number, line.columns[1])
            places = [lines.vertex(line, i, vertices) for i in range(2, len(line.words))]
            bags[node] = [field.cells[place - 1] for place in places]
            continue
        if len(line.words) != 2:
            lines.fail("a line is 'b', a bag and its vertices, or two bags", line.number, 1)
        one, two = (lines.node(line, place, nodes) for place in (0, 1))
        if one == two:
            lines.fail(f"{one} {two} joins a bag with itself", line.number, line.columns[0])
        edges.append((one - 1, two - 1))
    for node in range(1, nodes + 1):
        if node not in bags:
            lines.fail(f"bag {node} is missing")
    made = TreeDecomposition([bags[node] for node in range(1, nodes + 1)], edges)
    if made.width + 1 != largest:
        lines.fail(
            f"the first line says that the largest bag has {largest} vertices, and it has"
            f" {made.width + 1}"
        )
    return made


def read_gr(path: str | PathLike[str]) -> Graph:
    """Read a graph from a ``.gr`` file; see `parse_gr`."""
    return parse_gr(_text(path), source=str(path))


def write_gr(graph: Any, path: str | PathLike[str]) -> None:
    """Write a graph to a ``.gr`` file; see `format_gr`."""
    Path(path).write_text(format_gr(graph), encoding="utf-8")


def read_td(path: str | PathLike[str], graph: Any) -> TreeDecomposition:
    """Read a tree decomposition from a ``.td`` file; see `parse_td`."""
    return parse_td(_text(path), graph, source=str(path))


def write_td(decomposition: TreeDecomposition, graph: Any, path: str | PathLike[str]) -> None:
    """Write a tree decomposition to a ``.td`` file; see `format_td`."""
    Path(path).write_text(format_td(decomposition, graph), encoding="utf-8")


def _text(path: str | PathLike[str]) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"this is no text: {error}", source=str(path)) from None


class _Line(NamedTuple):
    number: int
    words: list[str]
    columns: list[int]


class _Lines:
    """The lines of a text that say something, and the errors about them."""

    def __init__(self, text: str, source: str | None) -> None:
        expect(text, str, "a graph or a decomposition is read from text")
        expect(source, str | None, "the source is a name")
        self._source = source
        found = [
            _split(number, line)
            for number, line in enumerate(text.splitlines(), start=1)
            if line.strip() and line.split()[0] != "c"
        ]
        self._lines, self._size = iter(found), max(0, len(found) - 1)

    def __len__(self) -> int:
        """Return the number of lines after the first."""
        return self._size

    def __iter__(self) -> Iterator[_Line]:
        return self._lines

    def header(self, letter: str, kinds: tuple[str, ...], meanings: tuple[str, ...]) -> list[int]:
        expected = f"'{letter} {kinds[0]}' and the {', the '.join(meanings)}"
        line = next(self._lines, None)
        if line is None:
            self.fail(f"the text is empty; it begins with {expected}")
        words = line.words
        if words[0] != letter or len(words) != 2 + len(meanings) or words[1] not in kinds:
            self.fail(f"the first line is {expected}", line.number, 1)
        return [self._number(line, place) for place in range(2, len(words))]

    def vertex(self, line: _Line, place: int, vertices: int) -> int:
        return self._below(line, place, vertices, "vertices")

    def node(self, line: _Line, place: int, nodes: int) -> int:
        return self._below(line, place, nodes, "bags")

    def _below(self, line: _Line, place: int, last: int, what: str) -> int:
        number = self._number(line, place)
        if not 1 <= number <= last:
            self.fail(
                f"{number} is not one of the {what} 1 … {last}", line.number, line.columns[place]
            )
        return number

    def _number(self, line: _Line, place: int) -> int:
        word = line.words[place]
        if not (word.isascii() and word.isdigit()) or len(word) > 12:
            self.fail(f"{quoted(word)} is no number", line.number, line.columns[place])
        return int(word)

    def fail(self, message: str, line: int | None = None, column: int | None = None) -> NoReturn:
        raise FormatError(message, line=line, column=column, source=self._source)


def _split(number: int, line: str) -> _Line:
    words, columns, at = line.split(), [], 0
    for word in words:
        at = line.index(word, at)
        columns.append(at + 1)
        at += len(word)
    return _Line(number, words, columns)
