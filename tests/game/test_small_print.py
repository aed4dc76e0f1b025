"""What only a changed character would break: found by `make mutants`."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable
from typing import Any

import networkx
import numpy
import pytest

from sapper.errors import FormatError, GameError
from sapper.field import COVERED, Graph, Grid, Position
from sapper.game import (
    START_RULES,
    Board,
    Game,
    Layout,
    board_named,
    checked_seed,
    kept_free,
    new_game,
    random_layout,
    seed_of,
    uncover,
)

LAYOUT = Layout(Grid(2, 4), mines=[(0, 0), (1, 0)])


def test_a_game_move_by_move() -> None:
    game = Game(LAYOUT)
    assert (game.board, game.layout, game.rule, game.seed) == (LAYOUT.board, LAYOUT, None, None)
    assert (game.mines_left, game.status, game.moves) == (2, "playing", ())
    assert game.flag((0, 0)) == frozenset()
    assert (game.mines_left, game.flagged) == (1, frozenset({(0, 0)}))
    assert game.dig((0, 0)) == frozenset()
    assert game.dig((0, 1)) == {(0, 1)}
    assert game.chord((0, 1)) == frozenset(), "one flag, but two mines"
    assert game.flag((0, 1)) == frozenset(), "it is uncovered"
    assert len(game.moves) == 2
    assert str(game) == str(game.position) == "mines: 2\n?2??\n????"
    assert repr(game) == "<Game on a 2×4 grid with 2 mines: playing, 2 moves>"
    assert "<svg" in game._repr_svg_()
    assert game._repr_svg_() == game.svg() == game.position.svg()
    game.flag((1, 1))
    assert game.chord((0, 1)) == {(1, 0), (0, 2), (1, 2), (0, 3), (1, 3)}
    assert (game.status, game.exploded) == ("lost", frozenset({(1, 0)}))
    with pytest.raises(GameError, match="the game is lost; undo takes the last move back"):
        game.dig((1, 1))
    assert game.undo().kind == "chord"
    assert (game.status, game.exploded, game.uncovered) == (
        "playing",
        frozenset(),
        frozenset({(0, 1)}),
    )
    assert game.undo().kind == "flag"
    assert (game.flagged, game.mines_left) == (frozenset({(0, 0)}), 1)
    assert game.dig((0, 3)) == {(0, 2), (0, 3), (1, 1), (1, 2), (1, 3)}
    assert (game.status, len(game.uncovered)) == ("won", 6)
    assert Game.replay(game.record).moves == game.moves
    for _ in range(3):
        game.undo()
    with pytest.raises(GameError, match="there is no move to take back"):
        game.undo()


def test_the_first_dig_taken_back_takes_its_mines() -> None:
    game = new_game("beginner", rule="zero", seed=7)
    assert (game.rule, game.seed, game.layout) == ("zero", 7, None)
    assert game.record["layout"] is None
    game.flag((8, 8))
    game.dig((0, 0))
    placed = game.layout
    assert placed is not None
    game.undo()
    assert game.layout is None
    game.dig((0, 0))
    assert game.layout == placed
    given = Game(LAYOUT)
    given.dig((0, 1))
    given.undo()
    assert given.layout == LAYOUT, "it was there before the first dig"


@pytest.mark.parametrize("mines", [0, 8])
def test_no_mine_and_nothing_but_mines(mines: int) -> None:
    board = Board(Grid(2, 4), mines)
    layout = random_layout(board, seed=1)
    assert (len(layout.mines), layout.board) == (mines, board)
    game = Game(layout)
    assert game.status == ("won" if mines else "playing")


def test_words_for_boards() -> None:
    assert str(Board(Grid(2, 4), 1)) == "a 2×4 grid with 1 mine"
    assert repr(Board(Grid(2, 4), True + 1)) == "Board(Grid(2, 4), mines=2)"
    assert board_named("2x4/8") == Board(Grid(2, 4), 8)
    assert START_RULES == ("any", "safe", "zero")
    assert [kept_free(Grid(2, 4), (0, 0), rule) for rule in START_RULES] == [[], [0], [0, 1, 4, 5]]
    board = Board(networkx.path_graph(3), numpy.int64(2))  # type: ignore[arg-type]
    assert (type(board.topology), type(board.mines)) == (Graph, int)


def test_layouts_are_values() -> None:
    assert Layout(Grid(2, 4), mines=[(1, 0), (0, 0)]) == LAYOUT
    assert hash(LAYOUT) == hash(Layout(Grid(2, 4), mines=[(1, 0), (0, 0)]))
    assert Layout(Grid(4, 2), mines=[(0, 0), (1, 0)]) != LAYOUT
    assert LAYOUT.__eq__(5) is NotImplemented
    assert str(LAYOUT) == "mines: 2\n*200\n*200"
    assert LAYOUT._repr_svg_() == LAYOUT.svg() == LAYOUT.position().svg()
    assert LAYOUT.codes is LAYOUT.codes, "made once"
    assert LAYOUT.position([], flagged=[(0, 1)], total=False) == Position(
        Grid(2, 4), ["?*??", "????"]
    )
    with pytest.raises(AttributeError, match="a layout is frozen: cannot set 'mined'"):
        LAYOUT.mined = b""
    with pytest.raises(AttributeError, match="a layout is frozen: cannot delete 'mined'"):
        del LAYOUT.mined


def test_seeds_are_the_same_on_every_machine() -> None:
    """BLAKE2b of the parts with a slash between them, as the docstring says."""
    expected = hashlib.blake2b(b"1/torus/40", digest_size=8).digest()
    assert seed_of(1, "torus", 40) == int.from_bytes(expected, "big")
    assert checked_seed(-1) == 2**64 - 1
    with pytest.raises(GameError, match="a seed has too many digits"):
        seed_of(10**5000)


def test_a_layout_is_read_in_the_format_that_is_named() -> None:
    with pytest.raises(FormatError):
        Layout.parse("1*1", format="json")


def covered() -> array[int]:
    return array("i", [COVERED]) * 8


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Board(Grid(2, 4), 9), "room for 0 to 8 mines, not 9"),
        (lambda: Board(Grid(2, 4), -1), "room for 0 to 8 mines, not -1"),
        (lambda: Board(Grid(2, 4), True), "room for 0 to 8 mines"),
        (lambda: Board(Grid(2, 4), 1.5), "a whole number, not 1.5"),  # type: ignore[arg-type]
        (lambda: board_named("huge"), "not 'huge'"),
        (lambda: checked_seed("x"), "a seed is a whole number, not 'x'"),  # type: ignore[arg-type]
        (lambda: Game(5), "a game needs a Layout, not 5"),  # type: ignore[arg-type]
        (lambda: kept_free(Grid(2, 4), (0, 0), "odd"), "not 'odd'"),  # type: ignore[arg-type]
        (lambda: random_layout("2x4/1", rule="safe"), "the rule 'safe' needs the start"),
        (lambda: Layout.from_position(Position(Grid(1, 2), ["?1"])), "is covered: this is no full"),
        (lambda: Layout.from_position(Position(Grid(1, 3), ["*_1"])), "the mines around it are 0"),
        (lambda: Layout.from_position(Position(Grid(1, 2), ["_0"], mines=1)), "the total is 1"),
        (lambda: uncover(LAYOUT, covered()[1:], [0]), "shows 8 cells, not 7"),
        (lambda: uncover(LAYOUT, covered(), [8]), "no cell number 8"),
        (lambda: uncover(LAYOUT, covered(), [-1]), "no cell number -1"),
        (lambda: uncover(LAYOUT, covered(), ["a"]), "no cell number 'a'"),  # type: ignore[list-item]
    ],
)
def test_what_cannot_be_is_said(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((GameError, ValueError), match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: uncover(5, covered(), [0]), "cells of a Layout are uncovered"),  # type: ignore[arg-type]
        (lambda: uncover(LAYOUT, 5, [0]), "an array of codes"),  # type: ignore[arg-type]
        (lambda: uncover(LAYOUT, covered(), 5), "by their indices"),  # type: ignore[arg-type]
        (lambda: uncover(LAYOUT, covered(), [0], 5), "flags are indices"),  # type: ignore[arg-type]
        (lambda: kept_free(5, 0, "any"), "a field is a Topology"),  # type: ignore[arg-type]
        (lambda: Layout.from_position(5), "expected a Position, not int"),  # type: ignore[arg-type]
    ],
)
def test_wrong_kinds_are_refused_at_the_door(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mines": 3}, "the mines are not as many as the board has"),
        ({"moves": [["dig", [0, 1]], ["dig", [0, 1]]]}, r"dig at \(0, 1\) does nothing"),
        ({"moves": [["jump", [0, 1]]]}, "a move is dig, flag or chord, not 'jump'"),
        ({"rule": "safe", "seed": 3, "moves": [["dig", [0, 1]]]}, "do not follow from its seed"),
        ({"layout": None}, "this is no record of a game"),
        ({"moves": None}, "this is no record of a game: TypeError"),
    ],
)
def test_records_that_are_none(change: dict[str, Any], message: str) -> None:
    game = Game(LAYOUT)
    game.dig((0, 1))
    assert Game.replay(game.record).position == game.position
    with pytest.raises(GameError, match=message):
        Game.replay(game.record | change)


def test_a_layout_is_written_as_text_unless_told_otherwise() -> None:
    assert LAYOUT.to() == LAYOUT.to("text") != LAYOUT.to("json")
    assert Layout.parse(LAYOUT.to()) == LAYOUT
