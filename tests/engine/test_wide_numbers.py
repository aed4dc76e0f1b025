"""Counts and probabilities far outside what a double can hold."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import networkx
import pytest

import sapper
from sapper.clues import Clue, Clues
from sapper.engine import EngineMethod
from sapper.errors import TooWide
from sapper.field import Graph, Grid, Position
from tests.engine.boards import chain, minefield


def assert_floats_match(position: Position | Clues) -> None:
    """Floats agree with exact fractions, and say certain only what is."""
    found = EngineMethod().findings(position)
    for chance, exact in zip(found.probabilities, found.exact_probabilities, strict=True):
        assert abs(Fraction(chance) - exact) <= Fraction(1, 10**12)
        assert (chance == 0) is (exact == 0)
        assert (chance == 1) is (exact == 1)


@pytest.mark.parametrize("leaves", [10, 1000, 1100, 3000, 6000])
@pytest.mark.parametrize("share", [0.01, 0.5, 0.9])
def test_star(leaves: int, share: float) -> None:
    """A hub that sees `count` mines among its leaves: one group, one binomial coefficient."""
    count = int(leaves * share)
    star = networkx.star_graph(leaves)
    for total in (None, count, count + 1):
        position = Position(Graph(star), {0: count}, mines=total)
        expected = 0 if total == count + 1 else math.comb(leaves, count)
        assert sapper.count(position) == expected
        if expected:
            chance = Fraction(count, leaves)
            assert set(sapper.analyze(position).exact_probabilities.values()) == {chance}
            assert_floats_match(position)


@pytest.mark.parametrize("leaves", [600, 2000])
def test_two_stars_share_the_total(leaves: int) -> None:
    """Two hubs with a common leaf, and cells that nothing touches, under a total."""
    graph = networkx.Graph()
    for hub in ("p", "q"):
        graph.add_edges_from((hub, (hub, i)) for i in range(leaves))
        graph.add_edge(hub, "both")
    graph.add_nodes_from(("free", i) for i in range(leaves))
    k = leaves // 3
    position = Position(Graph(graph), {"p": k, "q": k}, mines=2 * k + 5)
    expected = sum(
        math.comb(leaves, k - shared) ** 2 * math.comb(leaves, 5 + shared) for shared in (0, 1)
    )
    assert sapper.count(position) == expected
    assert_floats_match(position)


@pytest.mark.parametrize("length", [600, 1500, 3000])
def test_long_chain(length: int) -> None:
    """No two neighbours among the aᵢ are mined: Fibonacci numbers."""
    a, b = 2, 1
    for _ in range(length):
        a, b = a + b, a
    assert sapper.count(chain(length)) == a
    assert_floats_match(chain(length))


def test_long_chain_under_a_total() -> None:
    length = 700
    clues = chain(length)
    by_mines = sapper.count_by_mines(clues)
    assert sum(by_mines.values()) == sapper.count(clues)
    for mines in (min(by_mines), length // 2, max(by_mines) - 1):
        assert sapper.count(clues.with_mines(mines)) == by_mines.get(mines, 0)
        if mines in by_mines:
            assert_floats_match(clues.with_mines(mines))


def test_probabilities_that_underflow() -> None:
    """With one mine too few to go round, a cell is a mine with probability below 1e-300."""
    cells = [f"c{i}" for i in range(1200)]
    clues = Clues([Clue(600, [*cells, "x"], weights=[*[1] * 1200, 600]), Clue(1, "xy")])
    found = EngineMethod().findings(clues)
    chance = found.probabilities[found.cells.index("x")]
    exact = found.exact_probabilities[found.cells.index("x")]
    assert 0 < exact < Fraction(1, 10**300)
    assert 0 < chance < 1e-300
    assert found.probabilities[found.cells.index("y")] < 1


def test_many_free_cells() -> None:
    """The free cells hold nearly all mines; their binomials span thousands of bits."""
    position = minefield(Grid(70, 70), mines=0.2, visible=0.02, seed=3, total=True)
    assert_floats_match(position)
    assert math.isclose(sum(sapper.analyze(position).probabilities.values()), position.mines or 0)


@pytest.mark.parametrize("seed", range(6))
def test_boards_under_a_total(seed: int) -> None:
    position = minefield(Grid(16, 30), mines=0.21, visible=0.3, seed=seed, total=True)
    assert_floats_match(position)
    assert_floats_match(position.with_mines(None))


def test_exactness_of_counts_by_mines() -> None:
    position = minefield(Grid(20, 20), mines=0.2, visible=0.2, seed=9)
    by_mines = sapper.count_by_mines(position)
    assert sum(by_mines.values()) == sapper.count(position)
    known = len(position.covered)
    expected = sum(sapper.analyze(position).exact_probabilities.values())
    assert expected == Fraction(
        sum(mines * ways for mines, ways in by_mines.items()), sum(by_mines.values())
    )
    assert max(by_mines) <= known


def test_exact_probabilities_of_a_large_board() -> None:
    """Some hundred components share a total; the fractions add up to it."""
    position = minefield(Grid(70, 70), mines=0.2, visible=0.12, seed=8, total=True)
    chances = sapper.analyze(position).exact_probabilities
    assert sum(chances.values()) == position.mines
    cell = next(cell for cell, chance in chances.items() if 0 < chance < 1)
    view = sapper.solutions(position)
    assert Fraction(view.including(cell).count(), view.count()) == chances[cell]


def test_count_with_very_many_free_cells() -> None:
    """A single clue on a board of 90,000 cells: the count is known, and it is found at once."""
    position = Position(Grid(300, 300), {(150, 150): 3}, mines=20_000)
    assert sapper.count(position) == math.comb(8, 3) * math.comb(300 * 300 - 9, 19_997)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.4, 0.999, 1.0])
@pytest.mark.parametrize("free", [0, 1000])
def test_polynomials_that_span_a_thousand_bits(share: float, free: int) -> None:
    """Light and heavy cells trade places, so a component has any of 200 numbers of mines."""
    clues = [
        Clue(
            400,
            [(piece, i) for i in range(800)],
            weights=[1] * 400 + [2] * 400,
        )
        for piece in range(3)
    ]
    cells = [cell for clue in clues for cell in clue.cells]
    puzzle = Clues(clues, [*cells, *(("free", i) for i in range(free))])
    least, most = 3 * 200, 3 * 400 + free
    mines = least + round(share * (most - least))
    found = EngineMethod().findings(puzzle.with_mines(mines))
    exact = dict(zip(found.cells, found.exact_probabilities, strict=True))
    assert sum(exact.values()) == mines
    for cell, chance in zip(found.cells, found.probabilities, strict=True):
        assert abs(Fraction(chance) - exact[cell]) <= exact[cell] / 10**12
    # Each light or heavy cell of each component is like all others.
    assert len(set(exact.values())) <= 3


@pytest.mark.parametrize("seed", range(3))
def test_a_path_of_astronomic_width_is_no_contradiction(seed: int) -> None:
    """Two dozen open clues with weights of 55 bits: more states to expect than a float can hold."""
    random = Random(seed)
    mined = [random.random() < 0.5 for _ in range(14)]
    clues = []
    for _ in range(24):
        cells = random.sample(range(14), 10)
        weights = [random.randrange(1 << 54, 1 << 55) for _ in cells]
        count = sum(weight for cell, weight in zip(cells, weights, strict=True) if mined[cell])
        clues.append(Clue(count, cells, weights=weights))
    system = Clues(clues, range(14))
    assert EngineMethod().solutions(system).zdd().count() == 1
    with pytest.raises(TooWide):
        _ = EngineMethod(order="path", certainty=False).findings(system).count
