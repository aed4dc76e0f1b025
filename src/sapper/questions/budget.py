"""Limits while they are being spent."""

from __future__ import annotations

from time import monotonic

from sapper.errors import LimitExceeded
from sapper.limits import Limits


class Budget:
    """What is left of some limits.

    The clock starts when the budget is made. `spend` is cheap enough to be called every few
    thousand steps.

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

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._start = monotonic()
        self._nodes = 0

    def spend(self, *, nodes: int = 0, held: int = 0) -> None:
        """Count `nodes` more nodes and look at the clock; `held` is the memory in use, in bytes.

        Raises
        ------
        LimitExceeded
            If a limit is hit.
        """
        limits = self._limits
        self._nodes += nodes
        if limits.nodes is not None and self._nodes > limits.nodes:
            raise LimitExceeded("nodes", allowed=limits.nodes, spent=self._nodes)
        if limits.bytes is not None and held > limits.bytes:
            raise LimitExceeded("bytes", allowed=limits.bytes, spent=held)
        if limits.seconds is not None:
            seconds = monotonic() - self._start
            if seconds > limits.seconds:
                raise LimitExceeded("seconds", allowed=limits.seconds, spent=seconds)

    def left(self) -> Limits:
        """Return the limits for one more step.

        Raises
        ------
        LimitExceeded
            If nothing is left.
        """
        self.spend()
        limits = self._limits
        seconds, nodes = limits.seconds, limits.nodes
        if seconds is not None:
            seconds = max(seconds - (monotonic() - self._start), 1e-9)
        if nodes is not None:
            nodes = max(nodes - self._nodes, 1)
        return Limits(seconds=seconds, nodes=nodes, bytes=limits.bytes)
