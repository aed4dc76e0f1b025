r"""Exact reasoning about minefields on grids, tori, hexagons and any graph.

Everything named here is imported when it is first used, so that ``import sapper`` is quick.

Examples
--------
>>> import sapper
>>> position = sapper.parse("1??\n12?\n_1?", mines=2)
>>> sapper.count(position)
2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sapper.analysis import (
        Analyses,
        Analysis,
        Explanation,
        Session,
        analyze,
        analyze_many,
        count,
        count_by_mines,
        estimate,
        explain,
        is_consistent,
        solutions,
        uniqueness,
    )
    from sapper.clues import Clue, Clues, Verdict
    from sapper.errors import (
        CostError,
        DecompositionError,
        FormatError,
        GameError,
        InconsistentError,
        LimitExceeded,
        MethodError,
        PositionError,
        SapperError,
        UnknownCellError,
    )
    from sapper.field import Box, Graph, Grid, Hex, Offsets, Position, Topology, Torus
    from sapper.formats import parse, read
    from sapper.limits import Limits

    __version__: str

__all__ = [
    "Analyses",
    "Analysis",
    "Box",
    "Clue",
    "Clues",
    "CostError",
    "DecompositionError",
    "Explanation",
    "FormatError",
    "GameError",
    "Graph",
    "Grid",
    "Hex",
    "InconsistentError",
    "LimitExceeded",
    "Limits",
    "MethodError",
    "Offsets",
    "Position",
    "PositionError",
    "SapperError",
    "Session",
    "Topology",
    "Torus",
    "UnknownCellError",
    "Verdict",
    "__version__",
    "analyze",
    "analyze_many",
    "count",
    "count_by_mines",
    "estimate",
    "explain",
    "is_consistent",
    "parse",
    "read",
    "solutions",
    "uniqueness",
]

_NAMES_BY_HOME: Final = {
    "sapper.analysis": "Analyses Analysis Explanation Session analyze analyze_many count "
    "count_by_mines estimate explain is_consistent solutions uniqueness",
    "sapper.clues": "Clue Clues Verdict",
    "sapper.errors": "CostError DecompositionError FormatError GameError InconsistentError "
    "LimitExceeded MethodError PositionError SapperError UnknownCellError",
    "sapper.field": "Box Graph Grid Hex Offsets Position Topology Torus",
    "sapper.formats": "parse read",
    "sapper.limits": "Limits",
}
_HOMES: Final = {name: home for home, names in _NAMES_BY_HOME.items() for name in names.split()}
_ROOMS: Final = frozenset(
    [
        "analysis",
        "clues",
        "decomposition",
        "engine",
        "errors",
        "field",
        "formats",
        "game",
        "lab",
        "limits",
        "methods",
        "play",
        "puzzles",
        "questions",
        "render",
        "zdd",
    ]
)

# Hidden from type checkers, which would otherwise believe in any name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name == "__version__":
            value = _version()
        elif name in _HOMES:
            value = getattr(import_module(_HOMES[name]), name)
        elif name in _ROOMS:
            return import_module(f"{__name__}.{name}")
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("sapper")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "0+unknown"


def __dir__() -> list[str]:
    # Not what this file needs for itself, such as the names of types.
    special = {name for name in globals() if name.startswith("__")}
    return sorted(special | set(__all__) | _ROOMS)
