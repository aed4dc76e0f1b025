"""Random puzzles and their smaller neighbours, as plain JSON documents."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

Document = dict[str, Any]

SHAPES = ("grid", "torus", "hex")
LARGEST = 16
"""Covered cells; the oracle enumerates them."""


def random_document(rng: random.Random) -> Document:
    """Return a puzzle, consistent more often than not."""
    draw = rng.random()
    if draw < 0.45:
        return _lattice(rng)
    if draw < 0.6:
        return _graph(rng)
    return _system(rng, weighted=draw > 0.85)


def smaller(document: Document) -> Iterator[Document]:
    """Yield documents with one thing less, the boldest cuts first; some may not be puzzles."""
    if document.get("mines") is not None:
        yield {**document, "mines": None}
    if "clues" in document:
        yield from _smaller_system(document)
    elif isinstance(document["labels"], list):
        yield from _smaller_lattice(document)
    else:
        yield from _smaller_graph(document)


def _labels(rng: random.Random, around: list[list[int]]) -> tuple[list[int | str], int]:
    """Return labels that show part of a real minefield, and its number of mines."""
    size = len(around)
    density = rng.choice((0.1, 0.2, 0.3, 0.5))
    mined = [rng.random() < density for _ in range(size)]
    visible = rng.choice((0.2, 0.4, 0.6))
    labels: list[int | str] = []
    for cell in range(size):
        if mined[cell]:
            labels.append("*" if rng.random() < 0.05 else "?")
        elif rng.random() < visible:
            labels.append(sum(mined[other] for other in around[cell]))
        else:
            labels.append("_" if rng.random() < 0.05 else "?")
    # The oracle must be able to list what is covered; known cells cost it nothing.
    covered = [cell for cell, label in enumerate(labels) if label == "?"]
    for cell in rng.sample(covered, max(0, len(covered) - LARGEST)):
        labels[cell] = "*" if mined[cell] else "_"
    return labels, sum(mined)


def _total(rng: random.Random, true: int, known: int, covered: int) -> int | None:
    """Return no total, the true one, or one beside it that is not refused at sight."""
    beside = min(max(known, true + rng.choice((-1, 1))), known + covered)
    return rng.choice((None, true, true, beside))


def _shown_total(rng: random.Random, labels: list[int | str], mines: int) -> int | None:
    return _total(rng, mines, labels.count("*"), labels.count("?"))


def _lattice(rng: random.Random) -> Document:
    kind = rng.choice(SHAPES)
    height, width = rng.randint(1, 6), rng.randint(1, 6)
    steps = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
    if kind == "hex":
        steps = [(r, c) for r, c in steps if r != c]
    around = []
    for cell in range(height * width):
        row, column = divmod(cell, width)
        places = [(row + r, column + c) for r, c in steps]
        if kind == "torus":
            places = [(r % height, c % width) for r, c in places]
        inside = {r * width + c for r, c in places if 0 <= r < height and 0 <= c < width}
        around.append(sorted(inside - {cell}))
    labels, mines = _labels(rng, around)
    text = "".join(map(str, labels))
    rows = [text[row * width : (row + 1) * width] for row in range(height)]
    topology = {"kind": kind, "height": height, "width": width}
    return {"topology": topology, "mines": _shown_total(rng, labels, mines), "labels": rows}


def _graph(rng: random.Random) -> Document:
    size = rng.randint(1, 20)
    names = [f"v{number}" for number in range(size)]
    pairs = {tuple(sorted(rng.sample(range(size), 2))) for _ in range(2 * size)} if size > 1 else ()
    edges = sorted(rng.sample(sorted(pairs), len(pairs) * rng.randint(1, 4) // 4))
    around: list[list[int]] = [[] for _ in range(size)]
    for one, other in edges:
        around[one].append(other)
        around[other].append(one)
    labels, mines = _labels(rng, around)
    topology = {
        "kind": "graph",
        "nodes": names,
        "edges": [[names[one], names[other]] for one, other in edges],
    }
    shown = dict(zip(names, labels, strict=True))
    return {"topology": topology, "mines": _shown_total(rng, labels, mines), "labels": shown}


def _system(rng: random.Random, *, weighted: bool) -> Document:
    cells = list(range(rng.randint(1, LARGEST - 2)))
    mined = {cell for cell in cells if rng.random() < 0.4}
    clues: list[Document] = []
    for _ in range(rng.randint(0, 8)):
        members = rng.sample(cells, rng.randint(0, min(7, len(cells))))
        if weighted:
            bound = rng.choice((2, 10, 10**6, 10**12))
            weights = [rng.randint(-bound, bound) for _ in members]
        else:
            weights = [1] * len(members)
        count = sum(w for cell, w in zip(members, weights, strict=True) if cell in mined)
        clue: Document = {"count": count + (rng.random() < 0.05), "cells": members}
        if weighted:
            clue["weights"] = weights
        clues.append(clue)
    return {"clues": clues, "cells": cells, "mines": _total(rng, len(mined), 0, len(cells))}


def _smaller_system(document: Document) -> Iterator[Document]:
    for number, clue in enumerate(document["clues"]):
        rest = document["clues"][:number], document["clues"][number + 1 :]
        yield {**document, "clues": [*rest[0], *rest[1]]}
        for place in range(len(clue["cells"])):
            less = copy.deepcopy(clue)
            for key in ("cells", "weights"):
                if key in less:
                    del less[key][place]
            yield {**document, "clues": [*rest[0], less, *rest[1]]}
            if "weights" in clue and abs(clue["weights"][place]) > 1:
                half = copy.deepcopy(clue)
                half["weights"][place] = int(half["weights"][place] / 2)
                yield {**document, "clues": [*rest[0], half, *rest[1]]}
        for count in {clue["count"] // 2, clue["count"] - 1} - {clue["count"]}:
            if count >= 0:
                yield {**document, "clues": [*rest[0], {**clue, "count": count}, *rest[1]]}
    for cell in document["cells"]:
        if not any(cell in clue["cells"] for clue in document["clues"]):
            yield {**document, "cells": [other for other in document["cells"] if other != cell]}


def _smaller_lattice(document: Document) -> Iterator[Document]:
    rows: list[str] = document["labels"]
    for cut in (rows[1:], rows[:-1], [row[1:] for row in rows], [row[:-1] for row in rows]):
        if cut and cut[0]:
            shape = {**document["topology"], "height": len(cut), "width": len(cut[0])}
            yield {**document, "topology": shape, "labels": cut}
    for number, row in enumerate(rows):
        for place, label in enumerate(row):
            for simpler in _simpler(label):
                changed = row[:place] + simpler + row[place + 1 :]
                yield {**document, "labels": [*rows[:number], changed, *rows[number + 1 :]]}


def _smaller_graph(document: Document) -> Iterator[Document]:
    topology, labels = document["topology"], document["labels"]
    for name in topology["nodes"]:
        kept = [other for other in topology["nodes"] if other != name]
        edges = [edge for edge in topology["edges"] if name not in edge]
        yield {
            **document,
            "topology": {**topology, "nodes": kept, "edges": edges},
            "labels": {other: labels[other] for other in kept},
        }
    for number in range(len(topology["edges"])):
        edges = topology["edges"][:number] + topology["edges"][number + 1 :]
        yield {**document, "topology": {**topology, "edges": edges}}
    for name, label in labels.items():
        for simpler in _simpler(str(label)):
            value = int(simpler) if simpler.isdigit() else simpler
            yield {**document, "labels": {**labels, name: value}}


def _simpler(label: str) -> Iterator[str]:
    if label != "_":
        yield "_"
    if label.isdigit() and label != "0":
        yield str(int(label) - 1)
