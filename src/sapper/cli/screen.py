"""Where answers go: a terminal with colours, a pipe with plain text, or one JSON document."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from sapper.answers import written
from sapper.render.terminal import ASCII, UNICODE, Glyphs, Line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["Screen", "emit"]

# Signs that we use, for terminals of another age.
_PLAINER: Final = str.maketrans(
    {"×": "x", "·": "-", "…": "...", "✓": "o", "✗": "x", "█": "#", "—": "-"}
)


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
    def has_colour(self) -> bool:
        """Whether colours will be seen."""
        return self.is_terminal and self.console.color_system is not None and not self._no_colour

    @property
    def _no_colour(self) -> bool:
        return self.console.no_color

    @cached_property
    def speaks_unicode(self) -> bool:
        """Whether signs beyond ASCII can be written."""
        return (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")

    @property
    def glyphs(self) -> Glyphs:
        """The signs for boards."""
        return UNICODE if self.speaks_unicode else ASCII

    def say(self, text: str = "", style: str = "") -> None:
        """Write a line: styled on a terminal, as it is in a pipe."""
        if not self.speaks_unicode:
            encoding = sys.stdout.encoding or "ascii"
            text = text.translate(_PLAINER)
            text = text.encode(encoding, "backslashreplace").decode(encoding)
        if self.is_terminal and style:
            self.console.print(text, style=style, soft_wrap=True)
        else:
            sys.stdout.write(text + "\n")

    def draw(self, lines: Iterable[Line]) -> None:
        """Write styled lines."""
        if not self.is_terminal:
            for line in lines:
                self.say("".join(piece.text for piece in line).rstrip())
            return
        for line in lines:
            self.console.print(self.styled(line), soft_wrap=True)

    def styled(self, line: Line) -> Text:
        """Return a line as rich wants it."""
        from rich.text import Text

        return Text.assemble(*((piece.text, piece.style) for piece in line), no_wrap=True)

    def show(self, renderable: Any) -> None:
        """Write a table or the like of rich's."""
        self.console.print(renderable)


def emit(document: Mapping[str, Any]) -> None:
    """Write one JSON document."""
    for piece in written(document):
        sys.stdout.write(piece)
    sys.stdout.write("\n")
