"""What only a changed character would break: found by `make mutants`."""

from __future__ import annotations

import pytest

import sapper
from sapper.analysis import Session, get, named
from sapper.analysis.steps import _digits, _exhausted
from sapper.analysis.verify import VerificationError, check_core
from sapper.analysis.wording import Namer, some
from sapper.clues import Clue, Clues
from sapper.engine import EngineMethod
from sapper.errors import PositionError
from sapper.field import Cell, Grid, Position

WEIGHED = Clues([Clue(4, ["a", "b"], [2, 4])])
WORDS: dict[str, tuple[Position | Clues, Cell, str, list[str]]] = {
    "too few cells": (
        sapper.parse("_2?"),
        (0, 2),
        "There is no legal assignment: the mark at (0, 0) contradicts the numbers.",
        ["The 2 at (0, 1) needs 2 mines and touches only 1 covered cell."],
    ),
    "too many mines": (
        sapper.parse("1*\n*?"),
        (1, 1),
        "There is no legal assignment: the number at (0, 0) cannot be met.",
        ["The 1 at (0, 0) touches 1 known mine too many."],
    ),
    "a number and the total": (
        sapper.parse("1?1", mines=0),
        (0, 1),
        "There is no legal assignment: the number at (0, 2) and the mine total contradict each"
        " other.",
        [
            "The 1 at (0, 2) needs every cell it has left: (0, 1) is a mine.",
            "Then the mine total would have 1 mine instead of 0: impossible.",
        ],
    ),
    "a sum that cannot be": (
        Clues([Clue(7, ["a", "b"], [2, 4])]),
        "a",
        "There is no legal assignment: 1 clue cannot be met.",
        ["Clue 1 cannot reach 7: impossible."],
    ),
    "weights": (
        WEIGHED,
        "a",
        "a is safe: 1 clue forces it.",
        [
            "Suppose a were a mine.",
            "Then clue 1 can only reach its sum if b is free.",
            "Then clue 1 cannot reach 4: impossible.",
            "So the assumption is wrong: a is safe.",
        ],
    ),
    "the heavy one": (
        WEIGHED,
        "b",
        "b is a mine: 1 clue forces it.",
        [
            "Suppose b were free.",
            "Then clue 1 cannot reach 4: impossible.",
            "So the assumption is wrong: b is a mine.",
        ],
    ),
    "two worlds": (
        sapper.parse("?1?\n1?1\n?1?"),
        (1, 1),
        "(1, 1) cannot be decided. It is a mine with probability 1/3 (33.33 %).",
        [
            "(1, 1) can be a mine, with none at (0, 2) and (2, 0).",
            "(1, 1) can be free, with mines at (0, 2) and (2, 0).",
            "Every clue is met either way, so nothing that is visible decides it.",
        ],
    ),
    "what two sets share": (
        sapper.parse("?1?\n??1\n?10"),
        (2, 0),
        "(2, 0) is a mine: 4 clues force it.",
        [
            "The 1 at (2, 1) needs 1 mine among (1, 0), (1, 1) and (2, 0).",
            "The 0 at (2, 2) has all its mines, so (1, 1) is safe.",
            "The 1 at (2, 1) needs 1 mine. It is not at (1, 1) (step 2). That leaves one for"
            " (1, 0) and (2, 0).",
            "The 1 at (0, 1) needs 1 mine among (0, 0), (0, 2), (1, 0) and (1, 1).",
            "The 1 at (1, 2) needs 1 mine among (0, 2) and (1, 1).",
            "The 1 at (0, 1) needs 1 mine. It is among (0, 2) and (1, 1) (the 1 at (1, 2))."
            " That leaves none for (0, 0) and (1, 0): both are safe.",
            "At most 0 mines can be at (1, 0) (step 6), so (1, 0) is safe.",
            "By step 3 there is 1 mine among (1, 0) and (2, 0). It is not at (1, 0) (step 7)."
            " That leaves one for (2, 0): it is a mine.",
        ],
    ),
    "all mines are known": (
        sapper.parse("*1?\n??0"),
        (0, 2),
        "(0, 2) is safe: 1 clue forces it.",
        ["The 1 at (0, 1) has all its mines, so (0, 2), (1, 0) and (1, 1) are safe."],
    ),
}


@pytest.mark.parametrize("name", WORDS)
def test_words(name: str) -> None:
    puzzle, cell, summary, steps = WORDS[name]
    found = sapper.explain(puzzle, cell)
    assert found.summary == summary
    assert [step.text for step in found.steps] == steps


def test_the_smallest_is_called_so() -> None:
    position = sapper.parse("???\n111")
    one = sapper.explain(position, (0, 2), smallest=True)
    assert (one.is_smallest, one.size) == (True, 2)
    assert one.summary.endswith("; no fewer do.")
    assert sapper.explain(sapper.parse("1?1", mines=0), (0, 1)).is_smallest is False


def test_a_contradiction_without_the_total_does_not_name_it() -> None:
    assert sapper.explain(sapper.parse("1*\n*?", mines=3), (1, 1)).total is None
    total = sapper.explain(sapper.parse("1?1", mines=0), (0, 1)).total
    assert total is not None
    assert total.count == 0


def test_two_worlds_differ_in_as_few_cells_as_can_be() -> None:
    position = sapper.parse("1??1\n????\n1??1")
    solutions = [frozenset(found) for found in sapper.solutions(position, method="brute")]
    for cell in [(0, 1), (1, 0), (1, 1)]:
        found = sapper.explain(position, cell)
        one, two = map(frozenset, found.solutions)
        without = next(s for s in (one, two) if cell not in s)
        least = min(len(s ^ without) for s in solutions if cell in s)
        assert len(one ^ two) == least


def test_a_world_with_fewer_mines_is_not_more_alike() -> None:
    """Where a is free, `b` alone would do; keeping `d` and `e` and adding `f` changes less."""
    clues = [Clue(1, "ac"), Clue(1, "cbf"), Clue(1, "db"), Clue(1, "be")]
    one, two = sapper.explain(Clues(clues), "a").solutions
    assert (one, two) == (frozenset("adef"), frozenset("cde"))


def test_too_many_cases_are_not_listed() -> None:
    clue = Clue(1, "ab")
    puzzle = Clues([clue])
    names = Namer(puzzle, puzzle.clues, None, puzzle.index.__getitem__)
    for cell, mine, last in (
        (None, False, "No way of placing mines meets all of these"),
        ("a", True, "In every way of meeting all of these a is a mine; the cases"),
    ):
        steps = _exhausted([clue], cell, mine, names)
        assert len(steps) == 2
        assert last in steps[1].text
        assert steps[1].clues == (clue,)


def test_options_in_a_name() -> None:
    for word, value in (("true", True), ("false", False)):
        method = named(f"engine:grouping={word}")
        assert isinstance(method, EngineMethod)
        assert method.settings["grouping"] is value
    method = named("engine:most_expected=1e6")
    assert isinstance(method, EngineMethod)
    assert method.settings["most_expected"] == 1_000_000


def test_a_session_takes_a_number_as_large_as_the_neighbours() -> None:
    session = Session(Position(Grid(1, 3), ["???"]))
    session.update({(0, 1): 2})
    assert set(session.analyze().mines) == {(0, 0), (0, 2)}
    with pytest.raises(PositionError, match=r"\(0, 0\) cannot show 2: it has 1 neighbours"):
        Session(Position(Grid(1, 3), ["???"])).update({(0, 0): 2})


def test_only_marks_near_the_contradiction_are_called_wrong() -> None:
    """The mark at the other end is wrong too, but that is another contradiction."""
    assert sapper.explain(sapper.parse("_2?___?2_"), (0, 2)).wrong == ((0, 0),)


def test_a_core_that_decides_nothing_is_refused() -> None:
    """The witness is right, so that nothing but the core itself is wrong."""
    with pytest.raises(VerificationError, match="do not decide 'a'"):
        check_core([Clue(1, "ab")], "a", True, [{"a"}])


def test_lists_and_numbers_in_words() -> None:
    assert [some("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    listed, _, more = some("abcdefghijklmnopqrstuvwxyz").rpartition(" and ")
    assert f"{26 - len(listed.split(', '))} more cells" == more
    assert [_digits(n) for n in range(6)] == ["none", "one", "two", "three", "four", "5"]


def test_auto_shows_its_name() -> None:
    assert repr(get("auto")).startswith("Auto(")
