"""Published algorithms that answer the same questions as the engine, independently of it.

Each is imported when it is first used.
"""

from typing import TYPE_CHECKING, Final

from sapper.limits import load

if TYPE_CHECKING:
    from sapper.methods.brute import Brute
    from sapper.methods.cpsat import CpSat
    from sapper.methods.kset import KSet
    from sapper.methods.sat import Sat, minimal_core
    from sapper.methods.subgraph import SubgraphMethod
    from sapper.methods.tree import Tree
    from sapper.methods.treewidth import Row, Treewidth, clue_graph
    from sapper.methods.zdd import ZddMethod

__all__ = [
    "Brute",
    "CpSat",
    "KSet",
    "Row",
    "Sat",
    "SubgraphMethod",
    "Tree",
    "Treewidth",
    "ZddMethod",
    "clue_graph",
    "minimal_core",
]

_HOMES = {
    "Brute": "brute",
    "CpSat": "cpsat",
    "KSet": "kset",
    "Sat": "sat",
    "Row": "treewidth",
    "SubgraphMethod": "subgraph",
    "Tree": "tree",
    "Treewidth": "treewidth",
    "ZddMethod": "zdd",
    "clue_graph": "treewidth",
    "minimal_core": "sat",
}

# What a package cannot be imported without.
_LIBRARIES: Final = {"sat": "numpy", "subgraph": "numpy", "tree": "flint", "treewidth": "flint"}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = _HOMES[name]
        if home in _LIBRARIES:
            load(_LIBRARIES[home])
        value = getattr(import_module(f"{__name__}.{home}"), name)
        globals()[name] = value
        return value
