"""Verdicts by different methods, and explanations."""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import sapper
from benchmarks.harness import Options, Report, duration, load, quantile
from sapper.analysis import get
from sapper.clues import Clues, Verdict
from sapper.field import Cell, Position, Torus
from sapper.game import Layout
from sapper.methods.cpsat import CpSat
from sapper.methods.kset import KSet
from sapper.methods.sat import Sat
from sapper.questions import Method

Verdicts = dict[Cell, Verdict]

SIDE = 300
MINES_PERCENT = 20
SHOWN_PERCENT = 30


def expert_positions(options: Options) -> list[Position]:
    records = load("expert_positions.jsonl")[: 8 if options.quick else None]
    made = [
        sapper.parse(f"mines: {record['mines']}\n" + "\n".join(record["rows"]))
        for record in records
    ]
    return [position for position in made if isinstance(position, Position)]


def timed(
    ask: Callable[[Position], Verdicts], position: Position, repeats: int = 1
) -> tuple[float, Verdicts]:
    """Return the least CPU seconds of an answer, and the answer."""
    best, answer = float("inf"), {}
    for _ in range(repeats):
        started = time.process_time()
        answer = ask(position)
        best = min(best, time.process_time() - started)
    return best, answer


def _by_engine(position: Position) -> Verdicts:
    return sapper.analyze(position).verdicts


def _verdicts(method: Method, position: Position) -> Verdicts:
    return method.findings(position).verdicts


def run_verdicts(options: Options) -> Report:
    """Verdicts of the expert positions, by every method that scales to them."""
    positions = expert_positions(options)
    methods: list[tuple[str, Method, int]] = [
        ("auto (engine)", get("engine"), 5),
        ("sat", Sat(), 3),
        ("sat, totalizer", Sat(encoding="totalizer"), 1),
        ("cpsat", CpSat(), 1),
        ("cpsat on HiGHS", CpSat(solver="highs"), 1),
        *[(f"kset, k = {k}", KSet(k=k), 3) for k in (1, 2, 3, 4)],
    ]
    truth = [sapper.analyze(position).verdicts for position in positions]
    certain = sum(verdict != "unknown" for one in truth for verdict in one.values())
    rows, raw = [], []
    for name, method, repeats in methods:
        spent, found = [], 0
        for position, expected in zip(positions, truth, strict=True):
            seconds, verdicts = timed(partial(_verdicts, method), position, repeats)
            spent.append(seconds)
            if method.complete and verdicts != expected:
                raise AssertionError(f"{name} disagrees with the engine")
            found += sum(verdict != "unknown" for verdict in verdicts.values())
        share = f"{found / certain:.1%}"
        rows.append([name, *_spread(spent), share])
        raw.append({"method": name, "seconds": spent, "certain": found})
    return Report(
        name="verdicts",
        title="Verdicts",
        text="All verdicts of the positions of `expert_positions.jsonl`, under the mine total "
        "(k-set search ignores it), from a parsed position. CPU seconds of this process. The last "
        "column is the share of the certain cells that were found.",
        columns=["method", "median", "99 % within", "slowest", "found"],
        rows=rows,
        raw=raw,
        packages=["python-sat", "ortools", "highspy"],
        remarks=[f"{len(positions)} positions with {certain:,} certain cells."],
    )


def _spread(spent: list[float]) -> list[str]:
    return [
        duration(statistics.median(spent)),
        duration(quantile(spent, 0.99)),
        duration(max(spent)),
    ]


def torus_position(side: int, seed: int) -> Position:
    """Return a torus on which a share of the free cells show their numbers."""
    field = Torus(side, side)
    rng = random.Random(f"torus {side} {seed}")
    layout = Layout(field, rng.sample(list(field), side * side * MINES_PERCENT // 100))
    free = list(layout.numbers)
    return layout.position(rng.sample(free, len(free) * SHOWN_PERCENT // 100))


def run_torus(options: Options) -> Report:
    """A 300 × 300 torus with scattered numbers."""
    side = 60 if options.quick else SIDE
    rows, raw = [], []
    for seed in options.seeds(3):
        whole = torus_position(side, seed)
        for total, position in (("no", whole.with_mines(None)), ("yes", whole)):
            engine, verdicts = timed(_by_engine, position)
            sat, found = timed(lambda p: Sat().findings(p).verdicts, position)
            if found != verdicts:
                raise AssertionError(f"sat disagrees with the engine on seed {seed}")
            kinds = Counter(verdicts.values())
            rows.append(
                [
                    str(seed),
                    total,
                    f"{len(Clues.of(position).clues):,}",
                    f"{kinds['safe']:,} / {kinds['mine']:,} / {kinds['unknown']:,}",
                    duration(sat),
                    duration(engine),
                ]
            )
            raw.append(
                {"seed": seed, "total": total, "sat": sat, "engine": engine, "kinds": dict(kinds)}
            )
    return Report(
        name="torus",
        title="Verdicts of a wide torus",
        text=f"A {side} × {side} torus, {MINES_PERCENT} % mines, {SHOWN_PERCENT} % of the free "
        "cells revealed: all verdicts, by SAT and by the engine, which agree.",
        columns=["seed", "total given", "clues", "safe / mine / unknown", "sat", "engine"],
        rows=rows,
        raw=raw,
        packages=["python-sat"],
    )


def run_explain(options: Options) -> Report:
    """Every deduction of the expert positions, explained."""
    positions = expert_positions(options)
    rows, raw = [], []
    for name, arguments in (
        ("minimal core", {}),
        ("smallest core", {"smallest": True}),
        ("minimal core by sat", {"method": "sat"}),
    ):
        every = 1 if name != "minimal core by sat" else 10
        spent, sizes = _explained(positions, every, **arguments)
        counts = Counter(sizes)
        shown = ", ".join(f"{size}: {counts[size]:,}" for size in sorted(counts)[:6])
        mean = statistics.mean(sizes)
        rows.append(
            [name, f"{len(spent):,}", *_spread(spent), f"{mean:.3f}", str(max(sizes)), shown]
        )
        shares = (0.5, 0.9, 0.99, 0.999, 1.0)
        quantiles = {str(share): quantile(spent, share) for share in shares}
        sizes_of = {str(size): counts[size] for size in sorted(counts)}
        raw.append({"what": name, "seconds": quantiles, "sizes": sizes_of})
    return Report(
        name="explain",
        title="Explanations",
        text="`sapper.explain` for the certain cells of the expert positions (for `sat`, every "
        "tenth): verdict, core, independent check and words, from a parsed position. CPU seconds "
        "of this process.",
        columns=[
            "what",
            "deductions",
            "median",
            "99 % within",
            "slowest",
            "mean size",
            "largest",
            "how many of each size",
        ],
        rows=rows,
        raw=raw,
        packages=["python-sat"],
    )


def _explained(
    positions: Iterable[Position], every: int, **arguments: Any
) -> tuple[list[float], list[int]]:
    spent, sizes = [], []
    number = 0
    for position in positions:
        for cell, verdict in sapper.analyze(position).verdicts.items():
            number += verdict != "unknown"
            if verdict == "unknown" or number % every:
                continue
            started = time.process_time()
            explanation = sapper.explain(position, cell, **arguments)
            spent.append(time.process_time() - started)
            sizes.append(explanation.size)
    return spent, sizes
