"""k-set search against its definition, word for word."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sapper.clues import Clues, Puzzle, Verdict
from sapper.field import Cell, Grid, Position
from sapper.methods.brute import Brute
from sapper.methods.kset import KSet
from tests.support.exhaustive import all_truthful_positions
from tests.support.strategies import puzzles, truthful_positions

many = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def by_definition(clues: Clues, k: int) -> dict[Cell, Verdict]:
    """Section 4 of Dempsey & Guinn: all combinations with replacement, all signs."""
    found: dict[Cell, Verdict] = dict.fromkeys(clues.cells, "unknown")
    for size in range(1, k + 1):
        for chosen in combinations_with_replacement(clues.clues, size):
            for signs in product((1, -1), repeat=size):
                right = 0
                left: dict[Cell, int] = {}
                for sign, clue in zip(signs, chosen, strict=True):
                    right += sign * clue.count
                    for cell, weight in clue.terms:
                        left[cell] = left.get(cell, 0) + sign * weight
                least = sum(min(0, factor) for factor in left.values())
                most = sum(max(0, factor) for factor in left.values())
                for cell, factor in left.items():
                    if factor and right == least:
                        found[cell] = "safe" if factor > 0 else "mine"
                    elif factor and right == most:
                        found[cell] = "mine" if factor > 0 else "safe"
    return found


def single_point(position: Position) -> dict[Cell, Verdict]:
    """The naive single-point rule, on labels."""
    found: dict[Cell, Verdict] = dict.fromkeys(position.covered, "unknown")
    for place, number in position.numbers.items():
        around = position.topology.neighbours(place)
        covered = [cell for cell in around if position[cell] == "?"]
        effective = number - sum(position[cell] == "*" for cell in around)
        if effective == 0:
            found.update(dict.fromkeys(covered, "safe"))
        elif effective == len(covered):
            found.update(dict.fromkeys(covered, "mine"))
    return found


@given(puzzle=puzzles(), k=st.integers(1, 3))
@many
def test_nothing_is_lost_by_looking_only_at_clues_that_touch(puzzle: Puzzle, k: int) -> None:
    clues = Clues.of(puzzle)
    if Brute().findings(clues.with_mines(None)).consistent:
        assert KSet(k=k).findings(puzzle).verdicts == by_definition(clues, k)


@given(puzzle=puzzles())
@settings(many, max_examples=40)
def test_nothing_is_lost_at_four(puzzle: Puzzle) -> None:
    clues = Clues.of(puzzle)
    if len(clues.clues) <= 5 and Brute().findings(clues.with_mines(None)).consistent:
        assert KSet(k=4).findings(puzzle).verdicts == by_definition(clues, 4)


@given(puzzle=puzzles(), repeat=st.booleans(), total=st.booleans())
@many
def test_sound_and_nested_in_k(puzzle: Puzzle, repeat: bool, total: bool) -> None:
    truth = Brute().findings(puzzle).verdicts
    if not truth:
        return
    before: dict[Cell, Verdict] = dict.fromkeys(truth, "unknown")
    for k in range(1, 5):
        found = KSet(k=k, repeat=repeat, total=total).findings(puzzle).verdicts
        for cell, verdict in found.items():
            assert verdict in ("unknown", truth[cell])
            assert before[cell] in ("unknown", verdict)
        before = found


@given(position=truthful_positions())
@many
def test_one_is_the_single_point_rule(position: Position) -> None:
    assert KSet(k=1).findings(position).verdicts == single_point(position)


def test_one_is_the_single_point_rule_on_every_small_board() -> None:
    for position in all_truthful_positions(Grid(2, 4)):
        assert KSet(k=1).findings(position).verdicts == single_point(position)


def test_repeating_finds_what_once_does_not() -> None:
    import sapper

    # The 0 frees (0, 1); only then does the 1 know its mine.
    position = sapper.parse("0?1?")
    assert KSet(k=1).findings(position).verdicts[0, 3] == "unknown"
    assert KSet(k=1, repeat=True).findings(position).verdicts[0, 3] == "mine"


def test_repeated_clues_count() -> None:
    """2(a + b) − (a + c) − (b + d) = a + b − c − d: a clue used twice, which takes k = 4."""
    from sapper.clues import Clue

    clues = Clues([Clue(2, "abx"), Clue(1, "acx"), Clue(1, "bdx"), Clue(1, "xy")])
    for k in (3, 4):
        assert KSet(k=k).findings(clues).verdicts == by_definition(clues, k)
