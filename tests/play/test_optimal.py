"""Perfect play against plain search over everything a player can see."""

from __future__ import annotations

from itertools import combinations

import networkx
import pytest

import sapper
from sapper import play
from sapper.errors import GameError, LimitExceeded
from sapper.field import Topology


class Brute:
    """Plain search: the player sees numbers, may dig anything, and nothing is cut or symmetric.

    A state is what fits and what was dug, both as bits. The start rules differ only in what the
    first dig can show: with ``safe`` never a mine, with ``zero`` only a zero.
    """

    def __init__(self, topology: Topology, mines: int) -> None:
        self.cells = range(len(topology))
        worlds = [sum(1 << cell for cell in some) for some in combinations(self.cells, mines)]
        around = [sum(1 << other for other in topology.neighbours_at(c)) for c in self.cells]
        self.parts = [
            [
                sum(
                    1 << number
                    for number, world in enumerate(worlds)
                    if not world >> cell & 1 and (world & around[cell]).bit_count() == shown
                )
                for shown in range(around[cell].bit_count() + 1)
            ]
            for cell in self.cells
        ]
        self.all, self.end = (1 << len(worlds)) - 1, len(topology) - mines
        self.known: dict[tuple[int, int], int] = {}

    def wins(self, rule: str, start: int) -> int:
        """Layouts won with this first dig."""
        parts = self.parts[start][:1] if rule == "zero" else self.parts[start]
        return sum(self.best(part, 1 << start) for part in parts)

    def best(self, worlds: int, dug: int) -> int:
        """Return the worlds won from here on."""
        if not worlds or dug.bit_count() == self.end:
            return worlds.bit_count()
        found = self.known.get((worlds, dug))
        if found is None:
            found = max(
                sum(self.best(worlds & part, dug | 1 << cell) for part in self.parts[cell])
                for cell in self.cells
                if not dug >> cell & 1
            )
            self.known[worlds, dug] = found
        return found


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
        found, search = {}, Brute(field, mines)
        for place, cell in enumerate(field.cells):
            kept = {"any": 0, "safe": 1, "zero": 1 + field.degree(cell)}[rule]
            if mines > len(field) - kept:
                with pytest.raises(GameError):
                    play.optimal_wins(field, mines, rule, cell)
                continue
            found[cell] = play.optimal_wins(field, mines, rule, cell)
            assert found[cell] == search.wins(rule, place)
        if found:
            best = play.optimal_play(field, mines, rule=rule)
            assert best.wins == found[best.start]
            assert best.rate == max(
                play.optimal_play(field, mines, rule=rule, start=cell).rate for cell in found
            )


@pytest.mark.parametrize("mines", range(1, 12))
def test_three_by_four(mines: int) -> None:
    field = sapper.Grid(3, 4)
    search = Brute(field, mines)
    for place in (0, 1, 4, 5):  # the others are their images
        cell = field.cells[place]
        assert play.optimal_wins(field, mines, "any", cell) == search.wins("any", place)
        assert play.optimal_wins(field, mines, "safe", cell) == search.wins("safe", place)
        if mines < len(field) - field.degree(cell):
            assert play.optimal_wins(field, mines, "zero", cell) == search.wins("zero", place)


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
