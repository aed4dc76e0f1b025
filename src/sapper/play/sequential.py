"""When enough games were played to say who is ahead."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal, TypeAlias

from sapper.errors import GameError, expect, quoted

__all__ = ["SequentialTest", "Standing", "likelihood_ratio"]

# Beyond so many games floats say nothing.
_MOST: Final = 1 << 53

Standing: TypeAlias = Literal["first", "second", "neither"]
"""Who is ahead; ``"neither"`` is no verdict on ties, but on differences as large as the margin."""


@dataclass(slots=True)
class SequentialTest:
    """A sequential probability ratio test of two strategies on the same boards.

    Two tests run side by side, each of the hypothesis that the rates are equal: against the first
    being ahead by `margin`, and against the second being ahead by as much. A test ends when the
    logarithm of its likelihood ratio leaves the interval of `bounds`; all is decided when one test
    says *ahead*, or both say *no*. If the strategies are equally good, someone is called ahead
    with a chance of at most `alpha` (each test takes half of it); if one is ahead by the margin,
    that is missed with a chance of at most `beta`. Both hold as closely as Wald's bounds do: for
    games that come in batches, a little better than stated.

    The ratio is that of fishtest for Stockfish: of the largest likelihoods that the numbers of
    games won by one only, by the other only, and alike have, under either hypothesis.

    A test belongs to one thread at a time.

    A. Wald, *Sequential tests of statistical hypotheses* (1945); M. Sobel & A. Wald, *A sequential
    decision procedure for choosing one of three hypotheses* (1949).

    Parameters
    ----------
    margin : float
        The difference of the rates that matters.
    alpha, beta : float
        The chances of errors.

    Examples
    --------
    >>> test = SequentialTest(margin=0.02)
    >>> test.add(better=3, worse=2, games=64), test.standing
    (None, None)
    >>> test.add(better=190, worse=70, games=2000)
    'first'
    """

    margin: float = 0.005
    alpha: float = 0.05
    beta: float = 0.05
    games: int = field(default=0, init=False)
    better: int = field(default=0, init=False)
    worse: int = field(default=0, init=False)
    _ahead: bool | None = field(default=None, init=False)
    _behind: bool | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        for name in ("margin", "alpha", "beta"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 0.5:
                raise GameError(f"{name} is a number between 0 and 0.5, not {quoted(value)}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The logarithms of the likelihood ratios at which a test says no, and yes."""
        return (
            math.log(self.beta / (1 - self.alpha / 2)),
            math.log((1 - self.beta) / (self.alpha / 2)),
        )

    @property
    def ratios(self) -> tuple[float, float]:
        """The logarithms of the likelihood ratios as they stand: first ahead, second ahead."""
        return (
            likelihood_ratio(self.better, self.worse, self.games, self.margin),
            likelihood_ratio(self.worse, self.better, self.games, self.margin),
        )

    @property
    def standing(self) -> Standing | None:
        """Who is ahead; None as long as nobody can say."""
        if self._ahead:
            return "first"
        if self._behind:
            return "second"
        return "neither" if self._ahead is False and self._behind is False else None

    def add(self, *, better: int, worse: int, games: int) -> Standing | None:
        """Take note of more games; once all is decided, nothing changes any more."""
        for number in (better, worse, games):
            expect(number, int, "numbers of games are integers")
        if not (better >= 0 and worse >= 0 and better + worse <= games <= _MOST):
            raise GameError(f"{quoted(better)} and {quoted(worse)} of {quoted(games)} games?")
        if self.standing is None:
            self.better, self.worse = self.better + better, self.worse + worse
            self.games += games
            low, high = self.bounds
            ahead, behind = self.ratios
            if self._ahead is None and not low < ahead < high:
                self._ahead = ahead >= high
            if self._behind is None and not low < behind < high:
                self._behind = behind >= high
        return self.standing

    def follow(self, pairs: Iterable[tuple[bool, bool]], batch: int = 64) -> Standing | None:
        """Take note of pairs of outcomes, and look after every batch whether all is decided."""
        expect(batch, int, "a batch is a number of games")
        rest = iter(pairs)
        while self.standing is None and (some := list(islice(rest, batch))):
            if any(not isinstance(pair, tuple) or len(pair) != 2 for pair in some):
                raise TypeError("outcomes come in pairs: (did the first win, did the second)")
            better = sum(a and not b for a, b in some)
            worse = sum(b and not a for a, b in some)
            self.add(better=better, worse=worse, games=len(some))
        return self.standing


def likelihood_ratio(better: int, worse: int, games: int, margin: float) -> float:
    """Return by how much an advantage of `margin` is more likely than none, as a logarithm.

    How often the two differ is not known, so each hypothesis gets the likelihood of the best
    guess at it. Half a game is added to either side, so that a few games prove nothing.

    Examples
    --------
    >>> likelihood_ratio(50, 50, 1000, 0.02) < 0 < likelihood_ratio(80, 50, 1000, 0.02)
    True
    """
    up, down, same = better + 0.5, worse + 0.5, games - better - worse + 1.0
    total = up + down + same

    def likelihood(ahead: float) -> float:
        # Best is the chance x that only the second wins at which the derivative, a quadratic,
        # vanishes.
        linear = (up + down) * (1 - ahead) - 2 * ahead * (down + same)
        root = math.sqrt(linear * linear + 8 * total * down * ahead * (1 - ahead))
        # The larger root, without a difference of nearly equal numbers.
        if linear >= 0:
            x = (linear + root) / (4 * total)
        else:
            x = 2 * down * ahead * (1 - ahead) / (root - linear)
        return up * math.log(x + ahead) + down * math.log(x) + same * math.log(1 - ahead - 2 * x)

    return likelihood(margin) - likelihood(0.0)
