"""Diagrams as text: Graphillion's lines and the DOT language."""

from __future__ import annotations

from collections.abc import Sequence

from sapper.errors import FormatError, quoted
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


def parsed(text: str, variables: int) -> tuple[list[tuple[int, int, int]], int]:
    """Return the nodes and the root of a text as `dumps` or Graphillion writes it.

    Raises
    ------
    FormatError
        If a line is not of that form, names a node that did not come before, or branches on a
        variable beyond `variables` or not before those of its children.
    """
    if not isinstance(text, str):
        raise TypeError(f"a dump is text, not {type(text).__name__}")
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
        # Only what is short can be a variable, and Python does not read very long numbers.
        is_number = variable.isascii() and variable.isdigit() and len(variable) <= 18
        if not is_number or not 1 <= int(variable) <= variables:
            raise FormatError(
                f"a variable is a number from 1 to {variables}, one for each cell, not "
                f"{quoted(variable)}",
                line=place,
            )
        for child in (low, high):
            if child not in number:
                raise FormatError(f"no node {quoted(child)} in the lines before", line=place)
            if number[child] >= 0 and rows[number[child]][0] < int(variable):
                raise FormatError(
                    f"the node {quoted(child)} must branch on a later variable than its parent",
                    line=place,
                )
        if name in number:
            raise FormatError(f"a second node {quoted(name)}", line=place)
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
