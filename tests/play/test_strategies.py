"""Each strategy against the engine's analysis, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import networkx
import pytest

import sapper
from sapper import play
from sapper.errors import GameError
from sapper.field import Cell, Topology

BOARDS = {
    "grid": play.Board(sapper.Grid(9, 9), mines=14),
    "dense": play.Board(sapper.Grid(6, 8), mines=14),
    "torus": play.Board(sapper.Torus(7, 8), mines=11),
    "hex": play.Board(sapper.Hex(7, 7), mines=10),
    "graph": play.Board(sapper.Graph(networkx.random_regular_graph(5, 40, seed=2)), mines=8),
    "star": play.Board(sapper.Graph(networkx.star_graph(40)), mines=9),
}


def moves(
    board: play.Board, name: str, seed: int
) -> Iterator[tuple[sapper.Analysis, tuple[Cell, ...]]]:
    """Yield the analysis before each move of a game, and the cells that were chosen."""
    strategy, rng = play.BuiltIn(name), Random(seed)
    game = play.new_game(board, rule="safe", seed=seed)
    game.dig(play.first_dig(board, "safe"))
    while game.status == "playing":
        chosen = strategy.choose(play.View(game.position, rng))
        yield sapper.analyze(game.position), chosen
        for cell in chosen:
            if game.status == "playing":
                game.dig(cell)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
@pytest.mark.parametrize("name", ["certain", "safest", "safest-ties", "lookahead", "champion"])
def test_no_certain_mine_and_no_guess_beside_a_certain_safe_cell(
    name: str, board: play.Board
) -> None:
    for seed in range(4):
        for analysis, chosen in moves(board, name, seed):
            assert chosen
            if analysis.safe:
                assert set(chosen) <= analysis.safe
            else:
                (cell,) = chosen
                assert cell not in analysis.mines


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_safest_cell_is_the_safest(board: play.Board) -> None:
    guesses = 0
    for seed in range(8):
        for analysis, chosen in moves(board, "safest", seed):
            if not analysis.safe:
                guesses += 1
                (cell,) = chosen
                least = min(analysis.probabilities.values())
                assert analysis.probabilities[cell] == pytest.approx(least, abs=1e-12)
    assert guesses


def test_among_equals_the_fewest_covered_neighbours() -> None:
    for seed in range(5):
        for analysis, chosen in moves(BOARDS["grid"], "safest-ties", seed):
            if analysis.safe:
                continue
            (cell,), topology = chosen, BOARDS["grid"].topology
            covered = set(analysis.probabilities)
            least = min(analysis.probabilities.values())
            fewest = min(
                len(covered & set(topology.neighbours(other)))
                for other, chance in analysis.probabilities.items()
                if chance < least + 1e-12
            )
            assert len(covered & set(topology.neighbours(cell))) <= fewest + 1


@pytest.mark.parametrize("name", ["safest", "safest-ties", "lookahead", "champion"])
def test_what_needs_no_guess_is_won(name: str) -> None:
    result = play.tournament("certain", board="beginner", rule="zero", games=150, seed=3)
    again = play.tournament(name, board="beginner", rule="zero", games=150, seed=3)
    certain = play.tournament(_only_certain, board="beginner", rule="zero", games=150, seed=3,
                              start=again.start)  # fmt: skip
    assert sum(certain.won) > 50
    assert all(b for a, b in zip(certain.won, again.won, strict=True) if a)
    assert all(b for a, b in zip(certain.won, result.won, strict=True) if a)


def _only_certain(view: play.View) -> set[object]:
    return set(view.session.analyze().safe)


def test_a_wide_frontier_is_left_to_the_engine() -> None:
    # A number with forty covered neighbours is more than a region holds.
    star: Topology = BOARDS["star"].topology
    position = sapper.Position(star, {0: 9, 1: "?"}, mines=9)
    (cell,) = play.BuiltIn("safest").choose(play.View(position, Random(0)))
    assert cell != 0
    position = sapper.Position(star, {0: 9, **dict.fromkeys(range(1, 32), 1)}, mines=10)
    with pytest.raises(GameError, match="no world"):
        play.BuiltIn("safest").choose(play.View(position, Random(0)))


@pytest.mark.parametrize("name", ["random", "certain", "safest", "lookahead", "champion"])
def test_the_same_choice_every_time(name: str) -> None:
    game = play.new_game("expert", seed=1)
    game.dig((0, 0))
    chosen = {play.BuiltIn(name).choose(play.View(game.position, Random(4))) for _ in range(3)}
    assert len(chosen) == 1


def test_positions_that_are_none_of_a_game() -> None:
    for position in (
        sapper.Position(sapper.Grid(1, 3), ["1??"]),
        sapper.Position(sapper.Grid(1, 3), ["_??"], mines=1),
        sapper.Position(sapper.Grid(1, 3), ["1??"], mines=3),
    ):
        with pytest.raises(GameError):
            play.BuiltIn("champion").choose(play.View(position, Random(0)))


def test_names() -> None:
    assert {"random", "certain", "safest", "champion", "optimal"} <= set(play.strategies())
    for wrong in ("nobody", "exec:", 7):
        with pytest.raises(GameError):
            play.named(wrong)  # type: ignore[arg-type]
    with pytest.raises(GameError):
        play.named("champion", effort=0)
    with pytest.raises(GameError):
        play.named(_only_certain, effort=2)


def test_a_view_shows_nothing_else() -> None:
    view = play.View(sapper.Position(sapper.Grid(1, 3), ["1??"], mines=1), Random(0))
    assert {name for name in dir(view) if not name.startswith("_")} == {
        "position",
        "session",
        "rng",
    }
    first = view.session
    view.position = view.position.with_label((0, 2), 1)
    assert view.session is first
    assert view.session.analyze().mines == {(0, 1)}


def test_little_effort_is_enough_to_choose() -> None:
    position = sapper.Position(sapper.Grid(5, 5), ["?????"] * 5, mines=5)
    for name in ("lookahead", "champion"):
        view = play.View(position, Random(1))
        assert len(play.BuiltIn(name, effort=0.001).choose(view)) == 1


def test_positions_that_no_world_fits() -> None:
    for mines in (1, 10**12):
        position = sapper.Position(sapper.Grid(1, 2), ["00"], mines=mines)
        for name in ("random", "certain", "champion"):
            with pytest.raises(GameError):
                play.BuiltIn(name).choose(play.View(position, Random(1)))


POCKET = """
mines: 99
1??????????????????223211??200
???????????????????2???113?310
??????????????????233421023?10
???????????????????2?32212?210
???????????????????33??2?33221
??????????????????5?32222?2?2?
???????????????3????2000112232
????????????????33?310000012?1
????????????????21110000001?21
???????????????320000001122210
???????????2??4?11110002?3?100
???????????222?211?11113?52100
????????????21?101111?12??2100
??????????4?21221001221135?200
???????????211??1112?1112??200
???????????101?211?2111?222100
"""


def test_a_safe_cell_that_tells_nothing_is_no_progress() -> None:
    # If (15, 14) is safe, so is (12, 14), but what that shows is known beforehand. (8, 14) is as
    # safe, and borders on the unknown.
    position = sapper.parse(POCKET)
    assert isinstance(position, sapper.Position)
    chances = sapper.analyze(position).probabilities
    assert chances[12, 14] == pytest.approx(chances[15, 14], abs=1e-12)
    assert chances[8, 14] == pytest.approx(chances[15, 14], abs=1e-3)
    assert play.BuiltIn("champion").choose(play.View(position, Random(0))) == ((8, 14),)


def test_what_is_looked_at_ahead_is_charged() -> None:
    # Regions, those in thought too, count against a limit on memory.
    for name in ("safest", "champion"):
        with pytest.raises(sapper.LimitExceeded, match="bytes"):
            play.tournament(
                name, board="expert", games=20, seed=1, limits=sapper.Limits(bytes=2000)
            )
    result = play.tournament(
        "champion", board="expert", games=5, seed=1, limits=sapper.Limits(bytes=200_000_000)
    )
    assert result.games == 5
