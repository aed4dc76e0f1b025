"""Laws that the answers of one method obey among themselves, whatever the puzzle."""

from __future__ import annotations

from fractions import Fraction

import sapper
from sapper.clues import Clues, Puzzle
from sapper.questions import Method


def assert_laws(method: Method, puzzle: Puzzle) -> None:
    """Check the answers of a method against each other; it must answer all but estimates."""
    clues = Clues.of(puzzle)
    count = method.findings(puzzle).count
    by_mines = method.findings(puzzle).by_mines
    chances = sapper.analyze(puzzle, method=method).exact_probabilities
    verdicts = method.findings(puzzle).verdicts

    without_total = puzzle.with_mines(None)
    assert sum(by_mines.values()) == method.findings(without_total).count
    assert list(by_mines) == sorted(by_mines)
    assert all(by_mines.values()), "a number of mines with no assignment is listed"
    for mines, expected in by_mines.items():
        assert method.findings(puzzle.with_mines(mines)).count == expected

    assert method.findings(puzzle).consistent is (count > 0)
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
