"""Sets of solutions as reduced zero-suppressed decision diagrams.

`Zdd` is a plain value: whoever compiles solutions hands over the nodes, and all that can be read
off a diagram (counts, samples, cheapest sets, set algebra, files, pictures) lives here, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sapper.limits import load
from sapper.zdd.view import SetView, checked_number, checked_seed

if TYPE_CHECKING:
    from sapper.zdd.nodes import BOTTOM, TOP
    from sapper.zdd.zdd import Zdd

__all__ = ["BOTTOM", "TOP", "SetView", "Zdd", "checked_number", "checked_seed"]


# The diagrams need numpy, which views can do without until somebody asks for one.
def __getattr__(name: str) -> Any:
    if name in __all__:
        load("numpy")
        from sapper.zdd import zdd

        return getattr(zdd, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
