"""Limits while they are being spent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import sysconf, sysconf_names
from time import monotonic
from typing import Final, TypeVar

from sapper.errors import LimitExceeded, MethodError, TooWide
from sapper.limits.limits import Limits, machine_limits

T = TypeVar("T")

# Where there is no such number, there is no /proc either.
_PAGE: Final = sysconf("SC_PAGE_SIZE") if "SC_PAGE_SIZE" in sysconf_names else 4096


class Budget:
    """What is left of some limits.

    Spent by one thread at a time; others may look at the time that is left. All who have no limits
    share one, of which nothing that is spent is ever looked at.

    The clock starts when the budget is made. `spend` is cheap enough to be called every few
    hundred steps.

    Examples
    --------
    >>> budget = Budget(Limits(nodes=10))
    >>> budget.spend(nodes=8)
    >>> budget.left().nodes
    2
    >>> budget.spend(nodes=8)
    Traceback (most recent call last):
        ...
    sapper.errors.LimitExceeded: limit reached: 16 nodes spent of 10 allowed
    """

    __slots__ = (
        "_before",
        "_charged",
        "_most_bytes",
        "_most_nodes",
        "_nodes",
        "_seconds",
        "_start",
    )

    def __init__(self, limits: Limits | None = None) -> None:
        self._start = monotonic()
        self._nodes = 0
        self._charged = 0
        self._before: int | None = None
        self._seconds: float | None = None
        self._most_nodes: int | None = None
        self._most_bytes: int | None = None
        if limits is not None and limits is not _NO_LIMITS:
            # What no machine could spend is no limit.
            self._seconds, self._most_nodes, self._most_bytes = machine_limits(limits)
            if self._most_bytes is not None:
                self._before = resident()

    @classmethod
    def of(cls, limits: Limits | Budget | None) -> Budget:
        """Return a budget as it is, or one of limits, whose clock starts now.

        Who has no limits shares one budget: what is spent of it is never looked at.
        """
        if limits is None:
            return UNLIMITED
        return limits if isinstance(limits, Budget) else cls(limits)

    @property
    def seconds(self) -> float | None:
        """The time that is left, at least 0; `None` if there is no limit."""
        if self._seconds is None:
            return None
        return max(0.0, self._seconds - (monotonic() - self._start))

    def spend(self, *, nodes: int = 0, held: int = 0) -> None:
        """Count `nodes` more nodes and look at the clock.

        `held` is the memory in use, in bytes, besides what was charged.

        Raises
        ------
        LimitExceeded
            If a limit is hit.
        """
        self._nodes += nodes
        if self._most_nodes is not None and self._nodes > self._most_nodes:
            raise LimitExceeded("nodes", allowed=self._most_nodes, spent=self._nodes)
        held += self._charged
        if self._most_bytes is not None and held > self._most_bytes:
            raise LimitExceeded("bytes", allowed=self._most_bytes, spent=held)
        if self._seconds is not None:
            spent = monotonic() - self._start
            if spent > self._seconds:
                raise LimitExceeded("seconds", allowed=self._seconds, spent=spent)

    def charge(self, size: int) -> None:
        """Count `size` bytes as held from now on; what is negative is given back.

        Raises
        ------
        LimitExceeded
            If a limit is hit; then nothing is charged.
        """
        if size > 0:
            self.spend(held=size)
        self._charged += size

    def look(self, *, nodes: int = 0) -> None:
        """Spend, and look at what the process grew by since the budget was made.

        For work that is not charged step by step. What other threads take meanwhile is counted
        too; a system that does not say what a process holds is believed to hold what was charged.

        Raises
        ------
        LimitExceeded
            If a limit is hit.
        """
        grown = 0
        if self._before is not None:
            grown = (resident() or 0) - self._before - self._charged
        self.spend(nodes=nodes, held=max(0, grown))

    def watched(self, items: Iterable[T], every: int = 512) -> Iterator[T]:
        """Walk over `items`, and look up every so many of them if there is a limit to look at."""
        limits = (self._seconds, self._most_nodes, self._most_bytes)
        return iter(items) if limits == (None, None, None) else self._walk(items, every)

    def _walk(self, items: Iterable[T], every: int) -> Iterator[T]:
        for number, item in enumerate(items):
            if number % every == 0:
                self.look()
            yield item

    def require_measure(self) -> None:
        """Raise if memory is limited, and the system does not say how much the process holds.

        Raises
        ------
        MethodError
            Then a library that takes memory of its own cannot be kept to the limit.
        """
        if self._most_bytes is not None and self._before is None:
            raise MethodError(
                "this method works in a foreign library, and on this system nobody can tell how "
                "much memory that takes: leave out the limit of bytes, or ask 'engine'"
            )

    def left(self) -> Limits:
        """Return the limits for one more step.

        Raises
        ------
        LimitExceeded
            If nothing is left.
        """
        self.spend()
        seconds, nodes, size = self.seconds, self._most_nodes, self._most_bytes
        if seconds is nodes is size is None:
            return _NO_LIMITS
        return Limits(
            seconds=None if seconds is None else max(seconds, 1e-9),
            nodes=None if nodes is None else max(nodes - self._nodes, 1),
            bytes=None if size is None else max(size - self._charged, 1),
        )

    @contextmanager
    def step(self) -> Iterator[Limits]:
        """Yield the limits for one more step; a limit that it hits is told as one of the whole.

        Examples
        --------
        >>> budget = Budget(Limits(nodes=10))
        >>> budget.spend(nodes=8)
        >>> with budget.step() as left:
        ...     Budget(left).spend(nodes=5)
        Traceback (most recent call last):
            ...
        sapper.errors.LimitExceeded: limit reached: 13 nodes spent of 10 allowed
        """
        left = self.left()
        with self.whole():
            yield left

    def whole(self) -> _Whole:
        """Tell a limit that is hit inside, under what `left` returned, as one of the whole."""
        return _Whole(self)

    def allowed(self, limit: str) -> float | None:
        """Return how much of a kind was allowed at the start; None if there is no limit."""
        every = {"seconds": self._seconds, "nodes": self._most_nodes, "bytes": self._most_bytes}
        return every.get(limit)


_NO_LIMITS: Final = Limits()
UNLIMITED: Final = Budget()
"""Shared by all who have no limits: what is spent of it is never looked at."""


class _Whole:
    """A class, because entering a generator takes longer than a small board."""

    __slots__ = ("_budget",)

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, hit: BaseException | None, trace: object) -> None:
        if isinstance(hit, LimitExceeded) and not isinstance(hit, TooWide):
            whole = self._budget.allowed(hit.limit)
            if whole is not None and hit.allowed < whole:
                spent = hit.spent + whole - hit.allowed
                raise LimitExceeded(hit.limit, allowed=whole, spent=spent) from None


def resident() -> int | None:
    """Return the memory that this process holds, in bytes; `None` where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except OSError:
        return None
