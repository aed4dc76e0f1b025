"""The parts of an explanation, each against enumeration: most found by `make mutants`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

import sapper
from sapper.analysis.difficulty import easiest
from sapper.analysis.facts import Fact, _combined, derive
from sapper.analysis.verify import can_be_met
from sapper.clues import VERDICTS, Clue, Clues
from sapper.field import Grid, Position
from sapper.questions import Budget
from tests.engine.boards import minefield

LETTERS = "abcdefgh"


def systems(seed: int, number: int, *, weights: bool) -> Iterator[list[Clue]]:
    """Yield random clues over a few cells; about half of the systems can be met."""
    random = Random(seed)
    for _ in range(number):
        cells = LETTERS[: random.randrange(3, 7)]
        mined = {cell for cell in cells if random.random() < 0.5}
        clues = []
        for _ in range(random.randrange(1, 6)):
            chosen = random.sample(cells, random.randrange(1, len(cells) + 1))
            factors = [random.choice((-2, -1, 0, 1, 2, 3)) if weights else 1 for _ in chosen]
            terms = zip(chosen, factors, strict=True)
            count = sum(factor for cell, factor in terms if cell in mined)
            count += random.choice((0, 0, 0, 0, -1, 1))
            clues.append(Clue(count, chosen, factors if weights else None))
        yield clues


def worlds(clues: Sequence[Clue]) -> list[dict[str, int]]:
    """Return every assignment that meets clues, one by one."""
    cells = sorted({str(cell) for clue in clues for cell in clue.cells})
    every = [dict(zip(cells, values, strict=True)) for values in product((0, 1), repeat=len(cells))]
    return [world for world in every if all(meets(world, clue) for clue in clues)]


def meets(world: dict[str, int], clue: Clue) -> bool:
    return sum(weight * world[str(cell)] for cell, weight in clue.terms) == clue.count


@pytest.mark.parametrize("weights", [False, True])
def test_whether_clues_can_be_met(weights: bool) -> None:
    answers = []
    for clues in systems(1, 300, weights=weights):
        answers.append(bool(worlds(clues)))
        assert can_be_met(clues) == answers[-1], clues
    assert 60 < sum(answers) < 240


def test_checking_looks_at_the_budget() -> None:
    class Watched(Budget):
        held: list[float]

        def spend(self, *arguments: Any, held: float = 0, **more: Any) -> None:
            self.held.append(held)

    budget = Watched()
    budget.held = []
    # Each two clues share a cell, so that all are open at once; and all sums together are odd.
    clues = [Clue(2, [(min(i, j), max(i, j)) for j in range(9) if j != i]) for i in range(9)]
    clues[0] = Clue(1, clues[0].cells)
    assert not can_be_met(clues, budget)
    # 120 bytes and 8 for each clue; a look for every thousand states, and for every group. The
    # largest two groups of states are looked at twice, and then those that are reached count too.
    states = [held / (120 + 8 * 9) for held in budget.held]
    assert len(states) == 36 + 2
    assert min(states) == 1
    assert sorted(states)[-2] > 2 * 1024 > sorted(states)[-3] > 1024


# --- facts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("own", [0, 1, 2])
@pytest.mark.parametrize("common", [1, 2])
@pytest.mark.parametrize("others", [0, 1, 2])
def test_two_facts_bound_what_they_share_and_what_they_do_not(
    own: int, common: int, others: int
) -> None:
    """Every pair of bounds on sets with up to two cells of their own and up to two in common."""
    one, two = range(own + common), range(own, own + common + others)
    for first, second in product(bounds(one), bounds(two)):
        check_combined(first, second)


def bounds(cells: range) -> Iterator[Fact]:
    for least in range(len(cells) + 1):
        for most in range(least, len(cells) + 1):
            yield Fact(frozenset(cells), least, most)


def check_combined(first: Fact, second: Fact) -> None:
    every = list(first.cells | second.cells)
    possible = [
        {cell for cell, mined in zip(every, values, strict=True) if mined}
        for values in product((0, 1), repeat=len(every))
    ]
    possible = [
        mines
        for mines in possible
        if all(fact.least <= len(mines & fact.cells) <= fact.most for fact in (first, second))
    ]
    found = list(_combined(first, second))
    if not possible:
        assert any(fact.is_impossible for fact in found)
        return
    parts = {
        (first, "rest"): first.cells - second.cells,
        (second, "rest"): second.cells - first.cells,
        (first, "common"): first.cells & second.cells,
    }
    for (one, part), cells in parts.items():
        numbers = [len(mines & cells) for mines in possible]
        told = [fact for fact in found if (fact.first, fact.part) == (one, part)]
        tight = (min(numbers), max(numbers))
        whole = part == "common" and cells in (first.cells, second.cells)
        if not cells or whole or tight == (0, len(cells)):
            assert told == []
        else:
            assert [(fact.cells, fact.least, fact.most) for fact in told] == [(cells, *tight)]
            assert told[0].second is (second if one is first else first)
    assert len(found) == sum(fact.part in ("rest", "common") for fact in found)


@pytest.mark.parametrize("part", range(6))
def test_facts_that_are_derived_hold(part: int) -> None:
    decided = 0
    for clues in [*systems(3, 60, weights=False)][part::6]:
        every = worlds(clues)
        for cell in sorted({str(cell) for clue in clues for cell in clue.cells}):
            values = {world[cell] for world in every}
            for mine in (False, True):
                fact = derive(clues, cell, mine)
                if every and fact is not None:
                    assert values == {int(mine)}
                    assert cell in fact.cells
                    decided += 1
        if not every and (fact := derive(clues, None, False)) is not None:
            assert fact.is_impossible
    assert decided > 2


def test_the_same_cells_with_two_sums_are_a_contradiction() -> None:
    fact = derive([Clue(0, "ab"), Clue(1, "ab")], None, False)
    assert fact is not None
    assert fact.is_impossible


# --- difficulty ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 13, 36, 100, 104])
def test_the_easiest_move_is_the_first_of_the_smallest(seed: int) -> None:
    position = minefield(Grid(5, 5), mines=0.25, visible=0.5, seed=seed)
    verdicts = sapper.analyze(position).verdicts
    sizes = {
        cell: sapper.explain(position, cell, smallest=True).size
        for cell, verdict in verdicts.items()
        if verdict != "unknown"
    }
    codes = bytes(VERDICTS.index(verdict) for verdict in verdicts.values())
    found = easiest(position, codes, Budget())
    assert found is not None
    first = min(sizes, key=lambda cell: sizes[cell])
    assert (found.cell, found.verdict, found.size) == (first, verdicts[first], sizes[first])


def test_one_clue_is_easier_than_two() -> None:
    """The first certain cell takes two clues, a later one takes one."""
    position = Position(Grid(1, 9), ["?1?__1?__"])
    clues = Clues([Clue(1, "ab"), Clue(2, "abc"), Clue(1, "d")])
    assert sapper.analyze(clues).difficulty == ("d", "mine", 1)
    assert sapper.analyze(position).difficulty == ((0, 6), "mine", 1)
    assert sapper.analyze(Clues([Clue(1, "ab")])).difficulty is None
