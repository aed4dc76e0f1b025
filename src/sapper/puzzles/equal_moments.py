"""Divisions of {1, …, n} into two sets with equal sums of powers.

A division with equal sums of the 0th to k-th powers is a polynomial of length n with coefficients
±1 and a zero of order k + 1 at 1. Each power is one weighted clue: the mines are one of the sets.

References: S. Golan, *Equal moments division of a set*, Math. Comp. 77 (2008); D. Berend and
S. Golan, *Littlewood polynomials with high order zeros*, Math. Comp. 75 (2006).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count as count_from
from typing import Final, NamedTuple

from sapper.clues import Clue, Clues
from sapper.errors import PositionError, quoted
from sapper.limits import Budget, Limits, load
from sapper.puzzles.rows import primitive_rows

_BY_ENGINE_UP_TO: Final = 16
_COUNTED_UP_TO: Final = 48
_FEW: Final = 8


class Division(NamedTuple):
    """Two sets with equal sums of powers; `first` holds n.

    Frozen: threads can share one.
    """

    first: frozenset[int]
    second: frozenset[int]


@dataclass(frozen=True)
class EqualMoments:
    """The divisions of {1, …, n} into two sets with equal sums of the 0th to k-th powers.

    Frozen: threads can share one.

    A division is counted once: exchanging its two sets gives the same one. Iterating lists them.

    A `symmetric` division goes over into itself under i → n + 1 - i: each set into itself if k is
    odd, into the other if k is even. Then every other power is equal by itself, and the rest are
    sums over the distances 1, 3, …, n - 1 of the pairs: lengths twice as large are reached.

    Examples
    --------
    >>> divisions = equal_moments(4, 1)
    >>> divisions.count()
    1
    >>> [sorted(part) for part in next(iter(divisions))]
    [[1, 4], [2, 3]]
    """

    n: int
    k: int
    symmetric: bool = False

    def __post_init__(self) -> None:
        for name, value, least in (("n", self.n, 1), ("k", self.k, 0)):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise PositionError(
                    f"{name} must be an integer of at least {least}, not {quoted(value)}"
                )

    @property
    def numbers(self) -> range:
        """What is divided: 1, …, n; of symmetric ones the distances within pairs, if n is even."""
        return range(1, self.n, 2) if self.symmetric else range(1, self.n + 1)

    @property
    def powers(self) -> range:
        """The powers of `numbers` whose sums have to be equal."""
        return range((self.k + 1) % 2, self.k + 1, 2) if self.symmetric else range(self.k + 1)

    @cached_property
    def clues(self) -> Clues:
        """The clue system: the mines are the set that holds the largest number.

        One clue for each power j: the j-th powers in the set add up to half of all of them. Where
        that is no integer, both sides are doubled, and the clue cannot hold.
        """
        return self._system(Budget())

    def _system(self, budget: Budget) -> Clues:
        numbers = self.numbers
        # A symmetric division of an odd length would divide the number in the middle.
        impossible = [Clue(1, [])] if self.symmetric and self.n % 2 else []
        clues = [*impossible, *(Clue(1, [largest]) for largest in numbers[-1:])]
        for power in self.powers:
            budget.look()
            weights = [number**power for number in numbers]
            half, odd = divmod(sum(weights), 2)
            if odd:
                clues.append(Clue(sum(weights), numbers, weights=[2 * w for w in weights]))
            else:
                clues.append(Clue(half, numbers, weights=weights))
        return Clues(clues, cells=numbers)

    def count(self, *, method: str = "auto", limits: Limits | None = None) -> int:
        """Return the number of divisions.

        Parameters
        ----------
        method : str
            ``"quarters"`` joins the sums of subsets of four quarters of the numbers: 2^(n/2) time
            and 2^(n/4) memory. ``"halves"`` joins those of two halves, with 2^(n/2) memory, which
            reaches n = 48 and does not list what it counts. Any method of `sapper.count` solves
            the clue system instead. ``"auto"`` is the engine up to 16 numbers, halves where there
            may be many divisions, else quarters.
        limits : Limits, optional
            What the answer may cost. Halves take about 40 bytes for each of 2^(n/2) subsets,
            quarters about 160 for each of 2^(n/4).
        """
        if self._is_hopeless:
            return 0
        way = self._joined(method)
        if way == "quarters" and (method == way or self._has_few or not self.is_countable):
            return sum(1 for _ in self.divisions(method=way, limits=limits))
        if way:
            load("numpy")
            from sapper.puzzles.halves import joined_count

            return joined_count(self.numbers, self.powers, limits)
        from sapper.analysis import count

        budget = Budget(limits)
        system = self._system(budget)
        return count(system, method=_named(method), limits=limits and budget.left())

    def divisions(
        self, *, method: str = "auto", limits: Limits | None = None
    ) -> Iterator[Division]:
        """List all divisions; parameters are those of `count`.

        With quarters they come as they are found, the first long before the last.
        """
        sets: Iterator[frozenset[int]]
        if self._is_hopeless:
            return
        if (way := self._joined(method)) == "quarters":
            if not _agree_modulo_three(self.n, self.k):
                return
            load("numpy")
            from sapper.puzzles.quarters import quartered_sets

            sets = quartered_sets(self.numbers, self.powers, limits)
        elif way == "halves":
            load("numpy")
            from sapper.puzzles.halves import joined_sets

            sets = joined_sets(self.numbers, self.powers, limits)
        else:
            from sapper.analysis import solutions

            budget = Budget(limits)
            system = self._system(budget)
            found = solutions(system, method=_named(method), limits=limits and budget.left())
            sets = (frozenset(int(str(cell)) for cell in solution) for solution in found)
        yield from map(self._division, sets)

    def _division(self, chosen: frozenset[int]) -> Division:
        """Return the division in which a set of `numbers` is on the side of the largest."""
        everything = frozenset(range(1, self.n + 1))
        first = chosen
        if self.symmetric:
            upper = {(self.n + 1 + (d if d in chosen else -d)) // 2 for d in self.numbers}
            first = frozenset(upper)
            if self.k % 2:
                first = frozenset((self.n + 1 + sign * d) // 2 for d in chosen for sign in (1, -1))
        return Division(first, everything - first)

    @property
    def is_countable(self) -> bool:
        """Whether all divisions can be counted in minutes; else the first may still be found."""
        return len(self.numbers) <= _COUNTED_UP_TO

    @property
    def _has_few(self) -> bool:
        """Whether few divisions are to be expected: if sums were normal and independent."""
        rows = primitive_rows(self.numbers, self.powers)
        spread = sum(math.log2(sum(entry**2 for entry in row)) / 2 for row in rows)
        return len(self.numbers) - spread < _FEW

    @property
    def _is_hopeless(self) -> bool:
        """Whether a polynomial of this length has too few zeros."""
        return self.k + 1 > self.n - 1

    def _joined(self, method: str) -> str | None:
        """Return which way of joining sums of parts is meant, if it is one."""
        if self.symmetric and self.n % 2:
            return None
        if method == "auto" and len(self.numbers) > _BY_ENGINE_UP_TO:
            return "quarters"
        return method if method in ("quarters", "halves") else None

    def __iter__(self) -> Iterator[Division]:
        return self.divisions()

    def __bool__(self) -> bool:
        return next(self.divisions(), None) is not None


def _agree_modulo_three(n: int, k: int) -> bool:
    """Tell whether signs can have sums by residue modulo 3 that a zero of order k + 1 allows.

    At a third root of unity ω the polynomial is S₀ + S₁ω + S₂ω², and divisible by (1 - ω)^(k+1). Of
    that two factors are a 3, so the sums are equal modulo 3^⌊(k+1)/2⌋; and they add up to 0.

    Examples
    --------
    >>> [n for n in range(16, 161, 16) if _agree_modulo_three(n, 7)]
    [48, 96, 144, 160]
    """
    modulus = 3 ** ((k + 1) // 2)
    one, two, three = ((n + 2 - residue) // 3 for residue in range(3))
    return any(
        (first - second) % modulus == 0
        and (first + 2 * second) % modulus == 0
        and abs(first + second) <= three
        and (first + second - three) % 2 == 0
        for first in range(-one, one + 1, 2)
        for second in range(-two, two + 1, 2)
    )


def _named(method: str) -> str:
    return "engine" if method in ("auto", "halves", "quarters") else method


def equal_moments(n: int, k: int, *, symmetric: bool = False) -> EqualMoments:
    """Return the divisions of {1, …, n} into two sets with equal sums of 0th to k-th powers.

    Nothing is computed yet: ask for ``count()``, or iterate. With `symmetric`, only those that
    reversing the numbers does not change; they reach twice as far.

    Raises
    ------
    PositionError
        If n is no positive integer or k is negative.

    Examples
    --------
    >>> [equal_moments(n, 2).count() for n in (4, 8, 12, 16)]
    [0, 1, 1, 7]
    >>> equal_moments(16, 2, symmetric=True).count()
    4
    """
    return EqualMoments(n, k, symmetric)


def shortest_length(
    order: int, *, symmetric: bool = False, method: str = "auto", limits: Limits | None = None
) -> int:
    """Return N(m), the least length of a ±1 polynomial with a zero of this order at 1.

    With `symmetric`, the least length of one whose coefficients read the same, or negated, from
    the other end: a bound for N(m). Lengths are tried one after the other, and limits hold for all
    of them together.

    Examples
    --------
    >>> [shortest_length(order) for order in (1, 2, 3, 4)]
    [2, 4, 8, 16]
    """
    if order < 1:
        raise PositionError(f"the order of a zero is at least 1, not {order}")
    budget = Budget(limits)
    with budget.whole():
        for n in count_from(2):
            budget.look()
            found = equal_moments(n, order - 1, symmetric=symmetric).divisions(
                method=method, limits=limits and budget.left()
            )
            if next(found, None) is not None:
                return n
    raise AssertionError("there is no end to lengths")
