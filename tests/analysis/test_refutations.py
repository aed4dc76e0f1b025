"""Refutations, each followed step by step: most found by `make mutants`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from sapper.analysis import refute as refuting
from sapper.analysis.refute import Event, Refutation, _refuted, _State, refute
from sapper.analysis.steps import _spelled
from sapper.analysis.wording import Namer
from sapper.clues import Clue, Clues
from tests.analysis.test_parts import systems, worlds


def follow(refutation: Refutation, known: dict[str, int], clues: Sequence[Clue]) -> None:
    """Follow a refutation step by step: each clue by itself must force what it says."""
    known = dict(known)
    for event in refutation.events:
        assert event.clue is not None
        assert event.clue in clues
        if event.value is None:
            assert event is refutation.events[-1]
            assert refutation.split is None
            assert event.reach == reach(event.clue, known)
        for cell in event.cells:
            assert event.value is not None
            low, high = reach(event.clue, {**known, str(cell): 1 - event.value})
            assert not low <= event.clue.count <= high, event
        known |= {str(cell): event.value or 0 for cell in event.cells}
    if refutation.split is None:
        last = refutation.events[-1]
        assert last.clue is not None
        assert last.value is None
        assert not last.reach[0] <= last.clue.count <= last.reach[1]
        # Nothing is told that the end does not rest on.
        needed, pending = set(), [last]
        while pending:
            event = pending.pop()
            needed.add(event)
            pending += event.needs
        assert set(refutation.events) <= needed
    for case, value in zip(refutation.cases, (1, 0), strict=False):
        assert str(refutation.split) not in known
        follow(case, {**known, str(refutation.split): value}, clues)
    assert len(refutation.cases) == (0 if refutation.split is None else 2)


def reach(clue: Clue, known: dict[str, int]) -> tuple[int, int]:
    low = high = 0
    for cell, weight in clue.terms:
        values = [known[str(cell)]] if str(cell) in known else [0, 1]
        low += min(weight * value for value in values)
        high += max(weight * value for value in values)
    return low, high


@pytest.mark.parametrize("part", range(6))
@pytest.mark.parametrize("weights", [False, True])
def test_what_is_impossible_is_refuted_and_nothing_else(weights: bool, part: int) -> None:
    for clues in [*systems(2, 150, weights=weights)][part::6]:
        every = worlds(clues)
        for cell, value in [(None, 0), *product(sorted(every[0] if every else "ab"), (0, 1))]:
            if cell is not None and not any(cell in clue.cells for clue in clues):
                continue
            possible = [one for one in every if cell is None or one[cell] == value]
            found = refute(clues, cell, value)
            assert (found is None) == bool(possible), (clues, cell, value)
            if found is not None:
                follow(found, {} if cell is None else {cell: value}, clues)


def two_cases() -> list[Clue]:
    """Return clues under which `a` is free, by two cases: seven events."""
    return [Clue(2, "cbf"), Clue(2, "gfe"), Clue(2, "egfca")]


def test_how_long_a_refutation_may_be() -> None:
    found = refute(two_cases(), "a", 1)
    assert found is not None
    assert len(found) == 7 == len(found.events) + sum(1 + len(case) for case in found.cases)

    def within(allowed: int, looks: int) -> Refutation | None:
        state = _State(two_cases(), looks=[looks])
        state.put(Event(None, ("a",), 1))
        return _refuted(state, allowed)

    assert within(7, 10**6) is not None
    assert within(6, 10**6) is None
    # Three clues are looked at once before anything else: with three looks that is the end.
    assert within(60, 3) is None
    assert within(60, 4) is not None


def test_hopeless_refutations_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parity argument: ten cells in pairs, the sum of each pair odd, and the sum of all even."""
    cells = [(i, j) for i in range(6) for j in range(6) if i < j]
    clues = [Clue(2, [cell for cell in cells if i in cell]) for i in range(6)]
    clues.append(Clue(7, cells))
    monkeypatch.setattr(refuting, "MAX_EVENTS", 20)
    assert refute(clues, None, 0) is None


NESTED = [Clue(2, "acdefgz"), Clue(3, "bcdeg"), Clue(2, "bceg")]


def depth(refutation: Refutation) -> int:
    return 1 + max(map(depth, refutation.cases), default=-1)


def test_cases_within_cases() -> None:
    """As many steps as it takes are enough; one less is not."""
    found = refute(NESTED, "z", 1)
    assert found is not None
    assert not any(world["z"] for world in worlds(NESTED))
    assert depth(found) == 2
    follow(found, {"z": 1}, NESTED)
    for allowed in (len(found), len(found) - 1):
        state = _State(NESTED)
        for cell in "123456z":  # what was known before takes no step
            state.put(Event(None, (cell,), 1))
        again = _refuted(state, allowed)
        assert (again is not None) == (allowed == len(found))


def test_words_for_cases_within_cases() -> None:
    puzzle = Clues([Clue(1, "abcdefgh")])
    names = Namer(puzzle, puzzle.clues, None, puzzle.index.__getitem__)
    end = Refutation((Event(puzzle.clues[0], (), None, (Event(None, ("a",), 1),), (2, 3)),))
    inner = Refutation((), "b", (end, end))
    steps = _spelled(Refutation((), "a", (inner, end)), names, 0, assumed=False)
    assert [(step.depth, step.assumed, step.text.partition(":")[0]) for step in steps] == [
        (1, True, "Case"),
        (2, True, "Case"),
        (2, True, "Then clue 1 would have 2 mines instead of 1"),
        (2, True, "Case"),
        (2, True, "Then clue 1 would have 2 mines instead of 1"),
        (1, True, "b can be neither"),
        (1, True, "Case"),
        (1, True, "Then clue 1 would have 2 mines instead of 1"),
        (0, False, "a can be neither"),
    ]
