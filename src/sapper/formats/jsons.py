"""Positions, bare clue systems and records of games from and to JSON."""

from __future__ import annotations

import json
from array import array
from typing import Any

from sapper.clues import Clue, Clues
from sapper.errors import FormatError, GameError, PositionError, quoted
from sapper.field import (
    COVERED,
    MINE,
    Cell,
    LabelError,
    Position,
    Topology,
    as_topology,
    cell_to_json,
    code_of,
    column_of_cell,
    encode_row,
    kind_of,
    neighbourhood,
    topology_from_spec,
    topology_of_shape,
    total_mismatch,
)
from sapper.formats.document import NOTES, Document, Path
from sapper.game import Game

__all__ = ["read", "write"]


def read(
    content: str, *, mines: int | None = None, topology: str | Topology | None = None
) -> Position | Clues | Game:
    """Read a position, a bare clue system or a game from a JSON document.

    Parameters
    ----------
    content
        One document: with ``"labels"`` a position, with ``"clues"`` a clue system, with
        ``"moves"`` the record of a game (`Game.record`).
    mines, topology
        If given, they replace what the document says.

    Raises
    ------
    FormatError
        With line and column.

    Examples
    --------
    >>> read('{"topology": {"kind": "hex"}, "labels": ["1?"]}')
    Position(Hex(1, 2), ['1?'])
    """
    document = Document(content)
    value = document.value
    document.expect(value, dict, (), "an object with 'labels' or 'clues'")
    if "clues" in value:
        if topology is not None:
            raise FormatError("a bare clue system has no topology")
        return _read_clues(document, value, mines)
    if "moves" in value:
        document.only(value, {"topology", "mines", "layout", "rule", "seed", "moves"}, ())
        try:
            return Game.replay(value)
        except GameError as error:
            document.fail((), str(error))
    if "labels" not in value:
        document.fail((), "neither 'labels' (a position) nor 'clues' (a bare clue system)")
    document.only(value, {"topology", "mines", "labels"}, ())
    place, codes = _labels(document, value, topology)
    _check_numbers(document, value["labels"], place, codes)
    known, covered = codes.count(MINE), codes.count(COVERED)
    total = _total(document, value, mines, known=known, covered=covered)
    return Position.from_codes(place, codes.tobytes(), total, trusted=True)


def _labels(
    document: Document, value: dict[str, Any], wanted: str | Topology | None
) -> tuple[Topology, array[int]]:
    spec = value.get("topology")
    if spec is None:
        spec = "grid"
    elif isinstance(spec, dict):
        spec = {key: part for key, part in spec.items() if key not in NOTES}
    try:
        axes = len(kind_of(spec).axes)
        if not axes:
            field = topology_from_spec(spec) if wanted is None else _one_axis(wanted)
            return field, _named_codes(document, value["labels"], field)
        shape, codes = _rows(document, value["labels"], axes)
        if wanted is None:
            return topology_from_spec(spec, shape), codes
    except PositionError as error:
        # A name has no values inside that could be pointed at.
        document.fail(("topology", *(error.path if isinstance(spec, dict) else ())), str(error))
    try:
        return topology_of_shape(wanted, shape), codes
    except PositionError as error:
        raise FormatError(str(error)) from None


def _one_axis(wanted: object) -> Topology:
    if isinstance(wanted, str) or len(as_topology(wanted).shape) != 1:
        raise FormatError("the document has a graph, which no field with rows can replace")
    return as_topology(wanted)


def _rows(document: Document, labels: object, axes: int) -> tuple[tuple[int, ...], array[int]]:
    """Return the shape and the codes of labels given as rows, or as layers of rows."""
    shape: list[int] = []
    level: list[tuple[Path, object]] = [(("labels",), labels)]
    for axis in range(axes - 1):
        wanted = "a list of rows" if axis == axes - 2 else "a list of layers"
        inside: list[tuple[Path, object]] = []
        for path, value in level:
            document.expect(value, list, path, wanted)
            assert isinstance(value, list)
            if path is not level[0][0] and len(value) != shape[axis]:
                document.fail(
                    path, f"this layer has {len(value)} rows, the first one has {shape[axis]}"
                )
            shape[axis:] = [len(value)]
            inside.extend(((*path, place), part) for place, part in enumerate(value))
        level = inside
    codes, width = array("i"), -1
    for path, row in level:
        encoded = _row(document, row, path)
        width = len(encoded) if width < 0 else width
        if len(encoded) != width:
            document.fail(path, f"this row has {len(encoded)} cells, the first one has {width}")
        codes.extend(encoded)
    if width <= 0:
        document.fail(("labels",), "there are no cells")
    return (*shape, width), codes


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


def _named_codes(document: Document, labels: object, graph: Topology) -> array[int]:
    codes = array("i", [COVERED]) * len(graph)
    given: set[int] = set()
    for name, label, path in _named_labels(document, labels, graph):
        if name not in graph:
            document.fail(path, f"there is no cell {quoted(name)} in the graph")
        index = graph.index(name)
        if index in given:
            document.fail(path, f"the cell {quoted(name)} is labelled twice")
        given.add(index)
        codes[index] = _code(document, label, path)
    return codes


def _named_labels(
    document: Document, labels: object, graph: Topology
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
            document.fail(("labels", i), f"{quoted(pair)} is not a pair of a cell and a label")
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
    if len(topology.shape) == 1:
        cell = topology.cells[wrong]
        named = _named_labels(document, labels, topology)
        path = next(path for name, _, path in named if name == cell)
        document.fail(path, f"cell {quoted(cell)}: {message}")
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
        message = f"the mine total cannot be negative: {quoted(mines)}"
    else:
        problem = total_mismatch(mines, known=known, covered=covered)
        if problem is None:
            return mines
        message = problem.message
    if path is not None:
        document.fail(path, message)
    raise FormatError(message)


def _read_clues(document: Document, value: dict[str, Any], mines: int | None) -> Clues:
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


def write(puzzle: Position | Clues | Game) -> str:
    """Return a position, a clue system or a game as one line of JSON that `read` reads back.

    Raises
    ------
    FormatError
        If a cell is neither a string nor a whole number nor a tuple of these.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(write(Position(Grid(1, 2), ["1?"])), end="")
    {"topology": {"kind": "grid", "width": 2, "height": 1}, "mines": null, "labels": ["1?"]}
    """
    try:
        if isinstance(puzzle, Game):
            document = puzzle.record
        elif isinstance(puzzle, Position):
            document = _position_document(puzzle)
        else:
            document = _clues_document(puzzle)
    except PositionError as error:
        raise FormatError(str(error)) from None
    return json.dumps(document) + "\n"


def _position_document(position: Position) -> dict[str, Any]:
    labels: object
    if len(position.topology.shape) > 1:
        labels = position.nested()
    else:
        items = [(cell_to_json(cell), label) for cell, label in position.items()]
        # JSON keys are strings, so other cells need pairs to keep their type.
        labels = dict(items) if all(isinstance(cell, str) for cell, _ in items) else items
    return {"topology": position.topology.spec(), "mines": position.mines, "labels": labels}


def _clues_document(clues: Clues) -> dict[str, Any]:
    document: dict[str, Any] = {"clues": []}
    for clue in clues.clues:
        entry: dict[str, Any] = {
            "count": clue.count,
            "cells": [cell_to_json(cell) for cell in clue.cells],
        }
        if clue.weights is not None:
            entry["weights"] = list(clue.weights)
        if clue.cell is not None:
            entry["cell"] = cell_to_json(clue.cell)
        document["clues"].append(entry)
    document["cells"] = [cell_to_json(cell) for cell in clues.cells]
    document["mines"] = clues.mines
    if clues.known_mines:
        document["known_mines"] = clues.known_mines
    return document
