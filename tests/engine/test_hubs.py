"""Partial k-trees with hubs: numbers of many cells that stay open together while others close."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest
from benchmarks.graph_instances import partial_k_tree

from sapper.engine import EngineMethod
from sapper.errors import LimitExceeded
from sapper.field import Graph, Position
from sapper.limits import Limits
from sapper.methods.brute import Brute
from sapper.methods.treewidth import Treewidth
from tests.support.agreement import assert_agree

WIDE: Final = (2500, 5, 13)
"""Joins of two large tables took 300 MB: now one table is led through the steps of the other."""


def hubs(size: int, k: int, seed: int, *, mines: int | None = None) -> Position:
    record = partial_k_tree(size, k, seed=seed, hubs=True)
    graph = Graph.from_arrays(len(record["labels"]), record["edges"])
    return Position.from_array(record["labels"], topology=graph, mines=mines)


@pytest.mark.parametrize("seed", range(12))
def test_small_ones_as_brute_force_says(seed: int) -> None:
    random = Random(seed)
    size, k = random.randint(10, 16), random.randint(2, 5)
    for mines in (None, size // 3):
        position = hubs(size, k, seed, mines=mines)
        for engine in (EngineMethod(), EngineMethod(order="tree")):
            assert_agree(engine, Brute(), position)


@pytest.mark.parametrize("seed", [2, 6])
def test_wide_ones_as_tree_decompositions_say(seed: int) -> None:
    position = hubs(400, 5, seed)
    theirs = Treewidth().findings(position).by_mines
    ours = EngineMethod().findings(position)
    assert ours.by_mines == theirs
    assert ours.count == sum(theirs.values())
    likeliest = max(theirs, key=lambda mines: theirs[mines])
    under_total = EngineMethod().findings(hubs(400, 5, seed, mines=likeliest))
    assert under_total.count == theirs[likeliest]


def test_hubs_fit_into_little_memory() -> None:
    position = hubs(*WIDE)
    found = EngineMethod().findings(position, Limits(bytes=100_000_000))
    assert found.count.bit_length() == 412


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        (Limits(bytes=20_000_000), "bytes"),
        (Limits(nodes=100_000), "nodes"),
        (Limits(seconds=0.02), "seconds"),
    ],
)
def test_limits_hold_there(limits: Limits, name: str) -> None:
    engine = EngineMethod()
    with pytest.raises(LimitExceeded) as caught:
        _ = engine.findings(hubs(*WIDE), limits).count
    assert caught.value.limit == name
