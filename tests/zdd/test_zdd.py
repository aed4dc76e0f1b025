"""Diagrams against plain sets of frozen sets."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from graphillion import setset
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.clues import Clue
from sapper.errors import (
    CostError,
    FormatError,
    InconsistentError,
    LimitExceeded,
    PositionError,
    UnknownCellError,
)
from sapper.limits import Limits
from sapper.zdd import BOTTOM, TOP, Zdd

Family = frozenset[frozenset[str]]
CELLS = "abcdef"
quick = settings(max_examples=150, deadline=None)


def families() -> st.SearchStrategy[Family]:
    return st.frozensets(st.frozensets(st.sampled_from(CELLS)), max_size=40)


def orders() -> st.SearchStrategy[list[str]]:
    return st.permutations(CELLS)


def one(*sets: str, cells: str = CELLS) -> Zdd:
    return Zdd.from_sets(cells, sets)


@given(families(), orders())
@quick
def test_holds_exactly_its_sets(family: Family, order: list[str]) -> None:
    zdd = Zdd.from_sets(order, family)
    listed = list(zdd)
    assert len(listed) == len(family) == zdd.count()
    assert set(listed) == family
    assert bool(zdd) is bool(family)
    for size in range(len(CELLS) + 1):
        for mines in combinations(CELLS, size):
            assert (mines in zdd) is (frozenset(mines) in family)
    assert zdd.counts_with() == {cell: sum(cell in mines for mines in family) for cell in order}
    assert zdd.count_by_mines() == dict(sorted(Counter(map(len, family)).items()))


@given(families(), families(), orders(), orders())
@quick
def test_set_algebra(left: Family, right: Family, order: list[str], other: list[str]) -> None:
    a, b = Zdd.from_sets(order, left), Zdd.from_sets(other, right)
    assert set(a | b) == left | right
    assert set(a & b) == left & right
    assert set(a - b) == left - right
    assert set(a ^ b) == left ^ right
    assert (a <= b) is (left <= right)
    assert a.isdisjoint(b) is left.isdisjoint(right)
    assert (a - b) == Zdd.from_sets(order, left - right)
    assert b.over(order) == Zdd.from_sets(order, right)


@given(families(), orders(), st.sampled_from(CELLS))
@quick
def test_deciding_a_cell(family: Family, order: list[str], cell: str) -> None:
    zdd = Zdd.from_sets(order, family)
    assert zdd.including(cell) == Zdd.from_sets(order, [m for m in family if cell in m])
    assert zdd.excluding(cell) == Zdd.from_sets(order, [m for m in family if cell not in m])


@given(
    families(),
    st.lists(st.integers(-3, 3), min_size=len(CELLS), max_size=len(CELLS)),
    st.integers(-4, 4),
)
@quick
def test_sets_that_satisfy_a_clue(family: Family, weights: list[int], count: int) -> None:
    clue = Clue(count, CELLS, weights=weights)
    expected = {mines for mines in family if clue.is_satisfied_by(mines)}
    assert set(Zdd.from_sets(CELLS, family).satisfying(clue)) == expected


@given(families(), st.lists(st.integers(-5, 5), min_size=len(CELLS), max_size=len(CELLS)))
@quick
def test_cheapest_first_is_in_order_and_complete(family: Family, prices: list[int]) -> None:
    costs: dict[Any, int] = dict(zip(CELLS, prices, strict=True))
    found = Zdd.from_sets(CELLS, family).k_cheapest(costs, 1000)
    assert {solution for solution, _ in found} == family
    assert len(found) == len(family)
    paid = [sum(costs[cell] for cell in solution) for solution, _ in found]
    assert paid == sorted(paid) == [cost for _, cost in found]


def test_costs_are_exact_and_checked() -> None:
    zdd = one("a", "b", "c")
    assert zdd.cheapest({"a": 0.1, "b": 10**400, "c": 0.1 + 2**-60}).solution in ({"a"}, {"c"})
    assert [cost for _, cost in zdd.k_cheapest({"a": 2, "b": 0.5}, 2)] == [0, 0.5]
    with pytest.raises(CostError):
        zdd.cheapest({"a": float("nan")})
    with pytest.raises(UnknownCellError):
        zdd.cheapest({"z": 1})
    with pytest.raises(InconsistentError):
        one().cheapest({})
    assert one().k_cheapest({}, 3) == []


@given(families(), orders())
@quick
def test_dumps_are_read_by_graphillion_and_by_us(family: Family, order: list[str]) -> None:
    zdd = Zdd.from_sets(order, family)
    setset.set_universe(order)
    theirs = setset.loads(zdd.dumps())
    assert {frozenset(mines) for mines in theirs} == family
    assert Zdd.loads(theirs.dumps(), order) == zdd
    assert Zdd.loads(zdd.dumps(), order) == zdd


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "full stop"),
        ("1 1 B\n.", "line 1: a node is"),
        ("1 0 B T\n.", "line 1: a variable is"),
        ("1 1 B 7\n.", "line 1: no node '7'"),
        ("1 2 B T\n1 1 B T\n.", "line 2: a second node"),
        (".", "no node and no terminal"),
    ],
)
def test_bad_dumps(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Zdd.loads(text, CELLS)


@pytest.mark.parametrize(
    ("nodes", "root"),
    [
        ([(9, -1, -2)], None),
        ([(0, -1, 5)], None),
        ([(0, -1, -2), (0, 0, -2)], None),
        ([(1, -1, -2)], 3),
        ([(0, -3, -2)], None),
    ],
)
def test_what_is_no_diagram_is_refused(nodes: list[tuple[int, int, int]], root: int | None) -> None:
    with pytest.raises(ValueError, match=r"variable|child|root"):
        Zdd("abc", nodes, root=root)


def test_refuses_cells_it_does_not_know() -> None:
    zdd = one("ab", "c")
    for call in (zdd.including, zdd.excluding):
        with pytest.raises(UnknownCellError):
            call("z")
    with pytest.raises(UnknownCellError):
        zdd.over("ab")
    with pytest.raises(UnknownCellError):
        Zdd.from_sets("ab", ["z"])
    with pytest.raises(PositionError):
        Zdd("aa")
    with pytest.raises(TypeError):
        zdd | {"a"}  # type: ignore[operator]


def test_reduction_is_canonical() -> None:
    # The same sets with a redundant, a doubled and an unreachable node.
    loose = Zdd("abc", [(2, -1, -2), (2, -1, -2), (2, -1, -1), (1, 2, 0), (0, 3, 1)])
    tight = Zdd.from_sets("abc", ["bc", "ac"])
    assert loose == tight
    assert hash(loose) == hash(tight)
    assert len(loose) == len(tight) == 3
    assert loose.dumps() == tight.dumps()


def test_values() -> None:
    zdd = one("ab", "c")
    assert pickle.loads(pickle.dumps(zdd)) == zdd
    assert zdd != one("ab", "c", cells="fedcba")
    assert (zdd == 3) is False
    assert repr(zdd) == "<Zdd of 3 nodes over 6 cells>"
    assert zdd.zdd() is zdd
    assert Zdd(CELLS).root == BOTTOM
    assert Zdd(CELLS, root=TOP).count() == 1
    assert zdd.to_array().shape == (3, 3)


def test_free_cells_double_the_sets() -> None:
    zdd = one("a", "b", cells="ab").with_free("cde")
    assert zdd.count() == 16
    assert zdd.cells == tuple("abcde")
    assert Zdd("ab").with_free("c").count() == 0
    assert Zdd((), root=TOP).with_free(range(2000)).count() == 2**2000
    with pytest.raises(ValueError, match="'a'"):
        zdd.with_free("a")


def test_samples_are_uniform_and_follow_the_seed() -> None:
    zdd = one("a", "ab", "abc", "f", "cde", "")
    drawn = Counter(zdd.sample(6000, seed=7))
    assert set(drawn) == set(zdd)
    assert all(abs(number - 1000) < 150 for number in drawn.values())
    assert zdd.sample(20, seed=1) == zdd.sample(20, seed=1)
    assert zdd.sample_array(4, seed=1).shape == (4, 6)
    with pytest.raises(InconsistentError):
        one().sample(1)
    with pytest.raises(ValueError, match="-1"):
        zdd.sample(-1)


def test_pictures() -> None:
    zdd = one("ab", "c<", cells=["a", "b", "c", "<"])  # type: ignore[arg-type]
    picture = zdd.to_svg()
    assert picture.startswith("<svg")
    assert "&lt;" in picture
    assert picture.count('rx="13"') == len(zdd)
    assert "⊤" in picture
    assert "⊥" not in picture
    assert zdd._repr_svg_() == picture
    assert Zdd("a", root=TOP).to_svg().count("⊤") == 1
    large = Zdd((), root=TOP).with_free(range(400))
    assert large._repr_svg_() is None
    with pytest.raises(ValueError, match="400 nodes"):
        large.to_svg()
    assert zdd.to_dot().count("->") == 2 * len(zdd)


def test_walks_over_more_sets_than_memory_would_hold() -> None:
    zdd = Zdd((), root=TOP).with_free(range(100))
    assert len({mines for _, mines in zip(range(20_000), zdd, strict=False)}) == 20_000


@pytest.mark.parametrize("operation", ["__or__", "__and__", "__sub__", "__xor__"])
def test_algebra_of_deep_diagrams(operation: str) -> None:
    # 2,000 levels: no recursion over variables may be left anywhere.
    combine: Callable[[Zdd, Any], Zdd] = getattr(Zdd, operation)
    everything = Zdd((), root=TOP).with_free(range(2000))
    few = everything.satisfying(Clue(1, range(2000)))
    counts = {
        "__or__": 2**2000,
        "__and__": 2000,
        "__sub__": 2**2000 - 2000,
        "__xor__": 2**2000 - 2000,
    }
    assert combine(everything, few).count() == counts[operation]


@pytest.mark.parametrize(
    "text",
    [
        "0 99999999999999999999 B T\n.\n",
        f"0 {'9' * 5000} B T\n.\n",
        "0 3 B T\n.\n",
        "0 ² B T\n.\n",
        "0 1 B T\n1 2 0 T\n.\n",
        "0 1 B T\n1 1 0 T\n.\n",
    ],
    ids=["huge", "longer than Python reads", "beyond the cells", "no digit", "order", "repeated"],
)
def test_f7_variables_that_no_cell_has(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        Zdd.loads(text, "ab")
    assert len(str(caught.value)) < 160


def test_f4_samples_keep_to_limits() -> None:
    """5,000,000 samples took 13.8 s, whatever was allowed."""
    everything = Zdd("abcd", root=TOP).with_free("abcd")
    with pytest.raises(LimitExceeded, match="seconds"):
        everything.under(Limits(seconds=0.2)).sample(10**8)
    with pytest.raises(LimitExceeded, match="bytes"):
        everything.under(Limits(bytes=10_000_000)).sample(10**8)
    with pytest.raises(LimitExceeded, match="bytes"):
        everything.under(Limits(bytes=10_000_000)).sample_array(10**8)
    assert len(everything.under(Limits(seconds=60, bytes=10**9)).sample(5, seed=1)) == 5


def test_what_is_made_from_a_diagram_keeps_to_its_limits() -> None:
    sums = [Zdd(range(24), root=TOP).with_free(range(24)).satisfying(Clue(12, range(24)))]
    narrow = sums[0].under(Limits(seconds=1e-9))
    for ask in (
        narrow.count,
        narrow.counts_with,
        narrow.count_by_mines,
        lambda: next(iter(narrow)),
        lambda: narrow.cheapest({}),
        lambda: narrow.including(3),
        lambda: narrow & sums[0],
        lambda: narrow.over(reversed(range(24))),
        lambda: narrow.sample(1),
    ):
        with pytest.raises(LimitExceeded) as caught:
            ask()
        assert caught.value.allowed == 1e-9
    assert narrow == sums[0]
    assert narrow.under(None).count() == 2704156


@pytest.mark.parametrize("seed", [-1, 0, 10**40])
def test_every_integer_is_a_seed(seed: int) -> None:
    family = one("ab", "c", "bcd")
    assert family.sample(20, seed=seed) == family.sample(20, seed=seed)
    with pytest.raises(TypeError, match="a seed is an integer, not 'x'"):
        family.sample(1, seed="x")  # type: ignore[arg-type]
