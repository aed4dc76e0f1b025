"""Perfect play against plain search over everything a player can see."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import networkx
import pytest

import sapper
from sapper import play
from sapper.errors import GameError, LimitExceeded
from sapper.field import Topology


def brute(topology: Topology, mines: int, rule: str, start: int) -> int:
    """Layouts won: the player sees numbers, may dig anything, and nothing is cut or shared."""
    cells = range(len(topology))
    around = [topology.neighbours_at(place) for place in cells]
    kept = {"any": set[int](), "safe": {start}, "zero": {start, *around[start]}}[rule]
    allowed = [place for place in cells if place not in kept]
    worlds = tuple(map(frozenset, combinations(allowed, mines)))
    free = len(topology) - mines

    @cache
    def after(worlds: tuple[frozenset[int], ...], dug: frozenset[int], place: int) -> int:
        parts: dict[int, list[frozenset[int]]] = {}
        for world in worlds:
            if place not in world:
                parts.setdefault(len(world.intersection(around[place])), []).append(world)
        return sum(best(tuple(part), dug | {place}) for part in parts.values())

    @cache
    def best(worlds: tuple[frozenset[int], ...], dug: frozenset[int]) -> int:
        if len(dug) == free:
            return len(worlds)
        return max(after(worlds, dug, place) for place in cells if place not in dug)

    return after(worlds, frozenset(), start) if worlds else 0


FIELDS = {
    "2x2": sapper.Grid(2, 2),
    "1x5": sapper.Grid(1, 5),
    "2x4": sapper.Grid(2, 4),
    "3x3": sapper.Grid(3, 3),
    "hex": sapper.Hex(2, 4),
    "torus": sapper.Torus(3, 3),
    "path": sapper.Graph(networkx.path_graph(6)),
    "two parts": sapper.Graph(networkx.Graph([(0, 1), (1, 2), (3, 4), (4, 5), (3, 5)])),
}


@pytest.mark.parametrize("rule", ["any", "safe", "zero"])
@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_all_small_boards(field: Topology, rule: play.StartRule) -> None:
    for mines in range(1, len(field)):
        found = {}
        for place, cell in enumerate(field.cells):
            expected = brute(field, mines, rule, place)
            kept = {"any": 0, "safe": 1, "zero": 1 + field.degree(cell)}[rule]
            if mines > len(field) - kept:
                with pytest.raises(GameError):
                    play.optimal_wins(field, mines, rule, cell)
                continue
            found[cell] = play.optimal_wins(field, mines, rule, cell)
            assert found[cell] == expected
        if found:
            best = play.optimal_play(field, mines, rule=rule)
            assert best.wins == found[best.start]
            assert best.rate == max(
                play.optimal_play(field, mines, rule=rule, start=cell).rate for cell in found
            )


@pytest.mark.parametrize("mines", [1, 2, 3, 9, 10, 11])
def test_three_by_four(mines: int) -> None:
    field = sapper.Grid(3, 4)
    for place in (0, 5):
        wins = play.optimal_wins(field, mines, "any", field.cells[place])
        assert wins == brute(field, mines, "any", place)


def test_known_numbers() -> None:
    best = play.optimal_play(sapper.Grid(4, 4), 4)
    assert (best.wins, best.layouts) == (961, 1820)
    assert best.start not in {(0, 0), (0, 3), (3, 0), (3, 3)}
    # Of a mine that may be anywhere, the first dig finds it or tells enough to go on.
    assert play.optimal_wins(sapper.Grid(1, 1), 0) == 1
    assert play.optimal_wins(sapper.Grid(1, 2), 1) == 1


def test_symmetric_starts_are_worth_the_same() -> None:
    field = sapper.Grid(3, 4)
    for rule in ("any", "safe"):
        corners = {play.optimal_wins(field, 3, rule, (r, c)) for r in (0, 2) for c in (0, 3)}
        assert len(corners) == 1


def test_the_strategy_reaches_the_optimum() -> None:
    board = play.Board(sapper.Grid(3, 4), mines=3)
    best = play.optimal_play(board.topology, board.mines)
    layouts = [
        play.Layout(board.topology, mines) for mines in combinations(board.topology.cells, 3)
    ]
    result = play.tournament("optimal", layouts=layouts, start=best.start)
    assert result.wins == best.wins
    for name in ("safest", "champion"):
        assert play.tournament(name, layouts=layouts, start=best.start).wins <= best.wins


def test_limits() -> None:
    for limits in (sapper.Limits(seconds=0.05), sapper.Limits(bytes=10_000_000)):
        with pytest.raises(LimitExceeded):
            play.optimal_wins(sapper.Grid(6, 6), 5, limits=limits)
    with pytest.raises(LimitExceeded):
        play.optimal_wins(sapper.Grid(16, 30), 99)
    with pytest.raises(GameError):
        play.optimal_wins(sapper.Grid(3, 3), 2, "never")  # type: ignore[arg-type]


def test_shares_are_compared_where_starts_allow_different_layouts() -> None:
    best = play.optimal_play(sapper.Grid(3, 5), 3, rule="zero")
    assert best.rate == 1
    assert best.start == (1, 2)


def test_numbers_that_could_be_taken_for_a_mine_are_refused() -> None:
    star = sapper.Graph(networkx.star_graph(255))
    with pytest.raises(GameError, match="neighbours"):
        play.optimal_wins(star, 255)
    assert play.tournament("champion", board=play.Board(star, 254), rule="any", games=2).games == 2
