"""What the worker does with whole sets of solutions; see `benchmarks.worker`."""

from __future__ import annotations

import importlib
import time
from typing import Any

Payload = dict[str, Any]


def graphillion_subgraphs(payload: Payload) -> Payload:
    """Graphillion's degree-constrained graph sets of MG; edges cell by cell, row by row."""
    peer = importlib.import_module("graphillion")
    started = time.process_time_ns()
    edges = sorted(
        (("cell", cell), ("hint", hint))
        for hint, clue in enumerate(payload["clues"])
        for cell in clue["cells"]
    )
    peer.GraphSet.set_universe(edges, traversal="as-is")
    degrees: dict[Any, Any] = {}
    for cell, _ in edges:
        degrees[cell] = [0, degrees.get(cell, [0, 0])[1] + 1]
    for hint, clue in enumerate(payload["clues"]):
        degrees["hint", hint] = clue["count"]
    found = peer.GraphSet.graphs(degree_constraints=degrees)
    count = hex(found.len())
    return {"seconds": (time.process_time_ns() - started) / 1e9, "count": count}
