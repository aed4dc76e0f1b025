"""Replays of games, made here: EVF by ms_toollib itself, the others after their descriptions."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from math import cos, sin, sqrt

from sapper.game import Game

_PRESSED = {"dig": ("lc", "lr"), "flag": ("rc", "rr"), "chord": ("lc", "rc", "rr", "lr")}


def events(game: Game) -> Iterator[tuple[str, int, int]]:
    """Yield what the mouse did: event, row and column."""
    for move in game.moves:
        assert isinstance(move.cell, tuple)
        row, column = move.cell
        for event in _PRESSED[move.kind]:
            yield event, row, column


def mines(game: Game) -> list[tuple[int, int]]:
    """Return the mines, row by row."""
    layout = game.layout
    assert layout is not None
    return [cell for cell in layout.topology.cells if cell in layout.mines]  # type: ignore[misc]


def evf(game: Game) -> bytes:
    """Return an EVF file, as the library writes it; it takes only games that are over."""
    import ms_toollib

    assert game.layout is not None
    shown = memoryview(game.layout.codes).cast("i").tolist()
    height, width = game.layout.topology.shape
    rows = [shown[start : start + width] for start in range(0, height * width, width)]
    video = ms_toollib.BaseVideo([[max(code, -1) for code in row] for row in rows], 16)
    for event, row, column in events(game):
        video.step(event, (16 * row + 8, 16 * column + 8))
    video.generate_evf_v3_raw_data()
    return bytes(video.raw_data)


def avf(game: Game) -> bytes:
    """Return an AVF file of a custom board."""
    assert game.layout is not None
    height, width = game.layout.topology.shape
    placed = mines(game)
    head = bytes([0x34, 1, 2, 3, 4, 6, width - 1, height - 1]) + struct.pack(">H", len(placed))
    cells = bytes(side + 1 for cell in placed for side in cell)
    shown = memoryview(game.layout.codes).cast("i").tolist()
    check = sum(
        (10 if code == -2 else code + 1) * (column + column * row)
        for row in range(height)
        for column, code in enumerate(shown[row * width : (row + 1) * width])
    )
    codes = {"lc": 3, "lr": 5, "rc": 9, "rr": 17}
    body = b""
    for event, row, column in events(game):
        x, y = 16 * column + 8, 16 * row + 8
        body += bytes([codes[event], x >> 8, 1, x & 255, 0, y >> 8, 0, y & 255])
    return (
        head
        + cells
        + bytes(len(str(check)) + 4)
        + b"\x08\x00\x7f\x00[3|"
        + f"W{width}H{height}M{len(placed)}|".encode()
        + b"3.9.2025.17:00:08:6660|3.17:00:14:0810|B8T6.42]"
        + body
        + bytes(8)
        + b"Skin: x\rnobody\r"
    )


def rmv(game: Game) -> bytes:
    """Return an RMV file of the second version."""
    assert game.layout is not None
    height, width = game.layout.topology.shape
    placed = mines(game)
    codes = {"lc": 2, "lr": 3, "rc": 4, "rr": 5}
    body = b""
    for number, (event, row, column) in enumerate(events(game)):
        if number == 0:
            assert event == "lc"
            continue  # the first press is not written
        place = struct.pack(">HH", 16 * column + 8, 16 * row + 8)
        body += bytes([codes[event]]) + struct.pack(">I", number << 8) + place
    return (
        b"*rmv"
        + struct.pack(">HBBI", 2, 1, 1, 0)
        + struct.pack(">HHHHHHIH", 0, 0, 0, 0, 7, 2, 0, 0)
        + struct.pack(">H", 0)
        + struct.pack(">IBBH", 0, width, height, len(placed))
        + bytes(side for row, column in placed for side in (column, row))
        + bytes([0, 0, 0, 3, 1, 0, 16])
        + struct.pack(">H", 0)
        + body
        + b"\x10"
    )


def mvf(game: Game) -> bytes:
    """Return an MVF file of version 0.97, whose events have their bits in an order of their own."""
    assert game.layout is not None
    height, width = game.layout.topology.shape
    placed = mines(game)
    leading = 4711
    one, two = sqrt(leading), sqrt(leading + 1000)
    three = sqrt(one + 1000)
    values = (
        cos(three + 1000),
        sin(sqrt(two)),
        cos(three),
        sin(sqrt(one) + 1000),
        cos(sqrt(two + 1000)),
    )
    digits = "".join(f"{round(abs(value) * 10**8):08}" for value in values)
    order = sorted(range(40), key=lambda place: digits[place])
    body, down = b"", {"l": 0, "r": 0}
    pressed = list(events(game))
    for event, row, column in pressed:
        down[event[0]] = int(event[1] == "c")
        bits = [down["r"], 0, down["l"]]
        for number, size in ((16 * row + 8, 9), (16 * column + 8, 9), (0, 7), (0, 10)):
            bits += [number >> place & 1 for place in range(size)]
        packed = bytearray(5)
        for bit, place in zip(bits, order, strict=False):
            packed[place // 8] |= bit << place % 8
        body += packed
    return (
        b"\x11Minesweeper".ljust(27, b" ")
        + b"5".ljust(47, b" ")
        + struct.pack(">BBHBBBBBHBHH6xB", 1, 2, 2026, 3, 4, 5, 4, 1, 9, 9, 1, 1, 0)
        + struct.pack(">BBH", width, height, len(placed))
        + bytes(side + 1 for row, column in placed for side in (column, row))
        + b"\x01x"
        + struct.pack(">H", leading)
        + len(pressed).to_bytes(3)
        + body
    )


def msor(game: Game) -> bytes:
    """Return an MSOR file, as JSMinesweeper reads them: steps, and what each of them shows."""
    assert game.layout is not None
    height, width = game.layout.topology.shape
    again, steps = Game(game.layout), []
    for number, move in enumerate(game.moves):
        assert isinstance(move.cell, tuple)
        row, column = move.cell
        standing = again.flagged
        opened = getattr(again, move.kind)(move.cell)
        shown = {cell: game.layout.numbers.get(cell, 11) for cell in opened}
        if again.status == "lost":
            shown |= dict.fromkeys(set(mines(game)) - standing - opened, 10)
            shown |= dict.fromkeys(standing - set(mines(game)), 12)
        step = {"type": {"dig": 0, "flag": 1, "chord": 3}[move.kind], "x": column, "y": row}
        cells = [number for (y, x), seen in shown.items() for number in (x, y, seen, 0, 0)]
        steps.append({**step, "time": 100 * number, "touchCells": cells})
    header = {"width": width, "height": height, "mines": len(mines(game))}
    return json.dumps({"header": header, "replay": steps}).encode()


WRITERS: dict[str, Callable[[Game], bytes]] = {
    "evf": evf,
    "avf": avf,
    "rmv": rmv,
    "mvf": mvf,
    "msor": msor,
}
