"""A verdict never depends on the method."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sapper
from sapper.analysis import get, names
from sapper.analysis.auto import Auto
from sapper.clues import Clue, Clues, Puzzle
from sapper.errors import MethodError
from sapper.field import Grid, Position, Topology, Torus
from sapper.methods.brute import Brute
from sapper.methods.cpsat import CpSat
from sapper.methods.sat import ENCODINGS, SOLVERS, Sat
from sapper.questions import Method
from tests.support.agreement import assert_agree
from tests.support.exhaustive import all_truthful_positions
from tests.support.strategies import (
    clue_systems,
    graphs,
    lattices,
    positions,
    puzzles,
    truthful_positions,
)
from tests.support.views import VIEW_PARTS, assert_same_view

many = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
# Deciding cells finds all solutions again and again; `test_every_part_of_a_view` does it.
ONE_BY_ONE = VIEW_PARTS - {"decide"}


def complete_methods() -> list[Method]:
    found = [get(name) for name in names() if name != "brute"]
    return [method for method in found if method.complete and "verdicts" in method.answers]


def assert_same_verdicts(puzzle: Puzzle, methods: list[Method]) -> None:
    expected = Brute().findings(puzzle).verdicts
    for method in methods:
        try:
            found = method.findings(puzzle).verdicts
        except MethodError:
            # Some methods take forests only, or no weights. The paper's own do take this.
            assert method.name not in ("engine", "sat", "cpsat", "auto")
            continue
        assert found == expected, method


@given(puzzle=puzzles())
@many
def test_all_methods_agree(puzzle: Puzzle) -> None:
    assert_same_verdicts(puzzle, complete_methods())


@given(position=positions(graphs(forest=True)))
@many
def test_all_methods_agree_on_forests(position: Position) -> None:
    assert_same_verdicts(position, complete_methods())


@given(puzzle=st.one_of(truthful_positions(), clue_systems()))
@many
def test_auto_agrees_whichever_it_picks(puzzle: Puzzle) -> None:
    assert_agree(Auto(), Brute(), puzzle)
    # Never the engine, where there is anything to compile.
    assert_agree(Auto(most_expected=0.5), Brute(), puzzle)


def test_auto_says_what_it_picked() -> None:
    position = sapper.parse("1??\n???", mines=2)
    assert sapper.analyze(position).method == "engine"
    assert sapper.analyze(position, method="sat").method == "sat"
    assert sapper.analyze(position, most_expected=0.5).method == "sat"
    assert sapper.analyze(position, most_expected=0.5).verdicts == (
        sapper.analyze(position).verdicts
    )
    assert sapper.analyze(position, most_expected=0.5).count == sapper.count(position)
    assert sapper.is_consistent(position, most_expected=0.5)


def test_limits_of_the_caller_stay_the_callers() -> None:
    position = sapper.parse("????\n1221\n????")
    with pytest.raises(sapper.LimitExceeded):
        sapper.analyze(position, limits=sapper.Limits(nodes=1)).verdicts  # noqa: B018


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(puzzle=puzzles())
@settings(many, max_examples=25)
def test_every_encoding(encoding: str, puzzle: Puzzle) -> None:
    assert_agree(Sat(encoding=encoding), Brute(), puzzle, view_parts=ONE_BY_ONE)


@pytest.mark.parametrize("solver", SOLVERS)
@given(puzzle=puzzles())
@settings(many, max_examples=10)
def test_every_sat_solver(solver: str, puzzle: Puzzle) -> None:
    assert_agree(Sat(solver=solver), Brute(), puzzle, view_parts=ONE_BY_ONE)


@given(puzzle=st.one_of(positions(lattices(6)), clue_systems(6)))
@settings(many, max_examples=40)
def test_cp_sat(puzzle: Puzzle) -> None:
    assert_agree(CpSat(), Brute(), puzzle, view_parts=ONE_BY_ONE)


@given(puzzle=st.one_of(positions(lattices(6)), clue_systems(6, weighted=False)))
@settings(many, max_examples=40)
def test_highs(puzzle: Puzzle) -> None:
    assert_agree(CpSat(solver="highs"), Brute(), puzzle, view_parts=ONE_BY_ONE)


@pytest.mark.parametrize("topology", [Grid(2, 3), Torus(2, 3)], ids=repr)
def test_status_of_every_cell(topology: Topology) -> None:
    for position in list(all_truthful_positions(topology))[::7]:
        verdicts = Brute().findings(position).verdicts
        for cell, verdict in verdicts.items():
            assert CpSat().status(position, cell) == verdict, position


def test_large_totals_couple_components() -> None:
    """Twenty pairs and one free cell: only counting shows that the free cell is free."""
    pairs = [Clue(1, (f"a{n}", f"b{n}")) for n in range(20)]
    clues = Clues(pairs, ["free"], mines=20)
    for method in (Sat(), CpSat(), get("engine")):
        assert method.findings(clues).verdicts["free"] == "safe"
        assert method.findings(clues.with_mines(21)).verdicts["free"] == "mine"
        assert not method.findings(clues.with_mines(19)).consistent


def random_clues(cells: int, mines: int, clues: int, seed: int) -> tuple[Clues, frozenset[int]]:
    """Return true clues about eight random cells each, and the mines that they are true of."""
    random = Random(seed)
    mined = frozenset(random.sample(range(cells), mines))
    around = [random.sample(range(cells), 8) for _ in range(clues)]
    return Clues([Clue(len(mined.intersection(a)), a) for a in around], range(cells)), mined


def test_sat_where_the_engine_is_too_wide() -> None:
    puzzle, mined = random_clues(150, 60, 45, seed=4)
    assert sapper.estimate(puzzle).nodes > 1e12
    analysis = sapper.analyze(puzzle)
    assert analysis.method == "sat"
    assert analysis.consistent
    assert (
        analysis.verdicts == Sat(solver="glucose4", encoding="seqcounter").findings(puzzle).verdicts
    )
    assert analysis.safe | analysis.mines
    assert analysis.mines <= mined
    assert not analysis.safe & mined
    for cell in [*analysis.safe, *analysis.mines][:4]:
        assert sapper.explain(puzzle, cell).verdict == analysis.verdicts[cell]
    unknown = next(cell for cell, verdict in analysis.verdicts.items() if verdict == "unknown")
    shown = sapper.explain(puzzle, unknown)
    assert shown.method == "sat"
    assert all(map(puzzle.is_solution, shown.solutions))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("sat", {"encoding": "pairwise"}, "no encoding 'pairwise'"),
        ("sat", {"solver": "deepthought"}, "no solver 'deepthought'"),
        ("cpsat", {"solver": "gurobi"}, "no solver 'gurobi'"),
        ("kset", {"k": 0}, "at least 1"),
        ("kset", {"k": True}, "at least 1"),
        ("kset", {"depth": 1}, "does not take"),
    ],
)
def test_wrong_options(name: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(MethodError, match=message) as caught:
        get(name, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("method", [Sat(), CpSat(), CpSat(solver="highs"), get("zdd")], ids=repr)
@pytest.mark.parametrize("mines", [None, 2, 3, 9])
def test_every_part_of_a_view(method: Method, mines: int | None) -> None:
    """All views offer the same: set algebra, too, and `len` that says `.count()`."""
    clues = Clues([Clue(1, "abc"), Clue(2, "cde")], "abcdefg", mines)
    view: Any = method.solutions(clues)
    oracle: Any = Brute().solutions(clues)
    assert_same_view(view, oracle, clues.cells)
    assert view.count_by_mines() == oracle.count_by_mines()
    assert set(view - view.including("a")) == set(oracle.excluding("a"))
    assert set(view & oracle) == set(view | oracle) == set(oracle)
    assert not view ^ oracle
    costs = {cell: place for place, cell in enumerate(clues.cells)}
    cheapest = [found.cost for found in view.k_cheapest(costs, 5)]
    assert cheapest == sorted(sum(map(costs.__getitem__, s)) for s in oracle)[:5]
    if oracle:
        assert view.sample_array(4, seed=-1).shape == (4, 7)
        assert view.sample(9, seed=-1) == view.sample(9, seed=-1)
    engine: Any = sapper.solutions(clues)
    for seen in (view, oracle, engine):
        with pytest.raises(TypeError, match=r"\.count\(\)"):
            len(seen)
        with pytest.raises(TypeError, match="a seed is an integer"):
            seen.sample(1, seed="x")


def test_a_direct_encoding_that_would_explode_is_refused() -> None:
    clues = Clues([Clue(20, range(40))])
    assert Sat().findings(clues).verdicts[0] == "unknown"
    with pytest.raises(MethodError, match="use encoding='auto'"):
        _ = Sat(encoding="direct").findings(clues).verdicts


def test_sat_keeps_to_limits() -> None:
    puzzle, _ = random_clues(150, 60, 45, seed=4)
    with pytest.raises(sapper.LimitExceeded):
        _ = Sat().findings(puzzle, sapper.Limits(nodes=3)).verdicts
    # This one takes minutes.
    random = Random(1)
    hard = Clues([Clue(4, random.sample(range(120), 9)) for _ in range(90)])
    started = monotonic()
    with pytest.raises(sapper.LimitExceeded, match="seconds"):
        _ = Sat().findings(hard, sapper.Limits(seconds=0.2)).verdicts
    assert monotonic() - started < 30
