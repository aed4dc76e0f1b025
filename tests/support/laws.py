"""Laws that the answers of one method obey among themselves, whatever the puzzle."""

from __future__ import annotations

from fractions import Fraction

from sapper.clues import Clues, Puzzle
from sapper.questions import Method


def assert_laws(method: Method, puzzle: Puzzle) -> None:
    """Check the answers of a method against each other; it must answer all but estimates."""
    clues = Clues.of(puzzle)
    count = method.count(puzzle)
    by_mines = method.count_by_mines(puzzle)
    chances = method.probabilities(puzzle)
    verdicts = method.verdicts(puzzle)

    without_total = puzzle.with_mines(None)
    assert sum(by_mines.values()) == method.count(without_total)
    assert list(by_mines) == sorted(by_mines)
    assert all(by_mines.values()), "a number of mines with no assignment is listed"
    for mines, expected in by_mines.items():
        assert method.count(puzzle.with_mines(mines)) == expected

    assert method.is_consistent(puzzle) is (count > 0)
    if not count:
        assert chances == verdicts == {}
        return
    assert tuple(chances) == tuple(verdicts) == clues.cells
    for cell, verdict in verdicts.items():
        certain = {Fraction(0): "safe", Fraction(1): "mine"}
        assert verdict == certain.get(chances[cell], "unknown")
    if puzzle.mines is None:
        weighed = sum((mines - clues.known_mines) * number for mines, number in by_mines.items())
        assert sum(chances.values()) == Fraction(weighed, count)
    else:
        assert sum(chances.values()) == clues.free_mines
