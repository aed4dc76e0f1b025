"""Samples are uniform: frequencies against exact counts by chi-square, with fixed seeds."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Final

import pytest

import sapper
from sapper._native import Run
from sapper.clues import Clue, Clues
from sapper.engine import EngineMethod, EngineSolutions
from sapper.field import Cell, Grid, Position
from tests.engine.boards import chain, minefield, random_graph

JOINED: Final = EngineMethod(certainty=False, grouping=False, order="tree")


def assert_plausible(observed: list[int], expected: list[float]) -> None:
    """Check a chi-square statistic: at most five deviations above its mean."""
    for seen, share in zip(observed, expected, strict=True):
        assert share > 0 or seen == 0
    used = [pair for pair in zip(observed, expected, strict=True) if pair[1] > 0]
    statistic = sum((seen - share) ** 2 / share for seen, share in used)
    freedom = max(1, len(used) - 1)
    assert statistic < freedom + 5 * (2 * freedom) ** 0.5, (statistic, freedom)


def assert_uniform(view: EngineSolutions, *, each: int = 60) -> None:
    """Draw often enough to see every solution, and compare how often each came."""
    everything = list(view)
    drawn = Counter(view.sample(each * len(everything), seed=2024))
    assert set(drawn) <= set(everything)
    assert_plausible([drawn[solution] for solution in everything], [float(each)] * len(everything))


def assert_uniform_on(view: EngineSolutions, cells: list[Cell], *, n: int = 3000) -> None:
    """Compare how often the mines on a few cells come out as they should."""
    expected, observed = [], []
    seen = Counter(tuple(cell in mines for cell in cells) for mines in view.sample(n, seed=7))
    for values in product((False, True), repeat=len(cells)):
        part = view
        for cell, mined in zip(cells, values, strict=True):
            part = part.including(cell) if mined else part.excluding(cell)
        expected.append(n * part.count() / view.count())
        observed.append(seen[values])
    assert sum(observed) == n
    assert_plausible(observed, expected)


def joins(view: EngineSolutions) -> bool:
    compiled = view._board(Run()).compiled
    return any(compiled.piece(piece).joins for piece in range(len(compiled)))


SMALL: Final = {
    "one component": Clues([Clue(1, "abc"), Clue(2, "cdef"), Clue(1, "fgh")]),
    "free cells": Clues([Clue(1, "abc")], "abcdef"),
    "two components": Clues([Clue(1, "abc"), Clue(2, "defg")], "abcdefgh"),
    "weights": Clues([Clue(3, "abcde", weights=[1, 2, -1, 3, -2]), Clue(1, "efg")]),
    "star of clues": Clues([Clue(2, "pqrs"), *(Clue(1, [x, x + "1", x + "2"]) for x in "pqrs")]),
}


@pytest.mark.parametrize("mines", [None, 2, 3, 4])
@pytest.mark.parametrize("name", SMALL)
def test_every_solution_comes_equally_often(name: str, mines: int | None) -> None:
    clues = SMALL[name].with_mines(mines)
    if sapper.is_consistent(clues):
        assert_uniform(EngineMethod().solutions(clues))
        assert_uniform(JOINED.solutions(clues))


def branches(size: int, *, total: int | None = None) -> Clues:
    """Return a clue whose three cells begin chains of clues: a tree that no path suits."""
    clues = [Clue(2, [("x", arm, 0) for arm in range(4)])]
    for arm in range(4):
        for step in range(size):
            group = [("y", arm, step, i) for i in range(3)]
            clues.append(Clue(2, [("x", arm, step), ("x", arm, step + 1), *group]))
    return Clues(clues, mines=total)


def test_joins_take_part() -> None:
    assert joins(JOINED.solutions(SMALL["star of clues"]))
    assert joins(EngineMethod(certainty=False, order="tree").solutions(branches(5)))


@pytest.mark.parametrize("size", [3, 10, 25, 60])
@pytest.mark.parametrize("total", [False, True])
def test_joins_with_counts_of_every_length(size: int, total: bool) -> None:
    """From machine words to integers beyond 2¹²⁸ within one component that has joins."""
    method = EngineMethod(certainty=False, order="tree")
    view = method.solutions(branches(size, total=6 * size if total else None))
    assert joins(view)
    if size >= 60:
        assert view.count() > 2**128
    assert_uniform_on(view, [("x", 0, 0), ("x", 1, size // 2), ("y", 3, size - 1, 0)], n=2000)


def groups(size: int, count: int, *, total: int | None) -> Clues:
    """Return two large interchangeable groups that share one cell, and an odd one beside it."""
    left, right = [("l", i) for i in range(size)], [("r", i) for i in range(size)]
    clues = [Clue(count, [*left, "x"]), Clue(count, [*right, "x", "y"]), Clue(1, ["y", "z"])]
    return Clues(clues, mines=total)


@pytest.mark.parametrize("size", [10, 30, 31, 63, 64, 120, 500, 2500])
@pytest.mark.parametrize("total", [False, True])
@pytest.mark.parametrize("method", [EngineMethod(), EngineMethod(order="tree")], ids=repr)
def test_counts_of_every_length(size: int, total: bool, method: EngineMethod) -> None:
    """Machine words, double words, and integers beyond 2⁶⁴ and 2¹²⁸ choose alike."""
    count = size // 2 - 2
    clues = groups(size, count, total=2 * count if total else None)
    view = method.solutions(clues)
    if size >= 500:
        assert view.count() > 2**128
    assert_uniform_on(view, ["x", "y", ("l", 0)])


def test_binomials_just_below_the_machine_word() -> None:
    """The coefficient fits into 64 bits; the product on the way to it does not."""
    cells = [f"c{i}" for i in range(63)]
    for count in (29, 30, 31, 33, 34):
        clues = Clues([Clue(count, [*cells, "x"]), Clue(1, "xy")])
        assert_uniform_on(EngineMethod().solutions(clues), ["x", "c0"])


@pytest.mark.parametrize("length", [20, 70, 150, 400])
@pytest.mark.parametrize("order", ["auto", "tree"])
def test_long_chains(length: int, order: str) -> None:
    method = EngineMethod(certainty=False, order=order)  # type: ignore[arg-type]
    clues = chain(length)
    for mines in (None, length // 2):
        view = method.solutions(clues.with_mines(mines))
        cells: list[Cell] = [("a", 0), ("b", length // 2), ("a", length // 2)]
        assert_uniform_on(view, cells, n=2000)


@pytest.mark.parametrize(
    "position",
    [
        minefield(Grid(10, 14), mines=0.2, visible=0.3, seed=11, total=True),
        minefield(Grid(10, 14), mines=0.2, visible=0.3, seed=12),
        random_graph(80, 120, seed=13, total=True),
    ],
    ids=["total", "no total", "graph"],
)
def test_boards(position: Position) -> None:
    chances = sapper.analyze(position, method=EngineMethod()).exact_probabilities
    unsure = [cell for cell, chance in chances.items() if 0 < chance < 1]
    for method in (EngineMethod(), JOINED):
        assert_uniform_on(method.solutions(position), unsure[:: len(unsure) // 3][:3], n=2000)


def test_arrays_are_the_same_samples() -> None:
    view = EngineMethod().solutions(SMALL["free cells"].with_mines(3))
    rows = view.sample_array(50, seed=5)
    assert rows.shape == (50, 6)
    assert [
        frozenset(cell for cell, mined in zip(view.cells, row, strict=True) if mined)
        for row in rows
    ] == view.sample(50, seed=5)
    nothing = EngineMethod().solutions(Position(Grid(1, 1), ["_"]))
    assert nothing.sample_array(3, seed=1).shape == (3, 0)
    assert view.sample_array(0, seed=1).shape == (0, 6)


def test_seeds() -> None:
    view = EngineMethod().solutions(SMALL["free cells"])
    seeds = [0, 1, -1, 2**64, 2**64 + 1, 2**200, -(2**200)]
    assert len({tuple(view.sample(20, seed=seed)) for seed in seeds}) == len(seeds)
    assert view.sample(20) != view.sample(20)
