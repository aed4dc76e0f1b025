"""Strategies side by side, on the same boards."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from sapper._native import run_under
from sapper.errors import GameError, expect, quoted
from sapper.lab.experiment import BaseExperiment, Job, Record, Row
from sapper.play import (
    BuiltIn,
    Difference,
    External,
    Result,
    SequentialTest,
    Source,
    Standing,
    Strategy,
    guarded_player,
    named,
    play_games,
    public_name,
)

__all__ = ["Meeting", "Referee", "Tournament"]

# Boards between two looks of the sequential test; also the games of a job of a quick strategy.
_BLOCK = 64
# The games of a job of a slow one: what a killed worker loses.
_FEW = 8


@dataclass(frozen=True)
class Tournament(BaseExperiment):
    """Some strategies that play the same boards.

    Frozen: threads can share one.

    Parameters
    ----------
    strategies : tuple of str
        Names as in `play.named`, with options as in ``champion:effort=10``.
    board, rule, start
        What is played, as in `play.tournament`; the first dig is the same for all.
    games, seed : int
        How many boards, at most, and what decides them.
    suite : str, optional
        Boards of a suite instead.
    seconds : float
        How long a move of a strategy that is not built in may take.
    until_clear : bool
        End as soon as sequential tests of the first strategy against each other say who is ahead.
    margin : float
        The difference of win rates that matters to these tests.

    Raises
    ------
    GameError
        If there is no such strategy, board or suite, or a strategy is given twice.

    Examples
    --------
    >>> meeting = Tournament(("safest", "random"), board="beginner", games=100)
    >>> rows = [Row(job.key, job.payload, meeting.work(job.payload)) for job in meeting.jobs()]
    >>> first, second = meeting.meeting(rows).results
    >>> first.wins > second.wins
    True
    """

    strategies: tuple[str, ...]
    board: str = "expert"
    rule: Any = "safe"
    start: Any = None
    games: int = 1000
    seed: int = 0
    suite: str | None = None
    seconds: float = 10.0
    until_clear: bool = False
    margin: float = 0.005

    name = "tournament"

    def __post_init__(self) -> None:
        for text in self.strategies:
            player(text, self.seconds)
        if not self.strategies:
            raise GameError("a tournament needs a strategy")
        if len(set(self.strategies)) < len(self.strategies):
            raise GameError("a strategy is given twice")
        if self.until_clear and len(self.strategies) < 2:
            raise GameError("who is ahead takes two strategies")
        if self.games < 1:
            raise GameError(f"at least one game is needed, not {quoted(self.games)}")
        SequentialTest(margin=self.margin)
        _ = self.source

    @property
    def parameters(self) -> Record:
        """What decides every single game; how many are played may change when a run goes on."""
        start = self.source.start
        kept = ("strategies", "board", "rule", "seed", "suite", "seconds")
        return {name: getattr(self, name) for name in kept} | {"start": start}

    @property
    def source(self) -> Source:
        """Where the boards come from."""
        if self.suite is not None:
            return Source.suited(self.suite)
        return Source.seeded(self.board, self.rule, self.start, self.seed, choose=False)

    def jobs(self) -> Iterator[Job]:
        """Yield all jobs: some games of one strategy; no strategy gets far ahead of the others."""
        sizes = [
            _BLOCK if isinstance(named(name, **options), BuiltIn) else _FEW
            for name, options in map(written, self.strategies)
        ]
        for block in range(0, self.games, _BLOCK):
            end = min(block + _BLOCK, self.games)
            for text, size in zip(self.strategies, sizes, strict=True):
                for first in range(block, end, size):
                    last = min(first + size, end)
                    payload = {"strategy": text, "first": first, "games": last - first}
                    yield Job(f"{first}-{last - 1} {text}", payload)

    def require(self, jobs: Iterable[Job]) -> None:
        """Raise if a program that plays in some jobs cannot be started on this machine.

        Raises
        ------
        GameError
            If there is none, or it is not executable.
        """
        for text in dict.fromkeys(job.payload["strategy"] for job in jobs):
            who = player(text, self.seconds)
            if isinstance(who, External):
                who.require()

    def work(self, payload: Record) -> Record:
        """Play the games of a job."""
        who = _kept_player(payload["strategy"], self.seconds)
        first, games = payload["first"], payload["games"]
        played = play_games(who, self.source, range(first, first + games), run=run_under(None))
        return {
            "answer": {
                "name": public_name(who),
                "won": "".join("01"[won] for won in played.won),
                "guessed": played.guessed,
                "luck": [None if math.isnan(x) else float(f"{x:.6g}") for x in played.luck],
                "failures": {str(number): why for number, why in played.failures.items()},
            },
            "measured": {"seconds": round(played.seconds, 6)},
        }

    def failed(self, payload: Record, reason: str) -> Record:
        """Return the games of a job whose worker ended: lost."""
        games = payload["games"]
        numbers = range(payload["first"], payload["first"] + games)
        return {
            "answer": {
                "name": payload["strategy"],
                "won": "0" * games,
                "guessed": [0] * games,
                "luck": [None] * games,
                "failures": {str(number): reason for number in numbers},
            },
            "measured": {"seconds": 0.0},
        }

    def meeting(self, rows: Iterable[Row]) -> Meeting:
        """Return what the games of some rows say: of the boards that all have played."""
        referee = Referee(self)
        for row in rows:
            referee.see(row)
        return referee.meeting()

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write figures and tables, and return the text of the report."""
        from sapper.lab.tournament_report import report

        return report(self, self.meeting(rows), directory)


@dataclass(frozen=True)
class Meeting:
    """What a tournament found.

    Frozen: threads can share one.

    Attributes
    ----------
    results : tuple of Result
        One for each strategy, on the same boards; `seconds` is what its moves took.
    tests : dict
        The sequential test of the first strategy against each other, by name, if there are any.
    """

    results: tuple[Result, ...]
    tests: dict[str, SequentialTest]

    @property
    def differences(self) -> list[tuple[Result, Result, Difference]]:
        """Every two strategies, and by how much the first of them is ahead."""
        return [(one, two, one.minus(two)) for one, two in combinations(self.results, 2)]

    @property
    def standings(self) -> dict[str, Standing | None]:
        """What the sequential tests say."""
        return {name: test.standing for name, test in self.tests.items()}


class _Score:
    """The games of one strategy, a place for each; those that are not played yet are marked."""

    MISSING = 2

    def __init__(self, text: str, games: int) -> None:
        self.name = text
        self.won = bytearray([self.MISSING]) * games
        self.guessed = array("i", bytes(4 * games))
        self.luck = array("d", bytes(8 * games))
        self.failures: dict[int, str] = {}
        self.seconds = 0.0
        self.played = self.wins = 0

    def add(self, row: Row) -> None:
        answer, first = row.result["answer"], row.payload["first"]
        some = slice(first, first + row.payload["games"])
        self.name = answer["name"]
        self.won[some] = map(int, answer["won"])
        self.guessed[some] = array("i", answer["guessed"])
        self.luck[some] = array("d", [math.nan if x is None else x for x in answer["luck"]])
        self.failures |= {int(number): why for number, why in answer["failures"].items()}
        self.seconds += row.result["measured"]["seconds"]
        self.played += row.payload["games"]
        self.wins += answer["won"].count("1")


class Referee:
    """Sees results as they come, each once and in any order, and says when it is enough.

    It belongs to one thread at a time.
    """

    def __init__(self, contest: Tournament) -> None:
        self._contest = contest
        self._scores = {text: _Score(text, contest.games) for text in contest.strategies}
        self._tests: dict[str, SequentialTest] = {}
        if contest.until_clear:
            self._tests = {
                text: SequentialTest(margin=contest.margin) for text in contest.strategies[1:]
            }
        self._looked = 0

    def see(self, row: Row) -> bool:
        """Take note of a job; tell whether it is clear who is ahead."""
        self._scores[row.payload["strategy"]].add(row)
        return self._is_clear()

    @property
    def rates(self) -> dict[str, tuple[int, int]]:
        """How many games each strategy has won so far, and of how many."""
        return {score.name: (score.wins, score.played) for score in self._scores.values()}

    def _is_clear(self) -> bool:
        """Let the tests see all whole blocks that everybody has played, in order."""
        if not self._tests:
            return False
        first = self._scores[self._contest.strategies[0]].won
        while any(test.standing is None for test in self._tests.values()):
            end = min(self._looked + _BLOCK, self._contest.games)
            parts = [score.won[self._looked : end] for score in self._scores.values()]
            if self._looked == end or any(_Score.MISSING in part for part in parts):
                return False
            for text, test in self._tests.items():
                block = slice(self._looked, end)
                pairs = zip(first[block], self._scores[text].won[block], strict=True)
                test.follow(((bool(a), bool(b)) for a, b in pairs), batch=_BLOCK)
            self._looked = end
        return True

    def meeting(self) -> Meeting:
        """Return what was found, on the boards from the first on that all have played."""
        boards = self._looked if self._is_clear() else self._contest.games
        for score in self._scores.values():
            missing = score.won.find(_Score.MISSING, 0, boards)
            boards = boards if missing < 0 else missing
        results = tuple(self._result(score, boards) for score in self._scores.values())
        tests = {self._scores[text].name: test for text, test in self._tests.items()}
        return Meeting(results, tests)

    def _result(self, score: _Score, boards: int) -> Result:
        source = self._contest.source
        return Result(
            strategy=score.name,
            board=source.board,
            rule=source.rule,
            start=source.start,
            seed=source.seed,
            layouts=None,
            suite=None if source.suite is None else source.suite.name,
            won=tuple(map(bool, score.won[:boards])),
            guessed=tuple(score.guessed[:boards]),
            luck=tuple(score.luck[:boards]),
            failures={n: why for n, why in sorted(score.failures.items()) if n < boards},
            # More games may have been played than count: each gets its share of the time.
            seconds=score.seconds * boards / max(1, score.played),
        )


def written(text: str) -> tuple[str, Record]:
    """Return the name and the options of a strategy that is written as in ``champion:effort=10``.

    Raises
    ------
    GameError
        If an option has no value.

    Examples
    --------
    >>> written("champion:effort=10"), written("exec:bot --fast=1")
    (('champion', {'effort': 10}), ('exec:bot --fast=1', {}))
    """
    expect(text, str, "a strategy is named by a text such as 'champion:effort=10'")
    name, _, rest = text.partition(":")
    if name == "exec" or not rest:
        return text, {}
    options: Record = {}
    for part in rest.split(","):
        key, sign, value = part.partition("=")
        if not (key and sign and value):
            raise GameError(f"{quoted(part)} is no option of {name}; write option=value")
        options[key] = _value(value)
    return name, options


def _value(text: str) -> Any:
    kinds: tuple[Callable[[str], Any], ...] = (int, float)
    for kind in kinds:
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text, text)


def player(text: str, seconds: float) -> Strategy:
    """Return a strategy that is written as in ``champion:effort=10``, kept from doing harm.

    Raises
    ------
    GameError
        If there is none.
    """
    name, options = written(text)
    return guarded_player(name, seconds, **options)


@cache
def _kept_player(text: str, seconds: float) -> Strategy:
    """Return the player of a worker process: a program is not started for every job."""
    return player(text, seconds)
