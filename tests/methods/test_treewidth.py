"""Golan's Section 5 against brute force, the engine and the printed table."""

from __future__ import annotations

from random import Random

import networkx
import pytest
from hypothesis import given, settings
from networkx.generators.atlas import graph_atlas_g

import sapper
from sapper.analysis import get
from sapper.clues import Clue, Clues, Puzzle
from sapper.decomposition import TreeDecomposition, decompose, parse_td
from sapper.errors import DecompositionError, LimitExceeded, MethodError
from sapper.field import Graph, Grid, Position, Torus
from sapper.limits import Limits
from sapper.methods.brute import Brute
from sapper.methods.treewidth import Treewidth, clue_graph, table
from sapper.puzzles import golan_example
from tests.matrix.measuring import measure
from tests.support.agreement import assert_agree
from tests.support.forests import random_labels
from tests.support.hard import lattice
from tests.support.laws import assert_laws
from tests.support.strategies import puzzles

BY_VARIABLE, BY_VERTEX = Treewidth(), Treewidth(mark="vertex")

# Table 2 as the paper's source has it.
TABLE_2 = """\
1 & v_4 & 1
1 & v_4* & x_1x_2
2 & v_5 & 1
2 & v_5* & x_2x_3
3 & v_6 & 1
3 & v_6* & x_1x_3
4 &  & 1 + x_1x_2
5 &  & 1 + x_2x_3
6 &  & 1 + x_1x_3
7 &  & 1 + x_1x_2 + x_2x_3 + x_1x_3 + x_1^2x_2x_3 + x_1x_2^2x_3 + x_1x_2x_3^2 + x_1^2x_2^2x_3^2
"""


@pytest.mark.parametrize("numbers", [(2, 2, 2), (1, 1, 1), (0, 1, 1)])
def test_table_2_is_as_printed(numbers: tuple[int, int, int]) -> None:
    position, decomposition = golan_example(numbers)
    rows = table(position, decomposition)
    lines = []
    for row in rows:
        cells = "".join(
            f"v_{str(cell)[1]}{'*' if value == '*' else ''}" for cell, value in row.assignment
        )
        lines.append(f"{row.node} & {cells} & {row.latex}")
    assert "\n".join(lines) + "\n" == TABLE_2
    assert len(rows) == 10


def test_example_5_1_is_solved() -> None:
    for numbers in [(2, 2, 2), (1, 1, 1), (1, 2, 1), (0, 1, 1)]:
        position, decomposition = golan_example(numbers)
        assert decomposition.width == 2 == decompose(position).width
        method = Treewidth(decomposition=decomposition)
        assert_agree(method, Brute(), position)
        # The count is the coefficient of what the numbers show in the last row.
        last = dict(table(position, decomposition)[-1].terms)
        shown = tuple((j, number) for j, number in enumerate(numbers, start=1) if number)
        assert method.findings(position).count == last.get(shown, 0)


def test_all_graphs_of_up_to_six_vertices() -> None:
    random = Random(7)
    for number, graph in enumerate(graph_atlas_g()[:209]):
        position = random_labels(Graph(graph), random)
        method = (BY_VARIABLE, BY_VERTEX)[number % 2]
        assert_agree(method, Brute(), position)


def test_graphs_of_seven_vertices() -> None:
    random = Random(8)
    for graph in graph_atlas_g()[209::4]:
        position = random_labels(Graph(graph), random)
        assert BY_VARIABLE.findings(position).count == Brute().findings(position).count, position
        assert BY_VARIABLE.findings(position).by_mines == Brute().findings(position).by_mines, (
            position
        )


@given(puzzle=puzzles())
@settings(max_examples=60, deadline=None)
def test_agrees_with_the_engine(puzzle: Puzzle) -> None:
    assert_agree(BY_VARIABLE, get("engine"), puzzle)
    assert_agree(BY_VERTEX, get("engine"), puzzle, questions=["count", "by_mines"])


@given(puzzle=puzzles())
@settings(max_examples=25, deadline=None)
def test_obeys_the_laws(puzzle: Puzzle) -> None:
    assert_laws(BY_VARIABLE, puzzle)


@pytest.mark.parametrize("seed", range(6))
def test_partial_k_trees_agree_with_the_engine(seed: int) -> None:
    random = Random(seed)
    k = 2 + seed % 3
    edges = [(a, b) for a in range(k + 1) for b in range(a)]
    cliques = [[v for v in range(k + 1) if v != gone] for gone in range(k + 1)]
    for vertex in range(k + 1, 40):
        clique = random.choice(cliques[-20:])
        edges += [(vertex, other) for other in clique]
        cliques += [[vertex, *(v for v in clique if v != gone)] for gone in clique]
    kept = [edge for edge in edges if random.random() < 0.7]
    position = random_labels(Graph.from_edges(kept, nodes=range(40)), random)
    assert_agree(BY_VARIABLE, get("engine"), position)
    assert BY_VERTEX.findings(position).by_mines == BY_VARIABLE.findings(position).by_mines


def test_boards_work_too() -> None:
    for position in (
        Position(Grid(4, 5), ["1?1??", "?2??1", "???2?", "1???1"]),
        Position(Torus(3, 4), ["1???", "??2?", "????"]),
    ):
        assert_agree(BY_VARIABLE, get("engine"), position)


# --- a decomposition of the user's own -------------------------------------------------------


def test_a_decomposition_from_elsewhere_is_used() -> None:
    field = Graph(networkx.cycle_graph(6))
    position = Position(field, {0: 1, 2: 1, 4: 1})
    text = "s td 1 6 6\nb 1 1 2 3 4 5 6\n"
    whole = parse_td(text, field)
    assert sapper.count(position, method="treewidth", decomposition=whole) == 0
    position = Position(field, {0: 1, 2: 1, 4: 2})
    assert sapper.count(position, method="treewidth", decomposition=whole) == 1
    for root in range(3):
        made = decompose(position)
        shifted = TreeDecomposition(
            [made.bags[(n + root) % len(made)] for n in range(len(made))],
            [((a - root) % len(made), (b - root) % len(made)) for a, b in made.edges],
        )
        assert_agree(Treewidth(decomposition=shifted), Brute(), position)


def test_a_broken_decomposition_is_refused_by_name() -> None:
    field = Graph(networkx.cycle_graph(4))
    position = Position(field, {0: 1, 2: 1})
    broken = TreeDecomposition([{0, 1}, {2, 3}], [(0, 1)])
    with pytest.raises(DecompositionError, match="edges: no bag holds both ends"):
        sapper.count(position, method="treewidth", decomposition=broken)
    with pytest.raises(DecompositionError, match="no tree decomposition"):
        table(position, broken)


def test_a_clue_system_names_its_vertices() -> None:
    clues = Clues([Clue(1, "ab"), Clue(1, "bc", weights=[1, -1])])
    made = decompose(clue_graph(clues))
    assert_agree(Treewidth(decomposition=made), Brute(), clues)


def test_too_wide_a_bag_is_refused() -> None:
    field = Graph(networkx.complete_bipartite_graph(40, 25))
    position = Position(field, dict.fromkeys(range(40), 3))
    with pytest.raises(MethodError, match="25 covered cells"):
        _ = BY_VARIABLE.findings(position).count


def test_options_are_checked() -> None:
    with pytest.raises(MethodError, match="'variable' or a 'vertex'"):
        get("treewidth", mark="edge")
    with pytest.raises(MethodError, match="does not take the option 'width'"):
        get("treewidth", width=3)


@pytest.mark.parametrize("limits", [Limits(nodes=10), Limits(seconds=1e-9), Limits(bytes=100)])
def test_limits_hold(limits: Limits) -> None:
    position = Position(Grid(4, 6), ["1?1??1"] * 4)
    with pytest.raises(LimitExceeded):
        _ = BY_VARIABLE.findings(position, limits).count


def test_terms_are_counted_before_python_has_them() -> None:
    """Twenty megabytes were allowed, and fifty taken for a moment."""
    position = lattice(26, 26)

    def ask() -> object:
        return sapper.count(position, method="treewidth", limits=Limits(bytes=20_000_000))

    found = measure(ask, lambda: True, interrupt_after=None)
    assert found.outcome == "bytes"
    assert found.growth < 36_000_000
