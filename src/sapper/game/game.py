"""A game in play: dig, flag, chord, undo, and a record that replays exactly."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import compress
from typing import Any, Literal, NamedTuple, TypeAlias

from sapper.errors import GameError, SapperError, quoted
from sapper.field import (
    COVERED,
    MINE,
    Cell,
    Position,
    cell_from_json,
    cell_to_json,
    topology_from_spec,
)
from sapper.game.board import Board, board_named
from sapper.game.layout import Layout, uncover
from sapper.game.start import StartRule, checked_rule, checked_seed, random_layout

__all__ = ["Game", "Move", "Status", "new_game"]

Status: TypeAlias = Literal["playing", "won", "lost"]


class Move(NamedTuple):
    """What a player did: ``"dig"``, ``"flag"`` or ``"chord"``, and where.

    Frozen: threads can share one.
    """

    kind: Literal["dig", "flag", "chord"]
    cell: Cell


class Game:
    """A game on a layout that the player does not know.

    The rules are those of every Minesweeper. Digging a mine loses; once nothing is covered but
    mines, the game is won. A zero uncovers its neighbours. A flag is a note of the player's and
    protects its cell: neither a dig nor a zero next to it uncovers it. What would do nothing on a
    screen (a dig at a flag or at an uncovered cell, a flag on an uncovered cell, a chord whose
    flags are not as many as its number) does nothing here and is no move.

    A game belongs to one thread at a time. It pickles, and a copy goes its own way.

    Parameters
    ----------
    layout : Layout
        Where the mines are. For mines that are placed after the first dig, see `new_game`.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> game = Game(Layout(Grid(2, 3), mines={(0, 2)}))
    >>> sorted(game.dig((0, 1)))
    [(0, 1)]
    >>> game.flag((0, 2))
    frozenset()
    >>> sorted(game.chord((0, 1))), game.status
    ([(0, 0), (1, 0), (1, 1), (1, 2)], 'won')
    >>> Game.replay(game.record).position == game.position
    True
    """

    def __init__(self, layout: Layout) -> None:
        if not isinstance(layout, Layout):
            raise GameError(f"a game needs a Layout, not {quoted(layout)}; see new_game")
        self._begin(layout.board, layout, None, None)

    def _begin(
        self, board: Board, layout: Layout | None, rule: StartRule | None, seed: int | None
    ) -> None:
        self._board = board
        self._layout = layout
        self._rule = rule
        self._seed = seed
        self._seen = array("i", [COVERED]) * len(board.topology)
        self._flags: set[int] = set()
        self._left = len(board.topology) - board.mines  # free cells that are covered
        self._exploded = 0
        self._moves: list[tuple[Move, list[int]]] = []

    @property
    def board(self) -> Board:
        """The field and the number of mines."""
        return self._board

    @property
    def layout(self) -> Layout | None:
        """Where the mines are; None while they are not placed yet."""
        return self._layout

    @property
    def rule(self) -> StartRule | None:
        """The start rule of a `new_game`; None if the layout was given."""
        return self._rule

    @property
    def seed(self) -> int | None:
        """What decides the mines of a `new_game`; None if the layout was given."""
        return self._seed

    @property
    def status(self) -> Status:
        """``"playing"``, ``"won"`` or ``"lost"``."""
        if self._exploded:
            return "lost"
        return "playing" if self._left else "won"

    @property
    def position(self) -> Position:
        """What is uncovered, with the number of mines.

        Flags are not in it, since they may be wrong (`flagged` has them): a flagged cell is
        covered. A mine that was dug is labelled ``"*"``.
        """
        return Position.from_codes(self._board.topology, self._seen.tobytes(), self._board.mines)

    @property
    def uncovered(self) -> frozenset[Cell]:
        """The cells that were uncovered."""
        return frozenset(
            compress(self._board.topology.cells, (code != COVERED for code in self._seen))
        )

    @property
    def flagged(self) -> frozenset[Cell]:
        """The cells with a flag."""
        return self._cells(self._flags)

    @property
    def exploded(self) -> frozenset[Cell]:
        """The mines that were dug; a chord can dig several."""
        return self._cells(place for place, code in enumerate(self._seen) if code == MINE)

    @property
    def mines_left(self) -> int:
        """How many mines have no flag, if all flags are right; below zero if there are too many."""
        return self._board.mines - len(self._flags)

    @property
    def moves(self) -> tuple[Move, ...]:
        """What was done so far and not undone."""
        return tuple(move for move, _ in self._moves)

    def dig(self, cell: Cell) -> frozenset[Cell]:
        """Uncover a cell and, from a zero, its neighbours; return what was uncovered.

        Raises
        ------
        GameError
            If the game is over, or the mines have no room under the start rule.
        UnknownCellError
            If the field has no such cell.
        """
        place = self._place(cell)
        if self._seen[place] != COVERED or place in self._flags:
            return frozenset()
        if self._layout is None:
            self._layout = random_layout(self._board, start=cell, rule=self._rule, seed=self._seed)
        return self._done(Move("dig", cell), self._uncover([place]))

    def flag(self, cell: Cell) -> frozenset[Cell]:
        """Put a flag on a covered cell, or take it away; nothing is uncovered by that.

        Raises
        ------
        GameError
            If the game is over.
        UnknownCellError
            If the field has no such cell.
        """
        place = self._place(cell)
        if self._seen[place] != COVERED:
            return frozenset()
        self._flags ^= {place}
        return self._done(Move("flag", cell), [])

    def chord(self, cell: Cell) -> frozenset[Cell]:
        """Dig all neighbours of a number that has as many flags around it; return what was dug.

        Raises
        ------
        GameError
            If the game is over.
        UnknownCellError
            If the field has no such cell.
        """
        place = self._place(cell)
        around = self._board.topology.neighbours_at(place)
        flags = sum(other in self._flags for other in around)
        opened = self._uncover(around) if self._seen[place] == flags else []
        return self._done(Move("chord", cell), opened) if opened else frozenset()

    def undo(self) -> Move:
        """Take the last move back and return it; a lost game goes on.

        When the first dig of a `new_game` is taken back, its mines are too.

        Raises
        ------
        GameError
            If there is no move.
        """
        if not self._moves:
            raise GameError("there is no move to take back")
        move, opened = self._moves.pop()
        if move.kind == "flag":
            self._flags ^= {self._board.topology.index(move.cell)}
        for place in opened:
            mined = self._seen[place] == MINE
            self._exploded -= mined
            self._left += not mined
            self._seen[place] = COVERED
        if self._rule is not None and all(move.kind == "flag" for move, _ in self._moves):
            self._layout = None
        return move

    def _place(self, cell: Cell) -> int:
        place = self._board.topology.index(cell)
        if self.status != "playing":
            raise GameError(f"the game is {self.status}; undo takes the last move back")
        return place

    def _uncover(self, places: Iterable[int]) -> list[int]:
        """Uncover covered cells that have no flag, and go on from zeros."""
        assert self._layout is not None
        opened = uncover(self._layout, self._seen, places, self._flags)
        exploded = sum(self._seen[place] == MINE for place in opened)
        self._exploded += exploded
        self._left -= len(opened) - exploded
        return opened

    def _done(self, move: Move, opened: list[int]) -> frozenset[Cell]:
        self._moves.append((move, opened))
        return self._cells(opened)

    def _cells(self, places: Iterable[int]) -> frozenset[Cell]:
        cells = self._board.topology.cells
        return frozenset([cells[place] for place in places])

    @property
    def record(self) -> dict[str, Any]:
        """The game as JSON can hold it; `replay` makes the same game again.

        Keys: ``"topology"`` and ``"mines"``, the board; ``"layout"``, the mined cells, or None
        while there are none; ``"rule"`` and ``"seed"`` of a `new_game`, else None; ``"moves"``,
        pairs of what was done and where.

        Raises
        ------
        PositionError
            If the cells have names that JSON cannot hold.
        """
        layout = self._layout
        return {
            "topology": self._board.topology.spec(),
            "mines": self._board.mines,
            "layout": None
            if layout is None
            else [cell_to_json(cell) for cell in compress(layout.topology.cells, layout.mined)],
            "rule": self._rule,
            "seed": self._seed,
            "moves": [[move.kind, cell_to_json(move.cell)] for move, _ in self._moves],
        }

    @classmethod
    def replay(cls, record: dict[str, Any]) -> Game:
        """Make a game again from its `record`.

        Raises
        ------
        GameError
            If it is no record of a game: a move that does nothing, or mines that do not follow
            from the seed.
        """
        try:
            board = Board(topology_from_spec(record["topology"]), record["mines"])
            moves = [(kind, cell_from_json(cell)) for kind, cell in record["moves"]]
            cells = record["layout"]
            layout = cells if cells is None else Layout(board.topology, map(cell_from_json, cells))
            rule, seed = record["rule"], record["seed"]
            if rule is not None:
                game = _again(board, None, checked_rule(rule), checked_seed(seed), moves)
            elif layout is not None and layout.board == board:
                game = _again(board, layout, None, None, moves)
            else:
                raise GameError("the mines are not as many as the board has")
        except (KeyError, TypeError, ValueError) as error:
            why = str(error) if isinstance(error, SapperError) else type(error).__name__
            raise GameError(f"this is no record of a game: {why}") from None
        if game.layout != layout:
            raise GameError("this is no record of a game: its mines do not follow from its seed")
        return game

    def _repeat(self, moves: Iterable[tuple[str, Cell]]) -> None:
        for kind, cell in moves:
            if kind not in ("dig", "flag", "chord"):
                raise GameError(f"a move is dig, flag or chord, not {quoted(kind)}")
            done = len(self._moves)
            getattr(self, kind)(cell)
            if len(self._moves) == done:
                raise GameError(f"{kind} at {quoted(cell)} does nothing")

    def __reduce__(self) -> tuple[object, ...]:
        given = self._layout if self._rule is None else None
        return _again, (self._board, given, self._rule, self._seed, self.moves)

    def __str__(self) -> str:
        return str(self.position)

    def svg(self) -> str:
        """Return a picture of what the player sees."""
        return self.position.svg()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<Game on {self._board}: {self.status}, {len(self._moves)} moves>"


def _again(
    board: Board,
    layout: Layout | None,
    rule: StartRule | None,
    seed: int | None,
    moves: Iterable[tuple[str, Cell]],
) -> Game:
    game = Game.__new__(Game)
    game._begin(board, layout, rule, seed)
    game._repeat(moves)
    return game


def new_game(board: str | Board, *, rule: StartRule = "safe", seed: int | None = None) -> Game:
    """Begin a game whose mines are placed after the first dig is chosen.

    Parameters
    ----------
    board : str or Board
        The field and the number of mines.
    rule : str
        ``"any"``, ``"safe"`` or ``"zero"``; see `StartRule`.
    seed : int, optional
        With the first dig it decides the mines, as in `random_layout`. A fresh one if not given;
        `Game.seed` tells it.

    Raises
    ------
    GameError
        If there is no such board or rule.

    Examples
    --------
    >>> game = new_game("intermediate", rule="zero", seed=7)
    >>> len(game.dig((3, 3))) >= 9
    True
    """
    return _again(board_named(board), None, checked_rule(rule), checked_seed(seed), ())
