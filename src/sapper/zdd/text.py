"""Diagrams as text: Graphillion's lines and the DOT language."""

from __future__ import annotations

from collections.abc import Sequence

from sapper.errors import FormatError
from sapper.field import Cell
from sapper.zdd.nodes import BOTTOM, TOP, Nodes, walk

_TERMINALS = {"B": BOTTOM, "T": TOP}
_NAMES = {BOTTOM: "B", TOP: "T"}


def dumps(nodes: Nodes) -> str:
    """Return one line ``id variable low high`` per node, children first, then a full stop.

    Variables count from 1. A diagram that is nothing but a terminal is its name.
    """
    names = _NAMES | {number: str(number) for number in range(len(nodes.variable))}
    lines = [
        f"{names[number]} {variable + 1} {names[low]} {names[high]}"
        for number, (variable, low, high) in enumerate(walk(nodes))
    ]
    return "\n".join([*(lines or [names[nodes.root]]), ".", ""])


def parsed(text: str) -> tuple[list[tuple[int, int, int]], int]:
    """Return the nodes and the root of a text as `dumps` or Graphillion writes it.

    Raises
    ------
    FormatError
        If a line is not of that form or names a node that did not come before.
    """
    number: dict[str, int] = dict(_TERMINALS)
    rows: list[tuple[int, int, int]] = []
    root: int | None = None
    for place, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        if words == ["."]:
            break
        if len(words) == 1 and words[0] in _TERMINALS and root is None:
            root = _TERMINALS[words[0]]
            continue
        if len(words) != 4:
            raise FormatError("a node is 'id variable low high'", line=place)
        name, variable, low, high = words
        if not variable.isdecimal() or int(variable) < 1:
            raise FormatError(f"a variable is a number from 1, not {variable!r}", line=place)
        for child in (low, high):
            if child not in number:
                raise FormatError(f"no node {child!r} in the lines before", line=place)
        if name in number:
            raise FormatError(f"a second node {name!r}", line=place)
        root = number[name] = len(rows)
        rows.append((int(variable) - 1, number[low], number[high]))
    else:
        raise FormatError("the text must end in a line with a full stop")
    if root is None:
        raise FormatError("the text has no node and no terminal")
    return rows, root


def dot(nodes: Nodes, cells: Sequence[Cell]) -> str:
    """Return the diagram in the DOT language: a low edge is dashed, a high edge solid."""
    names = _NAMES | {number: f"n{number}" for number in range(len(nodes.variable))}
    lines = ["digraph zdd {", '  B [shape=box, label="⊥"];', '  T [shape=box, label="⊤"];']
    for number, (variable, low, high) in enumerate(walk(nodes)):
        label = str(cells[variable]).replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  {names[number]} [label="{label}"];')
        lines.append(f"  {names[number]} -> {names[low]} [style=dashed];")
        lines.append(f"  {names[number]} -> {names[high]};")
    return "\n".join([*lines, "}", ""])
