"""How much an answer may cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sapper.errors import SapperError, quoted

__all__ = ["Limits", "LimitsError", "machine_limits"]


class LimitsError(SapperError, ValueError):
    """A limit that is not a positive, finite number."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a question may cost at most; None means no limit.

    Frozen: threads can share one.

    Reaching a limit raises `sapper.errors.LimitExceeded`; no answer is ever approximated to fit.

    Parameters
    ----------
    seconds
        Wall-clock time.
    nodes
        Nodes of the compiled diagram, and dead ends of the search before it.
    bytes
        Memory that answering takes: the neighbour lists and the clues, what is searched and
        compiled, the passes over it, and the answer. It is counted before it is taken, by sizes
        that are known or by close estimates, so some megabytes may come on top. The position or
        the clue system that was passed in is yours and does not count.

    Raises
    ------
    LimitsError
        If a limit is not positive and finite. It is a `ValueError`.

    Examples
    --------
    >>> Limits(seconds=2.5, nodes=10**6)
    Limits(seconds=2.5, nodes=1000000, bytes=None)
    >>> Limits(seconds=-1)
    Traceback (most recent call last):
    ...
    sapper.limits.limits.LimitsError: seconds=-1 is not a positive, finite number
    """

    seconds: float | None = None
    nodes: int | None = None
    bytes: int | None = None

    def __post_init__(self) -> None:
        _check("seconds", self.seconds, whole=False)
        _check("nodes", self.nodes, whole=True)
        _check("bytes", self.bytes, whole=True)


def _check(name: str, value: object, *, whole: bool) -> None:
    if value is None:
        return
    kinds = (int,) if whole else (int, float)
    # bool is an int to Python, but never a limit that somebody meant.
    if isinstance(value, bool) or not isinstance(value, kinds):
        wanted = "a whole number" if whole else "a number"
        raise LimitsError(f"{name}={quoted(value)} is not {wanted}")
    # An int too long for a float is positive or not, but always finite.
    finite = isinstance(value, int) or math.isfinite(value)
    if not finite or value <= 0:
        raise LimitsError(f"{name}={quoted(value)} is not a positive, finite number")


def machine_limits(limits: Limits) -> tuple[float | None, int | None, int | None]:
    """Return seconds, nodes and bytes as the core takes them; what is larger is no limit at all.

    Examples
    --------
    >>> machine_limits(Limits(seconds=2, nodes=10**30))
    (2.0, None, None)
    """
    if not isinstance(limits, Limits):
        raise TypeError(f"limits are given as sapper.Limits(seconds=…), not as {quoted(limits)}")
    seconds = limits.seconds
    if seconds is not None:
        seconds = float(seconds) if seconds < 1e300 else None
    return seconds, _word(limits.nodes), _word(limits.bytes)


def _word(value: int | None) -> int | None:
    return value if value is not None and value < 1 << 63 else None
