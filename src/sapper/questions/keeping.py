"""Values that are made when they are first read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["kept"]

T = TypeVar("T")


def kept(owner: object, name: str, make: Callable[[], T]) -> T:
    """Return what an object keeps under a name; what is not there yet is made now.

    Unlike `functools.cached_property`, whose lock Python 3.11 shares between all objects of a
    class: there a question with a limit of a second would wait for another thread's hour. Two
    threads that read the same at once may both make it.

    Examples
    --------
    >>> class Box: ...
    >>> box = Box()
    >>> kept(box, "content", lambda: 6 * 7), kept(box, "content", lambda: 0)
    (42, 42)
    """
    values = owner.__dict__
    if name not in values:
        values[name] = make()
    value: T = values[name]
    return value
