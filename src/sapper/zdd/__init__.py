"""Sets of solutions as reduced zero-suppressed decision diagrams.

`Zdd` is a plain value: whoever compiles solutions hands over the nodes, and all that can be read
off a diagram (counts, samples, cheapest sets, set algebra, files, pictures) lives here, once.
"""

from sapper.zdd.nodes import BOTTOM, TOP
from sapper.zdd.view import SetView
from sapper.zdd.zdd import Zdd

__all__ = ["BOTTOM", "TOP", "SetView", "Zdd"]
