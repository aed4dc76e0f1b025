"""What the worker does with trees and partial k-trees; see `benchmarks.worker`."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.graph_instances import GraphRecord

Payload = dict[str, Any]


def graph_question(payload: Payload) -> Payload:
    """One question about one graph, from arrays to the answer.

    ``build`` in the payload says whether making the position is inside the clock.
    """
    import sapper

    record = _record(payload)
    ask: Any = {
        "consistent": sapper.is_consistent,
        "count": sapper.count,
        "by_mines": sapper.count_by_mines,
        "verdicts": _verdicts,
    }[payload["question"]]

    def position() -> Any:
        field = sapper.Graph.from_arrays(len(record["labels"]), record["edges"])
        return sapper.Position.from_array(record["labels"], topology=field)

    best, answer = float("inf"), None
    for _ in range(payload["repeats"]):
        prepared = None if payload["build"] else position()
        started = time.process_time_ns()
        answer = ask(position() if prepared is None else prepared, method=payload["method"])
        best = min(best, (time.process_time_ns() - started) / 1e9)
    return {"seconds": best, **_summary(answer)}


def _verdicts(position: Any, *, method: str) -> Any:
    import sapper

    return sapper.analyze(position, method=method).verdicts


def _summary(answer: Any) -> Payload:
    if isinstance(answer, bool):
        return {"answer": answer}
    if isinstance(answer, int):
        return {"answer": hex(answer), "bits": answer.bit_length()}
    return {"answer": len(answer)}


def _record(payload: Payload) -> GraphRecord:
    # Imported here, so that numpy weighs on no other task of the worker.
    from benchmarks import graph_instances

    made = getattr(graph_instances, payload["make"])
    record: GraphRecord = made(*payload["arguments"], **payload["options"])
    return record


def graph_pyganak(payload: Payload) -> Payload:
    """Ganak's exact count of the same graph; making the clauses is outside the clock."""
    from benchmarks.graph_instances import clues

    peer = importlib.import_module("pyganak")
    record = _record(payload)
    sums = clues(record)
    touched = sorted({cell for _, cells in sums for cell in cells})
    variable = {cell: number for number, cell in enumerate(touched, start=1)}
    clauses: list[list[int]] = []
    fresh = iter(range(len(touched) + 1, 1 << 30))
    for count, cells in sums:
        clauses += exactly([variable[cell] for cell in cells], count, fresh)
    best, found = float("inf"), 0
    for _ in range(payload["repeats"]):
        counter = peer.Counter()
        started = time.process_time_ns()
        counter.add_clauses(clauses)
        found = int(counter.count())
        best = min(best, (time.process_time_ns() - started) / 1e9)
    untouched = int((record["labels"] < 0).sum()) - len(touched)
    return {"seconds": best, **_summary(found << untouched), "clauses": len(clauses)}


def exactly(variables: list[int], count: int, fresh: Iterator[int]) -> Iterator[list[int]]:
    """Yield clauses that say `count` of `variables` hold, by the shorter of two encodings.

    The direct one has no further variable. The other says with new variables whether at least j
    of the first i hold; each is defined in both directions, so the number of models stays the same.

    >>> list(exactly([1, 2], 1, iter(range(3, 9))))
    [[-1, -2], [1, 2]]
    """
    size = len(variables)
    if comb(size, count + 1) + comb(size, size - count + 1) <= 4 * size * (count + 1):
        from benchmarks.worker import exactly as directly

        yield from directly(variables, count)
        return
    before: list[int | None] = [None]  # None: always true; beyond the end: always false
    for place, x in enumerate(variables, start=1):
        now: list[int | None] = [None]
        for j in range(1, min(place, count + 1) + 1):
            s = next(fresh)
            stays = before[j] if j < len(before) else 0
            grows = before[j - 1]
            yield from _either(s, stays, x, grows)
            now.append(s)
        before = now
    if count:
        yield [_sure(before[count])]
    if count < size:
        yield [-_sure(before[count + 1])]


def _either(s: int, stays: int | None, x: int, grows: int | None) -> Iterator[list[int]]:
    """Yield s ⇔ stays ∨ (x ∧ grows); 0 is false, and None is true."""
    low = [] if not stays else [stays]
    if stays:
        yield [-stays, s]
    if grows is None:
        yield [-x, s]
        yield [-s, *low, x]
    else:
        yield [-x, -grows, s]
        yield [-s, *low, x]
        yield [-s, *low, grows]


def _sure(variable: int | None) -> int:
    assert variable is not None
    return variable
