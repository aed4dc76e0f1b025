"""How the cost of a count grows with the length of a board of fixed height."""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks.harness import ROOT, Options, Report, Worker, duration, exponent
from benchmarks.instances import generation_grid

HEIGHT = 10
LENGTHS = (50, 100, 200, 400, 800, 1600, 3200)
QUESTIONS = {"count": "sapper-count", "verdicts": "sapper-verdicts"}
PLOT = ROOT / "docs" / "assets" / "growth.svg"


def run(options: Options) -> Report:
    """Time strips of growing length and fit the exponent."""
    lengths = LENGTHS[: 4 if options.quick else None]
    raw: list[dict[str, Any]] = []
    with Worker() as ours:
        for length in lengths:
            for seed in options.seeds(3):
                record = generation_grid(
                    HEIGHT, length, mines_percent=20, visible_percent=40, seed=seed
                )
                payload = {"cells": record["cells"], "clues": record["clues"], "repeats": 3}
                item: dict[str, Any] = {"length": length, "seed": seed}
                for question, task in QUESTIONS.items():
                    item[question] = ours.ask(task, payload, seconds=options.seconds).seconds
                raw.append(item)
    curves = {question: _curve(raw, question) for question in QUESTIONS}
    remarks = []
    for question, curve in curves.items():
        if len(curve) > 1:
            slope = exponent(list(curve), list(curve.values()))
            remarks.append(f"Fitted exponent of {question} against length: {slope:.2f}.")
    if not options.quick and all(len(curve) > 1 for curve in curves.values()):
        _plot(curves)
        remarks.append("\n\n![Cost against length](assets/growth.svg)")
    return Report(
        name="growth",
        title="Growth",
        text=f"Strips {HEIGHT} cells high, 20 % mines, 40 % of the free cells visible; median of "
        "three seeds. An exponent of 1 is linear growth.",
        columns=["length", *QUESTIONS],
        rows=[
            [str(length), *(duration(curves[question].get(length)) for question in QUESTIONS)]
            for length in lengths
        ],
        raw=raw,
        remarks=remarks,
    )


def _curve(raw: list[dict[str, Any]], question: str) -> dict[int, float]:
    curve: dict[int, list[float]] = {}
    for item in raw:
        if item[question] is not None:
            curve.setdefault(item["length"], []).append(item[question])
    return {length: statistics.median(values) for length, values in curve.items()}


def _plot(curves: dict[str, dict[int, float]]) -> None:
    import matplotlib

    matplotlib.use("svg")
    # A fixed salt and no date keep the file the same when the numbers are.
    matplotlib.rcParams["svg.hashsalt"] = "sapper"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 3.6), layout="constrained")
    for (question, curve), marker in zip(curves.items(), "os", strict=True):
        axes.loglog(
            list(curve), [1e3 * cost for cost in curve.values()], marker=marker, label=question
        )
    first = next(iter(curves.values()))
    start, end = min(first), max(first)
    line = [1e3 * first[start], 1e3 * first[start] * end / start]
    axes.loglog([start, end], line, linestyle=":", color="grey", label="linear")
    axes.set_xlabel(f"length of the board ({HEIGHT} cells high)")
    axes.set_ylabel("CPU time, ms")
    axes.legend()
    PLOT.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(PLOT, metadata={"Date": None})
    pyplot.close(figure)
