"""The worker process of :mod:`benchmarks.all_solutions`: the tasks of the common one, and more."""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any

from benchmarks import worker
from benchmarks.worker import Payload, least_cpu


def method_zdd(payload: Payload) -> Payload:
    """``sapper.solutions(clues, method=…).zdd()``, the clue system built outside the clock."""
    import sapper

    def compile_zdd(clues: Any) -> Any:
        return sapper.solutions(clues, method=payload["method"]).zdd()

    # The first diagram in a process pays for imports, which are no part of a method's speed.
    compile_zdd(worker._clues({"clues": [{"count": 1, "cells": [0, 1]}], "cells": [0, 1]}))
    answer = least_cpu(lambda: worker._clues(payload), compile_zdd, payload["repeats"])
    zdd = answer["result"]
    return {"seconds": answer["seconds"], "nodes": len(zdd), "count": hex(zdd.count())}


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
    seconds = (time.process_time_ns() - started) / 1e9
    return {"seconds": seconds, "count": hex(found.len())}


worker.TASKS.update({"method-zdd": method_zdd, "graphillion": graphillion_subgraphs})

if __name__ == "__main__":
    worker.main(int(sys.argv[1]))
