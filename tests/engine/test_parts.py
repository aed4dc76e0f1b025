"""The parts of the engine, each against plain arithmetic: most found by `make mutants`."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from sapper._native import NO_LIMITS, run_under
from sapper.analysis import get
from sapper.clues import Clue, Clues, Puzzle
from sapper.engine import EngineMethod, exact, total
from sapper.engine.board import Board
from sapper.engine.exact import free_cells, product, with_free_cells
from sapper.engine.residues import WORD, Polynomial, _combined, _primes, moduli
from sapper.engine.total import _free_cells
from sapper.errors import LimitExceeded
from sapper.field import Grid, Position
from sapper.limits import Limits


class Ledger:
    """Stands for a run: notes what is charged, and every look."""

    limited = True

    def __init__(self) -> None:
        self.charged: list[float] = []
        self.looks = 0

    def check(self, *, bytes: float = 0) -> None:  # noqa: A002 - as the core calls it
        self.looks += 1
        if bytes:
            self.charged.append(bytes)

    def hold(self, held: float) -> None:
        self.charged.append(held)


def size(numbers: list[int]) -> float:
    """Return the bytes of the digits of integers, and of an object each."""
    return sum(number.bit_length() / 8 + 32 for number in numbers)


# --- sums and products ---------------------------------------------------------------------------


@pytest.mark.parametrize(("free", "mines", "terms"), [(0, 3, 6), (5, 0, 3), (9, 4, 7), (3, 9, 5)])
def test_free_cells_take_what_is_left(free: int, mines: int, terms: int) -> None:
    ways = [Random(terms).randrange(1, 100) for _ in range(terms)]
    plain = sum(w * math.comb(free, mines - k) for k, w in enumerate(ways) if k <= mines)
    assert with_free_cells(ways, free, mines, NO_LIMITS) == plain
    worth = [math.comb(free, mines - k) if k <= mines else 0 for k in range(terms)]
    assert list(map(int, _free_cells(free, mines, terms, NO_LIMITS))) == worth


def test_long_sums_look_at_the_limits_now_and_then() -> None:
    for ask, looks in (
        (lambda run: free_cells(1000, run), 5),
        (lambda run: with_free_cells([1] * 1000, 2000, 900, run), 3),
        (lambda run: _free_cells(2000, 1000, 1000, run), 4),
    ):
        run: Any = Ledger()
        ask(run)
        assert run.looks == looks


def test_what_free_cells_are_charged() -> None:
    run: Any = Ledger()
    row = free_cells(700, run)
    assert row.coefficients == [math.comb(700, k) for k in range(701)]
    (charged,) = run.charged
    assert 0.95 < charged / sum(number.bit_length() / 8 for number in row.coefficients) < 1.05


def test_products() -> None:
    random, run = Random(1), Ledger()
    factors = [
        Polynomial(
            least, [6**least * random.randrange(1 << 100) for _ in range(random.randrange(1, 9))]
        )
        for least in range(7)
    ]
    plain: Counter[int] = Counter({0: 1})
    for factor in factors:
        longer: Counter[int] = Counter()
        for a, b in plain.items():
            for k, ways in enumerate(factor.coefficients):
                longer[a + factor.least + k] += b * ways
        plain = longer
    least, common, numbers = product(factors, run, 10**6)  # type: ignore[arg-type]
    assert common % 6**21 == 0
    found = [int(number * common) for number in numbers]
    assert dict(enumerate(found, least)) == plain
    # The last product and its factors, twice, beyond what is held.
    assert 1 < (run.charged[-1] - 10**6) / size(found) < 3
    least, common, numbers = product([], NO_LIMITS)
    assert (least, int(common), list(map(int, numbers))) == (0, 1, [1])


# --- remainders ----------------------------------------------------------------------------------


def test_the_largest_primes() -> None:
    below = [57, 87, 117, 143, 153, 167, 171, 195, 203, 273]  # 2⁶² minus these: OEIS A013603
    assert [(1 << 62) - prime for prime in _primes(16)][:10] == below
    assert list(_primes(16)) == sorted(set(_primes(16)), reverse=True)
    assert _primes(8) == _primes(16)[:8]


@pytest.mark.parametrize("bits", [0.0, 60.9, 61.0, 61.1, 122, 123, 1301, 1302, 61 + 62 * 50])
def test_moduli_are_enough_and_not_many_more(bits: float) -> None:
    found = moduli(bits)
    assert found[0] == 0
    reach = math.log2(math.prod(modulus or WORD for modulus in found))
    assert reach >= bits + 3
    if isinstance(bits, int):
        assert math.prod(modulus or WORD for modulus in found) >= 1 << (bits + 3)
    assert len(found) == 1 or reach - 62 <= (bits + 3) * 62 / 61


def test_remainders_determine_integers() -> None:
    random, some = Random(5), [0, *_primes(40)]
    numbers = [random.randrange(math.prod(m or WORD for m in some)) for _ in range(20)]
    rests = [[number % (m or WORD) for number in numbers] for m in some]
    run = Ledger()
    found, modulus = list[int](), 1
    for m, rest in zip(some, rests, strict=True):
        found, modulus = _combined(found, modulus, m, rest, run)  # type: ignore[arg-type]
    assert found == numbers
    assert modulus == math.prod(m or WORD for m in some)
    # The values, the next ones and what is between them, at every modulus but the first.
    assert len(run.charged) == len(some) - 1
    assert 2.7 < run.charged[-1] / size(numbers) < 3.5


# --- under a total -------------------------------------------------------------------------------

UNDER_TOTAL: dict[str, tuple[list[str], range]] = {
    "known, forced, free, two parts": (["*1????", "1?????", "?????1", "????1?"], range(1, 9)),
    "single cells": (["???", "121"], range(4)),
    "one part, no free cell": (["1??1", "????", "1??2"], range(8)),
    "only free cells": (["???", "???"], range(8)),
    "nothing covered": (["01*", "011"], range(1, 2)),
    "no way at all": (["2??", "?_?", "??1"], range(6)),
    "three parts": (["1?_?1", "?__??", "___?_", "??_??", "?1_?2"], range(8)),
}


@pytest.mark.parametrize("name", UNDER_TOTAL)
@pytest.mark.parametrize("few", [1000, -1])
def test_totals(name: str, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By residues of the whole board, and by products of the parts as on large boards."""
    monkeypatch.setattr(total, "_FEW_VARIABLES", few)
    rows, totals = UNDER_TOTAL[name]
    for mines in totals:
        agree(Position(Grid(len(rows), len(rows[0])), rows, mines=mines))


@pytest.mark.parametrize("few", [1000, -1])
@pytest.mark.parametrize(
    "rows", [["1??", "???"], ["?1?????", "???????"], ["???"], ["1?__?"], ["???", "121"]]
)
def test_totals_that_cannot_be_reached(
    rows: list[str], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(total, "_FEW_VARIABLES", few)
    cells = "".join(rows).count("?")
    for clues in (1, 2):
        puzzle = Position(Grid(len(rows), len(rows[0])), rows, mines=(cells, 0)[clues - 1])
        plain = get("brute").findings(puzzle).count
        board = Board(puzzle, NO_LIMITS)
        whole, mined = exact.marginals(board, NO_LIMITS)
        assert whole == plain
        if not whole:
            assert mined == [0] * cells


def agree(puzzle: Puzzle) -> None:
    found, plain = EngineMethod().findings(puzzle), get("brute").findings(puzzle)
    assert found.count == plain.count
    assert found.by_mines == plain.by_mines
    assert list(found.exact_probabilities) == list(plain.exact_probabilities)


def test_weights_leave_gaps() -> None:
    """Where a equals b there are none or two mines, never one."""
    both = Clues([Clue(0, "ab", [1, -1])])
    agree(both)
    assert EngineMethod().findings(both).by_mines == {0: 1, 2: 1}


@pytest.mark.parametrize("few", [1000, -1])
@pytest.mark.parametrize(
    ("clues", "mines"), [([], 32), ([Clue(32, range(64))], None), ([Clue(32, range(64))], 32)]
)
def test_sums_longer_than_a_count(
    clues: list[Clue], mines: int | None, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count fits in 61 bits; its mines, added up, do not fit in 64."""
    monkeypatch.setattr(total, "_FEW_VARIABLES", few)
    board = Board(Clues(clues, range(64), mines), NO_LIMITS)
    whole, mined = exact.marginals(board, NO_LIMITS)
    assert whole == math.comb(64, 32) < 1 << 61
    assert mined == [math.comb(63, 31)] * 64
    assert sum(mined) > 1 << 64


def many_parts(parts: int) -> Clues:
    """Two clues that share a cell, again and again: 1 + 3 · 3 ways each, for three groups."""
    cells = [[(part, k) for k in range(7)] for part in range(parts)]
    return Clues([Clue(1, some) for seven in cells for some in (seven[:4], seven[3:])])


def test_what_exact_sums_are_charged() -> None:
    parts = 50
    board = Board(many_parts(parts), NO_LIMITS)
    whole, _ = exact.marginals(board, NO_LIMITS)
    assert whole == 10**parts
    # Three sums for every part, beyond what is compiled.
    sums = 3 * parts * (whole.bit_length() / 8 + 40) + 8 * 7 * parts
    for share in (0.98, 1.02):
        run = run_under(Limits(bytes=int(board.compiled.size_in_bytes + share * sums)))
        if share > 1:
            assert exact.marginals(board, run)[0] == whole
        else:
            with pytest.raises(LimitExceeded, match="bytes"):
                exact.marginals(board, run)


def test_what_a_total_is_charged() -> None:
    factors = [Polynomial(0, [1 << 500] * 40) for _ in range(10)]
    board: Any = Fake(variables=500, size_in_bytes=10**6)
    run: Any = Ledger()
    total._charge(board, factors, 100, run)
    bits = 10 * (500 + math.log2(40)) + 100
    integers = 8 * 391 + 400  # of every power of the product, and for every group
    (charged,) = run.charged
    assert 1 < (charged - 10**6) / (integers * (bits / 8 + 28)) < 1.05


def test_a_total_is_charged_before_anything_is_multiplied(monkeypatch: pytest.MonkeyPatch) -> None:
    charged: list[int] = []
    monkeypatch.setattr(total, "_FEW_VARIABLES", -1)
    monkeypatch.setattr(total, "_charge", lambda *arguments: charged.append(arguments[2]))
    board = Board(Position(Grid(2, 6), ["1?????", "??????"], mines=3), NO_LIMITS)
    exact.marginals(board, NO_LIMITS)
    assert charged == [8]


class Fake:
    """Stands for a board and what is compiled of it."""

    def __init__(self, **values: int) -> None:
        self.compiled = self
        self.__dict__.update(values)


def test_fractions_of_long_integers() -> None:
    for bits in (10, 1999, 2000, 5000):
        numerator, denominator = 6 << bits, 9 << bits
        assert exact.fraction(numerator, denominator) == Fraction(2, 3)
        assert exact.fraction(numerator + 1, denominator) == Fraction(numerator + 1, denominator)
