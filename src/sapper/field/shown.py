"""Objects that show themselves: in a notebook, as a picture, in a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["Shown"]


class Shown:
    """Something that `sapper.render` can draw.

    Threads can share one.

    The one place where a room asks one on its right; rendering is imported when it is needed.
    """

    __slots__ = ()

    def svg(self, *, places: Mapping[Any, tuple[float, float]] | None = None) -> str:
        """Return a picture; `places` says where the vertices of a graph stand."""
        from sapper import render

        return render.svg(self, places=places)

    def save(
        self, path: str | Path, *, places: Mapping[Any, tuple[float, float]] | None = None
    ) -> None:
        """Write the picture to a file whose name ends in ``.svg`` or ``.html``."""
        from sapper import render

        render.save(self, path, places=places)

    def _repr_html_(self) -> str:
        from sapper import render

        return render.html(self)

    def _repr_svg_(self) -> str | None:
        return self.svg()
