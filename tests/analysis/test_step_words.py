"""The words for the steps of an explanation: most found by `make mutants`."""

from __future__ import annotations

import pytest

import sapper
from sapper.analysis.facts import Fact, _combined
from sapper.analysis.steps import _derived
from sapper.analysis.wording import Namer
from sapper.clues import Clue, Clues

LETTERS = "abcdefgh"
EVERY = Clues([Clue(1, LETTERS)])
NAMES = Namer(EVERY, (), None, EVERY.index.__getitem__)

PAIRS = [
    (
        ("abc", 2, 3),
        ("a", 1, 1),
        "rest",
        "One at most can be at a. By step 1 there are at least 2 mines among a, b and c, so at "
        "least 1 mine is among b and c.",
    ),
    (
        ("ab", 2, 2),
        ("bcd", 2, 2),
        "common",
        "By step 1 there are 2 mines among a and b, and only one of them fits elsewhere: at "
        "least 1 mine is at b, so b is a mine.",
    ),
    (
        ("ab", 0, 1),
        ("bc", 2, 2),
        "rest",
        "By step 2 there are 2 mines among b and c, and only one of them fits elsewhere: at "
        "least 1 mine is at b. By step 1 there are no more than that, so a is safe.",
    ),
    (
        ("ab", 1, 1),
        ("bc", 2, 2),
        "rest",
        "By step 1 there is 1 mine among a and b. It is at b (step 2). That leaves none for "
        "a: it is safe.",
    ),
    (
        ("abcde", 3, 3),
        ("ab", 1, 2),
        "rest",
        "At least 1 mine is among a and b (step 2). Two at most can be among a and b. By step"
        " 1 there are 3 mines among a, b, c, d and e, so 1 to 2 mines are among c, d and e.",
    ),
    (
        ("ab", 0, 1),
        ("bc", 2, 2),
        "common",
        "By step 2 there are 2 mines among b and c, and only one of them fits elsewhere: at "
        "least 1 mine is at b, so b is a mine.",
    ),
    (
        ("ab", 0, 0),
        ("abcde", 4, 5),
        "rest",
        "By step 2 there are at least 4 mines among a, b, c, d and e, and only three of them "
        "fit elsewhere: at least 1 mine is among a and b. By step 1 it has no mine there: "
        "impossible.",
    ),
    (
        ("abc", 2, 2),
        ("c", 0, 0),
        "rest",
        "By step 1 there are 2 mines among a, b and c. None of them is at c (step 2). That "
        "leaves two for a and b: both are mines.",
    ),
    (
        ("abcde", 5, 5),
        ("ab", 0, 0),
        "rest",
        "By step 1 there are 5 mines among a, b, c, d and e. At most 0 mines can be among a "
        "and b (step 2). That leaves at least 5 for c, d and e: impossible.",
    ),
    (
        ("abc", 0, 1),
        ("bcd", 0, 1),
        "common",
        "At most 1 mine can be among b and c (step 1).",
    ),
    (
        ("bcde", 0, 1),
        ("abc", 0, 0),
        "rest",
        "By step 1 there is at most 1 mine among b, c, d and e, so at most 1 mine is among d "
        "and e.",
    ),
    (
        ("abc", 2, 2),
        ("bcd", 3, 3),
        "rest",
        "By step 1 there are 2 mines among a, b and c. Both are among b and c (step 2). That "
        "leaves none for a: it is safe.",
    ),
    (
        ("cdefgh", 6, 6),
        ("abcdef", 0, 4),
        "rest",
        "Four at most can be among c, d, e and f. By step 1 there are 6 mines among c, d, e, "
        "f, g and h, so g and h are both mines.",
    ),
    (
        ("abcdef", 5, 5),
        ("bcd", 3, 3),
        "rest",
        "By step 1 there are 5 mines among a, b, c, d, e and f. Three of them are among b, c "
        "and d (step 2). That leaves two for a, e and f.",
    ),
    (
        ("abcdef", 6, 6),
        ("ab", 2, 2),
        "rest",
        "By step 1 there are 6 mines among a, b, c, d, e and f. Two of them are among a and b"
        " (step 2). That leaves four for c, d, e and f: all are mines.",
    ),
    (
        ("abcdef", 3, 3),
        ("abc", 3, 3),
        "rest",
        "By step 1 there are 3 mines among a, b, c, d, e and f. All are among a, b and c "
        "(step 2). That leaves none for d, e and f: all are safe.",
    ),
]


@pytest.mark.parametrize(("one", "two", "part", "text"), PAIRS)
def test_words_for_two_facts(
    one: tuple[str, int, int], two: tuple[str, int, int], part: str, text: str
) -> None:
    first, second = Fact(frozenset(one[0]), *one[1:]), Fact(frozenset(two[0]), *two[1:])
    made = [f for f in _combined(first, second) if f.part == part and f.first is first]
    step = _derived(made[0], NAMES, {id(first): 1, id(second): 2})
    assert step.text == str(step) == text
    assert step.clues == ()


def test_words_for_two_clues() -> None:
    one, two = Clue(2, "abc"), Clue(1, "bcd")
    puzzle = Clues([one, two])
    names = Namer(puzzle, puzzle.clues, None, puzzle.index.__getitem__)
    facts = [Fact(frozenset(clue.cells), clue.count, clue.count, clue=clue) for clue in (one, two)]
    texts = [_derived(fact, names, {}) for fact in _combined(*facts)]
    assert [step.text for step in texts] == [
        "At most 1 mine can be among b and c (clue 2). Clue 1 needs 2 mines, so a is a mine.",
        "Clue 1 needs 2 mines, and only one of them fits elsewhere: at least 1 mine is among b and"
        " c. Clue 2 has no more than that, so d is safe.",
        "Clue 1 needs 2 mines, and only one of them fits elsewhere: at least 1 mine is among b and"
        " c. At most 1 mine can be among b and c (clue 2).",
    ]
    assert [step.clues for step in texts] == [(one, two), (two, one), (one, two)]
    assert [(step.cells, step.least, step.most) for step in texts] == [
        (("a",), 1, 1),
        (("d",), 0, 0),
        (("b", "c"), 1, 1),
    ]
    # A clue that decides its cells was a step of its own.
    three = Clue(0, "b")
    sure = Fact(frozenset("b"), 0, 0, clue=three)
    step = _derived(next(_combined(facts[0], sure)), names, {id(sure): 4})
    assert step.text.startswith("Clue 1 needs 2 mines. None of them is at b (step 4).")


def test_words_for_cases() -> None:
    clues = [Clue(2, "abde"), Clue(2, "bcde"), Clue(2, "ace")]
    steps = sapper.explain(Clues(clues), "e").steps
    told = [(step.depth, step.assumed, step.text) for step in steps]
    assert told == [
        (0, True, "Suppose e were a mine."),
        (1, True, "Case: a is a mine."),
        (1, True, "Then clue 1 has all its mines: b and d are free."),
        (1, True, "Then clue 2 needs every cell it has left: c is a mine."),
        (1, True, "Then clue 3 would have 3 mines instead of 2: impossible."),
        (1, True, "Case: a is free."),
        (1, True, "Then clue 3 needs every cell it has left: c is a mine."),
        (1, True, "Then clue 2 has all its mines: b and d are free."),
        (1, True, "Then clue 1 would have only 1 mine instead of 2: impossible."),
        (0, True, "a can be neither: impossible."),
        (0, False, "So the assumption is wrong: e is safe."),
    ]
    assert [step.cells for step in steps][:3] == [("e",), ("a",), ("b", "d")]
    assert [(step.least, step.most) for step in steps][2:4] == [(0, 0), (1, 1)]
    assert steps[2].clues == (clues[0],)


@pytest.mark.parametrize(
    ("clue", "text"),
    [
        (Clue(1, "a"), "Clue 1 needs 1 mine, and a is the only covered cell for it: a mine."),
        (
            Clue(2, "ab"),
            "Clue 1 needs 2 mines, and only 2 cells are covered for them, a and b: both are mines.",
        ),
        (
            Clue(3, "abc"),
            "Clue 1 needs 3 mines, and only 3 cells are covered for them, a, b and c: all are"
            " mines.",
        ),
        (Clue(0, "a"), "Clue 1 has all its mines, so a is safe."),
    ],
)
def test_words_for_one_clue(clue: Clue, text: str) -> None:
    found = sapper.explain(Clues([clue]), "a")
    assert [step.text for step in found.steps] == [text]
    assert found.is_smallest
