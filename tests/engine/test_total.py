"""Many components under one mine total, against sums written down one by one."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from random import Random
from typing import Any, Final

import networkx
import pytest

import sapper
from sapper._native import run_under
from sapper.clues import Clue, Clues
from sapper.engine import EngineMethod, exact, total
from sapper.engine.residues import Polynomial, polynomials
from sapper.errors import InconsistentError, LimitExceeded
from sapper.field import Cell, Graph, Grid, Position, Topology, Torus
from sapper.limits import Limits
from sapper.methods.brute import Brute
from tests.engine.boards import minefield
from tests.engine.test_limits import measured
from tests.engine.test_samples import assert_plausible, assert_uniform
from tests.support.agreement import assert_agree

Kind = tuple[int, tuple[int, ...]]
# A component: its count, and the weights of its cells.
ONE: Final[Kind] = (1, (1, 1, 1))  # always one mine
HEAVY: Final[Kind] = (3, (3, 1, 1, 1))  # one mine or three, and never two
DOUBLE: Final[Kind] = (2, (2, 1, 1))  # one mine or two
LONG: Final[Kind] = (4, (1, 2, 1, 2, 1, -1))
KINDS: Final = (ONE, HEAVY, DOUBLE, LONG)


def board(kinds: list[Kind], *, free: int = 0, mines: int | None = None) -> Clues:
    """Return components of given kinds, and cells that nothing touches."""
    clues = [
        Clue(count, [(i, j) for j in range(len(weights))], weights=list(weights))
        for i, (count, weights) in enumerate(kinds)
    ]
    cells: list[Cell] = [cell for clue in clues for cell in clue.cells]
    return Clues(clues, [*cells, *(("free", i) for i in range(free))], mines)


@cache
def ways(kind: Kind) -> tuple[list[int], list[list[int]]]:
    """Return the solutions of a component by mines; the same with a mine in each of its cells."""
    count, weights = kind
    size = len(weights)
    all_ways, mined = [0] * (size + 1), [[0] * (size + 1) for _ in weights]
    for values in product((0, 1), repeat=size):
        if sum(v * w for v, w in zip(values, weights, strict=True)) == count:
            all_ways[sum(values)] += 1
            for place, value in enumerate(values):
                mined[place][sum(values)] += value
    return all_ways, mined


def times(a: list[int], b: list[int]) -> list[int]:
    result = [0] * (len(a) + len(b) - 1)
    for (i, x), (j, y) in product(enumerate(a), enumerate(b)):
        result[i + j] += x * y
    return result


class Oracle:
    """Counts and chances from the coefficients of products, nothing cleverer."""

    def __init__(self, kinds: list[Kind], free: int) -> None:
        self.kinds, self.free = kinds, free
        self._free = [math.comb(free, k) for k in range(free + 1)]
        whole = self._free
        for kind in kinds:
            whole = times(whole, ways(kind)[0])
        self.whole = whole

    def count(self, mines: int) -> int:
        return self.whole[mines] if mines < len(self.whole) else 0

    @cached_property
    def _mined(self) -> dict[Kind, list[list[int]]]:
        """Return, for each cell of each kind, the solutions that mine it, by mines."""
        result = {}
        for i, kind in enumerate(self.kinds):
            if kind not in result:
                rest = self._free
                for other in (*self.kinds[:i], *self.kinds[i + 1 :]):
                    rest = times(rest, ways(other)[0])
                result[kind] = [times(rest, own) for own in ways(kind)[1]]
        return result

    def chances(self, mines: int) -> dict[Cell, Fraction]:
        """Return the chance of each cell."""
        result: dict[Cell, Fraction] = {}
        whole = self.count(mines)
        for i, kind in enumerate(self.kinds):
            for j, row in enumerate(self._mined[kind]):
                result[i, j] = Fraction(row[mines] if mines < len(row) else 0, whole)
        if self.free:
            left = (mines - sum(result.values(), Fraction())) / self.free
            result.update({("free", i): left for i in range(self.free)})
        return result


def assert_right(clues: Clues, oracle: Oracle, mines: int) -> None:
    """Compare counts, chances and verdicts; draw, list and choose one that meets the total."""
    engine = EngineMethod()
    puzzle = clues.with_mines(mines)
    assert engine.findings(puzzle).count == oracle.count(mines)
    view = engine.solutions(puzzle)
    found = engine.findings(puzzle)
    assert found.consistent is bool(view) is bool(oracle.count(mines))
    if not found.consistent:
        assert found.exact_probabilities == []
        assert list(view) == []
        for impossible in (lambda: view.sample(seed=1), lambda: view.cheapest({})):
            with pytest.raises(InconsistentError):
                impossible()
        return
    expected = oracle.chances(mines)
    exact = dict(zip(found.cells, found.exact_probabilities, strict=True))
    assert exact == expected
    for cell, near in zip(found.cells, found.probabilities, strict=True):
        assert abs(Fraction(near) - expected[cell]) <= expected[cell] / 10**12
        assert (near in (0, 1)) is (expected[cell] in (0, 1))
    for cell, verdict in engine.findings(puzzle).verdicts.items():
        chance = expected[cell]
        assert verdict == ("safe" if chance == 0 else "mine" if chance == 1 else "unknown")
    costs = {cell: (7 * i) % 5 - 1 for i, cell in enumerate(puzzle.cells)}
    cheapest = view.cheapest(costs)
    some = [*view.sample(3, seed=1), next(iter(view)), cheapest.solution]
    for solution in some:
        assert len(solution) == mines
        assert solution in view
        assert sum(costs[cell] for cell in solution) >= cheapest.cost


# --- small enough for brute force -----------------------------------------------------------------

SMALL: Final[dict[str, Clues]] = {
    "nothing": Clues([]),
    "only free cells": board([], free=5),
    "one component": board([HEAVY]),
    "one component and free cells": board([HEAVY], free=3),
    "no free cells": board([DOUBLE, HEAVY, ONE]),
    "equal components": board([DOUBLE] * 4),
    "gaps": board([HEAVY] * 3),
    "all kinds": board([ONE, DOUBLE, HEAVY], free=2),
}


@pytest.mark.parametrize("name", SMALL)
def test_every_total(name: str) -> None:
    clues = SMALL[name]
    for mines in range(len(clues.cells) + 2):
        assert_agree(EngineMethod(), Brute(), clues.with_mines(mines))


@pytest.mark.parametrize("name", SMALL)
def test_every_total_by_the_tree_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What large boards take is right on small ones too."""
    monkeypatch.setattr(total, "_FEW_VARIABLES", -1)
    clues = SMALL[name]
    for mines in range(len(clues.cells) + 2):
        puzzle = clues.with_mines(mines)
        assert (
            sapper.analyze(puzzle, method=EngineMethod()).exact_probabilities
            == sapper.analyze(puzzle, method=Brute()).exact_probabilities
        )


# --- many components ------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [*range(1, 10), 16, 17, 31])
def test_trees_of_every_shape(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(number)
    kinds = [random.choice(KINDS) for _ in range(number)]
    for free in (0, 1, 7):
        oracle = Oracle(kinds, free)
        clues = board(kinds, free=free)
        possible = [mines for mines, ways in enumerate(oracle.whole) if ways]
        some = {possible[0], possible[-1], possible[-1] + 1, *random.sample(possible, 1)}
        for mines in {*some, max(0, possible[0] - 1), min(possible[0] + 1, len(clues.cells))}:
            assert_right(clues, oracle, mines)
            with monkeypatch.context() as patch:
                patch.setattr(total, "_FEW_VARIABLES", -1)
                assert_right(clues, oracle, mines)


@pytest.mark.parametrize("free", [0, 3, 900])
def test_hundreds_of_equal_components(free: int) -> None:
    """Numbers far beyond those of plain floats; totals that leave nothing, or little, open."""
    kinds = [DOUBLE, HEAVY, ONE] * 130
    oracle = Oracle(kinds, free)
    clues = board(kinds, free=free)
    possible = [mines for mines, ways in enumerate(oracle.whole) if ways]
    low, high = possible[0], possible[-1]
    for mines in (low - 1, low, low + 1, (low + high) // 2, high - 1, high, high + 1):
        assert_right(clues, oracle, mines)


def test_total_that_decides_everything() -> None:
    """As few mines as there can be: each component at its least, and no free cell mined."""
    clues = board([DOUBLE] * 300, free=50).with_mines(300)
    verdicts = EngineMethod().findings(clues).verdicts
    assert verdicts[0, 0] == verdicts[299, 0] == "mine"
    assert verdicts[0, 1] == verdicts["free", 49] == "safe"
    assert "unknown" not in verdicts.values()


# --- samples --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mines", [4, 5, 6, 7])
def test_samples_of_several_components(mines: int) -> None:
    clues = board([DOUBLE, HEAVY, DOUBLE], free=2, mines=mines)
    assert_uniform(EngineMethod().solutions(clues), each=40)


def test_how_many_mines_each_part_has() -> None:
    """Under a total: the mines of one component, of half of the board, and of the free cells."""
    kinds = [HEAVY, DOUBLE] * 20
    half, oracle = Oracle(kinds[:20], 0), Oracle(kinds, 30)
    rest, alone, others = Oracle(kinds[20:], 30), ways(HEAVY)[0], Oracle(kinds[1:], 30)
    closed = Oracle(kinds, 0)
    mines, n = 80, 4000
    drawn = EngineMethod().solutions(board(kinds, free=30, mines=mines)).sample(n, seed=3)
    whole = oracle.count(mines)

    def compare(inside: list[int], outside: list[int], belongs: Any) -> None:
        seen = [0] * (mines + 1)
        for solution in drawn:
            seen[sum(map(belongs, solution))] += 1
        row = [inside[k] if k < len(inside) else 0 for k in range(mines + 1)]
        beside = [outside[mines - k] if mines - k < len(outside) else 0 for k in range(mines + 1)]
        expected = [n * a * b / whole for a, b in zip(row, beside, strict=True)]
        # Rare numbers of mines together, so that the statistic means something.
        common = [k for k in range(mines + 1) if expected[k] >= 5]
        others_seen = n - sum(seen[k] for k in common)
        others_expected = n - sum(expected[k] for k in common)
        assert_plausible(
            [*(seen[k] for k in common), others_seen],
            [*(expected[k] for k in common), max(others_expected, 1e-9)],
        )

    compare(alone, others.whole, lambda cell: cell[0] == 0)
    compare(half.whole, rest.whole, lambda cell: cell[0] != "free" and cell[0] < 20)
    free = [math.comb(30, k) for k in range(31)]
    compare(free, closed.whole, lambda cell: cell[0] == "free")


def test_samples_of_a_large_board() -> None:
    """A thousand components: each sample is a solution, and chances come out as they should."""
    position = minefield(Grid(120, 120), mines=0.2, visible=0.1, seed=4, total=True)
    engine = EngineMethod()
    rows = engine.solutions(position).sample_array(400, seed=5)
    assert set(rows.sum(axis=1)) == {position.mines}
    found = engine.findings(position)
    # The sum of squared deviations of 10,000 cells, each with mean 1.
    deviations = [
        (row - 400 * p) ** 2 / (400 * p * (1 - p))
        for row, p in zip(rows.sum(axis=0).tolist(), found.probabilities, strict=True)
        if 0 < p < 1
    ]
    assert abs(sum(deviations) / len(deviations) - 1) < 0.1


# --- memory ---------------------------------------------------------------------------------------

LARGE: Final = "boards.minefield(Grid(240, 240), mines=0.2, visible=0.1, seed=1, total=True)"


@pytest.mark.parametrize("question", ["floats", "sample", "cheapest"])
def test_memory_does_not_grow_with_the_square_of_the_components(question: str) -> None:
    """1,500 components, whose products of the first 1, 2, 3, ... would take 50 MB."""
    ((growth, outcome),) = measured(LARGE, (question, 10**10))
    assert outcome is None
    assert growth < 35_000_000


def test_exact_chances_of_a_large_board_stay_below_the_limit() -> None:
    ((growth, outcome),) = measured(LARGE, ("fractions", 2 * 10**7))
    assert outcome is not None
    assert outcome[0] == "bytes"
    assert growth < 45_000_000


def test_no_clues_at_all() -> None:
    position = Position(Grid(4, 5), {}, mines=20)
    assert set(EngineMethod().findings(position).verdicts.values()) == {"mine"}
    assert EngineMethod().solutions(position).sample(seed=1) == [frozenset(position.covered)]


def test_a_product_is_held_to_what_is_left_beside_the_diagram() -> None:
    factors = [Polynomial(0, [1, 1])] * 2
    run = run_under(Limits(bytes=10_000))
    assert list(map(int, exact.product(factors, run)[2])) == [1, 2, 1]
    with pytest.raises(LimitExceeded, match="bytes"):
        exact.product(factors, run, held=10_000)


@pytest.mark.parametrize(
    ("topology", "more"),
    [(Grid(110, 110), 0), (Grid(110, 110), -250), (Grid(110, 110), 250), (Torus(90, 90), 0)],
)
def test_chances_of_a_wide_board_beyond_doubles(topology: Topology, more: int) -> None:
    """Components that can have hundreds of mines more or less are passed on circles.

    The chance of a cell is also a quotient of two counts, which go another way.
    """
    position = minefield(topology, mines=0.3, visible=0.35, seed=4, total=True)
    assert position.mines is not None
    position = position.with_mines(position.mines + more)
    run = run_under(None, None)
    parts = polynomials(EngineMethod().board(position, run), run)
    assert max(len(part.coefficients) for part in parts) > 300
    chances = sapper.analyze(position, method="engine").probabilities
    whole = sapper.count(position, method="engine")
    unsure = [cell for cell, chance in chances.items() if 0 < chance < 1]
    for cell in Random(5).sample(unsure, 6):
        mined = sapper.count(position.with_label(cell, "*"), method="engine")
        assert chances[cell] == pytest.approx(float(Fraction(mined, whole)), rel=1e-12)


def test_rare_states_of_two_tables_do_not_hide_each_other() -> None:
    """In two parts of a long chain one way is very rare, in ten others the other way is rare.

    Who drops what is rare in each part takes the wrong way for the only one.
    """
    clues: list[Clue] = []
    mines = links = 0

    def link(place: int) -> list[Cell]:
        return [("link", place, j) for j in range(3)]

    for many, rare in [(140, 1)] * 2 + [(38, 2)] * 10:
        for step in range(2 * many):  # a pair of links has as many mines either way
            need = 5 - rare if step % 2 == 0 else 2 + rare
            clues.append(Clue(need, [*link(links), *(("side", links, j) for j in range(4))]))
            if links:
                clues.append(Clue(3, [*link(links - 1), *link(links)]))
            links += 1
        # A long tail, so that polynomials are long.
        near: list[Cell] = [("near", links, j) for j in range(3)]
        far: list[Cell] = [("far", links, j) for j in range(3)]
        clues.append(Clue(3, [*link(links - 1), *near]))
        clues.append(Clue(3, [*near, *far, ("tail", links, 0)]))
        for j in range(400):
            tail: list[Cell] = [("tail", links, j), ("tip", links, j), ("tail", links, j + 1)]
            clues.append(Clue(1, tail))
        mines += 7 * many + 3 + 289
    puzzle = Clues(clues, mines=mines)
    chances = sapper.analyze(puzzle, method="engine").probabilities
    whole = sapper.count(puzzle, method="engine")
    for cell in (("link", 0, 0), ("side", 0, 0)):
        mined = sapper.count(Clues([*clues, Clue(1, [cell])], mines=mines), method="engine")
        assert chances[cell] == pytest.approx(mined / whole, rel=1e-12)


@pytest.mark.parametrize("mines", [1160, 1010, 1410])
def test_a_rare_cell_of_a_small_part_is_not_certain(mines: int) -> None:
    """A star whose leaves are rarely mines, or rarely free, beside a chain with a wide table."""
    star = [Clue(1, [("hub", 0), ("leaf", i)]) for i in range(300)]
    wide = [Clue(1, [("a", i), ("b", i), ("a", i + 1)]) for i in range(1600)]
    puzzle = Clues([*star, *wide], mines=mines)
    analysis = sapper.analyze(puzzle, method="engine")
    chances = analysis.probabilities
    exact_chances = sapper.analyze(puzzle, method="engine").exact_probabilities
    for cell in (("hub", 0), ("leaf", 0), ("a", 7)):
        assert chances[cell] == pytest.approx(float(exact_chances[cell]), rel=1e-12)
        assert (chances[cell] in (0, 1)) == (exact_chances[cell] in (0, 1))
        certain = {0: "safe", 1: "mine"}.get(int(chances[cell]) if chances[cell] in (0, 1) else 2)
        assert analysis.verdicts[cell] == (certain or "unknown")


def groups_and_clues(
    sizes: dict[str, int], clues: list[tuple[str, int]], free: int, mines: int
) -> Position:
    """Return clues around all cells of some names, of which there are so many, and free cells."""
    graph = networkx.Graph()
    graph.add_nodes_from(("free", i) for i in range(free))
    labels: dict[Cell, Any] = {}
    for number, (names, count) in enumerate(clues):
        labels["clue", number] = count
        for name in names:
            graph.add_edges_from((("clue", number), (name, i)) for i in range(sizes[name]))
    return Position(Graph(graph), labels, mines=mines)


@pytest.mark.parametrize(
    "position",
    [
        # The squares of so many mines, weighed by so large numbers, are beyond doubles.
        groups_and_clues({"G": 1018, "P": 320, "Q": 320}, [("GP", 670), ("GQ", 670)], 50, 800),
        # A mine weighs an eighth, and 359 of them less than any double.
        groups_and_clues(
            {"A": 280, "C": 280, "G": 1000, "B": 25, "D": 25},
            [("AC", 280), ("ABG", 580), ("BD", 25)],
            20_000,
            2980,
        ),
    ],
    ids=["squares", "weights"],
)
@pytest.mark.parametrize("order", ["auto", "given"])
def test_weights_beyond_doubles(position: Position, order: Any) -> None:
    """They are no reason for a wrong chance."""
    engine = EngineMethod(order=order)
    chances = sapper.analyze(position, method=engine).probabilities
    whole = sapper.count(position, method=engine)
    for cell in {cell[0]: cell for cell in chances if isinstance(cell, tuple)}.values():
        mined = sapper.count(position.with_label(cell, "*"), method=engine)
        assert chances[cell] == pytest.approx(float(Fraction(mined, whole)), rel=1e-12)


def test_all_or_nothing_beside_a_chain() -> None:
    """Parts that have all their mines or none, so that little of what is likely fits the total."""
    clues = [Clue(1, [("a", i), ("b", i), ("a", i + 1)]) for i in range(664)]
    for part, links in enumerate((104, 28, 111, 54, 115, 98, 112)):
        for i in range(links):
            clues.append(Clue(1, [("m", part, i), ("x", part, i)]))
            clues.append(Clue(1, [("m", part, i), ("y", part, i)]))
            if i + 1 < links:
                clues.append(Clue(1, [("m", part, i), ("x", part, i + 1)]))
    chances = sapper.analyze(Clues(clues, mines=1392), method="engine").probabilities
    whole = sapper.count(Clues(clues, mines=1392), method="engine")
    for part in range(7):
        cell = ("m", part, 0)
        mined = sapper.count(Clues([*clues, Clue(1, [cell])], mines=1392), method="engine")
        assert chances[cell] == pytest.approx(float(Fraction(mined, whole)), rel=1e-12)
