"""Golan's Section 4 against brute force, the engine and itself."""

from __future__ import annotations

import re
from itertools import pairwise, product
from random import Random
from typing import Any

import networkx
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapper
from sapper.analysis import get
from sapper.clues import Clue, Clues, Puzzle
from sapper.errors import LimitExceeded, MethodError
from sapper.field import Graph, Grid, Label, Position, Torus
from sapper.limits import Limits
from sapper.methods.brute import Brute
from sapper.methods.totals import NONE, Totals
from sapper.methods.tree import Tree
from sapper.methods.tree.hub import middle
from sapper.methods.tree.totals import middle_totals
from tests.support.agreement import assert_agree
from tests.support.forests import (
    SHAPES,
    forest_puzzles,
    labelled_trees,
    random_labels,
    tree_edges,
    tree_position,
)
from tests.support.laws import assert_laws

TREE = Tree()


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_all_labels_on_all_small_trees(size: int) -> None:
    """Every labelled tree with every label on every vertex, without a total."""
    trees = [Graph(tree) for tree in networkx.nonisomorphic_trees(size)] if size > 1 else []
    for field in trees or [Graph.from_edges([], nodes=[0])]:
        choices: list[list[Label]] = [
            ["?", "*", "_", *range(field.degree(cell) + 2)] for cell in field.cells
        ]
        for labels in product(*choices):
            position = Position(field, labels)
            by_mines = Brute().findings(position).by_mines
            assert TREE.findings(position).by_mines == by_mines, position
            assert TREE.findings(position).count == sum(by_mines.values()), position
            assert TREE.findings(position).consistent is bool(by_mines), position
            assert TREE.findings(position).verdicts == Brute().findings(position).verdicts, position


@pytest.mark.parametrize("size", [5, 6])
def test_random_labels_on_all_labelled_trees(size: int) -> None:
    random = Random(size)
    for number, field in enumerate(labelled_trees(size)):
        position = random_labels(field, random)
        if number % 4 == 0:
            assert_agree(TREE, Brute(), position)
        else:
            assert TREE.findings(position).verdicts == Brute().findings(position).verdicts, position


@given(puzzle=forest_puzzles())
@settings(max_examples=200, deadline=None)
def test_agrees_with_the_engine_and_treewidth(puzzle: Puzzle) -> None:
    assert_agree(TREE, get("engine"), puzzle)
    assert_agree(TREE, get("treewidth"), puzzle)


@given(puzzle=forest_puzzles())
@settings(max_examples=100, deadline=None)
def test_obeys_the_laws(puzzle: Puzzle) -> None:
    assert_laws(TREE, puzzle)


@pytest.mark.parametrize("shape", SHAPES)
def test_large_trees_agree_with_the_engine(shape: str) -> None:
    for seed in range(4):
        position = tree_position(shape, 400, seed)
        engine = sapper.analyze(position, method="engine")
        assert TREE.findings(position).count == engine.count, (shape, seed)
        assert TREE.findings(position).verdicts == dict(engine.verdicts), (shape, seed)
        by_mines = TREE.findings(position).by_mines
        assert by_mines == sapper.count_by_mines(position, method="engine"), (shape, seed)
        total = sorted(by_mines)[len(by_mines) // 2]
        limited = position.with_mines(total)
        assert TREE.findings(limited).count == by_mines[total]
        found = sapper.analyze(limited, method="engine")
        assert TREE.findings(limited).verdicts == dict(found.verdicts), (shape, seed)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_wrong_number_anywhere_makes_it_inconsistent(shape: str) -> None:
    position = tree_position(shape, 1000)
    assert TREE.findings(position).consistent
    cell = next(iter(position.numbers))
    wrong = position.with_label(cell, position.topology.degree(cell) + 1)
    assert not TREE.findings(wrong).consistent
    assert TREE.findings(wrong).count == 0
    assert TREE.findings(wrong).by_mines == {}
    assert TREE.findings(wrong).verdicts == {}


def test_a_path_of_a_million_vertices() -> None:
    position = tree_position("path", 10**6)
    analysis = sapper.analyze(position, method="tree")
    assert analysis.consistent
    mined = analysis.mines
    assert mined
    # Every number agrees with the verdicts around it.
    for cell in list(position.numbers)[:1000]:
        around = [other for other in position.topology.neighbours(cell) if position[other] == "?"]
        assert sum(other in mined for other in around) <= int(position[cell])


def test_a_long_path_of_covered_cells_is_a_power_of_two() -> None:
    size = 20_000
    position = Position(Graph.from_arrays(size, tree_edges("path", size)), {0: 1})
    assert TREE.findings(position).count == 2 ** (size - 2)


def test_a_star_is_a_binomial() -> None:
    import math

    size = 3001
    position = Position(Graph.from_arrays(size, tree_edges("star", size)), {0: 1000})
    assert TREE.findings(position).count == math.comb(3000, 1000)
    assert TREE.findings(position).by_mines == {1000: math.comb(3000, 1000)}


@pytest.mark.parametrize(
    "position",
    [
        Position(Graph(networkx.cycle_graph(5)), {0: 1}),
        Position(Grid(3, 4), ["1???"] * 3),
        Position(Torus(1, 5), ["1????"]),
        Position(Graph(networkx.lollipop_graph(3, 20)), {}),
    ],
    ids=["cycle", "grid", "torus", "lollipop"],
)
def test_a_cycle_is_shown_with_the_methods_that_work(position: Position) -> None:
    with pytest.raises(MethodError, match="has a cycle") as raised:
        _ = TREE.findings(position).count
    message = str(raised.value)
    for name in ("'engine'", "'treewidth'"):
        assert name in message
    shown = re.search(r"cycle: (.*?); the method", message)
    assert shown is not None
    names = shown.group(1).split(" – ")
    assert names[0] == names[-1]
    assert len(names) >= 4
    by_name = {str(cell): cell for cell in position.topology.cells}
    for one, two in pairwise(names):
        assert by_name[two] in position.topology.neighbours(by_name[one])
    assert len(set(names)) == len(names) - 1


def test_a_long_cycle_is_cut_short() -> None:
    position = Position(Graph(networkx.cycle_graph(500)), {})
    with pytest.raises(MethodError, match="500 in all") as raised:
        _ = TREE.findings(position).consistent
    assert len(str(raised.value)) < 400


def test_a_cycle_of_clues_is_shown() -> None:
    clues = Clues([Clue(1, "ab"), Clue(1, "abc")])
    with pytest.raises(MethodError, match=r"clue 0 \(count 1\)"):
        _ = TREE.findings(clues).count


def test_weights_and_views_are_refused() -> None:
    with pytest.raises(MethodError, match="weights"):
        _ = TREE.findings(Clues([Clue(1, "ab", weights=[1, 2])])).count
    with pytest.raises(MethodError, match="'engine'"):
        sapper.solutions(Clues([Clue(1, "ab")]), method=TREE)


@pytest.mark.parametrize("limits", [Limits(nodes=100), Limits(seconds=1e-9)])
def test_limits_hold(limits: Limits) -> None:
    position = tree_position("random", 5000)
    for name in ("consistent", "count", "by_mines", "verdict_codes"):
        with pytest.raises(LimitExceeded):
            getattr(TREE.findings(position, limits), name)


def _by_definition(pairs: list[tuple[Any, Any]], wanted: int, zero: Any) -> list[Any]:
    made = [zero + 1]
    for free, mined in pairs:
        made = [
            free * (made[i] if i < len(made) else zero) + mined * (made[i - 1] if i else zero)
            for i in range(len(made) + 1)
        ]
    return [made[w] if 0 <= w < len(made) else zero for w in (wanted, wanted - 1, wanted - 2)]


@given(
    kinds=st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([1, 2, 30, 70])), max_size=5
    ),
    wanted=st.integers(0, 90),
)
@settings(max_examples=150, deadline=None)
def test_the_middle_of_a_product_of_integers(
    kinds: list[tuple[int, int, int]], wanted: int
) -> None:
    from flint import fmpz

    pairs = [(fmpz(a), fmpz(b)) for a, b, times in kinds for _ in range(times)]
    assert list(middle(pairs, wanted, fmpz(1))) == _by_definition(pairs, wanted, fmpz(0))


@given(
    kinds=st.lists(
        st.tuples(
            st.lists(st.integers(0, 2), max_size=3),
            st.lists(st.integers(0, 2), max_size=3),
            st.sampled_from([1, 3, 60]),
        ),
        max_size=4,
    ),
    wanted=st.integers(0, 80),
)
@settings(max_examples=100, deadline=None)
def test_the_middle_of_a_product_of_polynomials(
    kinds: list[tuple[list[int], list[int], int]], wanted: int
) -> None:
    from flint import fmpz_poly

    pairs = [(fmpz_poly(a), fmpz_poly(b)) for a, b, times in kinds for _ in range(times)]
    zero = fmpz_poly([])
    assert list(middle(pairs, wanted, fmpz_poly([1]))) == _by_definition(pairs, wanted, zero)


@given(one=st.integers(0, 2**12), two=st.integers(0, 2**12))
def test_sums_of_totals(one: int, two: int) -> None:
    expected = {a + b for a in Totals(one) for b in Totals(two)}
    assert set(Totals(one) * Totals(two)) == expected
    assert set(Totals(one) + Totals(two)) == set(Totals(one)) | set(Totals(two))
    assert all(total in Totals(one) * Totals(two) for total in expected)


@given(
    pairs=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=6),
    wanted=st.integers(0, 7),
)
def test_the_middle_of_sets(pairs: list[tuple[int, int]], wanted: int) -> None:
    sets = [(Totals(a), Totals(b)) for a, b in pairs]
    found = middle_totals(sets, wanted)
    for place, target in enumerate((wanted, wanted - 1, wanted - 2)):
        expected: Totals = NONE
        for choice in product((0, 1), repeat=len(sets)):
            if sum(choice) == target:
                part = Totals(1)
                for pair, chosen in zip(sets, choice, strict=True):
                    part = part * pair[chosen]
                expected = expected + part
        assert found[place] == expected


def test_graphs_from_arrays_equal_those_from_edges() -> None:
    edges = tree_edges("random", 50)
    quick, slow = Graph.from_arrays(50, edges), Graph.from_edges(edges.tolist(), nodes=range(50))
    assert quick == slow
    assert hash(quick) == hash(slow)
    assert quick.edges == slow.edges
    assert Graph.from_arrays(3, []).edges == ()
    for wrong, message in (
        ([[0, 0]], "self-loop"),
        ([[0, 1], [1, 0]], "given twice"),
        ([[0, 7]], "leaves 0 … 2"),
        ([[0.5, 1]], "integer array"),
        ([0, 1], "shape"),
    ):
        with pytest.raises(sapper.PositionError, match=message):
            Graph.from_arrays(3, numpy.array(wrong))
