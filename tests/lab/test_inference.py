"""Playing by certainty alone, against plain loops over other methods."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import networkx
import pytest

import sapper
from sapper import (
    Graph,
    Grid,
    Hex,
    MethodError,
    PositionError,
    Topology,
    Torus,
    UnknownCellError,
)
from sapper._native import Run, play, play_by_k_sets
from sapper.field import Cell
from sapper.lab import TorusGame, play_by_inference
from sapper.lab.games import seed_of
from sapper.limits import Limits

FIELDS: list[Topology] = [
    Torus(7, 7),
    Grid(6, 8),
    Hex(6, 6),
    Graph(networkx.random_regular_graph(4, 30, seed=3)),
]


def board(field: Topology, density: float, seed: int) -> tuple[set[Cell], Cell]:
    """Return mines away from a start, and the start."""
    random = Random(f"{field!r} {density} {seed}")
    cells = list(field.cells)
    start = random.choice(cells)
    rest = [cell for cell in cells if cell != start and cell not in field.neighbours(start)]
    return set(random.sample(rest, int(len(cells) * density))), start


def same(field: Topology, mines: set[Cell], start: Cell, one: Any, other: Any) -> None:
    first = play_by_inference(field, mines, start, **one)
    second = play_by_inference(field, mines, start, **other)
    assert (first.flagged, first.revealed) == (second.flagged, second.revealed)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: type(field).__name__)
@pytest.mark.parametrize("seed", range(6))
def test_native_play_is_play_by_engine_verdicts(field: Topology, seed: int) -> None:
    mines, start = board(field, 0.15 + 0.03 * seed, seed)
    same(field, mines, start, {}, {"method": "engine"})


@pytest.mark.parametrize("seed", range(3))
def test_larger_boards_and_sat(seed: int) -> None:
    field = Torus(16, 16)
    mines, start = board(field, 0.23, seed)
    same(field, mines, start, {}, {"method": "engine"})
    same(field, mines, start, {}, {"method": "sat"})


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_native_k_sets_are_play_by_k_set_verdicts(k: int, seed: int) -> None:
    field = Torus(10, 10)
    mines, start = board(field, 0.2 + 0.02 * seed, seed)
    run = play_by_inference(field, mines, start, method="kset", k=k)
    assert run.flagged <= mines
    assert not run.revealed & mines
    slow = _slow_k_sets(field, mines, start, k)
    assert (set(run.flagged), set(run.revealed)) == slow


def _slow_k_sets(
    field: Topology, mines: set[Cell], start: Cell, k: int
) -> tuple[set[Cell], set[Cell]]:
    solver = sapper.analysis.get("kset", k=k, repeat=True)
    labels: dict[Cell, int | str] = {}
    flagged: set[Cell] = set()

    def reveal(cell: Cell) -> None:
        if cell in labels:
            return
        labels[cell] = sum(other in mines for other in field.neighbours(cell))
        if labels[cell] == 0:
            for other in field.neighbours(cell):
                reveal(other)

    reveal(start)
    while True:
        position = sapper.Position(field, labels | dict.fromkeys(flagged, "*"))
        told = {c: v for c, v in solver.verdicts(position).items() if v != "unknown"}
        if not told:
            return flagged, set(labels)
        for cell, verdict in told.items():
            assert (verdict == "mine") == (cell in mines)
            flagged.add(cell) if verdict == "mine" else reveal(cell)


@pytest.mark.parametrize("seed", range(8))
def test_the_total_decides_what_numbers_cannot(seed: int) -> None:
    field = Grid(6, 6)
    mines, start = board(field, 0.2, seed)
    without = play_by_inference(field, mines, start)
    known = play_by_inference(field, mines, start, use_total=True)
    assert without.flagged <= known.flagged
    assert without.revealed <= known.revealed
    # The end: no verdict is left that the engine would give under the total.
    labels: dict[Any, Any] = {
        cell: sum(other in mines for other in field.neighbours(cell)) for cell in known.revealed
    }
    labels |= dict.fromkeys(known.flagged, "*")
    verdicts = sapper.analyze(sapper.Position(field, labels, len(mines))).verdicts
    assert set(verdicts.values()) <= {"unknown"}


def test_a_walled_corner_needs_the_total() -> None:
    field = Grid(1, 5)
    run = play_by_inference(field, mines={(0, 2)}, start=(0, 0))
    assert run.flagged == {(0, 2)}
    assert not run.finished
    known = play_by_inference(field, mines={(0, 2)}, start=(0, 0), use_total=True)
    assert known.finished
    assert known.revealed == {(0, 0), (0, 1), (0, 3), (0, 4)}
    weak = play_by_inference(field, mines={(0, 2)}, start=(0, 0), method="kset", use_total=True)
    assert weak.finished


def test_no_mines() -> None:
    run = play_by_inference(Torus(5, 5), mines=(), start=(0, 0))
    assert run.finished
    assert run.flagged == frozenset()
    assert run.flagged_fraction == 1.0


def test_wrong_calls() -> None:
    field = Grid(3, 3)
    with pytest.raises(PositionError, match="is a mine"):
        play_by_inference(field, mines={(0, 0)}, start=(0, 0))
    with pytest.raises(UnknownCellError):
        play_by_inference(field, mines={(9, 9)}, start=(0, 0))
    with pytest.raises(UnknownCellError):
        play_by_inference(field, mines=(), start=(9, 9))
    with pytest.raises(MethodError, match="k must be"):
        play_by_inference(field, mines=(), start=(0, 0), method="kset", k=0)
    with pytest.raises(MethodError, match="'kset'"):
        play_by_inference(field, mines=(), start=(0, 0), k=2)
    with pytest.raises(MethodError, match="no method"):
        play_by_inference(field, mines={(2, 2)}, start=(0, 0), method="oracle")


def test_limits_end_a_game() -> None:
    field = Torus(400, 400)
    game = TorusGame.drawn(400, 0.2, 1)
    mines = [field.cells[place] for place, mine in enumerate(game.mines) if mine]
    with pytest.raises(sapper.LimitExceeded):
        play_by_inference(field, mines, (200, 200), limits=Limits(seconds=1e-6))


@pytest.mark.parametrize("density", [0.15, 0.2, 0.25, 0.3])
def test_every_search_finds_what_a_weaker_one_finds(density: float) -> None:
    for seed in range(10):
        game = TorusGame.drawn(24, density, seed_of("nested", density, seed))
        results = [play_by_k_sets(*game, k, Run()) for k in (1, 2, 3)]
        results.append(play(*game, Run()))
        for weak, strong in pairwise(results):
            assert all(not w or w == s for w, s in zip(weak, strong, strict=True))
