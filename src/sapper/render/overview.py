"""Huge boards as one dot a cell."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from itertools import chain
from typing import Final

from sapper.field import Geometry, Position
from sapper.render.palette import COVERED, FREE, KNOWN_MINE, MINE, PAGE, PAPER, SAFE, ramp
from sapper.render.picture import frame
from sapper.render.scene import Scene

__all__ = ["overview", "png"]

_STEPS: Final = 50
_PLAIN: Final = {
    "number": PAPER,
    "free": FREE,
    "known": KNOWN_MINE,
    "covered": COVERED,
    "safe": SAFE,
    "mine": MINE,
    "empty": FREE,
}
_COLOURS: Final = [PAGE, *_PLAIN.values(), *(ramp(step / _STEPS) for step in range(_STEPS + 1))]
_CODES: Final = {kind: code for code, kind in enumerate(_PLAIN, start=1)}
_SIDE: Final = 1000.0


def overview(scene: Scene) -> str:
    """Return a picture with one dot a cell; it stays sharp when enlarged."""
    puzzle = scene.puzzle
    assert isinstance(puzzle, Position)
    topology = puzzle.topology
    dots = bytes(_dot(scene, index) for index in range(len(topology)))
    geometry = topology.geometry
    assert geometry is not None
    width = geometry.width
    rows = [dots[start : start + width] for start in range(0, len(dots), width)]
    if geometry.layers > 1:
        rows = _side_by_side(rows, geometry)
    elif geometry.hexagonal:
        # Half a cell to the right for each row: two dots make a cell.
        wide = 2 * width + len(rows)
        rows = [
            (bytes(row) + bytes(chain.from_iterable(zip(dots, dots, strict=True)))).ljust(
                wide, b"\0"
            )
            for row, dots in enumerate(rows)
        ]
    wide, high = len(rows[0]), len(rows)
    scale = max(1.0, min(_SIDE / max(wide, high), 8.0)) if max(wide, high) < _SIDE else 1.0
    tall = scale * high * (2 if geometry.hexagonal else 1)
    image = b64encode(png(rows, _COLOURS)).decode("ascii")
    picture = (
        f'<image x="10" y="10" width="{scale * wide:g}" height="{tall:g}"'
        ' preserveAspectRatio="none" style="image-rendering:pixelated"'
        f' href="data:image/png;base64,{image}"/>'
    )
    return frame(scene, max(scale * wide + 20, 240), tall + 20, [picture])


def _dot(scene: Scene, index: int) -> int:
    tile = scene.tile(index)
    if tile.kind == "unknown":
        step = _STEPS // 2 if tile.chance is None else round(tile.chance * _STEPS)
        return 1 + len(_PLAIN) + step
    return _CODES[tile.kind]


def _side_by_side(rows: list[bytes], box: Geometry) -> list[bytes]:
    per_row = max(1, min(box.layers, round((box.layers * box.height / box.width) ** 0.5)))
    gap = b"\0" * 2
    blank = b"\0" * (per_row * (box.width + len(gap)) - len(gap))
    out: list[bytes] = []
    for first in range(0, box.layers, per_row):
        layers = range(first, min(first + per_row, box.layers))
        for row in range(box.height):
            line = gap.join(rows[layer * box.height + row] for layer in layers)
            out.append(line.ljust(len(blank), b"\0"))
        out += [blank, blank]
    return out[:-2]


def png(rows: list[bytes], colours: list[str]) -> bytes:
    r"""Return rows of palette entries as a PNG file.

    Examples
    --------
    >>> png([b"\x00\x01"], ["#ffffff", "#000000"])[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    table = b"".join(bytes.fromhex(colour[1:]) for colour in colours)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    chunks = ((b"IHDR", header), (b"PLTE", table), (b"IDAT", pixels), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
