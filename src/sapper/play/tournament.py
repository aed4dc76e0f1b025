"""Many games on boards that everybody can repeat."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from operator import index as as_int
from queue import SimpleQueue
from random import Random
from typing import Any

from sapper._native import integers, play_layouts, play_seeds, run_under
from sapper.errors import GameError, SapperError
from sapper.field import Cell
from sapper.game import (
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
from sapper.play.results import Result
from sapper.play.strategies import BuiltIn, first_dig, named
from sapper.play.view import Chooser, Strategy, View

__all__ = ["tournament"]

# Games of one call of the core, and of one job of a worker.
_CHUNK = 64


def tournament(
    strategy: str | Chooser,
    *,
    board: str | Board = "expert",
    rule: StartRule = "safe",
    start: Cell | None = None,
    games: int = 1000,
    seed: int = 0,
    layouts: Iterable[Layout] | None = None,
    workers: int = 1,
    progress: Callable[[int], Any] | None = None,
    **options: Any,
) -> Result:
    """Let a strategy play many games.

    Game i is played on `random_layout` with the seed ``seed_of(seed, i)``, whoever plays: results
    with the same board, rule, start and seed are paired. What a strategy leaves to chance follows
    from the same seed, so a result is the same on every run and with any number of workers.

    Parameters
    ----------
    strategy : str, Strategy or callable
        See `named`.
    board, rule, start
        What is played. Without a start the built-in strategies begin as in `first_dig`, and others
        are asked: the mines are placed after the first dig is chosen.
    games, seed : int
        How many, and what decides them.
    layouts : iterable of Layout, optional
        Play on these, instead of boards, rule and games above.
    workers : int
        Threads that play. The built-in strategies play natively and keep as many processors busy;
        of other strategies only programs (``exec:…``) can be had more than once.
    progress : callable, optional
        Called with the number of games played so far.
    **options
        Of a strategy that is given by name.

    Raises
    ------
    GameError
        If there is no such strategy or board. An error of the strategy, or an illegal answer, only
        loses the game; `Result.failures` has it.

    Examples
    --------
    >>> result = tournament("safest", board="beginner", games=200, seed=1)
    >>> result.games, 0.8 < result.rate < 1
    (200, True)
    >>> result == tournament("safest", board="beginner", games=200, seed=1)
    False
    >>> result.won == tournament("safest", board="beginner", games=200, seed=1, workers=2).won
    True
    """
    if as_int(workers) < 1 or as_int(games) < 0:
        raise GameError("games must not be negative, and there must be a worker")
    player = named(strategy, **options)
    begun = time.perf_counter()
    source: _Seeded | _Given
    if layouts is None:
        wanted = board_named(board)
        if not len(wanted.topology):
            raise GameError("there is nothing to dig on a field without cells")
        if start is None and isinstance(player, BuiltIn):
            start = first_dig(wanted, rule)
        # Fails early, with its own words, if the mines have no room.
        first = wanted.topology.cells[0] if start is None else start
        random_layout(wanted, start=first, rule=rule, seed=0)
        source = _Seeded(wanted, rule, start, seed)
    else:
        given = tuple(layouts)
        source = _Given(given, start)
        games = len(given)
    chunks = [range(i, min(i + _CHUNK, games)) for i in range(0, games, _CHUNK)]
    won: list[bool] = []
    guesses = 0
    failures: dict[int, str] = {}
    for chunk in _played(player, source, chunks, workers):
        won += chunk.won
        guesses += chunk.guesses
        failures |= chunk.failures
        if progress is not None:
            progress(len(won))
    return Result(
        strategy=public_name(player),
        board=source.board,
        rule=source.rule,
        start=start,
        seed=source.seed,
        layouts=source.layouts,
        won=tuple(won),
        guesses=guesses,
        failures=failures,
        seconds=time.perf_counter() - begun,
    )


def public_name(strategy: Strategy) -> str:
    """Return the name of a strategy as it goes into results, with its version and options."""
    if isinstance(strategy, BuiltIn):
        return (
            strategy.name
            if strategy.effort == 1
            else f"{strategy.name}(effort={strategy.effort:g})"
        )
    name = str(getattr(strategy, "name", type(strategy).__name__))
    version = getattr(strategy, "version", None)
    return name if version is None else f"{name} {version}"


@dataclass
class _Chunk:
    won: list[bool] = field(default_factory=list)
    guesses: int = 0
    failures: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Seeded:
    """Boards that follow from a seed."""

    board: Board
    rule: StartRule
    start: Cell | None
    seed: int
    layouts: None = None

    def game(self, number: int) -> Game:
        return new_game(self.board, rule=self.rule, seed=seed_of(self.seed, number))

    def rng(self, number: int) -> Random:
        return Random(seed_of(self.seed, number))

    def play_natively(self, player: BuiltIn, numbers: range) -> _Chunk:
        assert self.start is not None
        topology = self.board.topology
        played = play_seeds(
            topology.adjacency,
            self.board.mines,
            topology.index(self.start),
            kept_free(topology, self.start, self.rule),
            player.name,
            player.effort,
            array("Q", [seed_of(self.seed, number) for number in numbers]).tobytes(),
            run_under(None),
        )
        return _Chunk([bool(won) for won in played.won], sum(integers(played.guesses)))


@dataclass(frozen=True)
class _Given:
    """Boards from outside."""

    layouts: tuple[Layout, ...]
    start: Cell | None
    board: None = None
    rule: None = None
    seed: None = None

    def game(self, number: int) -> Game:
        return Game(self.layouts[number])

    def rng(self, number: int) -> Random:
        return Random(number)

    def play_natively(self, player: BuiltIn, numbers: range) -> _Chunk:
        chunk = _Chunk()
        for number in numbers:
            layout = self.layouts[number]
            topology = layout.topology
            start = first_dig(layout.board, "any") if self.start is None else self.start
            played = play_layouts(
                topology.adjacency,
                sum(layout.mined),
                topology.index(start),
                player.name,
                player.effort,
                layout.mined,
                array("Q", [number]).tobytes(),
                run_under(None),
            )
            chunk.won.append(bool(played.won[0]))
            chunk.guesses += integers(played.guesses)[0]
        return chunk


def _played(
    player: Strategy, source: _Seeded | _Given, chunks: Sequence[range], workers: int
) -> Iterator[_Chunk]:
    if isinstance(player, BuiltIn):
        yield from _in_threads(
            lambda numbers: source.play_natively(player, numbers), chunks, workers
        )
        return
    again = getattr(player, "again", None)
    if workers > 1 and again is None:
        raise GameError("this strategy can only be called by one worker at a time")
    players: SimpleQueue[Strategy] = SimpleQueue()
    crew = [player] + ([again() for _ in range(workers - 1)] if again is not None else [])
    for member in crew:
        players.put(member)

    def play(numbers: range) -> _Chunk:
        member = players.get()
        try:
            return _play(member, source, numbers)
        finally:
            players.put(member)

    try:
        yield from _in_threads(play, chunks, workers)
    finally:
        for member in crew:
            close = getattr(member, "close", None)
            if close is not None:
                close()


def _in_threads(
    play: Callable[[range], _Chunk], chunks: Sequence[range], workers: int
) -> Iterator[_Chunk]:
    if workers == 1:
        yield from map(play, chunks)
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(play, chunks)
    finally:
        pool.shutdown(cancel_futures=True)


def _play(player: Strategy, source: _Seeded | _Given, numbers: range) -> _Chunk:
    chunk = _Chunk()
    for number in numbers:
        game = source.game(number)
        try:
            begin = getattr(player, "begin", None)
            if begin is not None:
                begin(game.board, source.rule)
            if source.start is not None and game.status == "playing":
                game.dig(source.start)
            view = View(game.position, source.rng(number))
            while game.status == "playing":
                view.position = game.position
                for cell in _legal(player.choose(view), game):
                    if game.status == "playing":
                        game.dig(cell)
        except Exception as error:  # whatever a strategy does, the tournament goes on
            why = str(error) if isinstance(error, SapperError) else repr(error)
            chunk.failures[number] = why[:500]
        chunk.won.append(game.status == "won")
    return chunk


def _legal(answer: Any, game: Game) -> list[Cell]:
    """Return the cells of an answer, which may be one cell or several; all must be covered."""
    topology = game.board.topology
    try:
        cells = [answer] if answer in topology else list(answer)
    except TypeError:
        raise GameError(f"an answer is a cell or several, not {answer!r:.60}") from None
    uncovered = game.uncovered
    for cell in cells:
        topology.index(cell)
        if cell in uncovered:
            raise GameError(f"{cell!r:.60} is uncovered already")
    if not cells:
        raise GameError("an answer needs a cell")
    return cells
