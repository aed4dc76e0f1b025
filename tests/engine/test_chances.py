"""Chances by cell: the dictionary that the core makes."""

from __future__ import annotations

import pickle

import pytest

import sapper
from sapper._native import NO_LIMITS, Keys
from sapper.engine import EngineMethod
from sapper.field import Grid, Position


def test_chances_are_an_ordinary_dictionary_of_ordinary_cells() -> None:
    """The core knows the hashes of the cells and puts them in by those."""
    position = Position(Grid(20, 21), {(3, 3): 1, (3, 5): 2, (10, 10): 0})
    found = sapper.analyze(position).probabilities
    assert type(found) is dict
    assert list(found) == list(position.covered)
    # Cells that are made anew are found, and those that are not there are not.
    fresh = [(row, column) for row in range(20) for column in range(21)]
    assert [found[cell] for cell in fresh if position[cell] == "?"] == list(found.values())
    assert (3, 3) not in found
    assert (20, 0) not in found
    assert found == dict(list(found.items())) == pickle.loads(pickle.dumps(found))
    # It can be changed, also beyond the room it was made with, and is no other analysis's.
    again = sapper.analyze(position).probabilities
    del found[0, 0]
    found |= {(row, -1): 0.25 for row in range(1000)}
    assert found.pop((999, -1)) == 0.25
    assert again[0, 0] == 0.5
    assert len(again) == len(position.covered)


def test_chances_with_the_cells_of_a_smaller_field_are_refused() -> None:
    board = EngineMethod().board(Position(Grid(3, 3), {(0, 0): 1}), NO_LIMITS)
    for cells in (Grid(2, 4).cells, Grid(1, 1).cells):
        with pytest.raises(ValueError, match="another system"):
            board.compiled.chances_by_cell(board.system, Keys(tuple(cells)), NO_LIMITS)
    with pytest.raises(TypeError, match="unhashable"):
        Keys(([],))
