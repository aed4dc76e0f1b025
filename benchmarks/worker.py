"""The process that does the timed work; :class:`benchmarks.harness.Worker` talks to it.

One request per line on standard input, one answer per line on standard output, both JSON. A task
does its preparation outside the clock, repeats the timed call, and reports the least CPU time of
the process over the repetitions together with the answer, so that answers can be compared.
Integers that may be long travel as hexadecimal text.
"""

from __future__ import annotations

import importlib
import itertools
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")
Payload = dict[str, Any]
Task = Callable[[Payload], Payload]

COVERED = 10
"""What ms_toollib writes for a covered cell."""


def least_cpu(prepare: Callable[[], T], call: Callable[[T], object], repeats: int) -> Payload:
    """Return the least CPU seconds of `call` on a freshly prepared argument, and its result."""
    best = float("inf")
    result: object = None
    for _ in range(repeats):
        argument = prepare()
        started = time.process_time_ns()
        result = call(argument)
        best = min(best, (time.process_time_ns() - started) / 1e9)
    return {"seconds": best, "result": result}


def exactly(variables: list[int], count: int) -> Iterator[list[int]]:
    """Yield the clauses that say `count` of `variables` hold, with no auxiliary variable.

    >>> list(exactly([1, 2], 1))
    [[-1, -2], [1, 2]]
    """
    for some in itertools.combinations(variables, count + 1):
        yield [-variable for variable in some]
    for some in itertools.combinations(variables, len(variables) - count + 1):
        yield list(some)


def sapper_probabilities(payload: Payload) -> Payload:
    """``sapper.analyze(position).probabilities`` on a parsed position."""
    import sapper

    text = "\n".join(payload["rows"])
    if payload["mines"] is not None:
        text = f"mines: {payload['mines']}\n{text}"

    def prepare() -> Any:
        return sapper.parse(text)

    answer = least_cpu(prepare, lambda p: sapper.analyze(p).probabilities, payload["repeats"])
    cells = [[*cell, chance] for cell, chance in answer["result"].items()]
    return {"seconds": answer["seconds"], "cells": cells}


def _clues(payload: Payload) -> Any:
    from sapper.clues import Clue, Clues

    clues = [Clue(clue["count"], tuple(clue["cells"])) for clue in payload["clues"]]
    return Clues(clues, cells=payload["cells"])


def sapper_count(payload: Payload) -> Payload:
    """``sapper.count(clues)``, the clue system built afresh inside the clock."""
    import sapper

    answer = least_cpu(lambda: _clues(payload), sapper.count, payload["repeats"])
    return {"seconds": answer["seconds"], "count": hex(answer["result"])}


def sapper_zdd(payload: Payload) -> Payload:
    """``sapper.solutions(clues).zdd()``: the reduced ZDD over the cells."""
    import sapper

    def compile_zdd(clues: Any) -> Any:
        return sapper.solutions(clues).zdd()

    answer = least_cpu(lambda: _clues(payload), compile_zdd, payload["repeats"])
    zdd = answer["result"]
    return {"seconds": answer["seconds"], "nodes": len(zdd), "count": hex(zdd.count())}


def sapper_verdicts(payload: Payload) -> Payload:
    """``sapper.analyze(clues).verdicts``."""
    import sapper

    def verdicts(clues: Any) -> Any:
        return sapper.analyze(clues).verdicts

    answer = least_cpu(lambda: _clues(payload), verdicts, payload["repeats"])
    return {"seconds": answer["seconds"], "cells": len(answer["result"])}


def ms_toollib_probabilities(payload: Payload) -> Payload:
    """One of ms_toollib's three probability calls, named in the payload."""
    peer = importlib.import_module("ms_toollib")
    call = getattr(peer, payload["call"])
    rows = [[COVERED if c == "?" else int(c) for c in row] for row in payload["rows"]]
    mines = payload["mines"]
    # The first call in a process fills the library's tables; that is not part of its speed.
    call([[COVERED, COVERED], [COVERED, 1]], 1)
    answer = least_cpu(
        lambda: [row[:] for row in rows], lambda board: call(board, mines), payload["repeats"]
    )
    result = answer["result"]
    if payload["call"] == "cal_probability_onboard":
        cells = [
            [r, c, result[0][r][c]]
            for r, row in enumerate(rows)
            for c, value in enumerate(row)
            if value == COVERED
        ]
    else:
        # These two leave out the cells that the library's marking step settled, whichever way.
        cells = [[r, c, chance] for (r, c), chance in result[0]]
    return {"seconds": answer["seconds"], "cells": cells}


def pyganak_count(payload: Payload) -> Payload:
    """Ganak's exact count of the direct encoding; making the clauses is outside the clock."""
    peer = importlib.import_module("pyganak")
    variable = {cell: number for number, cell in enumerate(payload["cells"], start=1)}
    clauses = [
        clause
        for clue in payload["clues"]
        for clause in exactly([variable[cell] for cell in clue["cells"]], clue["count"])
    ]

    def count(counter: Any) -> int:
        counter.add_clauses(clauses)
        return int(counter.count())

    answer = least_cpu(peer.Counter, count, payload["repeats"])
    return {"seconds": answer["seconds"], "count": hex(answer["result"])}


TASKS: dict[str, Task] = {
    "sapper-probabilities": sapper_probabilities,
    "sapper-count": sapper_count,
    "sapper-zdd": sapper_zdd,
    "sapper-verdicts": sapper_verdicts,
    "ms_toollib": ms_toollib_probabilities,
    "pyganak": pyganak_count,
}


def main(limit_bytes: int) -> None:
    """Answer requests until standard input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))
    # A peer that prints must not break the answers: they get a private copy of standard output.
    answers = sys.stdout
    sys.stdout = sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = TASKS[request["task"]](request["payload"])
        except MemoryError:
            answer = {"error": "out of memory"}
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic in a Rust peer is no Exception; report it too
            answer = {"error": f"{type(error).__name__}: {error}"}
        answer["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
