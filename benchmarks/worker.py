"""The timed work; :class:`benchmarks.harness.Worker` has it done in a process of its own.

A task does its preparation outside the clock, repeats the timed call, and reports the least CPU
time of the process over the repetitions together with the answer, so that answers can be compared.
Integers that may be long travel as hexadecimal text.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import itertools
import pickle
import resource
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from benchmarks.graph_tasks import graph_pyganak, graph_question
from benchmarks.solutions_tasks import graphillion_subgraphs

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


def in_rounds(
    prepare: Callable[[Payload], T], call: Callable[[T], object], payload: Payload
) -> tuple[list[float], list[Any]]:
    """Visit all positions, round after round; return the least CPU seconds and result of each.

    Asking for one position again and again would flatter both programs: the second time all they
    need is in the processor's caches. In a game no position comes twice.
    """
    positions = payload["positions"]
    best = [float("inf")] * len(positions)
    results: list[Any] = [None] * len(positions)
    for _ in range(payload["rounds"]):
        for place, position in enumerate(positions):
            answer = least_cpu(lambda position=position: prepare(position), call, 1)  # type: ignore[misc]
            best[place] = min(best[place], answer["seconds"])
            results[place] = answer["result"]
    return best, results


def sapper_probabilities(payload: Payload) -> Payload:
    """``sapper.analyze(position).probabilities`` on parsed positions."""
    import sapper

    def prepare(position: Payload) -> Any:
        return sapper.parse("\n".join(position["rows"]), mines=position["mines"])

    def call(position: Any) -> Any:
        return sapper.analyze(position).probabilities

    # The first call imports what it needs; that is not part of the speed.
    call(sapper.parse("1?\n??", mines=1))
    best, results = in_rounds(prepare, call, payload)
    cells = [[[*cell, chance] for cell, chance in result.items()] for result in results]
    return {"seconds": sum(best), "each": best, "cells": cells}


def sapper_many(payload: Payload) -> Payload:
    """``sapper.analyze_many`` on parsed positions, or on one array of their codes."""
    import numpy

    import sapper

    positions = [
        sapper.parse("\n".join(item["rows"]), mines=item["mines"]) for item in payload["positions"]
    ] * payload["copies"]
    boards = numpy.array([position.to_array() for position in positions]).astype(numpy.int8)
    mines = [position.mines for position in positions]

    def of_array(_: object) -> Any:
        return sapper.analyze_many(boards, mines=mines)

    def of_positions(_: object) -> Any:
        return sapper.analyze_many(positions)

    def one_by_one(_: object) -> Any:
        return [sapper.analyze(position).probabilities for position in positions]

    calls = {"array": of_array, "positions": of_positions, "one by one": one_by_one}
    call = calls[payload["way"]]
    call(None)
    answer = least_cpu(lambda: None, call, payload["rounds"])
    return {"seconds": answer["seconds"], "positions": len(positions)}


def _clues(payload: Payload) -> Any:
    from sapper.clues import Clue, Clues

    clues = [Clue(clue["count"], tuple(clue["cells"])) for clue in payload["clues"]]
    return Clues(clues, cells=payload["cells"])


# The first question imports what it needs. It must not know the instance: nothing is prepared.
_OTHER = {"clues": [{"count": 1, "cells": [0, 1]}], "cells": [0, 1]}


def sapper_count(payload: Payload) -> Payload:
    """``sapper.count(clues)``, the clue system built afresh inside the clock."""
    import sapper

    def count(clues: Any) -> int:
        return sapper.count(clues, method=payload.get("method", "engine"))

    count(_clues(_OTHER))
    answer = least_cpu(lambda: _clues(payload), count, payload["repeats"])
    return {"seconds": answer["seconds"], "count": hex(answer["result"])}


def sapper_zdd(payload: Payload) -> Payload:
    """``sapper.solutions(clues).zdd()``: the reduced ZDD over the cells."""
    import sapper

    def compile_zdd(clues: Any) -> Any:
        return sapper.solutions(clues, method=payload.get("method", "engine")).zdd()

    compile_zdd(_clues(_OTHER))
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


def sapper_total(payload: Payload) -> Payload:
    """One question about a grid, with its mine total or without."""
    import sapper
    from sapper.engine import EngineMethod
    from sapper.engine.residues import moduli
    from sapper.game import Layout
    from sapper.limits import Budget

    field = sapper.Grid(payload["side"], payload["side"])
    layout = Layout(field, [tuple(cell) for cell in payload["mined"]])
    shown = [tuple(cell) for cell in payload["shown"]]
    position = layout.position(shown, total=payload["total"])
    question = payload["question"].replace("verdicts", "verdict_codes")
    # The first question imports what it needs.
    small = sapper.parse("1?\n??", mines=1 if payload["total"] else None)
    getattr(EngineMethod().findings(small), question)
    moduli(2000)  # looked for once in a process
    started = time.process_time_ns()
    findings = EngineMethod().findings(position)
    getattr(findings, question)
    seconds = (time.process_time_ns() - started) / 1e9
    board, _ = findings.compiled(Budget(None))
    return {"seconds": seconds, "nodes": board.compiled.nodes}


def sapper_threads(payload: Payload) -> Payload:
    """One question about a grid on some threads: by the clock, and compiling apart.

    With a time to begin at, that of the monotonic clock, it waits for it.
    """
    import sapper
    from sapper.engine import EngineMethod
    from sapper.game import Layout

    field = sapper.Grid(payload["side"], payload["side"])
    layout = Layout(field, [tuple(cell) for cell in payload["mined"]])
    shown = [tuple(cell) for cell in payload["shown"]]
    position = layout.position(shown, total=payload["total"])
    method = EngineMethod(threads=payload["threads"])
    getattr(method.findings(sapper.parse("1?\n??", mines=1)), payload["question"])
    if "begin" in payload:
        left = payload["begin"] - time.monotonic()
        if left < 0:
            return {"error": "late"}
        time.sleep(left)
    started, spent = time.perf_counter(), time.process_time()
    findings = method.findings(position)
    findings.prepare()
    compiled = time.perf_counter()
    answer = getattr(findings, payload["question"])
    ended = time.perf_counter()
    return {
        "seconds": time.process_time() - spent,
        "clock": ended - started,
        "compiling": compiled - started,
        "answer": hashlib.sha256(pickle.dumps(answer)).hexdigest(),
    }


def sapper_area(payload: Payload) -> Payload:
    """Verdicts and the count of a square board, drawn from the seed."""
    import numpy as np

    from sapper.analysis import get
    from sapper.engine.residues import moduli
    from sapper.field import Grid, Position

    def ask(position: Position) -> int:
        findings = get("auto").findings(position)
        return len(findings.verdict_codes) + findings.count.bit_length()

    def drawn(side: int) -> Position:
        cells = side * side
        random = np.random.default_rng([side, *(payload[k] for k in ("mines", "visible", "seed"))])
        mined = np.zeros((side, side), np.int64)
        mined.flat[random.choice(cells, cells * payload["mines"] // 100, replace=False)] = 1
        around = np.pad(mined, 1)
        steps = [slice(step, step + side) for step in range(3)]
        numbers = np.sum([around[down, right] for down in steps for right in steps], axis=0)
        free = np.flatnonzero(mined == 0)
        shown = random.choice(free, len(free) * payload["visible"] // 100, replace=False)
        labels: list[int | str] = ["?"] * cells
        for place, number in zip(shown.tolist(), numbers.flat[shown].tolist(), strict=True):
            labels[place] = number
        return Position(Grid(side, side), labels)

    ask(drawn(40))  # modules are loaded,
    moduli(2000)  # and primes found, once in a process
    return {"seconds": least_cpu(lambda: drawn(payload["side"]), ask, 1)["seconds"]}


def ms_toollib_probabilities(payload: Payload) -> Payload:
    """One of ms_toollib's three probability calls, named in the payload."""
    peer = importlib.import_module("ms_toollib")
    call = getattr(peer, payload["call"])

    def prepare(position: Payload) -> Any:
        rows = [[COVERED if c == "?" else int(c) for c in row] for row in position["rows"]]
        return rows, position["mines"]

    # The first call fills the library's tables, which takes 0.1 s.
    call([[COVERED, COVERED], [COVERED, 1]], 1)
    best, results = in_rounds(prepare, lambda board: call(*board), payload)
    pairs = zip(payload["positions"], results, strict=True)
    cells = [_listed(position["rows"], result, payload["call"]) for position, result in pairs]
    return {"seconds": sum(best), "each": best, "cells": cells}


def _listed(rows: list[str], result: Any, call: str) -> list[list[Any]]:
    if call != "cal_probability_onboard":
        # These two leave out the cells that the library's marking step settled, whichever way.
        return [[r, c, chance] for (r, c), chance in result[0]]
    return [
        [r, c, result[0][r][c]]
        for r, row in enumerate(rows)
        for c, label in enumerate(row)
        if label == "?"
    ]


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
    "sapper-many": sapper_many,
    "sapper-count": sapper_count,
    "sapper-zdd": sapper_zdd,
    "sapper-verdicts": sapper_verdicts,
    "sapper-total": sapper_total,
    "sapper-threads": sapper_threads,
    "sapper-area": sapper_area,
    "ms_toollib": ms_toollib_probabilities,
    "pyganak": pyganak_count,
    "graph": graph_question,
    "graph-pyganak": graph_pyganak,
    "graphillion": graphillion_subgraphs,
}


def answered(task: str, payload: Payload) -> Payload:
    """Return the answer to a request with the peak memory of this process, or the error it met."""
    with contextlib.redirect_stdout(sys.stderr):  # peers print
        try:
            answer = TASKS[task](payload)
        except MemoryError:
            answer = {"error": "out of memory"}
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic in a Rust peer is no Exception; report it too
            answer = {"error": f"{type(error).__name__}: {error}"}
    answer["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return answer
