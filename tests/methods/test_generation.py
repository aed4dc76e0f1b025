"""The three ways to make all solutions, on the boards of Suzuki, Hao and Minato."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.totals import board

import sapper
from sapper.analysis import get
from sapper.clues import Clue, Clues
from sapper.field import Box, Grid, Hex, Position, Topology, Torus
from sapper.game import Layout
from sapper.lab.instances import generation_clues
from sapper.zdd import SetView, Zdd
from tests.engine.boards import minefield
from tests.support.generation import Instance, instances

ALL = ("engine", "zdd", "subgraph")
WIDE = ("m30_v40",)


@pytest.mark.parametrize("instance", instances(), ids=lambda instance: instance.name)
def test_all_agree_with_the_golden_count(instance: Instance) -> None:
    assert {name: get(name).findings(instance.clues).count for name in ALL} == dict.fromkeys(
        ALL, instance.solutions
    )


@pytest.mark.parametrize(
    "instance",
    [i for i in instances() if i.name.endswith("s1") and not any(w in i.name for w in WIDE)],
    ids=lambda instance: instance.name,
)
def test_all_agree_on_all_else(instance: Instance) -> None:
    clues = instance.clues
    engine, *others = map(get, ALL)
    by_mines = engine.findings(clues).by_mines
    chances = sapper.analyze(clues, method=engine).exact_probabilities
    verdicts = engine.findings(clues).verdicts
    random = Random(instance.name)
    costs = {cell: random.randint(-9, 9) for cell in clues.cells}
    cheapest = engine.solutions(clues).cheapest(costs).cost
    for method in others:
        assert method.findings(clues).by_mines == by_mines
        assert sapper.analyze(clues, method=method).exact_probabilities == chances
        assert method.findings(clues).verdicts == verdicts
        view = method.solutions(clues)
        assert view.cheapest(costs).cost == cheapest
        drawn = view.sample(3, seed=1)
        assert all(clues.is_solution(solution) for solution in drawn)
        assert all(solution in engine.solutions(clues) for solution in drawn)


@pytest.mark.parametrize("table", ["grid", "graph"])
def test_diagrams_of_equal_order_are_equal(table: str) -> None:
    clues = generation_clues(table, mines=20, visible=40, seed="a", side=16)  # type: ignore[arg-type]
    one, other = (get(name).solutions(clues).zdd() for name in ("zdd", "subgraph"))
    assert isinstance(one, Zdd)
    assert one == other


# Boards on which the order over edges is the better one. It is missed if it competes with larger
# diagrams only (the grids), or may not take several times the states of the first one (the boxes).
@pytest.mark.parametrize(
    "clues",
    [
        *(generation_clues("grid", mines=30, visible=40, seed=s, side=18) for s in ("23", "40")),
        *(minefield(Box(3, 4, 4), mines=0.4, visible=0.35, seed=s) for s in (15, 26)),
    ],
    ids=["grid 23", "grid 40", "box 15", "box 26"],
)
def test_the_engine_has_no_larger_diagram(clues: Clues | Position) -> None:
    engine, subgraph = (get(name).solutions(clues).zdd() for name in ("engine", "subgraph"))
    assert len(engine) <= len(subgraph)
    assert engine.count() == subgraph.count()


def shown(side: int, *, mines: int, visible: int, seed: int) -> Position:
    """Return a board of `benchmarks.totals`, with its total."""
    mined, numbers = board(side, mines, visible, seed)
    layout = Layout(Grid(side, side), [(row, column) for row, column in mined])
    return layout.position([(row, column) for row, column in numbers], total=True)


# Small pieces of large systems are only sifted. Not far enough, they had 64 nodes against 62 and
# 270 against 266.
@pytest.mark.parametrize(("side", "mines", "seed"), [(15, 20, 205), (18, 30, 203)])
def test_sifting_alone_leaves_no_larger_diagram(side: int, mines: int, seed: int) -> None:
    position = shown(side, mines=mines, visible=50, seed=seed)
    clues = Clues.from_position(position)
    test_the_engine_has_no_larger_diagram(Clues(clues.clues, clues.cells))


# Under a total the best order is another one: of pieces and free cells, and within a piece.
@pytest.mark.parametrize(
    "topology",
    [Grid(9, 9), Torus(6, 6), Hex(6, 6), Box(2, 3, 4)],
    ids=["grid", "torus", "hex", "box"],
)
def test_the_engine_has_no_larger_diagram_under_a_total(topology: Topology) -> None:
    for seed in range(40):
        position = minefield(topology, mines=0.25, visible=0.35, seed=seed, total=True)
        engine, subgraph = (get(name).solutions(position).zdd() for name in ("engine", "subgraph"))
        assert len(engine) <= len(subgraph), seed
        assert engine.count() == subgraph.count() == sapper.count(position)


@pytest.mark.parametrize("name", ["zdd", "subgraph"])
def test_which_worlds_did_a_number_rule_out(name: str) -> None:
    covered = Position(Grid(3, 4), {(0, 0): 1, (2, 3): 2}, mines=4)
    opened = covered.with_label((1, 1), 2)
    before, after = (get(name).solutions(position) for position in (covered, opened))
    assert isinstance(before, SetView)
    assert isinstance(after, SetView)
    everything, left = set(before), set(after)
    assert left < everything
    for view in (after, after.zdd()):
        assert set(before - view) == everything - left
        assert set(before & view) == left
        assert set(before | view) == everything
        assert set(before ^ view) == everything - left
        assert view <= before
        assert not before <= view
        assert not before.isdisjoint(view)
    assert (before - after).count() == before.count() - after.count()


def test_narrowing_a_view_by_unlike_clues() -> None:
    left = Clues([Clue(1, "ab"), Clue(1, "cd")], cells="abcde")
    right = Clues([Clue(2, "acx"), Clue(1, "de", weights=[1, 1])], cells="acdexy", mines=3)
    one, other = (get("zdd").solutions(clues) for clues in (left, right))
    assert isinstance(one, SetView)
    assert isinstance(other, SetView)
    assert set(one & other) == set(one) & set(other)
    assert set(one - other) == set(one) - set(other)
    assert set(other - one) == set(other) - set(one)
    assert [cost for _, cost in one.k_cheapest(dict.fromkeys("abcde", 1), 3)] == [2, 2, 2]
