"""Boards, lattices and hypergraphs drawn at random, against naive programs."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import networkx
import pytest

import sapper
from sapper import Clue, Clues, Torus
from sapper._native import (
    Run,
    clusters,
    independent_clusters,
    mined_or_numbered,
    planted_inference,
    random_mines,
)
from sapper.game import Board, random_layout, seed_of
from sapper.lab import LabError, TorusGame
from sapper.lab.games import mine_count


def test_a_seed_is_a_board() -> None:
    # Golden: a change here changes every published run.
    game = TorusGame.drawn(6, 0.25, seed_of(1, "golden"))
    assert [place for place, mine in enumerate(game.layout.mined) if mine] == GOLDEN
    assert game == TorusGame.drawn(6, 0.25, seed_of(1, "golden"))
    assert game.layout != TorusGame.drawn(6, 0.25, seed_of(2, "golden")).layout


GOLDEN = [1, 3, 7, 11, 12, 17, 23, 25, 35]


def test_the_other_start_is_a_uniform_zero_of_any_board() -> None:
    for seed in range(50):
        game = TorusGame.drawn(8, 0.2, seed_of("zero", seed), "zero")
        assert len(game.layout.mines) == mine_count(8, 0.2) == 12
        assert game.layout.numbers[game.start] == 0
    starts = Counter(TorusGame.drawn(5, 0.04, seed, "zero").start for seed in range(4000))
    assert len(starts) == 25
    assert all(100 < count < 220 for count in starts.values())


def test_impossible_boards() -> None:
    with pytest.raises(LabError, match="leaves room"):
        TorusGame.drawn(6, 0.9, 1)
    with pytest.raises(LabError, match="had no zero"):
        TorusGame.drawn(5, 0.9, 1, "zero")
    with pytest.raises(ValueError, match="no room"):
        random_mines(4, 5, [], 1)
    with pytest.raises(IndexError):
        random_mines(4, 1, [9], 1)


@pytest.mark.parametrize("side", [1, 2, 3, 5, 12])
@pytest.mark.parametrize("density", [0.2, 0.55, 0.8])
def test_clusters_are_connected_components(side: int, density: float) -> None:
    for seed in range(20):
        random = Random(f"{side} {density} {seed}")
        sites = bytes(random.random() < density for _ in range(side * side))
        graph = networkx.Graph()
        for place in (place for place, site in enumerate(sites) if site):
            graph.add_node(place)
            row, column = divmod(place, side)
            for other in (
                (row + 1) % side * side + column,
                row * side + (column + 1) % side,
            ):
                if sites[other]:
                    graph.add_edge(place, other)
        sizes = [len(part) for part in networkx.connected_components(graph)]
        expected = (sum(sizes), len(sizes), max(sizes, default=0), sum(s * s for s in sizes))
        assert clusters(side, sites) == expected


@pytest.mark.parametrize("side", [3, 4, 9])
def test_occupied_sites_are_mines_and_nonzero_labels(side: int) -> None:
    field = Torus(side, side)
    layout = random_layout(Board(field, side), seed=5)
    expected = bytes(label != 0 for _, label in layout.position().items())
    assert mined_or_numbered(side, side, 5) == expected


def test_independent_sites_are_as_many_as_expected() -> None:
    sites, *_ = independent_clusters(500, 0.4, 9)
    assert abs(sites - 100_000) < 5 * (250_000 * 0.24) ** 0.5


@pytest.mark.parametrize("strict", [False, True])
def test_forced_vertices_are_those_of_the_engine(strict: bool) -> None:
    for seed in range(20):
        offsets, cells, _, mines, forced = planted_inference(
            24, [3, 4], [8, 6], 0.4, strict, False, False, seed_of("planted", seed), Run()
        )
        assert forced is not None
        ends, flat = (memoryview(data).cast("i").tolist() for data in (offsets, cells))
        edges = [tuple(flat[first:last]) for first, last in pairwise(ends)]
        clues = [Clue(sum(mines[cell] for cell in edge), edge) for edge in edges]
        assert sorted(len(clue.cells) for clue in clues) == [3] * 8 + [4] * 6
        if strict:
            assert all(0 < clue.count < len(clue.cells) for clue in clues)
        verdicts = sapper.analyze(Clues(clues, range(24))).verdicts
        assert [verdicts[cell] != "unknown" for cell in range(24)] == [bool(f) for f in forced]


def test_hypergraphs_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="no room"):
        planted_inference(3, [4], [1], 0.5, False, False, False, 1, Run())
    with pytest.raises(ValueError, match="decided by itself"):
        planted_inference(5, [1], [1], 0.5, True, False, False, 1, Run())
