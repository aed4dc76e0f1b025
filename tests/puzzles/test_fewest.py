"""As few numbers as tell a layout, against all sets of numbers."""

from __future__ import annotations

from itertools import combinations

import pytest

import sapper
from sapper import Grid, LimitExceeded, Limits, Torus
from sapper.errors import GameError
from sapper.game import Board, Layout, random_layout
from sapper.limits import Budget
from sapper.puzzles import unique_positions
from sapper.puzzles.fewest import fewest_numbers


def tells(layout: Layout, shown: tuple[object, ...]) -> bool:
    return sapper.count(layout.position(shown, total=False), method="brute") == 1


@pytest.mark.parametrize("field", [Grid(3, 3), Torus(3, 3), Grid(2, 5)])
def test_no_fewer_numbers_do(field: sapper.Grid | sapper.Torus) -> None:
    found = set()
    for mines in range(6):
        for seed in range(3):
            layout = random_layout(Board(field, mines=mines), rule="any", seed=seed)
            numbers = tuple(layout.numbers)
            shown = fewest_numbers(layout, Budget())
            assert (shown is None) == (not tells(layout, numbers))
            if shown is None:
                continue
            assert tells(layout, tuple(shown))
            assert not any(tells(layout, few) for few in combinations(numbers, len(shown) - 1))
            found.add(len(shown))
    assert len(found) > 1


def test_positions_with_the_fewest_numbers() -> None:
    board = Board(Grid(4, 4), mines=4)
    made = unique_positions(board, fewest=True, least_core=2, seed=3)
    for one, _ in zip(made, range(3), strict=False):
        shown = list(one.position.numbers)
        assert tells(one.layout, tuple(shown))
        assert len(shown) == len(fewest_numbers(one.layout, Budget()) or ())
        assert one.core >= 2
    # Mines only: there is no number to show.
    with pytest.raises(GameError, match="none was unique"):
        next(unique_positions(Board(Grid(2, 2), mines=4), fewest=True, tries=2, seed=1))
    large, short = Board(Grid(30, 30), mines=180), Limits(seconds=1e-6)
    with pytest.raises(LimitExceeded):
        next(unique_positions(large, fewest=True, seed=1, limits=short))
