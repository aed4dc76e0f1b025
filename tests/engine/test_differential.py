"""Seeded random puzzles of every kind, engine against brute force; a failure names its seed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

import networkx
import pytest

import sapper
from sapper.clues import Clue, Clues, Puzzle
from sapper.engine import EngineMethod
from sapper.field import (
    KNIGHT,
    Box,
    Cell,
    Graph,
    Grid,
    Hex,
    Label,
    Offsets,
    Position,
    Topology,
    Torus,
)
from sapper.game import Layout
from sapper.methods.brute import Brute
from tests.support.agreement import assert_agree

CASES: Final = 150
"""For each of the kinds."""

COVERED: Final = 11
"""How many cells stay covered at most, for the sake of the oracle."""


def shown(random: Random, topology: Topology) -> Position:
    """Return a position that a random minefield shows; one in ten lies about a number."""
    density, visible = random.choice((0.1, 0.2, 0.4, 0.7)), random.choice((0.2, 0.4, 0.7))
    layout = Layout(topology, [cell for cell in topology if random.random() < density])
    mined, numbers = layout.mines, layout.numbers
    labels: dict[Cell, Label] = {}
    covered = []
    for cell in topology.cells:
        if cell in numbers and random.random() < visible:
            labels[cell] = numbers[cell]
        else:
            covered.append(cell)
    hidden = set(random.sample(covered, min(COVERED, len(covered))))
    for cell in covered:
        if cell not in hidden:
            labels[cell] = "*" if cell in mined else "_"
    told = [cell for cell, label in labels.items() if isinstance(label, int)]
    if told and random.random() < 0.1:
        cell = random.choice(told)
        labels[cell] = random.randint(0, topology.degree(cell))
    mines = random.choice((None, len(mined), len(mined), len(mined) + random.choice((-1, 1))))
    return Position(topology, labels, mines=mines if mines is None else max(0, mines))


def _sides(random: Random) -> tuple[int, int]:
    return random.randint(1, 6), random.randint(1, 6)


def _graph(random: Random) -> Graph:
    vertices = random.randint(1, 18)
    seed = random.getrandbits(30)
    kind = random.choice(("tree", "sparse", "dense"))
    if kind == "tree":
        graph = networkx.Graph()
        graph.add_nodes_from(range(vertices))
        graph.add_edges_from((random.randrange(v), v) for v in range(1, vertices))
    else:
        edges = vertices * random.randint(1, 2 if kind == "sparse" else 5)
        graph = networkx.gnm_random_graph(vertices, edges, seed=seed)
    return Graph(graph)


def _bare(random: Random, *, weights: Callable[[], int] = lambda: 1) -> Clues:
    cells = list(range(random.randint(0, COVERED)))
    mined = {cell for cell in cells if random.random() < random.choice((0.1, 0.5, 0.9))}
    clues = []
    for _ in range(random.randint(0, 8)):
        members = random.sample(cells, random.randint(0, min(len(cells), 7)))
        sizes = [weights() for _ in members]
        count = sum(w for cell, w in zip(members, sizes, strict=True) if cell in mined)
        clues.append(Clue(count + (random.random() < 0.05), members, weights=sizes))
    known = random.choice((0, 0, 3))
    mines = random.choice((None, len(mined) + known, len(mined) + known + 1))
    return Clues(clues, cells, mines, known_mines=known)


def _weighted(random: Random) -> Clues:
    bound = random.choice((2, 5, 100, 10**6, 10**15))
    return _bare(random, weights=lambda: random.randint(-bound, bound))


KINDS: Final[dict[str, Callable[[Random], Puzzle]]] = {
    "grid": lambda random: shown(random, Grid(*_sides(random))),
    "torus": lambda random: shown(random, Torus(*_sides(random))),
    "hex": lambda random: shown(random, Hex(*_sides(random))),
    "knight": lambda random: shown(random, Offsets(*_sides(random), KNIGHT)),
    "box": lambda random: shown(random, Box(2, random.randint(1, 4), random.randint(1, 4))),
    "graph": lambda random: shown(random, _graph(random)),
    "clues": _bare,
    "weighted clues": _weighted,
}


@pytest.mark.parametrize("kind", KINDS)
def test_random_puzzles(kind: str) -> None:
    engine, brute = EngineMethod(), Brute()
    for number in range(CASES):
        seed = f"{kind} {number}"
        puzzle = KINDS[kind](Random(seed))
        try:
            assert engine.findings(puzzle).by_mines == brute.findings(puzzle).by_mines
            assert engine.findings(puzzle).verdicts == brute.findings(puzzle).verdicts
            assert (
                sapper.analyze(puzzle, method=engine).exact_probabilities
                == sapper.analyze(puzzle, method=brute).exact_probabilities
            )
            assert set(engine.solutions(puzzle)) == set(brute.solutions(puzzle))
            if number % 10 == 0:
                assert_agree(engine, brute, puzzle)
        except Exception as error:
            raise AssertionError(f"seed {seed!r}: {puzzle!r}") from error
