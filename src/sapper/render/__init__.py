"""Boards for people: pictures, notebook pages and terminals.

Drawing holds no reasoning of its own: it shows a position, and an analysis of it if there is one.
"""

from sapper.render.palette import INK, MINE, SAFE, WHITE, ramp
from sapper.render.scene import Explained, Scene, World, worlds_of
from sapper.render.shown import html, save, svg
from sapper.render.tables import equation, table
from sapper.render.terminal import (
    ASCII,
    UNICODE,
    Board,
    Glyphs,
    Line,
    Piece,
    beside,
    has_rows,
    text,
)
from sapper.render.wording import amount, plural, precise, short

__all__ = [
    "ASCII",
    "INK",
    "MINE",
    "SAFE",
    "UNICODE",
    "WHITE",
    "Board",
    "Explained",
    "Glyphs",
    "Line",
    "Piece",
    "Scene",
    "World",
    "amount",
    "beside",
    "equation",
    "has_rows",
    "html",
    "plural",
    "precise",
    "ramp",
    "save",
    "short",
    "svg",
    "table",
    "text",
    "worlds_of",
]
