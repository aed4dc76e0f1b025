"""What digs are good for, against enumeration."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import pytest

from sapper import play
from sapper.errors import GameError, LimitExceeded, PositionError
from sapper.field import Graph, Grid, Hex, Position, Topology, Torus
from sapper.limits import Limits

FIELDS = [Grid(2, 4), Grid(3, 3), Torus(3, 3), Hex(2, 4)]


def worlds_of(position: Position) -> list[frozenset[Any]]:
    """All layouts that show what is visible."""
    field = position.topology
    cells = [cell for cell, label in position.items() if label == "?"]
    known = {cell for cell, label in position.items() if label == "*"}
    assert position.mines is not None
    found = []
    for chosen in combinations(cells, position.mines - len(known)):
        mines = known | set(chosen)
        numbers = {
            cell: sum(near in mines for near in field.neighbours(cell))
            for cell, label in position.items()
            if isinstance(label, int)
        }
        if all(position.label(cell) == number for cell, number in numbers.items()):
            found.append(frozenset(mines))
    return found


World = frozenset[Any]


def won(field: Any, worlds: frozenset[World], shown: World, cell: Any) -> int:
    """Return how many worlds the best player wins after a dig, by trying everything."""
    cells = list(field)

    @cache
    def best(left: frozenset[World], shown: World) -> int:
        if len(shown) == len(cells) - len(next(iter(left))):
            return len(left)
        return max(after(left, shown, cell) for cell in cells if cell not in shown)

    def after(left: frozenset[World], shown: World, cell: Any) -> int:
        parts: dict[int, set[World]] = {}
        for world in left:
            if cell not in world:
                number = sum(near in world for near in field.neighbours(cell))
                parts.setdefault(number, set()).add(world)
        return sum(best(frozenset(part), shown | {cell}) for part in parts.values())

    return after(worlds, shown, cell)


@pytest.mark.parametrize("seed", range(16))
def test_chances_are_those_of_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    field = rng.choice(FIELDS)
    layout = play.Layout(field, rng.sample(list(field), 2))
    game = play.Game(layout)
    for cell in rng.sample(list(field), rng.randrange(1, 5)):
        if cell not in layout.mines and game.status == "playing":
            game.dig(cell)
    position = game.position
    worlds = worlds_of(position)
    shown = frozenset(cell for cell, label in position.items() if isinstance(label, int))
    covered = [cell for cell, label in position.items() if label == "?"]
    found = {dig.cell: dig for dig in play.compare_digs(position, covered)}
    certain = any(all(cell not in world for world in worlds) for cell in covered)
    for cell in covered:
        free = [world for world in worlds if cell not in world]
        dig = found[cell]
        assert dig.survival == Fraction(len(free), len(worlds))
        for number in range(9):
            shows = [w for w in free if sum(near in w for near in field.neighbours(cell)) == number]
            assert dig.numbers.get(number, 0) == Fraction(len(shows), len(worlds))
        assert 0 <= dig.progress <= dig.survival
        if certain or game.status != "playing":
            assert dig.wins is None
        else:
            expected = won(field, frozenset(worlds), shown, cell)
            assert dig.wins == Fraction(expected, len(worlds))


# The middle is dug. The sides are independent where the total does not couple them, or as soon as
# a dig has told how many mines are on one of them.
@pytest.mark.parametrize(
    ("row", "mines", "product"),
    [("?101?", 2, True), ("?101??", 3, True), ("?101???", 4, True), ("??101??", 4, False)],
)
def test_sides_that_know_nothing_of_each_other(row: str, mines: int, product: bool) -> None:
    position = Position(Grid(2, len(row)), [row, row], mines=mines)
    worlds = worlds_of(position)
    cells: list[Any] = list(position.topology)
    sides = [{cell for cell in cells if (cell[1] < 3) == left} for left in (True, False)]
    ways = [len({world & side for world in worlds}) for side in sides]
    assert min(ways) > 1
    assert (ways[0] * ways[1] == len(worlds)) == product
    shown = frozenset(cell for cell, label in position.items() if isinstance(label, int))
    chances = play.winning_chances(position)
    assert len(chances) == sum(label == "?" for _, label in position.items())
    for cell, chance in chances.items():
        expected = won(position.topology, frozenset(worlds), shown, cell)
        assert chance == Fraction(expected, len(worlds)), cell


def test_the_best_digs_come_first() -> None:
    position = Position(Grid(3, 3), ["1??", "???", "???"], mines=2)
    first, *_ = digs = play.compare_digs(position, number=4)
    assert len(digs) == 4
    assert first.wins == max(play.winning_chances(position).values())
    assert first.wins is not None
    assert first.wins <= first.survival


def test_where_chances_to_win_are_not_known() -> None:
    unknown = Position(Grid(9, 9), ["1" + "?" * 8, *["?" * 9] * 8], mines=10)
    assert play.winning_chances(unknown) == {}
    assert {dig.wins for dig in play.compare_digs(unknown)} == {None}
    assert play.winning_chances(Position(Grid(1, 3), ["?1?"])) == {}
    with pytest.raises(GameError, match="certainly safe"):
        play.winning_chances(Position(Grid(1, 4), ["?1*?"], mines=1))


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(PositionError, match="no legal assignment"):
        play.compare_digs(Position(Grid(1, 2), ["0?"], mines=1))
    with pytest.raises(PositionError, match="not covered"):
        play.compare_digs(Position(Grid(1, 3), ["1??"]), [(0, 0)])


def test_graphs_and_limits() -> None:
    import networkx

    field = Graph(networkx.path_graph(4))
    digs = play.compare_digs(Position(field, {0: "?", 1: 1, 2: "?", 3: "?"}, mines=1))
    assert digs[0].cell == 3
    assert digs[0].survival == 1
    big = Position(Grid(16, 30), ["1" + "?" * 29, *["?" * 30] * 15], mines=99)
    assert play.compare_digs(big, limits=Limits(seconds=60))[0].wins is None


@pytest.mark.parametrize("seed", range(40))
def test_opening_chances_by_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    odd = Graph.from_edges([(n, n * n % 11) for n in range(2, 10)])
    field: Topology = rng.choice([*FIELDS, odd])
    cells = list(field.cells)
    mines = set(rng.sample(cells, rng.randint(1, 3)))
    shown = {
        cell: sum(near in mines for near in field.neighbours(cell))
        for cell in rng.sample(cells, rng.randint(0, 3))
        if cell not in mines
    }
    known = {cell: "*" for cell in mines if rng.random() < 0.2}
    position = Position(field, {**dict.fromkeys(cells, "?"), **shown, **known}, mines=len(mines))
    worlds = worlds_of(position)
    around = {cell: {cell, *field.neighbours(cell)} for cell in cells}
    wanted = {
        cell: Fraction(sum(world.isdisjoint(around[cell]) for world in worlds), len(worlds))
        for cell in cells
        if position.label(cell) == "?"
    }
    assert play.opening_chances(position) == wanted


def test_openings_far_from_numbers_are_counted_once() -> None:
    position = Position(Grid(60, 60), [["?"] * 60] * 60, mines=500)
    chances = play.opening_chances(position, limits=Limits(seconds=20))
    for cell, around in [((0, 0), 4), ((0, 7), 6), ((7, 7), 9)]:
        assert chances[cell] == Fraction(comb(3600 - around, 500), comb(3600, 500))
    assert len(set(chances.values())) == 3


def test_no_openings_where_nothing_is_legal() -> None:
    with pytest.raises(PositionError, match="no legal assignment"):
        play.opening_chances(Position(Grid(1, 3), ["1?1"], mines=0))
    with pytest.raises(LimitExceeded):
        play.opening_chances(Position(Grid(1, 3), ["1??"], mines=1), limits=Limits(seconds=1e-9))
