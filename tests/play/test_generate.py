"""Boards made to order: exactly those that certainty finishes, each equally likely."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from time import process_time

import networkx
import numpy as np
import pytest

from sapper import Grid, Hex, Limits, Torus, lab, play
from sapper._native import NO_LIMITS, certainty_finishes
from sapper.errors import GameError, LimitExceeded
from sapper.field import Cell, Topology
from sapper.game import kept_free


class Worlds:
    """All worlds that a player thinks possible, and what each cell shows in each: -1 is a mine."""

    def __init__(self, topology: Topology, worlds: Iterable[Iterable[Cell]]) -> None:
        self.mines = [frozenset(world) for world in worlds]
        around = np.array([[b in topology.neighbours(a) for a in topology] for b in topology])
        mined = np.array([[cell in world for cell in topology] for world in self.mines])
        self.shown = np.where(mined, -1, mined.astype(int) @ around)

    def finishes(self, world: int, start: int) -> bool:
        """Tell whether certainty finishes a world."""
        truth = self.shown[world]
        alike, dug = self.shown, truth < -1
        news = (np.arange(len(truth)) == start) & (truth >= 0)
        while news.any():
            dug |= news
            alike = alike[(alike[:, news] == truth[news]).all(axis=1)]
            news = (alike >= 0).all(axis=0) & ~dug
        return bool((dug == (truth >= 0)).all())


def natively(layout: play.Layout, start: Cell, *, total: bool, twins: bool) -> bool:
    topology = layout.topology
    place = topology.index(start)
    return certainty_finishes(topology.adjacency, layout.mined, place, total, twins, NO_LIMITS)


@pytest.mark.parametrize("topology", [Grid(3, 4), Torus(3, 4), Hex(3, 4)], ids=str)
@pytest.mark.parametrize("mines", [2, 3, 8])
def test_certainty_against_all_worlds(topology: Topology, mines: int) -> None:
    start = topology.cells[1]
    cells = topology.cells
    counted = Worlds(topology, combinations(cells, mines))
    every = Worlds(topology, (world for n in range(13) for world in combinations(cells, n)))
    place = {world: number for number, world in enumerate(every.mines)}
    for number, world in enumerate(counted.mines):
        layout = play.Layout(topology, world)
        for total, known in (
            (True, counted.finishes(number, 1)),
            (False, every.finishes(place[world], 1)),
        ):
            assert natively(layout, start, total=total, twins=False) == known
            assert natively(layout, start, total=total, twins=True) == known


@pytest.mark.parametrize("total", [False, True])
def test_large_boards_against_the_player_of_the_laboratory(total: bool) -> None:
    # Regions do not hold such frontiers: the engine is asked.
    for seed in range(40):
        board = play.Board(Torus(14, 14), 30 + seed % 4 * 6)
        layout = play.random_layout(board, start=(5, 5), rule="zero", seed=seed)
        played = lab.play_by_inference(
            board.topology, mines=layout.mines, start=(5, 5), use_total=total
        )
        for twins in (False, True):
            assert natively(layout, (5, 5), total=total, twins=twins) == played.finished


def test_every_board_that_qualifies_is_equally_likely() -> None:
    grid, start = Grid(4, 4), (0, 0)
    free = set(kept_free(grid, start, "zero"))
    others = [cell for place, cell in enumerate(grid.cells) if place not in free]
    # The player does not know the rule, only the number.
    possible = Worlds(grid, combinations(grid.cells, 4))
    wanted = {
        world
        for number, world in enumerate(possible.mines)
        if world <= set(others) and possible.finishes(number, 0)
    }
    assert 100 < len(wanted) < math.comb(12, 4)
    number = 40 * len(wanted)
    made = play.generate_many(play.Board(grid, 4), number, start=start, rule="zero", seed=1)
    seen = Counter(frozenset(layout.mines) for layout in made)
    assert set(seen) == wanted
    square = sum((seen[world] - 40) ** 2 / 40 for world in wanted)
    freedom = len(wanted) - 1
    # Five standard deviations, in the normal approximation of chi-square.
    assert abs(square - freedom) < 5 * math.sqrt(2 * freedom)


def test_expert_boards_need_no_guess_and_are_repeated_by_their_seed() -> None:
    made = list(play.generate_many("expert", 30, start=(3, 3), seed=5, workers=2))
    assert made == list(play.generate_many("expert", 30, start=(3, 3), seed=5))
    assert len(set(made)) == 30
    for layout in made:
        assert len(layout.mines) == 99
        assert layout.numbers[3, 3] == 0
        assert layout.method == "uniform"
        assert play.generate("expert", start=(3, 3), seed=layout.seed) == layout
    first = made[0]
    run = lab.play_by_inference(Grid(16, 30), mines=first.mines, start=(3, 3), use_total=True)
    assert run.finished
    again = pickle.loads(pickle.dumps(first))
    assert (again, again.seed, again.tries) == (first, first.seed, first.tries)


def test_without_the_wish_it_is_a_random_layout() -> None:
    made = play.generate("expert", start=(0, 0), rule="safe", no_guess=False, seed=3)
    assert made == play.random_layout("expert", start=(0, 0), rule="safe", seed=3)


def test_the_number_of_mines_can_be_left_out() -> None:
    made = list(play.generate_many("intermediate", 200, seed=2))
    strict = play.generate_many("intermediate", 200, seed=2, use_total=False)
    alone = [natively(layout, layout.start, total=False, twins=False) for layout in made]
    assert 0 < alone.count(False) < 100
    assert all(natively(layout, layout.start, total=False, twins=False) for layout in strict)


@pytest.mark.parametrize("rule", ["any", "safe", "zero"])
def test_tiny_fields(rule: play.StartRule) -> None:
    assert play.generate(play.Board(Grid(1, 1), 0), rule=rule, seed=1).mines == frozenset()
    assert play.generate(play.Board(Grid(2, 2), 0), rule=rule, seed=1).mines == frozenset()


def test_where_there_are_few_layouts_few_are_drawn() -> None:
    # The start between two cells of which one is a mine: two layouts, and none will do.
    with pytest.raises(play.UnmetWish, match=r"layouts drawn: 100$"):
        play.generate(play.Board(Grid(1, 3), 1), start=(0, 1), rule="safe", seed=1)
    # One of the 3,060 layouts qualifies if any does: whatever the seed, it is found.
    board = play.Board(Grid(3, 6), 4)
    layouts = [
        play.Layout(board.topology, mines) for mines in combinations(board.topology.cells, 4)
    ]
    rare = Counter(
        found.level
        for layout in layouts
        if (0, 0) not in layout.mines and not (found := play.grade(layout, (0, 0))).guesses
    )
    assert len(rare) > 2
    for level in rare:
        made = play.generate(board, start=(0, 0), rule="safe", grade=level, seed=3)
        assert play.grade(made).level == level


def test_the_first_dig_of_a_huge_board_is_chosen_at_once() -> None:
    begin = process_time()
    assert play.first_dig(play.Board(Grid(5000, 5000), 9), "zero") == (3, 3)
    assert process_time() - begin < 1
    for field in (Grid(4, 5), Torus(4, 5), Hex(3, 3)):
        least = min(field.cells, key=lambda cell: len(field.neighbours(cell)))
        assert play.first_dig(play.Board(field, 2), "safe") == least


def test_what_cannot_be_is_refused_with_what_was_tried() -> None:
    hopeless = play.Board(Grid(16, 30), 200)
    with pytest.raises(play.UnmetWish, match=r"layouts drawn: .*[0-9,]+; limit") as unmet:
        play.generate(hopeless, rule="safe", seed=1, limits=Limits(seconds=0.2))
    assert isinstance(unmet.value, LimitExceeded)
    with pytest.raises(play.UnmetWish, match=r"drawn: 20,000; layouts on a walk: 20,000$"):
        play.generate(play.Board(Grid(9, 9), 1), start=(0, 0), grade="fiendish", rule="safe")
    assert str(pickle.loads(pickle.dumps(unmet.value))) == str(unmet.value)
    with pytest.raises(GameError, match="a method is auto, uniform, walk"):
        play.generate("beginner", method="repair")
    with pytest.raises(GameError, match="a grade is trivial"):
        play.generate("beginner", grade="brutal")  # type: ignore[arg-type]
    with pytest.raises(GameError, match="leaves room for"):
        play.generate(play.Board(Grid(3, 3), 3), start=(1, 1), rule="zero")
    with pytest.raises(GameError, match="without cells"):
        play.generate(play.Board(networkx.Graph(), 0))


def test_dense_boards_by_a_walk() -> None:
    board = play.Board(Grid(16, 30), 150)
    made = play.generate(board, start=(3, 3), method="walk", seed=1)
    assert (made.method, len(made.mines), made.numbers[3, 3]) == ("walk", 150, 0)
    assert natively(made, (3, 3), total=True, twins=False)
    assert made == play.generate(board, start=(3, 3), method="walk", seed=1)
    alone = play.generate(board, start=(3, 3), method="walk", seed=1, use_total=False)
    assert natively(alone, (3, 3), total=False, twins=False)


def test_hopeless_to_draw_is_walked_to_and_says_so() -> None:
    # Of all layouts of this board next to none can be finished.
    made = play.generate(play.Board(Grid(16, 30), 190), start=(3, 3), seed=2)
    assert made.method == "walk"
    assert natively(made, (3, 3), total=True, twins=False)


def test_a_walk_reaches_every_board_that_qualifies() -> None:
    grid = Grid(3, 4)
    possible = Worlds(grid, combinations(grid.cells, 2))
    wanted = {
        world
        for number, world in enumerate(possible.mines)
        if (0, 0) not in world and possible.finishes(number, 0)
    }
    board = play.Board(grid, 2)
    made = play.generate_many(
        board, 40 * len(wanted), start=(0, 0), rule="safe", method="walk", seed=1
    )
    seen = Counter(frozenset(layout.mines) for layout in made)
    assert set(seen) == wanted
    # Twenty moves for each mine are enough to forget the beginning on so small a board.
    assert max(seen.values()) < 2 * min(seen.values()) + 20


@pytest.mark.parametrize("level", play.LEVELS)
def test_boards_of_a_level(level: play.Level) -> None:
    board = "expert" if level != "trivial" else "beginner"
    for layout in play.generate_many(board, 3, grade=level, seed=4):
        assert layout.method == "uniform"
        assert play.grade(layout).level == level
        assert play.grade(layout).guesses == 0
