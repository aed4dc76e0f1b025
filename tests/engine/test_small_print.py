"""What only a changed character would break: found by `make mutants`."""

from __future__ import annotations

import pickle
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

import sapper
from sapper.analysis import get
from sapper.engine import EngineEstimate, EngineMethod, EngineSolutions, Part
from sapper.engine.crew import Crew
from sapper.engine.estimate import estimate
from sapper.engine.solutions import _seed_bits
from sapper.errors import LimitExceeded, MethodError
from sapper.field import Grid, Position
from sapper.limits import Limits

BOARD = sapper.parse("*1??\n12??\n????\n??1?")
SMALL = Part(cells=4, groups=3, clues=2, width=2, nodes=10.0, joins=False)
WIDE = Part(cells=20, groups=9, clues=6, width=5, nodes=300.0, joins=True)


def view() -> EngineSolutions:
    found = EngineMethod().solutions(BOARD)
    assert isinstance(found, EngineSolutions)
    return found


def test_an_estimate_adds_up_its_parts() -> None:
    nothing = EngineEstimate((), forced=3, free=2)
    assert (nothing.components, nothing.width, nothing.nodes) == (0, 0, 0)
    both = EngineEstimate((SMALL, WIDE), forced=3, free=2)
    assert (both.components, both.width, both.nodes) == (2, 5, 310)
    # 250 bytes a cell; 40 a node, fewer where it is wide; 1.6 a cell of the part under a total.
    assert both.bytes == pytest.approx(250 * 29 + 40 * (10 + 300 / 1.3**3))
    under = EngineEstimate((SMALL, WIDE), forced=3, free=2, total=True)
    met = 1.6 * (10 * 4 + 300 / 1.3**3 * 20)
    assert under.bytes == pytest.approx(both.bytes + met)


def test_what_an_estimate_tells_of_a_board() -> None:
    found = estimate(BOARD, {}, None, None)
    assert (found.total, found.coarse) == (False, False)
    assert found.forced + found.free + sum(part.cells for part in found.parts) == 11
    assert estimate(Position(Grid(2, 2), ["1?", "??"], mines=1), {}, None, None).total
    with pytest.raises(LimitExceeded) as hit:
        estimate(BOARD, {}, Limits(bytes=1), None)
    assert hit.value.limit == "bytes"
    with pytest.raises(LimitExceeded) as hit:
        estimate(large_board(), {}, Limits(seconds=1e-6), None)
    assert hit.value.limit == "seconds"
    assert estimate(large_board(), {}, None, None, patience=1e-6).coarse


def large_board() -> Position:
    rows = ["".join("1" if (x + y) % 5 == 0 else "?" for x in range(60)) for y in range(60)]
    return Position(Grid(60, 60), rows)


def test_a_view_that_was_narrowed_pickles() -> None:
    narrowed = view().including((0, 2))
    copied = pickle.loads(pickle.dumps(narrowed))
    assert repr(copied) == repr(narrowed)
    assert copied.count() == narrowed.count() < view().count()


def test_a_view_counts_mines_on_its_cells_alone() -> None:
    """The known mine of the board is none of them."""
    expected = Counter(len(mines) for mines in get("brute").solutions(BOARD))
    assert view().count_by_mines() == expected
    assert expected.total() == view().count()


@pytest.mark.parametrize(
    ("seed", "bits"),
    [
        (0, 5224996704525874836),
        (7, 2131601075368558396),
        (-1, 10502126616487800487),
        (1 << 70, 6090015471840358358),
    ],
)
def test_seeds_are_a_promise(seed: int, bits: int) -> None:
    assert _seed_bits(seed) == bits


def test_what_a_thread_may_take() -> None:
    board: Any = SimpleNamespace(size_in_bytes=100)
    limits = Limits(seconds=3, nodes=50, bytes=500)
    assert Crew(4, limits)._share(board) == Limits(seconds=3, nodes=50, bytes=200)
    timed = Limits(seconds=3)
    assert Crew(4, timed)._share(board) is timed
    assert Crew(4, None)._share(board) is None


def test_how_much_may_be_expected() -> None:
    assert EngineMethod(most_expected=0).settings["most_expected"] == 0
    with pytest.raises(MethodError, match="most_expected is a number of nodes, not -1"):
        EngineMethod(most_expected=-1)
