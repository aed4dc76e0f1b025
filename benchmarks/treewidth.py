"""Partial k-trees: the paper's method, the engine and an exact model counter."""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks.graph_instances import largest_degree, partial_k_tree
from benchmarks.harness import Options, Outcome, Report, Worker, duration, exponent

WIDTHS = (2, 3, 4, 5)
HUB_WIDTHS = (2, 3, 5)


def run_paper(options: Options) -> Report:
    """Time the paper's method and the engine at n = 200."""
    raw: list[dict[str, Any]] = []
    questions = [("count", "treewidth"), ("verdicts", "treewidth"), ("count", "engine")]
    with Worker() as worker:
        for k in WIDTHS:
            for seed in options.seeds(5):
                item: dict[str, Any] = {"k": k, "seed": seed}
                for question, method in questions:
                    found = _ask(worker, options, 200, k, seed, question=question, method=method)
                    item[f"{method} {question}"] = found.seconds
                    item[f"{method} {question} answer"] = found.answer.get("answer")
                assert item["treewidth count answer"] == item["engine count answer"], item
                raw.append(item)
    keys = [f"{method} {question}" for question, method in questions]
    rows = []
    for k in WIDTHS:
        items = [item for item in raw if item["k"] == k]
        row = [str(k)]
        for key in keys:
            times = [item[key] for item in items if item[key] is not None]
            worst = max(times) if len(times) == len(items) else None
            row += [duration(statistics.median(times)), duration(worst, "> limit")]
        rows.append(row)
    columns = ["k"]
    for key in keys:
        columns += [f"{key}, median", "worst"]
    return Report(
        name="treewidth",
        title="Bounded treewidth: the paper's method",
        text="Random partial k-trees of 200 vertices: a new vertex joins one of the last 20 "
        "cliques, an edge is kept with probability 0.7, half of the vertices are numbered and "
        "three in ten are mines. `treewidth` is Golan's method with python-flint; both counts are "
        "compared on every graph.",
        columns=columns,
        rows=rows,
        raw=raw,
        packages=["python-flint"],
    )


def run_engine(options: Options) -> Report:
    """Time the engine and pyganak on growing partial k-trees."""
    sizes = [200, 1_000, 10_000, 100_000][: 3 if options.quick else None]
    raw: list[dict[str, Any]] = []
    with Worker() as ours, Worker() as peer:
        for k in WIDTHS:
            stopped = False
            for size in sizes:
                item: dict[str, Any] = {"k": k, "size": size}
                for question in ("count", "consistent", "verdicts"):
                    found = _ask(ours, options, size, k, 1, question=question, method="engine")
                    item[question] = found.seconds
                    item[f"{question} failure"] = found.failure
                    item[f"{question} answer"] = found.answer.get("answer")
                    item["bits"] = item.get("bits") or found.answer.get("bits")
                if not stopped:
                    found = _ask(peer, options, size, k, 1, task="graph-pyganak")
                    item["pyganak"], item["pyganak failure"] = found.seconds, found.failure
                    item["clauses"] = found.answer.get("clauses")
                    stopped = found.seconds is None
                    if not stopped and item["count"] is not None:
                        assert found.answer["answer"] == item["count answer"], (k, size)
                raw.append(item)
    rows = [
        [
            str(item["k"]),
            f"{item['size']:,}",
            str(item["bits"] or "–"),
            *(
                duration(item.get(key), item.get(f"{key} failure"))
                for key in ("count", "consistent", "verdicts", "pyganak")
            ),
        ]
        for item in raw
    ]
    remarks = [
        "Both counts are compared wherever both end. pyganak gets each number in the shorter of "
        "the direct encoding and a counter that keeps the number of models; `–`: it had stopped at "
        "a smaller size."
    ]
    for question in ("count", "verdicts"):
        known = [item for item in raw if item["k"] == 3 and item[question] is not None]
        if len(known) > 1:
            slope = exponent([i["size"] for i in known], [i[question] for i in known])
            remarks.append(f"Fitted exponent of {question} for k = 3: {slope:.2f}.")
    return Report(
        name="k-trees",
        title="Bounded treewidth: the engine",
        text="The same family at larger sizes, one seed each, called on a position: exact count, "
        "consistency and all verdicts by the engine, and the exact count by pyganak.",
        columns=["k", "n", "bits of the count", "count", "consistent", "verdicts", "pyganak count"],
        rows=rows,
        raw=raw,
        packages=["pyganak"],
        remarks=remarks,
    )


def run_hubs(options: Options) -> Report:
    """Time the engine where degrees grow with the graph."""
    sizes = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000][: 3 if options.quick else None]
    raw: list[dict[str, Any]] = []
    for k in HUB_WIDTHS:
        with Worker() as ours, Worker() as peer:
            stopped = {"engine": False, "treewidth": False, "pyganak": False}
            for size in sizes:
                degree = largest_degree(partial_k_tree(size, k, seed=1, hubs=True))
                item: dict[str, Any] = {"k": k, "size": size, "degree": degree}
                for method in ("engine", "treewidth", "pyganak"):
                    if stopped[method]:
                        continue
                    if method == "pyganak":
                        found = _ask(peer, options, size, k, 1, task="graph-pyganak", hubs=True)
                    else:
                        found = _ask(ours, options, size, k, 1, method=method, hubs=True)
                    item[method], item[f"{method} failure"] = found.seconds, found.failure
                    stopped[method] = found.seconds is None
                raw.append(item)
    remarks = []
    for method in ("engine", "treewidth"):
        for k in HUB_WIDTHS:
            known = [i for i in raw if i["k"] == k and i.get(method) is not None]
            if len(known) > 1:
                slope = exponent([i["degree"] for i in known], [i[method] for i in known])
                remarks.append(
                    f"For k = {k} the time of `{method}` grows as the largest degree to the power"
                    f" of {slope:.1f}."
                )
    return Report(
        name="hubs",
        title="Bounded treewidth: hubs",
        text="Partial k-trees in which a new vertex joins any earlier clique, so that old vertices "
        "become hubs. A number of degree d takes up to d + 1 values in a state or an exponent, and "
        "a bag of k + 1 numbers up to the product: width alone does not bound the cost.",
        columns=["k", "n", "largest degree", "engine", "treewidth", "pyganak"],
        rows=[
            [
                str(item["k"]),
                f"{item['size']:,}",
                str(item["degree"]),
                *(
                    duration(item.get(method), item.get(f"{method} failure"))
                    for method in ("engine", "treewidth", "pyganak")
                ),
            ]
            for item in raw
        ],
        raw=raw,
        packages=["python-flint", "pyganak"],
        remarks=remarks,
    )


def _ask(
    worker: Worker,
    options: Options,
    size: int,
    k: int,
    seed: int,
    *,
    task: str = "graph",
    question: str = "count",
    method: str = "engine",
    hubs: bool = False,
) -> Outcome:
    payload = {
        "make": "partial_k_tree",
        "arguments": [size, k],
        "options": {"seed": seed, "hubs": hubs},
        "question": question,
        "method": method,
        "build": False,
        "repeats": 1 if size > 1000 else 3,
    }
    return worker.ask(task, payload, seconds=options.seconds)
