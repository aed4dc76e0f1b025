"""Documents to JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from sapper.limits import load

__all__ = ["digits", "written"]

# Up to so many bits Python's own conversion is quick; beyond, it is quadratic, and refuses.
_SHORT: Final = 10_000
_CHUNK: Final = 4096


def digits(number: int) -> str:
    """Return all digits of an integer of any length, in time almost linear in their number.

    Examples
    --------
    >>> digits(-12)
    '-12'
    >>> len(digits(2**100_000))
    30103
    """
    if number.bit_length() < _SHORT:
        return str(number)
    load("flint")
    from flint import fmpz

    return str(fmpz(number).str())


def written(value: Any) -> Iterator[str]:
    """Yield a document as pieces of JSON: integers of any length, and iterators as lists.

    Examples
    --------
    >>> "".join(written({"count": 12, "by_mines": {3: 12}, "solutions": iter([[1], [2]])}))
    '{"count": 12, "by_mines": {"3": 12}, "solutions": [[1], [2]]}'
    """
    if isinstance(value, int) and not isinstance(value, bool):
        yield digits(value)
    elif isinstance(value, dict):
        yield "{"
        for place, (key, entry) in enumerate(value.items()):
            yield f"{', ' if place else ''}{json.dumps(str(key))}: "
            yield from written(entry)
        yield "}"
    elif isinstance(value, list | tuple):
        yield "["
        for place, entry in enumerate(value):
            yield ", " if place else ""
            yield from written(entry)
        yield "]"
    elif isinstance(value, Iterator):
        # What streams by is many and small: the fast writer takes it, a chunk at a time.
        yield "["
        separator = ""
        while chunk := list(islice(value, _CHUNK)):
            yield separator + json.dumps(chunk, allow_nan=False)[1:-1]
            separator = ", "
        yield "]"
    else:
        yield json.dumps(value, allow_nan=False)
