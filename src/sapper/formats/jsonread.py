"""Positions and bare clue systems from JSON."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Final

from sapper.errors import FormatError, PositionError
from sapper.field import KNIGHT, Box, Cell, Graph, Lattice, Offsets, Position, Topology
from sapper.field.labels import COVERED, MINE, LabelError, code_of, column_of_cell, encode_row
from sapper.field.named import by_name
from sapper.field.status import neighbourhood, total_mismatch
from sapper.formats.document import Document, Path, shown

if TYPE_CHECKING:
    from sapper.clues import Clues

__all__ = ["parse_json"]

_KINDS: Final = ("grid", "torus", "hex", "knight", "offsets", "box", "graph")
_SIDES: Final[dict[str, tuple[str, ...]]] = {"box": ("depth", "height", "width")}
_FLAT: Final = ("height", "width")


def parse_json(
    text: str, *, mines: int | None = None, topology: str | Topology | None = None
) -> Position | Clues:
    """Read a position, or a bare clue system, from a JSON document.

    Parameters
    ----------
    text
        One document: with ``"labels"`` a position, with ``"clues"`` a clue system.
    mines, topology
        If given, they replace what the document says.

    Raises
    ------
    FormatError
        With line and column.

    Examples
    --------
    >>> parse_json('{"topology": {"kind": "hex"}, "labels": ["1?"]}')
    Position(Hex(1, 2), ['1?'])
    """
    document = Document(text)
    value = document.value
    document.expect(value, dict, (), "an object with 'labels' or 'clues'")
    if "clues" in value:
        if topology is not None:
            raise FormatError("a bare clue system has no topology")
        return _clues(document, value, mines)
    if "labels" not in value:
        document.fail((), "neither 'labels' (a position) nor 'clues' (a bare clue system)")
    document.only(value, {"topology", "mines", "labels"}, ())
    place, codes = _labels(document, value, topology)
    _check_numbers(document, value["labels"], place, codes)
    known, covered = codes.count(MINE), codes.count(COVERED)
    total = _total(document, value, mines, known=known, covered=covered)
    return Position._from_codes(place, codes.tobytes(), total)


def _labels(
    document: Document, value: dict[str, Any], wanted: str | Topology | None
) -> tuple[Topology, array[int]]:
    spec, path = value.get("topology"), ("topology",)
    if spec is None:
        spec = {"kind": "grid"}
    elif isinstance(spec, str):
        spec = {"kind": spec}
    document.expect(spec, dict, path, "an object with a 'kind'")
    kind = spec.get("kind")
    if kind not in _KINDS:
        where = (*path, "kind") if "kind" in spec and isinstance(value["topology"], dict) else path
        document.fail(where, f"unknown topology {shown(kind)}: use {', '.join(_KINDS)}")
    if kind == "graph":
        if wanted is not None and not isinstance(wanted, Graph):
            raise FormatError("the document has a graph, which no other topology can replace")
        graph = wanted if isinstance(wanted, Graph) else _graph(document, spec)
        return graph, _graph_labels(document, value["labels"], graph)
    shape, codes = _rows(document, value["labels"], deep=kind == "box")
    names = _SIDES.get(kind, _FLAT)
    document.only(spec, {"kind", "offsets", "wrap", *names}, path)
    for name, side in zip(names, shape, strict=True):
        if name in spec:
            document.expect(spec[name], int, (*path, name), "a whole number")
            if spec[name] != side:
                document.fail((*path, name), f"{name} is {spec[name]}, but the labels have {side}")
    try:
        if isinstance(wanted, Topology):
            if wanted.shape != shape:
                raise PositionError(f"the labels have the shape {shape}, not that of {wanted}")
            return wanted, codes
        if kind == "box":
            if wanted not in (None, "box"):
                raise PositionError(f"the document has a box, which {wanted!r} cannot replace")
            return Box(*shape), codes
        if wanted is not None:
            return by_name(wanted, *shape), codes
    except PositionError as error:
        raise FormatError(str(error)) from None
    return _flat(document, spec, kind, *shape), codes


def _flat(document: Document, spec: dict[str, Any], kind: str, height: int, width: int) -> Lattice:
    offsets, path = spec.get("offsets"), ("topology", "offsets")
    wrap = spec.get("wrap", False)
    if kind not in ("offsets", "knight"):
        if offsets is not None:
            document.fail(path, f"the topology {kind!r} takes no offsets")
        return by_name(kind, height, width)
    if offsets is None:
        if kind == "offsets":
            document.fail(("topology",), "'offsets' with pairs such as [1, 2] are missing")
        offsets = KNIGHT
    else:
        document.expect(offsets, list, path, "a list of pairs")
        for i, offset in enumerate(offsets):
            document.expect(offset, list, (*path, i), "a pair of whole numbers")
            for j, step in enumerate(offset):
                document.expect(step, int, (*path, i, j), "a whole number")
    document.expect(wrap, bool, ("topology", "wrap"), "true or false")
    try:
        return Offsets(height, width, offsets, wrap=wrap)
    except PositionError as error:
        document.fail(path, str(error))


def _rows(document: Document, labels: object, *, deep: bool) -> tuple[tuple[int, ...], array[int]]:
    """Return the shape and the codes of labels given as rows, or as layers of rows."""
    document.expect(labels, list, ("labels",), "a list of layers" if deep else "a list of rows")
    assert isinstance(labels, list)
    rows: list[tuple[Path, object]] = []
    height = len(labels)
    if deep:
        for z, layer in enumerate(labels):
            document.expect(layer, list, ("labels", z), "a list of rows")
            height = len(labels[0])
            if len(layer) != height:
                document.fail(
                    ("labels", z), f"this layer has {len(layer)} rows, the first one has {height}"
                )
            rows.extend((("labels", z, y), row) for y, row in enumerate(layer))
    else:
        rows.extend((("labels", y), row) for y, row in enumerate(labels))
    codes, width = array("i"), -1
    for path, row in rows:
        encoded = _row(document, row, path)
        width = len(encoded) if width < 0 else width
        if len(encoded) != width:
            document.fail(path, f"this row has {len(encoded)} cells, the first one has {width}")
        codes.extend(encoded)
    if width <= 0:
        document.fail(("labels",), "there are no cells")
    return ((len(labels), height, width) if deep else (height, width)), codes


def _row(document: Document, row: object, path: Path) -> array[int]:
    if isinstance(row, str):
        try:
            return encode_row(row)
        except LabelError as error:
            document.fail(path, str(error), extra=error.column or 1)
    document.expect(row, list, path, "a string or a list of labels")
    assert isinstance(row, list)
    return array("i", [_code(document, label, (*path, x)) for x, label in enumerate(row)])


def _code(document: Document, label: object, path: Path) -> int:
    try:
        return code_of(label)
    except LabelError as error:
        document.fail(path, str(error))


def _graph(document: Document, spec: dict[str, Any]) -> Graph:
    path: Path = ("topology", "edges")
    document.only(spec, {"kind", "edges", "nodes"}, ("topology",))
    edges = spec.get("edges", [])
    document.expect(edges, list, path, "a list of pairs")
    nodes = document.cells(spec.get("nodes", []), ("topology", "nodes"))
    pairs: list[tuple[Cell, Cell]] = []
    seen: set[frozenset[Cell]] = set()
    for i, edge in enumerate(edges):
        document.expect(edge, list, (*path, i), "a pair of cells")
        if len(edge) != 2:
            document.fail((*path, i), f"an edge joins two cells, not {len(edge)}")
        one, other = (document.cell(end, (*path, i, j)) for j, end in enumerate(edge))
        ends = frozenset((one, other))
        if len(ends) == 1:
            document.fail((*path, i), f"the edge {shown(edge)} is a self-loop")
        if ends in seen:
            document.fail((*path, i), f"the edge {shown(edge)} is given twice")
        seen.add(ends)
        pairs.append((one, other))
    return Graph.from_edges(pairs, nodes=nodes)


def _graph_labels(document: Document, labels: object, graph: Graph) -> array[int]:
    codes = array("i", [COVERED]) * len(graph)
    given: set[int] = set()
    for name, label, path in _named_labels(document, labels, graph):
        if name not in graph:
            document.fail(path, f"there is no cell {shown(name)} in the graph")
        index = graph.index(name)
        if index in given:
            document.fail(path, f"the cell {shown(name)} is labelled twice")
        given.add(index)
        codes[index] = _code(document, label, path)
    return codes


def _named_labels(
    document: Document, labels: object, graph: Graph
) -> list[tuple[Cell, object, Path]]:
    if isinstance(labels, dict):
        return [
            (name if name in graph else _unquoted(name), label, ("labels", name))
            for name, label in labels.items()
        ]
    document.expect(labels, list, ("labels",), "an object from cells to labels")
    assert isinstance(labels, list)
    named: list[tuple[Cell, object, Path]] = []
    for i, pair in enumerate(labels):
        if not isinstance(pair, list) or len(pair) != 2:
            document.fail(("labels", i), f"{shown(pair)} is not a pair of a cell and a label")
        named.append((document.cell(pair[0], ("labels", i, 0)), pair[1], ("labels", i, 1)))
    return named


def _unquoted(name: str) -> Cell:
    """Return the cell that a key stands for: JSON has only strings there, cells can be others."""
    try:
        document = Document(name)
        return document.cell(document.value, ())
    except FormatError:
        return name


def _check_numbers(document: Document, labels: Any, topology: Topology, codes: array[int]) -> None:
    wrong = next(topology.too_large(codes), None)
    if wrong is None:
        return
    message = neighbourhood(codes[wrong], len(topology.neighbours_at(wrong)))
    path: Path
    if isinstance(topology, Graph):
        cell = topology.cells[wrong]
        named = _named_labels(document, labels, topology)
        path = next(path for name, _, path in named if name == cell)
        document.fail(path, f"cell {shown(cell)}: {message}")
    cell = topology.cells[wrong]
    assert isinstance(cell, tuple)
    *outer, column = cell
    path = ("labels", *outer)
    row = labels
    for step in outer:
        row = row[step]
    if not isinstance(row, str):
        document.fail((*path, column), message)
    document.fail(path, message, extra=column_of_cell(row, column))


def _total(
    document: Document, value: dict[str, Any], mines: int | None, *, known: int, covered: int
) -> int | None:
    path: Path | None = None
    if mines is None:
        mines = value.get("mines")
        if mines is None:
            return None
        path = ("mines",)
        document.expect(mines, int, path, "a whole number or null")
    if mines < 0:
        message = f"the mine total cannot be negative: {shown(mines)}"
    else:
        problem = total_mismatch(mines, known=known, covered=covered)
        if problem is None:
            return mines
        message = problem.message
    if path is not None:
        document.fail(path, message)
    raise FormatError(message)


def _clues(document: Document, value: dict[str, Any], mines: int | None) -> Clues:
    from sapper.clues import Clue, Clues

    document.only(value, {"clues", "cells", "mines", "known_mines"}, ())
    document.expect(value["clues"], list, ("clues",), "a list of clues")
    clues = []
    for i, clue in enumerate(value["clues"]):
        path: Path = ("clues", i)
        document.expect(clue, dict, path, "an object with 'count' and 'cells'")
        document.only(clue, {"count", "cells", "weights", "cell"}, path)
        for key in ("count", "cells"):
            if key not in clue:
                document.fail(path, f"the clue has no {key!r}")
        document.expect(clue["count"], int, (*path, "count"), "a whole number")
        cells = document.cells(clue["cells"], (*path, "cells"))
        weights = clue.get("weights")
        if weights is not None:
            document.expect(weights, list, (*path, "weights"), "a list of whole numbers")
            for j, weight in enumerate(weights):
                document.expect(weight, int, (*path, "weights", j), "a whole number")
            if len(weights) != len(cells):
                document.fail((*path, "weights"), f"{len(weights)} weights for {len(cells)} cells")
        at = clue.get("cell")
        at = None if at is None else document.cell(at, (*path, "cell"))
        clues.append(Clue(clue["count"], tuple(cells), weights and tuple(weights), at))
    known = value.get("known_mines", 0)
    document.expect(known, int, ("known_mines",), "a whole number")
    if known < 0:
        document.fail(("known_mines",), "known_mines cannot be negative")
    cells = document.cells(value.get("cells", []), ("cells",))
    covered = len({*cells, *(cell for clue in clues for cell in clue.cells)})
    total = _total(document, value, mines, known=known, covered=covered)
    return Clues(clues, cells=cells, mines=total, known_mines=known)
