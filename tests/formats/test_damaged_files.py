"""Damaged files of every format: an error with a sentence, at once, and nothing else."""

from __future__ import annotations

import time
import tracemalloc
import warnings
from collections.abc import Iterator
from random import Random

import pytest

from sapper.clues import Clue, Clues
from sapper.errors import FormatError, PositionError
from sapper.field import Box, Graph, Grid, Hex, Offsets, Position, Torus
from sapper.formats import FORMATS, READABLE, encode, parse
from sapper.formats.replays import KINDS, Library
from sapper.game import Game, Layout
from tests.support.replays import WRITERS

SEEDS = range(6)
MUTANTS = 60

PUZZLES: list[Position | Clues] = [
    Position(Grid(3, 4), ["1??_", "12?*", "_1??"], mines=3),
    Position(Grid(3, 9), ["01????*??", "0111*????", "00012?2??"], mines=5),
    Position(Grid(3, 4), ["1*21", "223*", "*12*"], mines=4),
    Position(Torus(2, 3), ["1??", "?*_"]),
    Position(Hex(2, 2), ["[1]?", "??"]),
    Position(Offsets(2, 3, [(0, 1), (0, -1)], wrap=True), ["1??", "???"]),
    Position(Box(2, 2, 2), ["1?", "??", "??", "?2"], mines=2),
    Position(Graph.from_edges([("a", 1), (1, ("b", 2))]), {"a": 1}, mines=1),
    Clues([Clue(1, "uv"), Clue(3, "vwx", weights=[1, 2, -1], cell="z")], "uvwxy", 2, known_mines=1),
]
PIECES = [
    b"9" * 400, b"-1", b"1e9", b"{", b"}", b"[", b"]", b"(", b")", b":", b",", b'"', b"'", b"\\",
    b"/", b"//", b"\n", b"\0", b"\xff", b"mines: ", b"topology: box", b"offsets: (1,2)", b"null",
    b"true", b"NaN", b"\xe2\x80\xae", b"0x7f", b"{999999}", b"99999999999999999999", b"shape",
    b"<U0", b"|O", b"(999999999, 999999999)", b"L", b"_", b"%", b"#", b"9x9", b"99999x99999", b"m=",
    b"analysis=", b"F", b"H", b"Board:", b"0.1 lc 1 1",
]  # fmt: skip


def originals(name: str) -> Iterator[bytes]:
    if name in WRITERS:
        yield WRITERS[name](finished())
    if "replay" in FORMATS[name].holds and FORMATS[name].writes:
        yield encode(finished(), name)
    for puzzle in PUZZLES if FORMATS[name].writes else ():
        try:
            yield encode(puzzle, name)
        except FormatError:
            continue  # this format cannot hold it


def mutated(data: bytes, random: Random) -> bytes:
    """Return a file with some of its bytes changed, lost, doubled or replaced."""
    made = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        at = random.randrange(len(made) + 1)
        match random.randrange(6):
            case 0:
                made[at : at + 1] = bytes([random.randrange(256)])
            case 1:
                del made[at : at + random.choice((1, 1, 4, 40))]
            case 2:
                made[at:at] = random.choice(PIECES)
            case 3:
                made[at : at + random.choice((1, 4))] = random.choice(PIECES)
            case 4:
                made[at:at] = made[at : at + random.choice((1, 8, 60))]
            case _ if made:
                place = min(at, len(made) - 1)
                made[place] ^= 1 << random.randrange(8)
    return bytes(made)


def finished() -> Game:
    """Return a game with moves of every kind that was won."""
    layout = Layout(Grid(4, 7), [(0, 1), (1, 4), (3, 5)])
    game = Game(layout)
    game.dig((3, 0))
    game.flag((0, 1))
    game.chord((1, 1))
    for cell in layout.topology.cells:
        if cell in layout.numbers and game.status == "playing":
            game.dig(cell)
    assert {move.kind for move in game.moves} == {"dig", "flag", "chord"}
    return game


def test_damaged_boards_that_were_pasted() -> None:
    random = Random(5)
    boards = (
        "..1#\n..1#\n",
        "1HF\n11H\n",
        "||:one:||:bomb:\n:one:||:one:||\n",
        "1️⃣⬜\n⬜⬜\n",
        " 1#\n11#\n",
    )
    messages = []
    for _ in range(400):
        data = mutated(random.choice(boards).encode(), random)
        try:
            parse(data)
        except (FormatError, PositionError) as error:
            messages.append(str(error))
    assert len(messages) > 100
    assert all(len(message) < 300 and "\n" not in message for message in messages)


@pytest.mark.parametrize("name", KINDS)
def test_damaged_replays(name: str) -> None:
    random = Random(name)
    (data,) = originals(name)
    messages = []
    with Library() as library:
        for _ in range(100):
            try:
                game = library.read(name, mutated(data, random))
            except FormatError as error:
                messages.append(str(error))
            else:
                assert Game.replay(game.record).position == game.position
    assert len(messages) > 25
    assert all(len(message) < 150 and "\n" not in message for message in messages)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", [name for name in READABLE if name not in KINDS])
def test_mutants(name: str, seed: int) -> None:
    random = Random(f"{name} {seed}")
    files = list(originals(name))
    assert files
    messages = []
    tracemalloc.start()
    try:
        for _ in range(MUTANTS):
            data = mutated(random.choice(files), random)
            start = time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    parse(data, format=random.choice((None, name)))
                except (FormatError, PositionError) as error:
                    messages.append(str(error))
            assert time.process_time() - start < 1, data
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
    assert len(messages) > MUTANTS // 4
    assert all(len(message) < 300 and "\n" not in message for message in messages)


def test_every_readable_format_is_tried() -> None:
    assert {name for name, row in FORMATS.items() if row.reads} == set(READABLE)


@pytest.mark.parametrize("order", "<>")
def test_arrays_of_what_is_no_text(order: str) -> None:
    text = f"{{'descr': '{order}U1', 'fortran_order': False, 'shape': (1, 2), }}\n".encode()
    data = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + b"\xff" * 8
    with pytest.raises(FormatError, match="an entry that is no text"):
        parse(data)


@pytest.mark.parametrize(
    "shape",
    ["(99999999999, 99999999999)", "(2147483647, 1)", "(3, 4, 5, 6)", "(0, 9)", "()", "(1,"],
)
@pytest.mark.parametrize("descr", ["<i4", "<U0", "|O", "<U1000000", "|b1", "<f8", "i99", "<m8"])
def test_headers_of_arrays_are_not_believed(descr: str, shape: str) -> None:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    data = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(100)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError):
            parse(data)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        "9" * 5000 + "?",
        "mines: " + "9" * 5000 + "\n?",
        "mines: x" + "9" * 5000 + "\n?",
        "9" * 5000 + ": 1\n?",
        "topology: " + "x" * 5000 + "\n?",
        "offsets: (" + "9" * 5000 + ",1)\n?",
        "[" + "9" * 5000 + "]?",
        '{"labels": ["?"], "mines": ' + "9" * 4000 + "}",
        '{"labels": ["?"], "topology": "' + "9" * 5000 + '"}',
        '{"labels": ["?"], "' + "9" * 5000 + '": 1}',
        '{"labels": [' + "[" * 500 + "]" * 500 + "]}",
        '{"clues": [{"count": 1, "cells": ["' + "9" * 5000 + '", "' + "9" * 5000 + '"]}]}',
        '{"clues": [{"count": "' + "9" * 5000 + '", "cells": []}]}',
        '{"topology": {"kind": "graph", "nodes": ["a"]}, "labels": {"' + "9" * 5000 + '": 1}}',
        "?/? mines=" + "9" * 5000,
        "?/? " + "x" * 5000,
    ],
    ids=range(16),
)
def test_messages_do_not_repeat_the_input(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(text)
    assert max(map(len, str(caught.value).split())) <= 62
    assert "9" * 61 not in str(caught.value)
    assert len(str(caught.value)) < 250
