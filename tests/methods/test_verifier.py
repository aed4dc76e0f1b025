"""The comparison itself: a method that lies about anything must be caught."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest

from sapper.clues import VERDICTS, Cheapest, Clue, Clues, Cost, Puzzle, Solution
from sapper.field import Cell
from sapper.limits import Limits
from sapper.questions import Findings
from tests.support.agreement import assert_agree
from tests.support.brute_zdd import BruteZdd
from tests.support.laws import assert_laws
from tests.support.naive import Listed, Naive

CLUES = Clues([Clue(1, "ab"), Clue(2, "bcd")], cells="abcde", mines=3)


class Lying(Naive):
    """The truth, but for one attribute of the findings."""

    def __init__(self, what: str, lie: Callable[[Any], Any]) -> None:
        self._what, self._lie = what, lie

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> Findings:
        found = super().findings(puzzle, limits)
        found.__dict__[self._what] = self._lie(getattr(Naive().findings(puzzle), self._what))
        return found


class LyingView(Naive):
    def __init__(self, view: type[Listed]) -> None:
        self._view = view

    def solutions(self, puzzle: Puzzle, limits: object = None) -> Listed:
        honest = super().solutions(puzzle)
        return self._view(honest.cells, honest.listed)


@pytest.mark.parametrize(
    ("what", "lie"),
    [
        ("consistent", lambda answer: not answer),
        ("consistent", int),
        ("count", lambda answer: answer + 1),
        ("count", float),
        ("by_mines", lambda answer: {**answer, 0: 1}),
        ("by_mines", lambda answer: dict(reversed(answer.items()))),
        ("verdicts", lambda answer: {**answer, "a": "mine"}),
        ("verdicts", lambda answer: {**answer, "z": "unknown"}),
        ("verdicts", lambda answer: {}),
        ("verdict_codes", lambda codes: bytes([2, 2, 2, 2, 0])),
        ("cells", lambda cells: tuple("edcba")),
        ("exact_probabilities", lambda chances: [Fraction(2, 7), *chances[1:]]),
        ("exact_probabilities", lambda chances: list(map(float, chances))),
        ("probabilities", lambda chances: [chance + 1e-9 for chance in chances]),
    ],
)
def test_lies_are_caught(what: str, lie: Callable[[Any], Any]) -> None:
    assert_agree(Naive(), Naive(), CLUES)
    with pytest.raises(AssertionError, match="disagree on"):
        assert_agree(Lying(what, lie), Naive(), CLUES)


class Doubling(Listed):
    def __iter__(self) -> Iterator[Solution]:
        return iter(self.listed * 2)


class Forgetting(Listed):
    def __iter__(self) -> Iterator[Solution]:
        return iter(self.listed[1:])


class Welcoming(Listed):
    def __contains__(self, solution: object) -> bool:
        return True


class Excluding(Listed):
    def __contains__(self, solution: object) -> bool:
        return solution in self.listed[1:]


class Miscounting(Listed):
    def count(self) -> int:
        return len(self.listed) + 1


class Despairing(Listed):
    def __bool__(self) -> bool:
        return False


class Inventing(Listed):
    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        return [frozenset(self.cells)] * n


class Stingy(Listed):
    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        return super().sample(min(n, 1), seed=seed)


class Unseeded(Listed):
    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        self.listed = self.listed[1:] + self.listed[:1]
        return super().sample(n, seed=seed)


class Wasteful(Listed):
    def cheapest(self, costs: Mapping[Any, Cost]) -> Cheapest:
        honest = super().cheapest({cell: -cost for cell, cost in costs.items()})
        return Cheapest(honest.solution, -honest.cost)


class Undercharging(Listed):
    def cheapest(self, costs: Mapping[Any, Cost]) -> Cheapest:
        honest = super().cheapest(costs)
        return Cheapest(honest.solution, honest.cost - 1)


class Stubborn(Listed):
    def including(self, cell: Cell) -> Listed:
        return self


class Careless(Listed):
    """Takes any cell, of this field or not."""

    def excluding(self, cell: Cell) -> Listed:
        return Listed(self.cells, [mines for mines in self.listed if cell not in mines])


class Bloated(Listed):
    def zdd(self) -> BruteZdd:
        class Padded(BruteZdd):
            def __len__(self) -> int:
                return super().__len__() + 1

        return Padded(self.cells, self.listed)


class Partial(Listed):
    def zdd(self) -> BruteZdd:
        return BruteZdd(self.cells, self.listed[1:])


@pytest.mark.parametrize(
    "view",
    [
        Doubling,
        Forgetting,
        Welcoming,
        Excluding,
        Miscounting,
        Despairing,
        Inventing,
        Stingy,
        Unseeded,
        Wasteful,
        Undercharging,
        Stubborn,
        Careless,
        Bloated,
        Partial,
    ],
)
def test_lying_views_are_caught(view: type[Listed]) -> None:
    with pytest.raises(AssertionError, match="disagree on 'solutions'"):
        assert_agree(LyingView(view), Naive(), CLUES)


class Timid(Naive):
    """Sound, but finds nothing."""

    complete = False
    code = VERDICTS.index("unknown")

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> Findings:
        found = super().findings(puzzle, limits)
        found.__dict__["verdict_codes"] = bytes([self.code]) * len(found.cells)
        return found


class Reckless(Timid):
    """Incomplete, and wrong."""

    code = VERDICTS.index("mine")


def test_an_incomplete_method_has_to_be_sound() -> None:
    assert_agree(Timid(), Naive(), CLUES, questions=["verdicts"])
    with pytest.raises(AssertionError, match="disagree on 'verdicts'"):
        assert_agree(Reckless(), Naive(), CLUES, questions=["verdicts"])


@pytest.mark.parametrize(
    ("what", "lie"),
    [
        ("count", lambda answer: answer + 1),
        ("consistent", lambda answer: not answer),
        ("by_mines", lambda answer: {**answer, 99: 0}),
        ("verdicts", lambda answer: {**answer, "b": "safe"}),
        ("exact_probabilities", lambda chances: [*chances[:-1], Fraction(1, 7)]),
    ],
)
@pytest.mark.parametrize("mines", [None, 3])
def test_broken_laws_are_caught(what: str, lie: Callable[[Any], Any], mines: int | None) -> None:
    assert_laws(Naive(), CLUES.with_mines(mines))
    with pytest.raises(AssertionError):
        assert_laws(Lying(what, lie), CLUES.with_mines(mines))
