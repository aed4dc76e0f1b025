"""What only a changed character would break: found by `make mutants`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import sapper
from sapper.clues import Clue, Clues, checked_costs, total_cost
from sapper.errors import PositionError, UnknownCellError


def test_simplified_field_by_field() -> None:
    system = Clues(
        [
            Clue(0, "ab", cell="P"),
            Clue(2, "abcd", cell="Q"),
            Clue(2, "cefg", weights=[1, 1, 1, 2], cell="R"),
            Clue(1, "efg", weights=[1, 1, 2], cell="S"),
        ],
        cells="abcdefgh",
        mines=4,
        known_mines=1,
    )
    simplified = system.simplify()
    assert simplified.consistent is True
    assert simplified.mines == set("cd")
    assert simplified.safe == set("abg")
    # g would be two mines where one is missing; e and f remain.
    assert simplified.clues == Clues([Clue(1, "ef", cell="R")], "efh", 4, known_mines=3)
    assert simplified.sources == (2,)
    assert simplified.restore("e") == set("cde")


def test_weights_stay_where_they_matter() -> None:
    simplified = Clues([Clue(3, "abc", weights=[1, 2, 3], cell="P")]).simplify()
    (clue,) = simplified.clues.clues
    assert (clue.weights, clue.cell, simplified.safe) == ((1, 2, 3), "P", frozenset())


def test_with_mines_keeps_the_known_ones() -> None:
    changed = Clues([Clue(1, "ab")], mines=2, known_mines=1).with_mines(5)
    assert (changed.mines, changed.known_mines, changed.free_mines) == (5, 1, 4)


@pytest.mark.parametrize("weights", [None, [1, 1, 1]])
@pytest.mark.parametrize("mines", range(6))
def test_every_total_of_a_small_system(mines: int, weights: list[int] | None) -> None:
    """Also none at all, every cell, and one more than there are."""
    system = Clues([Clue(1, "ab"), Clue(1, "bcd", weights=weights)], mines=mines)
    expected = sum(
        system.is_solution({cell for place, cell in enumerate("abcd") if bits >> place & 1})
        for bits in range(16)
    )
    assert sapper.count(system, method="engine") == expected
    ours, plain = (sapper.analyze(system, method=name) for name in ("engine", "brute"))
    assert ours.consistent == plain.consistent == (expected > 0)
    assert ours.verdicts == plain.verdicts
    if expected:
        assert ours.exact_probabilities == plain.exact_probabilities
        assert set(sapper.solutions(system, method="engine")) == set(
            sapper.solutions(system, method="brute")
        )
    empty = Clues([], "abc", mines=mines)
    assert sapper.count(empty, method="engine") == [1, 3, 3, 1, 0, 0][mines]
    assert sapper.analyze(empty, method="engine").verdicts == (
        {} if mines > 3 else dict.fromkeys("abc", {0: "safe", 3: "mine"}.get(mines, "unknown"))
    )


def test_components_go_by_every_cell() -> None:
    system = Clues([Clue(1, "ab"), Clue(1, "c"), Clue(1, "bc"), Clue(1, "d"), Clue(0, "")])
    parts = [(len(part.clues), part.cells) for part in system.components()]
    assert parts == [(3, ("a", "b", "c")), (1, ("d",)), (1, ())]


def test_the_cell_that_is_named_twice_is_said() -> None:
    with pytest.raises(PositionError, match="names the cell 'b' twice"):
        Clue(1, "abcb")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Clue(1, 5), "a clue is over cells, not 5"),  # type: ignore[arg-type]
        (lambda: Clue(1, "a", weights=5), "one for each cell, not 5"),  # type: ignore[arg-type]
        (lambda: Clue(1, "a").is_satisfied_by(5), "mines are cells, not 5"),  # type: ignore[arg-type]
        (lambda: Clues(5), "a system is made of clues, not 5"),  # type: ignore[arg-type]
        (lambda: Clues([], 5), "cells are given one by one, not 5"),  # type: ignore[arg-type]
        (lambda: Clues([]).is_solution(5), "mines are cells, not 5"),  # type: ignore[arg-type]
        (lambda: Clues.from_position(5), "expected a Position, not int"),  # type: ignore[arg-type]
        (lambda: checked_costs(5, ()), "as a mapping from cells, not as 5"),  # type: ignore[arg-type]
    ],
)
def test_wrong_kinds_are_refused_at_the_door(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_a_cell_without_a_cost_is_named() -> None:
    with pytest.raises(UnknownCellError, match="'b'"):
        total_cost({"a": 1}, ["a", "b"])


@pytest.mark.parametrize(("numbers", "looks"), [(0, 3), (1, 4), (512, 4), (513, 5), (1025, 6)])
def test_making_clues_looks_up_now_and_then(numbers: int, looks: int) -> None:
    position = sapper.Position(sapper.Grid(1, 2 * numbers + 1), ["?" + "1?" * numbers])
    calls: list[None] = []
    Clues.from_position(position, lambda: calls.append(None))
    assert len(calls) == looks


def test_values_are_frozen() -> None:
    system = Clues([Clue(1, "ab")])
    for value, name in (
        (system, "mines"),
        (system.clues[0], "count"),
        (system.simplify(), "mines"),
    ):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 0)
    assert not hasattr(system.clues[0], "__dict__")
