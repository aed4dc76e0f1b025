"""The rules of the game, against a model so small that one can see it is right."""

from __future__ import annotations

import copy
import json
import pickle

import networkx
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sapper.errors import GameError, PositionError, UnknownCellError
from sapper.field import Box, Graph, Grid, Hex, Offsets, Position, Topology, Torus
from sapper.game import (
    BOARDS,
    START_RULES,
    Board,
    Game,
    Layout,
    Move,
    board_named,
    new_game,
    random_layout,
)

FIELDS: tuple[Topology, ...] = (
    Grid(3, 4),
    Torus(4, 3),
    Hex(3, 3),
    Box(2, 2, 3),
    Offsets(4, 4),
    Graph(networkx.petersen_graph()),
    Graph.from_edges([("a", "b"), ("b", "c")], nodes=["z"]),
)


class Model:
    """Minesweeper as a child would tell it; nothing of `sapper.game` is used."""

    def __init__(self, topology: Topology, mines: frozenset[object]) -> None:
        self.near = {cell: set(topology.neighbours(cell)) for cell in topology}
        self.mines = mines
        self.shown: set[object] = set()
        self.flags: set[object] = set()

    @property
    def status(self) -> str:
        if self.shown & self.mines:
            return "lost"
        return "won" if self.shown == set(self.near) - self.mines else "playing"

    def number(self, cell: object) -> int:
        return len(self.near[cell] & self.mines)

    def dig(self, cell: object) -> set[object]:
        if cell in self.shown or cell in self.flags:
            return set()
        self.shown.add(cell)
        new = {cell}
        if cell not in self.mines and self.number(cell) == 0:
            for other in self.near[cell]:
                new |= self.dig(other)
        return new

    def flag(self, cell: object) -> set[object]:
        if cell not in self.shown:
            self.flags ^= {cell}
        return set()

    def chord(self, cell: object) -> set[object]:
        if cell not in self.shown or len(self.near[cell] & self.flags) != self.number(cell):
            return set()
        return set().union(*(self.dig(other) for other in self.near[cell]))

    def label(self, cell: object) -> object:
        if cell not in self.shown:
            return "?"
        return "*" if cell in self.mines else self.number(cell)


class Played(RuleBasedStateMachine):
    """The game and the model side by side; undo goes back to a copy of the model."""

    @initialize(
        field=st.sampled_from(FIELDS), seed=st.integers(0, 2**64 - 1), share=st.integers(0, 4)
    )
    def begin(self, field: Topology, seed: int, share: int) -> None:
        layout = random_layout(Board(field, len(field) * share // 8), seed=seed)
        self.game = Game(layout)
        self.model = Model(field, layout.mines)
        self.past: list[tuple[Move, Model]] = []
        self.cells = list(field)

    @precondition(lambda self: self.game.status == "playing")
    @rule(kind=st.sampled_from(["dig", "dig", "flag", "chord"]), data=st.data())
    def move(self, kind: str, data: st.DataObject) -> None:
        cell = data.draw(st.sampled_from(self.cells))
        before = copy.deepcopy(self.model)
        assert getattr(self.game, kind)(cell) == getattr(self.model, kind)(cell)
        if vars(before) != vars(self.model):
            self.past.append((Move(kind, cell), before))  # type: ignore[arg-type]

    @precondition(lambda self: self.game.status == "playing")
    @rule(data=st.data())
    def flag_all_around(self, data: st.DataObject) -> None:
        """Chords are rare unless somebody flags what is mined."""
        for cell in sorted(self.model.mines - self.model.flags, key=str):
            self.past.append((Move("flag", cell), copy.deepcopy(self.model)))
            assert self.game.flag(cell) == self.model.flag(cell) == set()

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        move, self.model = self.past.pop()
        assert self.game.undo() == move

    @precondition(lambda self: self.game.status != "playing")
    @rule(kind=st.sampled_from(["dig", "flag", "chord"]))
    def move_after_the_end(self, kind: str) -> None:
        with pytest.raises(GameError, match=f"the game is {self.game.status}"):
            getattr(self.game, kind)(self.cells[0])

    @invariant()
    def same(self) -> None:
        if not hasattr(self, "game"):
            return
        game, model = self.game, self.model
        assert game.status == model.status
        assert dict(game.position.items()) == {cell: model.label(cell) for cell in self.cells}
        assert game.position.mines == len(model.mines)
        assert game.flagged == model.flags
        assert game.uncovered == model.shown
        assert game.exploded == model.shown & model.mines
        assert game.mines_left == len(model.mines) - len(model.flags)
        assert list(game.moves) == [move for move, _ in self.past]

    def teardown(self) -> None:
        if not hasattr(self, "game"):
            return
        for again in (
            Game.replay(json.loads(json.dumps(self.game.record))),
            pickle.loads(pickle.dumps(self.game)),
            copy.copy(self.game),
            copy.deepcopy(self.game),
        ):
            assert again.record == self.game.record
            assert again.position == self.game.position
            while again.moves:
                again.undo()
            assert again.uncovered == again.flagged == set()
            assert again.layout == self.game.layout


TestRules = Played.TestCase
TestRules.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


@pytest.mark.parametrize("field", FIELDS, ids=str)
@pytest.mark.parametrize("rule_", START_RULES)
def test_new_game_replays(field: Topology, rule_: str) -> None:
    for seed in range(20):
        for first in field:
            game = new_game(Board(field, 1), rule=rule_, seed=seed)  # type: ignore[arg-type]
            other = next(cell for cell in field if cell != first)
            game.flag(other)
            assert game.layout is None
            assert Game.replay(game.record).record == game.record
            try:
                game.dig(first)
            except GameError:
                assert rule_ == "zero"
                assert field.degree(first) + 1 == len(field)
                continue
            assert rule_ == "any" or game.position[first] != "*"
            assert rule_ != "zero" or game.position[first] == 0
            again = Game.replay(json.loads(json.dumps(game.record)))
            assert again.layout == game.layout
            assert again.position == game.position
            assert again.flagged == game.flagged
            assert again.record == game.record
            game.undo()
            assert game.layout is None
            assert game.flagged == {other}


def test_flags_protect_their_cells() -> None:
    game = Game(Layout(Grid(1, 5), [(0, 4)]))
    game.flag((0, 1))
    assert game.dig((0, 1)) == frozenset()
    assert len(game.moves) == 1
    assert game.dig((0, 0)) == {(0, 0)}
    assert game.dig((0, 2)) == {(0, 2), (0, 3)}
    game.flag((0, 1))
    assert game.dig((0, 1)) == {(0, 1)}
    assert game.status == "won"


def test_a_chord_with_wrong_flags_loses() -> None:
    game = Game(Layout(Grid(1, 3), [(0, 0)]))
    game.dig((0, 1))
    game.flag((0, 2))
    assert game.chord((0, 1)) == game.exploded == {(0, 0)}
    assert game.position[0, 0] == "*"
    assert game.status == "lost"
    assert game.undo().kind == "chord"
    assert game.exploded == set()


def test_illegal_moves() -> None:
    game = Game(Layout(Grid(2, 2), [(0, 0)]))
    for move in (game.dig, game.flag, game.chord):
        with pytest.raises(UnknownCellError):
            move((2, 0))
    with pytest.raises(GameError, match="no move"):
        game.undo()
    with pytest.raises(GameError, match="needs a Layout"):
        Game(Grid(2, 2))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"topology": {"kind": "klein"}},
        {"topology": None},
        {"mines": 3},
        {"mines": "2"},
        {"layout": [[0, 0]]},
        {"layout": [[9, 9], [0, 1]]},
        {"layout": None},
        {"layout": 3},
        {"rule": "kind", "seed": 1},
        {"rule": "safe", "seed": 1},
        {"rule": "safe", "seed": "x"},
        {"moves": [["dig", [9, 9]]]},
        {"moves": [["dig", [2, 2]], ["dig", [2, 2]]]},
        {"moves": [["jump", [2, 2]]]},
        {"moves": [["undo", [2, 2]]]},
        {"moves": [["dig", None]]},
        {"moves": [["dig"]]},
        {"moves": 7},
    ],
    ids=str,
)
def test_a_damaged_record_is_refused(change: dict[str, object]) -> None:
    game = Game(Layout(Grid(3, 3), [(0, 0), (0, 1)]))
    game.dig((2, 2))
    with pytest.raises(GameError, match="no record of a game"):
        Game.replay(game.record | change)
    for missing in game.record:
        with pytest.raises(GameError, match="no record of a game"):
            Game.replay({key: value for key, value in game.record.items() if key != missing})
    with pytest.raises(GameError, match="no record of a game"):
        Game.replay([])  # type: ignore[arg-type]


def test_a_record_needs_cells_that_json_can_name() -> None:
    game = Game(Layout(Graph.from_edges([(0.5, 1.5)]), []))
    with pytest.raises(PositionError, match="JSON cannot name the cell"):
        game.record  # noqa: B018
    assert pickle.loads(pickle.dumps(game)).status == "playing"


def test_boards() -> None:
    sizes = {name: (board.topology.shape, board.mines) for name, board in BOARDS.items()}
    assert sizes == {
        "beginner": ((9, 9), 10),
        "intermediate": ((16, 16), 40),
        "expert": ((16, 30), 99),
    }
    assert board_named("expert") is BOARDS["expert"]
    assert hash(BOARDS["expert"])
    assert eval(repr(BOARDS["expert"])) == BOARDS["expert"]
    for mines in (5, -1):
        with pytest.raises(GameError, match="room for 0 to 4 mines"):
            Board(Grid(2, 2), mines)
    for wrong in (True, None, "3", 2.0):
        with pytest.raises(GameError):
            Board(Grid(2, 2), wrong)  # type: ignore[arg-type]
    for board in ("export", None, 7, ["expert"]):
        with pytest.raises(GameError, match="beginner, intermediate, expert"):
            new_game(board)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="any, safe, zero"):
        new_game("expert", rule="soft")  # type: ignore[arg-type]


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_layouts(field: Topology) -> None:
    cells = list(field)
    layout = Layout(field, cells[::3])
    model = Model(field, frozenset(cells[::3]))
    assert layout.numbers == {c: model.number(c) for c in cells if c not in model.mines}
    assert layout.mines == model.mines
    assert Layout.from_position(layout.position()) == layout == Layout(field, layout.mines)
    assert hash(layout) == hash(Layout(field, cells[::3]))
    assert pickle.loads(pickle.dumps(layout)) == copy.deepcopy(layout) == layout
    assert layout != Layout(field, cells[1::3])
    names = {type(field).__name__: type(field), "Layout": Layout}
    if not isinstance(field, Graph):
        assert eval(repr(layout), names) == layout
    assert Layout.parse(layout.to("json")) == layout
    seen = layout.position(cells[1:3], flagged=[cells[3]], total=False)
    assert seen == Position(field, {c: model.number(c) for c in cells[1:3]} | {cells[3]: "*"})
    with pytest.raises(AttributeError, match="frozen"):
        layout.mined = b""


def test_what_is_no_layout() -> None:
    with pytest.raises(UnknownCellError):
        Layout(Grid(2, 2), [(2, 2)])
    with pytest.raises(PositionError):
        Layout(3, [])  # type: ignore[arg-type]
    with pytest.raises(PositionError):
        Board(3, 0)  # type: ignore[arg-type]
    with pytest.raises(GameError):
        Layout(Grid(2, 2), 3)  # type: ignore[arg-type]
    assert Layout(networkx.path_graph(3), [0]).numbers == {1: 1, 2: 0}
    for data in (b"", b"\0\0\0\2", b"\0" * 5):
        with pytest.raises(GameError, match="4 bytes"):
            Layout.from_bytes(Grid(2, 2), data)
    with pytest.raises(GameError, match="covered"):
        Layout.parse("1?")
    with pytest.raises(GameError, match=r"number at \(0, 0\) is 0"):
        Layout.parse("0*")
    with pytest.raises(GameError, match="total is 0"):
        Layout.from_position(Position(Grid(1, 2), ["1*"], mines=0))
    with pytest.raises(GameError, match="clues"):
        Layout.parse('{"clues": [{"count": 1, "cells": ["a"]}]}')
