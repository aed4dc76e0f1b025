"""Boards for people: pictures, notebook pages and terminals.

Drawing holds no reasoning of its own: it shows a position, and an analysis of it if there is one.
"""

from sapper.render.page import html
from sapper.render.picture import svg
from sapper.render.terminal import text
from sapper.render.wording import precise, short

__all__ = ["html", "precise", "short", "svg", "text"]
