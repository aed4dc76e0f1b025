"""Many games on boards that everybody can repeat."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import index as as_int
from queue import SimpleQueue
from typing import Any

from sapper._native import run_under
from sapper.errors import GameError, MethodError, SapperError, quoted
from sapper.field import Cell
from sapper.game import Board, Layout, StartRule
from sapper.limits import Budget, Limits, in_order
from sapper.play.external import External
from sapper.play.games import play_games
from sapper.play.isolated import Isolated
from sapper.play.results import Result
from sapper.play.sources import Games, Source
from sapper.play.strategies import BuiltIn, named
from sapper.play.suites import Suite
from sapper.play.view import Chooser, Strategy
from sapper.play.watched import Watched

__all__ = ["guarded_player", "public_name", "tournament"]

# Games of one job of a worker; progress is told after each.
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
    suite: str | Suite | None = None,
    workers: int = 1,
    progress: Callable[[int], Any] | None = None,
    seconds: float = 10.0,
    isolated: bool = False,
    limits: Limits | None = None,
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
        Play on these, instead of board, rule, games and seed above.
    suite : str or Suite, optional
        Play on the first boards of a suite, instead of board, rule, start and seed above.
    workers : int
        How many games are played at once. The built-in strategies play natively, in threads that
        keep as many processors busy; others get a process for each worker.
    progress : callable, optional
        Called with the number of games played so far.
    seconds : float
        How long a move of a strategy that is not built in may take.
    isolated : bool
        Whether a strategy in Python plays in a copy of this process, where it may do what it
        likes: `play.isolated.Isolated` tells more. It does so anyway with several workers, and
        where signals do not reach. Otherwise it plays here, and a signal ends a move that takes
        too long.
    limits : Limits, optional
        What the whole tournament may cost: all its seconds, and the memory of a worker. Every game
        is a node, and so is every move of a strategy that is not built in. Nobody watches the
        memory of a strategy in a process of its own: with one, a limit of bytes is refused.
    **options
        Of a strategy that is given by name.

    Raises
    ------
    GameError
        If there is no such strategy or board. An error of the strategy, an illegal answer or a
        move that takes too long only loses the game; `Result.failures` has it.
    LimitExceeded
        If a limit is hit.
    MethodError
        If the strategy cannot be kept to a limit.

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
    games, workers = _whole("games", games, 0), _whole("workers", workers, 1)
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise GameError(f"a seed is a whole number, not {quoted(seed)}")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is a callable, not {quoted(progress)}")
    player = guarded_player(strategy, seconds, isolated or workers > 1, **options)
    if isinstance(player, External):
        player.require()
    if layouts is not None:
        if suite is not None:
            raise GameError("boards come from layouts or from a suite, not from both")
        source = Source.given(layouts, start)
        games = len(source.layouts or ())
    elif suite is not None:
        source = Source.suited(suite)
    else:
        choose = not isinstance(player, BuiltIn)
        source = Source.seeded(board, rule, start, as_int(seed), choose=choose)
    begun = time.perf_counter()
    chunks = [range(i, min(i + _CHUNK, games)) for i in range(0, games, _CHUNK)]
    whole = Games()
    for some in _played(player, source, chunks, workers, limits):
        whole.add(some)
        if progress is not None:
            progress(len(whole.won))
    return Result(
        strategy=public_name(player),
        board=source.board,
        rule=source.rule,
        start=source.start,
        seed=source.seed,
        layouts=source.layouts,
        suite=None if source.suite is None else source.suite.name,
        won=tuple(whole.won),
        guessed=tuple(whole.guessed),
        luck=tuple(whole.luck),
        failures=whole.failures,
        seconds=time.perf_counter() - begun,
    )


def guarded_player(
    strategy: str | Chooser, seconds: float = 10.0, isolated: bool = True, **options: Any
) -> Strategy:
    """Return a strategy that can lose a game, but not hang; nor end this process, if isolated.

    Raises
    ------
    GameError
        If there is no such strategy.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise GameError(f"seconds must be a positive number, not {quoted(seconds)}")
    if isinstance(strategy, str) and strategy.startswith("exec:"):
        options = {"seconds": seconds, **options}
    player = named(strategy, **options)
    if isinstance(player, BuiltIn | External):
        return player
    if isolated or not Watched.is_possible():
        return Isolated(player, seconds)
    return Watched(player, seconds)


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


def _whole(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or as_int(value) < least:
        raise GameError(f"{name} must be a whole number from {least} on, not {quoted(value)}")
    return as_int(value)


class _Stopped(SapperError):  # noqa: N818
    """Games that nobody wants any more."""


def _played(
    player: Strategy,
    source: Source,
    chunks: Sequence[range],
    workers: int,
    limits: Limits | None,
) -> Iterator[Games]:
    stopping = threading.Event()
    budget = Budget(limits)
    _refuse(player, limits)

    def look_up(_: int = 0) -> None:
        if stopping.is_set():
            raise _Stopped
        if isinstance(player, BuiltIn):
            budget.spend()  # the core counts what it takes itself
        else:
            budget.look(nodes=1)

    # Whoever waits for another process waits in a thread, so that limits and Ctrl-C end that too.
    in_threads = workers > 1 or isinstance(player, External | Isolated)
    run = run_under(limits, look_up if in_threads else None)
    if isinstance(player, Watched):
        player.budget = budget
    crew = [player]
    if isinstance(player, External | Isolated):
        crew += [player.again() for _ in range(workers - 1)]
    players: SimpleQueue[Strategy] = SimpleQueue()
    for member in crew if len(crew) > 1 else crew * workers:
        players.put(member)

    def play(numbers: range) -> Games:
        if isinstance(player, BuiltIn):
            budget.spend(nodes=len(numbers))
        member = players.get()
        try:
            return play_games(member, source, numbers, run=run, look_up=look_up, budget=budget)
        finally:
            players.put(member)

    def stop() -> None:
        stopping.set()
        _each(crew, "kill")

    try:
        if in_threads:
            yield from in_order(play, chunks, workers, stop=stop, look=budget.spend)
        else:
            yield from map(play, chunks)
    finally:
        _each(crew, "close")


def _each(crew: Sequence[Strategy], wanted: str) -> None:
    for member in crew:
        getattr(member, wanted, lambda: None)()


def _refuse(player: Strategy, limits: Limits | None) -> None:
    """Raise if a strategy cannot be kept to these limits."""
    if limits is not None and limits.bytes is not None and isinstance(player, External | Isolated):
        raise MethodError(
            f"{public_name(player):.60} plays in a process of its own, whose memory nobody watches:"
            " leave out the limit of bytes"
        )
