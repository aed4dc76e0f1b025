"""Positions and bare clue systems to JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sapper.errors import FormatError
from sapper.field import Box, Cell, Graph, Lattice, Offsets, Position, Topology

if TYPE_CHECKING:
    from sapper.clues import Clues

__all__ = ["as_json", "dump_json"]


def dump_json(puzzle: Position | Clues) -> str:
    """Return a position or a clue system as one line of JSON that `parse_json` reads back.

    Raises
    ------
    FormatError
        If a cell is neither a string nor a whole number nor a tuple of these.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> print(dump_json(Position(Grid(1, 2), ["1?"])), end="")
    {"topology": {"kind": "grid", "width": 2, "height": 1}, "mines": null, "labels": ["1?"]}
    """
    document = _position(puzzle) if isinstance(puzzle, Position) else _clues(puzzle)
    return json.dumps(document) + "\n"


def as_json(cell: Cell) -> Any:
    """Return a cell as JSON has it: a string, a number, or a list for a tuple.

    Examples
    --------
    >>> as_json((0, "a"))
    [0, 'a']
    """
    if isinstance(cell, tuple):
        return [as_json(part) for part in cell]
    if isinstance(cell, bool) or not isinstance(cell, int | str):
        raise FormatError(
            f"JSON cannot name the cell {cell!r}: cells must be strings, whole numbers or tuples"
        )
    return cell


def _position(position: Position) -> dict[str, Any]:
    labels: object
    topology = position.topology
    if isinstance(topology, Graph):
        items = [(as_json(cell), label) for cell, label in position.items()]
        # JSON keys are strings, so other cells need pairs to keep their type.
        labels = dict(items) if all(isinstance(cell, str) for cell, _ in items) else items
    else:
        rows = position.rows()
        labels = rows
        if isinstance(topology, Box):
            height = topology.height
            labels = [rows[start : start + height] for start in range(0, len(rows), height)]
    return {"topology": _topology(topology), "mines": position.mines, "labels": labels}


def _topology(topology: Topology) -> dict[str, Any]:
    spec: dict[str, Any] = {"kind": topology.kind}
    match topology:
        case Graph():
            spec["nodes"] = [as_json(cell) for cell in topology.nodes]
            spec["edges"] = [[as_json(one), as_json(other)] for one, other in topology.edges]
        case Box():
            spec |= {"width": topology.width, "height": topology.height, "depth": topology.depth}
        case Lattice():
            spec |= {"width": topology.width, "height": topology.height}
            if isinstance(topology, Offsets):
                spec |= {"offsets": [list(step) for step in topology.offsets]}
                spec |= {"wrap": topology.wrap}
        case _:
            raise FormatError(f"JSON has no form for {topology}")
    return spec


def _clues(clues: Clues) -> dict[str, Any]:
    document: dict[str, Any] = {"clues": []}
    for clue in clues.clues:
        entry: dict[str, Any] = {
            "count": clue.count,
            "cells": [as_json(cell) for cell in clue.cells],
        }
        if clue.weights is not None:
            entry["weights"] = list(clue.weights)
        if clue.cell is not None:
            entry["cell"] = as_json(clue.cell)
        document["clues"].append(entry)
    document["cells"] = [as_json(cell) for cell in clues.cells]
    document["mines"] = clues.mines
    if clues.known_mines:
        document["known_mines"] = clues.known_mines
    return document
