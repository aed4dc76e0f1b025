"""What a tournament found, and what follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sapper.errors import GameError
from sapper.field import Cell
from sapper.game import Board, Layout, StartRule

__all__ = ["Difference", "Result", "wilson_interval"]

# The 97.5th percentile of the normal distribution.
_Z = 1.959963984540054


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """Return the Wilson score interval of 95 % for a rate.

    E. B. Wilson, *Probable inference, the law of succession, and statistical inference* (1927).

    Examples
    --------
    >>> low, high = wilson_interval(40, 100)
    >>> round(low, 4), round(high, 4)
    (0.3094, 0.498)
    """
    if games == 0:
        return 0.0, 1.0
    rate, more = wins / games, _Z * _Z / games
    middle = (rate + more / 2) / (1 + more)
    half = _Z * math.sqrt(rate * (1 - rate) / games + more / (4 * games)) / (1 + more)
    # At the ends of the scale the interval ends there too, whatever rounding says.
    return (middle - half if wins else 0.0), (middle + half if wins < games else 1.0)


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more often one strategy wins than another, on the same boards.

    Frozen: threads can share one.

    Attributes
    ----------
    value : float
        The difference of the rates.
    error : float
        Its standard error, from the games that only one of them won.
    better, worse, games : int
        Games that only the first won, and only the second, of how many.
    """

    value: float
    error: float
    better: int
    worse: int
    games: int

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of 95 % for the true difference.

        By A. Agresti & Y. Min, *Simple improved confidence intervals for comparing matched
        proportions* (2005): half a game more of each of the four kinds. So a few games, all won
        by the same, do not count as proof.
        """
        games, apart = self.games + 2, self.better - self.worse
        half = _Z * math.sqrt(self.better + self.worse + 1 - apart * apart / games)
        return max(-1.0, (apart - half) / games), min(1.0, (apart + half) / games)

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves no doubt who is ahead."""
        low, high = self.interval
        return low > 0 or high < 0


@dataclass(frozen=True, slots=True)
class Result:
    """The games of one strategy.

    Frozen: threads can share one.

    Attributes
    ----------
    strategy : str
        Its name, with version and options.
    board, rule, start, seed
        What was played: game i is `random_layout` with the seed ``seed_of(seed, i)``.
        ``board``, ``rule`` and ``seed`` are None for given layouts, and ``start`` if the
        strategy chose it.
    layouts : tuple of Layout or None
        The boards, if they were given.
    suite : str or None
        The name of the suite, if its boards were played.
    won : tuple of bool
        One for each game, in order.
    guessed : tuple of int
        For each game the digs that were no certainty. The first dig is left out, unless a
        strategy chose it on a given layout.
    luck : tuple of float
        For each game the chance of surviving all those guesses: the product of the chances that
        each dig was safe, as an exact analysis of what was visible sees it. Not a number where
        that analysis was out of reach.
    failures : dict
        What was wrong in the games that were lost by an error or an illegal answer, by number.
    seconds : float
        How long it took by the clock.
    """

    strategy: str
    board: Board | None
    rule: StartRule | None
    start: Cell | None
    seed: int | None
    layouts: tuple[Layout, ...] | None
    suite: str | None
    won: tuple[bool, ...]
    guessed: tuple[int, ...]
    luck: tuple[float, ...]
    failures: dict[int, str]
    seconds: float

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.won)

    @property
    def wins(self) -> int:
        """How many were won."""
        return sum(self.won)

    @property
    def guesses(self) -> int:
        """Digs that were no certainty, in all games."""
        return sum(self.guessed)

    @property
    def rate(self) -> float:
        """The share of games won."""
        return self.wins / self.games if self.won else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate, by Wilson's score."""
        return wilson_interval(self.wins, self.games)

    @property
    def games_per_second(self) -> float:
        """By the clock, with all workers."""
        return self.games / self.seconds if self.seconds > 0 else math.inf

    def minus(self, other: Result) -> Difference:
        """Return by how much this strategy is ahead of another on the same boards.

        Raises
        ------
        GameError
            If the games are not the same.
        """
        same = ("board", "rule", "seed", "layouts", "suite", "games")
        if any(getattr(self, name) != getattr(other, name) for name in same):
            raise GameError("these results are not of the same games")
        better = sum(a > b for a, b in zip(self.won, other.won, strict=True))
        worse = sum(a < b for a, b in zip(self.won, other.won, strict=True))
        games = max(1, self.games)
        value = (better - worse) / games
        error = math.sqrt(max(0.0, better + worse - games * value**2)) / games
        return Difference(value, error, better, worse, self.games)

    def __str__(self) -> str:
        low, high = self.interval
        lost = f", {len(self.failures)} by errors" if self.failures else ""
        return (
            f"{self.strategy}: {self.wins} of {self.games} won{lost}, {100 * self.rate:.3f} %"
            f" ({100 * low:.3f} to {100 * high:.3f})"
        )
