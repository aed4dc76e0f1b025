"""How much the server allows."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

__all__ = ["Allowance", "Settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What the workers of one lane may spend on a request, and how many requests may wait.

    Parameters
    ----------
    workers
        How many processes.
    waiting
        How many requests may wait for one of them; more are told that the server is busy.
    bytes
        The memory that a request may take.
    nice
        How far the processes step back behind others.
    """

    workers: int
    waiting: int
    bytes: int
    nice: int = 0


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The limits of the server.

    Frozen: threads can share one.

    Every request begins in the quick lane. One that is not done there in a moment starts again in
    the slow lane, whose processes step back behind all others: what is easy never waits long for
    what is hard.

    Parameters
    ----------
    quick, slow
        The two lanes.
    seconds
        How long a request may take, from its coming to its answer.
    moment, moment_per_kilobyte
        How many seconds of a processor it may take in the quick lane: large boards are not hard,
        only large.
    body
        How many bytes a request may have.
    cells
        How many cells a board may have.
    patience
        Seconds in which the body of a request must have come.
    grace
        Seconds in which a worker must have ended its work after it was told to.
    """

    quick: Allowance = field(
        default_factory=lambda: Allowance(workers=max(2, _cores()), waiting=256, bytes=128 << 20)
    )
    slow: Allowance = field(
        default_factory=lambda: Allowance(
            workers=max(2, _cores()), waiting=64, bytes=512 << 20, nice=5
        )
    )
    seconds: float = 10.0
    moment: float = 0.04
    moment_per_kilobyte: float = 0.01
    body: int = 2 << 20
    cells: int = 100_000
    patience: float = 10.0
    grace: float = 1.0
