"""Where answers go: a terminal with colours, a pipe with plain text, or one JSON document."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from sapper.answers import written
from sapper.render import ASCII, MINE, SAFE, UNICODE, WHITE, Glyphs, Line

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["BAD", "GOOD", "Screen", "emit", "wrapped"]

GOOD: Final = f"bold {WHITE} on {SAFE}"
BAD: Final = f"bold {WHITE} on {MINE}"

# Signs that we use, for terminals of another age.
_PLAINER: Final = str.maketrans(
    dict(zip("×·…✓✗█—–○−←≈⁰¹²³⁴⁵⁶⁷⁸⁹", "x-.ox#--o-<~0123456789", strict=True))
)
_CELL: Final = re.compile(r"\((?:[^()\s]+, )+[^()\s]+\)")
_VERDICTS: Final = {"safe": GOOD, "mine": BAD}


class Screen:
    """Standard output, for people."""

    @cached_property
    def console(self) -> Console:
        """The rich console; it knows whether there is a terminal and whether colour is wanted."""
        from rich.console import Console

        class Piped(Console):
            def on_broken_pipe(self) -> None:
                raise BrokenPipeError

        return Piped(highlight=False, markup=False, emoji=False, soft_wrap=False)

    @cached_property
    def is_terminal(self) -> bool:
        """Whether somebody is looking."""
        return self.console.is_terminal

    @property
    def width(self) -> int | None:
        """How many characters fit in a line; None in a pipe."""
        return self.console.width if self.is_terminal else None

    @property
    def has_colour(self) -> bool:
        """Whether colours will be seen."""
        console = self.console
        return self.is_terminal and console.color_system is not None and not console.no_color

    @cached_property
    def speaks_unicode(self) -> bool:
        """Whether signs beyond ASCII can be written."""
        return (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")

    @property
    def glyphs(self) -> Glyphs:
        """The signs for boards."""
        return UNICODE if self.speaks_unicode else ASCII

    def say(self, text: str = "", style: str = "", *, hang: int = 0) -> None:
        """Write a paragraph: on a terminal styled and wrapped at spaces, in a pipe as it is.

        Parameters
        ----------
        text, style
            What to say, and how.
        hang
            How far the lines after the first are indented.
        """
        if not self.speaks_unicode:
            encoding = sys.stdout.encoding or "ascii"
            text = text.translate(_PLAINER)
            text = text.encode(encoding, "backslashreplace").decode(encoding)
        if not self.is_terminal:
            sys.stdout.write(text + "\n")
            return
        for line in wrapped(text, self.console.width, hang):
            self.console.print(line, style=style or None, soft_wrap=True)

    def draw(self, lines: Iterable[Line]) -> None:
        """Write styled lines."""
        if not self.is_terminal:
            for line in lines:
                self.say("".join(piece.text for piece in line).rstrip())
            return
        from rich.text import Text

        for line in lines:
            styled = Text.assemble(*((piece.text, piece.style) for piece in line), no_wrap=True)
            self.console.print(styled, soft_wrap=True)

    def folded(self, line: Line) -> Iterator[Line]:
        """Yield a line in as many as it takes to fit, broken between pairs of its pieces."""
        room = self.width or sum(len(piece.text) for piece in line)
        used, part = 0, Line()
        for pair in zip(line[::2], line[1::2], strict=True):
            wide = sum(len(piece.text) for piece in pair)
            if part and used + wide > room:
                yield part
                used, part = 0, Line()
            used, part = used + wide, [*part, *pair]
        yield part

    def table(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        right: Sequence[str] = (),
    ) -> None:
        """Write a table on a terminal; `right` names the columns of numbers."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        made = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for heading in headings:
            made.add_column(heading, justify="right" if heading in right else "left")
        for row in rows:
            made.add_row(*(Text(entry, style=_VERDICTS.get(entry, "")) for entry in row))
        self.console.print(made)


def wrapped(text: str, width: int, hang: int = 0) -> list[str]:
    """Return a paragraph in lines that fit, broken at spaces but not inside a cell.

    Examples
    --------
    >>> wrapped("1. The 2 at (0, 1) has one mine left.", 18, 3)
    ['1. The 2 at (0, 1)', '   has one mine', '   left.']
    """
    kept = _CELL.sub(lambda cell: cell[0].replace(" ", "\xa0"), text)
    indent = " " * min(hang, width // 2)
    lines = textwrap.wrap(
        kept,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )
    return [line.replace("\xa0", " ") for line in lines] or [""]


def emit(document: Mapping[str, Any]) -> None:
    """Write one JSON document."""
    for piece in written(document):
        sys.stdout.write(piece)
    sys.stdout.write("\n")
