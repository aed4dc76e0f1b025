"""What must not matter to either of Golan's methods."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.clues import Clues, Puzzle
from sapper.methods.tree import Tree
from sapper.methods.treewidth import Treewidth
from sapper.questions import Method
from tests.support.forests import forest_puzzles
from tests.support.transforms import complemented, renamed, shuffled

both = pytest.mark.parametrize("method", [Tree(), Treewidth()], ids=repr)


@both
@given(puzzle=forest_puzzles(), seed=st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_order_and_names_change_nothing(method: Method, puzzle: Puzzle, seed: int) -> None:
    clues = Clues.of(puzzle)
    verdicts = method.findings(clues).verdicts
    assert method.findings(shuffled(clues, seed)).verdicts == verdicts
    assert method.findings(renamed(clues, lambda cell: ("new", cell))).verdicts == {
        ("new", cell): verdict for cell, verdict in verdicts.items()
    }
    assert method.findings(shuffled(clues, seed)).by_mines == method.findings(clues).by_mines


@both
@given(puzzle=forest_puzzles())
@settings(max_examples=50, deadline=None)
def test_swapping_mines_and_free_cells_mirrors_the_counts(method: Method, puzzle: Puzzle) -> None:
    clues = Clues.of(puzzle)
    mirrored = method.findings(complemented(clues)).by_mines
    offset = len(clues.cells) + clues.known_mines
    assert method.findings(clues).by_mines == {
        offset - mines: count for mines, count in reversed(mirrored.items())
    }
