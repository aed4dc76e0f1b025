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
from sapper.game import Board, Game, Layout, random_layout, seed_of
from sapper.lab import TorusGame, inferred, play_by_inference
from sapper.limits import Limits

FIELDS: list[Topology] = [
    Torus(7, 7),
    Grid(6, 8),
    Hex(6, 6),
    Graph(networkx.random_regular_graph(4, 30, seed=3)),
]


def board(field: Topology, density: float, seed: int) -> tuple[Layout, Cell]:
    """Return mines away from a start, and the start."""
    random = Random(f"{field!r} {density} {seed}")
    start = random.choice(list(field))
    wanted = Board(field, int(len(field) * density))
    return random_layout(wanted, start=start, rule="zero", seed=seed), start


def same(layout: Layout, start: Cell, one: Any, other: Any) -> None:
    first, second = (
        play_by_inference(layout.topology, layout.mines, start, **how) for how in (one, other)
    )
    assert (first.flagged, first.revealed) == (second.flagged, second.revealed)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: type(field).__name__)
@pytest.mark.parametrize("seed", range(6))
def test_native_play_is_play_by_engine_verdicts(field: Topology, seed: int) -> None:
    same(*board(field, 0.15 + 0.03 * seed, seed), {}, {"method": "engine"})


@pytest.mark.parametrize("seed", range(3))
def test_larger_boards_and_sat(seed: int) -> None:
    layout, start = board(Torus(16, 16), 0.23, seed)
    same(layout, start, {}, {"method": "engine"})
    same(layout, start, {}, {"method": "sat"})


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_native_k_sets_are_play_by_k_set_verdicts(k: int, seed: int) -> None:
    layout, start = board(Torus(10, 10), 0.2 + 0.02 * seed, seed)
    run = play_by_inference(layout.topology, layout.mines, start, method="kset", k=k)
    assert run.flagged <= layout.mines
    assert not run.revealed & layout.mines
    assert (set(run.flagged), set(run.revealed)) == _slow_k_sets(layout, start, k)


def _slow_k_sets(layout: Layout, start: Cell, k: int) -> tuple[set[Cell], set[Cell]]:
    solver = sapper.analysis.get("kset", k=k, repeat=True)
    game = Game(layout)
    game.dig(start)
    flagged: set[Cell] = set()
    while True:
        position = layout.position(game.uncovered, flagged=flagged, total=False)
        told = {c: v for c, v in solver.findings(position).verdicts.items() if v != "unknown"}
        if not told:
            return flagged, set(game.uncovered)
        for cell, verdict in told.items():
            assert (verdict == "mine") == (cell in layout.mines)
            if verdict == "mine":
                flagged.add(cell)
            elif cell not in game.uncovered:
                game.dig(cell)


@pytest.mark.parametrize("seed", range(8))
def test_the_total_decides_what_numbers_cannot(seed: int) -> None:
    layout, start = board(Grid(6, 6), 0.2, seed)
    without = play_by_inference(layout.topology, layout.mines, start)
    known = play_by_inference(layout.topology, layout.mines, start, use_total=True)
    assert without.flagged <= known.flagged
    assert without.revealed <= known.revealed
    # The end: no verdict is left that the engine would give under the total.
    verdicts = sapper.analyze(layout.position(known.revealed, flagged=known.flagged)).verdicts
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


@pytest.mark.parametrize(
    "how", [{}, {"method": "kset"}, {"use_total": True}, {"method": "sat"}], ids=str
)
@pytest.mark.parametrize("limits", [Limits(seconds=1e-6), Limits(bytes=1000)], ids=str)
def test_limits_end_a_game(how: dict[str, Any], limits: Limits) -> None:
    layout, start = TorusGame.drawn(100, 0.2, 1)
    with pytest.raises(sapper.LimitExceeded):
        play_by_inference(layout.topology, layout.mines, start, limits=limits, **how)
    enough = Limits(bytes=200 * 100 * 100)
    if not how:
        assert inferred(layout, start, limits=enough).status == inferred(layout, start).status


@pytest.mark.parametrize("density", [0.15, 0.2, 0.25, 0.3])
def test_every_search_finds_what_a_weaker_one_finds(density: float) -> None:
    for seed in range(10):
        game = TorusGame.drawn(24, density, seed_of("nested", density, seed))
        results = [play_by_k_sets(*game.native, k, Run()) for k in (1, 2, 3)]
        results.append(play(*game.native, Run()))
        for weak, strong in pairwise(results):
            assert all(not w or w == s for w, s in zip(weak, strong, strict=True))
