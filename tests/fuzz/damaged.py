"""Files of every format with some bytes changed: read as something, or refused politely."""

from __future__ import annotations

import atexit
import json
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random
from typing import Any, Final, NamedTuple

import sapper
from sapper.decomposition import decompose, format_gr, format_td, parse_gr, parse_td
from sapper.errors import SapperError
from sapper.field import Grid, Position
from sapper.formats import FORMATS, READABLE, encode, examine, parse
from sapper.formats.replays import KINDS, Library
from sapper.game import Board, Game, random_layout
from sapper.zdd import Zdd
from tests.formats.test_damaged_files import mutated
from tests.fuzz.cases import random_document
from tests.support.replays import WRITERS

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
        if name in KINDS or not FORMATS[name].writes:
            continue
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


def boards(rng: Random) -> Iterator[File]:
    """Yield a full board, and a game that was played on it, in every format that holds them."""
    height, width = rng.randint(1, 9), rng.randint(1, 12)
    board = Board(Grid(height, width), rng.randint(0, height * width - 1))
    layout = random_layout(board, start=(0, 0), rule="safe", seed=rng.getrandbits(32))
    game = Game(layout)
    for cell in layout.numbers:
        if game.status == "playing":
            game.dig(cell)
    for covered, empty in ("#0", "?.", "H ", ("🟦", "⬜")):
        rows = "\n".join(game.position.rows())
        text = rows.replace("?", covered).replace("0", empty)
        yield File("a pasted board", text.encode(), examine)
    for name, row in FORMATS.items():
        if row.reads and row.writes:
            yield File(f"{name}, a board", encode(layout, name), partial(examine, format=name))
            yield File(f"{name}, a board, recognised", encode(layout, name), examine)
        if "replay" in row.holds and row.writes:
            yield File(f"{name}, a game", encode(game, name), partial(examine, format=name))
    # The library that reads these takes a process, and some milliseconds, for each.
    if board.mines and rng.random() < 0.2:
        for name, made in WRITERS.items():
            yield File(name, made(game), reader(name))


def reader(name: str) -> Callable[[bytes], Any]:
    """Return what reads replays of a format: ours, or the library."""
    return partial(_library().read, name) if name in KINDS else partial(examine, format=name)


@cache
def _library() -> Library:
    library = Library()
    atexit.register(library.__exit__, None, None, None)
    return library


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
    whole = [*files(parse(json.dumps(random_document(rng)))), *boards(rng)]
    for file in whole:
        data = mutated(file.data, rng)
        began, message = time.process_time(), ""
        try:
            file.read(data)
        except SapperError as error:
            refused += 1
            message = str(error)
        except Exception as error:
            what = f"{file.name}: {type(error).__name__}: {error}: {data!r}"
            raise AssertionError(what) from error
        plain = "\n" not in message and len(message) < 300
        assert plain, f"{file.name}: not one short line: {message!r}"
        took = time.process_time() - began
        assert took < PATIENCE, f"{file.name}: {took:.1f} s for {data!r}"
    return refused
