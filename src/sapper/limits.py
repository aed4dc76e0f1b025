"""How much an answer may cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sapper.errors import SapperError

__all__ = ["Limits", "LimitsError"]


class LimitsError(SapperError, ValueError):
    """A limit that is not a positive, finite number."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a question may cost at most; None means no limit.

    Reaching a limit raises `sapper.errors.LimitExceeded`; no answer is ever approximated to fit.

    Parameters
    ----------
    seconds
        Wall-clock time.
    nodes
        Nodes of the compiled diagram.
    bytes
        Memory of the compiled core.

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
    sapper.limits.LimitsError: seconds=-1 is not a positive, finite number
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
        raise LimitsError(f"{name}={value!r} is not {wanted}")
    # An int too long for a float is positive or not, but always finite.
    finite = isinstance(value, int) or math.isfinite(value)
    if not finite or value <= 0:
        raise LimitsError(f"{name}={value!r} is not a positive, finite number")
