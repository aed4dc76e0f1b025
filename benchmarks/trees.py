"""Golan's algorithms on trees of five shapes, and how their cost grows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from benchmarks.graph_instances import SHAPES
from benchmarks.harness import ROOT, Options, Report, Worker, duration, exponent

PLOTS = ROOT / "docs" / "assets"


def run_consistency(options: Options) -> Report:
    """Time ``sapper.is_consistent(position, method="tree")`` from arrays to the answer."""
    sizes = [62_500, 125_000, 250_000, 500_000, 1_000_000][: 3 if options.quick else None]
    raw = _measure("consistent", sizes, options, build=True)
    return _report(
        raw,
        sizes,
        name="trees",
        title="Trees: consistency",
        text="From arrays of edges and labels to the answer of "
        '`sapper.is_consistent(position, method="tree")`: making the graph and the position is '
        "inside the clock. Three vertices in ten are mines, half of the others are covered.",
    )


def run_verdicts(options: Options) -> Report:
    """Time all verdicts by re-rooting."""
    sizes = [125_000, 250_000, 500_000, 1_000_000][: 2 if options.quick else None]
    raw = _measure("verdicts", sizes, options, build=False)
    return _report(
        raw,
        sizes,
        name="tree-verdicts",
        title="Trees: verdicts",
        text="All verdicts, as a dictionary, by one sweep up and one down; the position is made "
        "outside the clock.",
    )


def run_counts(options: Options) -> Report:
    """Time the exact count."""
    sizes = [12_500, 25_000, 50_000, 100_000, 200_000][: 3 if options.quick else None]
    raw = _measure("count", sizes, options, build=False)
    return _report(
        raw,
        sizes,
        name="tree-counts",
        title="Trees: exact counts",
        text='`sapper.count(position, method="tree")`. The answer has about a third as many bits '
        "as the tree has vertices.",
    )


def run_polynomials(options: Options) -> Report:
    """Time the count for every number of mines."""
    sizes = [1_250, 2_500, 5_000, 10_000, 20_000][: 3 if options.quick else None]
    raw = _measure("by_mines", sizes, options, build=False)
    return _report(
        raw,
        sizes,
        name="tree-polynomials",
        title="Trees: counts for every number of mines",
        text='`sapper.count_by_mines(position, method="tree")`: all coefficients of P(T). The '
        "answer itself grows with the square of the tree, and so must the time.",
    )


def _measure(
    question: str, sizes: Sequence[int], options: Options, *, build: bool
) -> list[dict[str, Any]]:
    raw = []
    with Worker() as worker:
        for shape in SHAPES:
            for size in sizes:
                payload = {
                    "make": "tree",
                    "arguments": [shape, size],
                    "options": {},
                    "question": question,
                    "method": "tree",
                    "build": build,
                    "repeats": 3 if question in ("count", "by_mines") else 9,
                }
                outcome = worker.ask("graph", payload, seconds=options.seconds)
                raw.append(
                    {
                        "shape": shape,
                        "size": size,
                        "seconds": outcome.seconds,
                        "failure": outcome.failure,
                        "bits": outcome.answer.get("bits"),
                    }
                )
    return raw


def _report(
    raw: list[dict[str, Any]], sizes: Sequence[int], *, name: str, title: str, text: str
) -> Report:
    rows, curves = [], {}
    for shape in SHAPES:
        items = [item for item in raw if item["shape"] == shape]
        cells = [duration(item["seconds"], item["failure"]) for item in items]
        known = {item["size"]: item["seconds"] for item in items if item["seconds"] is not None}
        if len(known) > 1:
            curves[shape] = known
            steps = [known[b] / known[a] for a, b in pairwise(known)]
            cells += [f"{exponent(list(known), list(known.values())):.2f}", f"{max(steps):.2f}"]
        else:
            cells += ["–", "–"]
        rows.append([shape, *cells])
    remarks = ["The largest step is the time for 2n over the time for n, at its worst."]
    if len(sizes) > 3:
        plot(PLOTS / f"{name}.svg", curves, "vertices")
        remarks.append(f"\n\n![Time against size](assets/{name}.svg)")
    return Report(
        name=name,
        title=title,
        text=text,
        columns=["shape", *(f"{size:,}" for size in sizes), "exponent", "largest step"],
        rows=rows,
        raw=raw,
        packages=["python-flint"],
        remarks=remarks,
    )


def plot(path: Any, curves: dict[str, dict[int, float]], label: str) -> None:
    """Draw curves of CPU seconds on logarithmic axes."""
    import matplotlib

    matplotlib.use("svg")
    # A fixed salt and no date keep the file the same when the numbers are.
    matplotlib.rcParams["svg.hashsalt"] = "sapper"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 3.6), layout="constrained")
    for (name, curve), marker in zip(curves.items(), "os^vDP<>" * 3, strict=False):
        axes.loglog(list(curve), list(curve.values()), marker=marker, label=name)
    axes.set_xlabel(label)
    axes.set_ylabel("CPU time, s")
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
