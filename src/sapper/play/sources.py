"""Where the games of a tournament come from, and how the core plays them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sapper._native import Run, doubles, integers, play_layouts, play_seeds
from sapper.errors import GameError, TooWide, quoted
from sapper.field import Cell
from sapper.game import (
    START_RULES,
    Board,
    Game,
    Layout,
    StartRule,
    board_named,
    kept_free,
    new_game,
    random_layout,
    seed_of,
)
from sapper.play.optimal import TooManyLayouts
from sapper.play.strategies import BuiltIn, first_dig
from sapper.play.suites import Suite, suite_named

__all__ = ["Games", "Source"]


@dataclass
class Games:
    """What came of some games, in order; failures by the number of the game.

    It grows as games are added, by one thread at a time.
    """

    won: list[bool] = field(default_factory=list)
    guessed: list[int] = field(default_factory=list)
    luck: list[float] = field(default_factory=list)
    failures: dict[int, str] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, more: Games) -> None:
        """Append games."""
        self.won += more.won
        self.guessed += more.guessed
        self.luck += more.luck
        self.failures |= more.failures
        self.seconds += more.seconds


@dataclass(frozen=True)
class Source:
    """Boards that follow from a seed, those of a suite, or given ones.

    Frozen: threads can share one.

    Attributes
    ----------
    board, rule, seed
        What is played; None for given layouts.
    start
        The first dig of every game; None if players choose it.
    suite, layouts
        The boards, if they do not follow from the seed.
    """

    board: Board | None
    rule: StartRule | None
    start: Cell | None
    seed: int | None
    suite: Suite | None = None
    layouts: tuple[Layout, ...] | None = None

    @classmethod
    def seeded(
        cls, board: str | Board, rule: StartRule, start: Cell | None, seed: int, *, choose: bool
    ) -> Source:
        """Return boards that follow from a seed; without a start, players may be let choose it.

        Raises
        ------
        GameError
            If there is no such board or rule, or too little room for the mines.
        """
        wanted = board_named(board)
        if not len(wanted.topology):
            raise GameError("there is nothing to dig on a field without cells")
        if rule not in START_RULES:
            raise GameError(f"a start rule is {', '.join(START_RULES)}, not {quoted(rule)}")
        if start is None and not choose:
            start = first_dig(wanted, rule)
        # Fails early, with its own words, if the mines have no room.
        first = wanted.topology.cells[0] if start is None else start
        random_layout(wanted, start=first, rule=rule, seed=0)
        return cls(wanted, rule, start, seed)

    @classmethod
    def suited(cls, suite: str | Suite) -> Source:
        """Return the boards of a suite.

        Raises
        ------
        GameError
            If there is none of that name.
        """
        found = suite_named(suite)
        return cls(found.board, found.rule, found.start, found.seed, suite=found)

    @classmethod
    def given(cls, layouts: Iterable[Layout], start: Cell | None) -> Source:
        """Return boards from outside.

        Raises
        ------
        GameError
            If they are no layouts.
        """
        if not isinstance(layouts, Iterable):
            raise GameError(f"layouts are a list of Layout, not {quoted(layouts)}")
        boards = tuple(layouts)
        for layout in boards:
            if not isinstance(layout, Layout):
                raise GameError(f"layouts are a list of Layout, with no {quoted(layout)} in it")
        return cls(None, None, start, None, layouts=boards)

    def layout(self, number: int) -> Layout | None:
        """Return the board of a game; None if it is made after the first dig."""
        if self.suite is not None:
            return self.suite.layout(number)
        return None if self.layouts is None else self.layouts[number]

    def board_of(self, number: int) -> Board:
        """Return what a game is played on."""
        if self.board is not None:
            return self.board
        assert self.layouts is not None
        return self.layouts[number].board

    def game(self, number: int) -> Game:
        """Return a game that begins."""
        layout = self.layout(number)
        if layout is not None:
            return Game(layout)
        assert self.board is not None
        assert self.rule is not None
        return new_game(self.board, rule=self.rule, seed=self.chance(number))

    def chance(self, number: int) -> int:
        """Return what decides all that is left to chance in a game: 64 bits."""
        if self.layouts is not None:
            return number
        return seed_of(self.seed if self.suite is None else self.suite.name, number)

    def play_natively(self, player: BuiltIn, numbers: range, run: Run) -> Games:
        """Let the core play some games.

        Raises
        ------
        TooManyLayouts
            If the strategy is perfect play, and the board too large for it.
        """
        try:
            if self.suite is None and self.layouts is None:
                return self._seeded(player, numbers, run)
            return self._on_layouts(player, numbers, run)
        except TooWide as error:
            raise TooManyLayouts(str(self.board_of(numbers[0])), error.expected) from None

    def _on_layouts(self, player: BuiltIn, numbers: range, run: Run) -> Games:
        games = Games()
        boards = ((self.layout(number), self.chance(number)) for number in numbers)
        for board, alike in groupby(boards, lambda pair: pair[0].board if pair[0] else None):
            assert board is not None
            some = list(alike)
            start = first_dig(board, "any") if self.start is None else self.start
            played = play_layouts(
                board.topology.adjacency,
                board.mines,
                board.topology.index(start),
                player.name,
                player.effort,
                b"".join(layout.mined for layout, _ in some if layout),
                array("Q", [chance for _, chance in some]).tobytes(),
                run,
            )
            games.add(_from_core(played))
        return games

    def _seeded(self, player: BuiltIn, numbers: range, run: Run) -> Games:
        assert self.board is not None
        assert self.rule is not None
        topology = self.board.topology
        played = play_seeds(
            topology.adjacency,
            self.board.mines,
            topology.index(self.start),
            kept_free(topology, self.start, self.rule),
            player.name,
            player.effort,
            array("Q", map(self.chance, numbers)).tobytes(),
            run,
        )
        return _from_core(played)


def _from_core(played: Any) -> Games:
    return Games([bool(won) for won in played.won], integers(played.guesses), doubles(played.luck))
