"""Limits and Ctrl-C while a library works that knows neither."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Final, TypeVar

from sapper.limits.budget import Budget
from sapper.limits.threads import begin

T = TypeVar("T")

# How often the clock and the memory of the process are looked at.
_LOOK: Final = 0.01
# How long a library may take to notice that it was told to stop, before it is left alone.
_PATIENCE: Final = 0.1


def foreign(work: Callable[[], T], budget: Budget, stop: Callable[[], object]) -> T:
    """Return what `work` returns, called in a thread of its own.

    This thread looks at the clock, at the memory of the process and at signals meanwhile. If a
    limit is hit or Ctrl-C is pressed, the library is told to stop. What it works with stays alive
    as long as `work` refers to it: whoever else has a reference must drop it after an error, and
    must not free anything by hand.

    Parameters
    ----------
    work
        Calls the library. It should release Python's lock.
    budget
        The limits.
    stop
        Tells the library to stop; it may be called again, and when nothing works.

    Raises
    ------
    LimitExceeded
        If a limit is hit.
    MethodError
        If memory is limited, and the system does not say how much the process holds.

    Examples
    --------
    >>> foreign(lambda: 6 * 7, Budget(), stop=lambda: None)
    42
    """
    budget.require_measure()
    budget.look()
    # Not an Event, whose lock Ctrl-C can leave taken, nor `join`, which takes an interrupted thread
    # for ended (Python 3.11): to take a lock is one step, and the list is filled before.
    gate, ended = Lock(), list[bool]()
    gate.acquire()
    returned: list[T] = []
    raised: list[BaseException] = []
    given_up = False

    def body() -> None:
        try:
            if not given_up:
                returned.append(work())
        except BaseException as error:
            raised.append(error)
        finally:
            ended.append(True)
            gate.release()

    def failed(error: BaseException) -> None:
        raised.append(error)
        ended.append(True)
        gate.release()

    def done() -> bool:
        return bool(ended) or gate.acquire(timeout=_LOOK)

    try:
        # Not a daemon: a library must not be torn down in the middle of its work.
        begin(body, failed=failed)
        while not done():
            budget.look()
    except BaseException:
        given_up = True
        for _ in range(round(_PATIENCE / _LOOK)):
            stop()
            if done():
                break
        raise
    if raised:
        raise raised[0]
    return returned[0]
