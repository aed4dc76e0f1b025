"""Files of every format with some bytes changed: read as something, or refused politely."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple

import sapper
from sapper.decomposition import decompose, format_gr, format_td, parse_gr, parse_td
from sapper.errors import SapperError
from sapper.field import Position
from sapper.formats import READABLE, encode, parse
from sapper.zdd import Zdd
from tests.formats.test_damaged_files import mutated
from tests.fuzz.cases import random_document

PATIENCE: Final = 5.0
"""Seconds of computing that reading a file of some hundred bytes may take."""


class File(NamedTuple):
    """A file that is well, and who reads it."""

    name: str
    data: bytes
    read: Callable[[bytes], Any]


def files(puzzle: Any) -> Iterator[File]:
    """Yield a puzzle in every format that holds it, and what else is read and written."""
    for name in READABLE:
        try:
            data = encode(puzzle, name)
        except SapperError:
            continue  # it cannot hold this puzzle
        yield File(name, data, partial(parse, format=name))
        yield File(f"{name}, recognised", data, parse)
    if isinstance(puzzle, Position):
        field = puzzle.topology
        yield File("gr", format_gr(field).encode(), lambda data: parse_gr(_text(data)))
        found = format_td(decompose(field), field).encode()
        yield File("td", found, lambda data: parse_td(_text(data), field))
    zdd = sapper.solutions(puzzle, method="engine").zdd()
    yield File("zdd", zdd.dumps().encode(), lambda data: Zdd.loads(_text(data), zdd.cells))


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def judge(seed: int) -> int:
    """Damage one file of each format; return how many were refused.

    Raises
    ------
    AssertionError
        If a reader raises anything but a `SapperError`, or takes too long.
    """
    rng, refused = Random(seed), 0
    for file in files(parse(json.dumps(random_document(rng)))):
        data = mutated(file.data, rng)
        began = time.process_time()
        try:
            file.read(data)
        except SapperError:
            refused += 1
        except Exception as error:
            what = f"{file.name}: {type(error).__name__}: {error}: {data!r}"
            raise AssertionError(what) from error
        took = time.process_time() - began
        assert took < PATIENCE, f"{file.name}: {took:.1f} s for {data!r}"
    return refused
