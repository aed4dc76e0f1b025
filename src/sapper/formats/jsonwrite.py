"""Positions and bare clue systems to JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sapper.errors import FormatError, PositionError
from sapper.field import Position, cell_to_json

if TYPE_CHECKING:
    from sapper.clues import Clues

__all__ = ["dump_json"]


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
    try:
        document = _position(puzzle) if isinstance(puzzle, Position) else _clues(puzzle)
    except PositionError as error:
        raise FormatError(str(error)) from None
    return json.dumps(document) + "\n"


def _position(position: Position) -> dict[str, Any]:
    labels: object
    if len(position.topology.shape) > 1:
        labels = position.nested()
    else:
        items = [(cell_to_json(cell), label) for cell, label in position.items()]
        # JSON keys are strings, so other cells need pairs to keep their type.
        labels = dict(items) if all(isinstance(cell, str) for cell, _ in items) else items
    return {"topology": position.topology.spec(), "mines": position.mines, "labels": labels}


def _clues(clues: Clues) -> dict[str, Any]:
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
