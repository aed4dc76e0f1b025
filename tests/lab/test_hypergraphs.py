"""The paper's measure on hypergraphs, and small structures counted against brute force."""

from __future__ import annotations

import math
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

import sapper
from sapper import Clue, Clues
from sapper._native import Run, planted_inference
from sapper.game import seed_of
from sapper.lab import Hypergraphs, LabError
from sapper.lab.experiment import Row
from sapper.lab.small_structures import expected_structures, start_probability


@pytest.mark.parametrize("strict", [False, True])
def test_free_labels_are_judged_as_the_engine_does(strict: bool) -> None:
    outcomes = set()
    for number in range(40):
        offsets, cells, labels, _, forced = planted_inference(
            14,
            [3, 4],
            [2 + strict, 2 + 2 * strict],
            0.5,
            strict,
            True,
            True,
            seed_of("free", number),
            Run(),
        )
        ends, flat = (memoryview(data).cast("i").tolist() for data in (offsets, cells))
        counts = memoryview(labels).cast("q").tolist()
        edges = [tuple(flat[first:last]) for first, last in pairwise(ends)]
        assert len({frozenset(edge) for edge in edges}) == 4 + 3 * strict
        assert all(strict <= c <= len(e) - strict for c, e in zip(counts, edges, strict=True))
        clues = Clues([Clue(c, e) for c, e in zip(counts, edges, strict=True)], range(14))
        consistent = sapper.is_consistent(clues)
        assert consistent == (forced is not None)
        outcomes.add(consistent)
        if forced is not None:
            verdicts = sapper.analyze(clues).verdicts
            assert [verdicts[v] != "unknown" for v in range(14)] == [bool(f) for f in forced]
    assert outcomes == {False, True}


def test_labels_and_numbers_of_hyperedges_are_as_they_should_be() -> None:
    labels: list[int] = []
    for number in range(60):
        _, _, packed, _, _ = planted_inference(
            200, [4], [20], 0.5, False, True, False, seed_of("labels", number), Run()
        )
        labels += memoryview(packed).cast("q").tolist()
    counts = np.bincount(labels, minlength=5)
    assert ((counts - 240) ** 2 / 240).sum() < 18.5  # χ², 4 degrees of freedom, p = 0.001
    experiment = Hypergraphs(
        vertices=(60,), densities=(0.5,), samples=400, measure="independent", labels="strict"
    )
    numbers = [experiment.work(job.payload)["answer"]["hyperedges"] for job in experiment.jobs()]
    assert np.mean(numbers) == pytest.approx(30, abs=4 * (30 / 400) ** 0.5)
    assert np.var(numbers) == pytest.approx(30, rel=0.3)


def test_hyperedges_that_cannot_differ() -> None:
    with pytest.raises(ValueError, match="cannot differ"):
        planted_inference(4, [3], [5], 0.5, False, True, True, 1, Run())
    for wrong, message in (
        ({"measure": "poisson"}, "fixed or independent"),
        ({"measure": "independent", "edges": {9: 1.0}}, "too many hyperedges"),
        ({"labels": "free-strict", "edges": {1: 1.0}}, "one vertex"),
    ):
        with pytest.raises(LabError, match=message):
            Hypergraphs(**wrong)


def decides(size: int, labels: tuple[int, ...]) -> bool:
    """Try all values of the shared vertices of a cycle: is any vertex decided?"""
    length = len(labels)
    shared = [
        values
        for values in product((0, 1), repeat=length)
        if all(
            0 <= label - values[i] - values[(i + 1) % length] <= size - 2
            for i, label in enumerate(labels)
        )
    ]
    if any(len({values[i] for values in shared}) == 1 for i in range(length)):
        return True
    # The others of a hyperedge are alike: decided if none or all of them must be mines.
    return any(
        {label - values[i] - values[(i + 1) % length] for values in shared} in ({0}, {size - 2})
        for i, label in enumerate(labels)
    )


def by_hand(size: int, density: float, mines: float, free: bool, longest: int) -> float:
    """Expected cycles that decide something: every sequence of labels, every assignment."""
    total = 0.0
    strict = 1 - mines**size - (1 - mines) ** size
    for length in range(2, longest + 1):
        for labels in product(range(1, size), repeat=length):
            if not decides(size, labels):
                continue
            if free:
                weight = (size - 1) ** -length * 1.0
            else:
                weight = 0.0
                for values in product((0, 1), repeat=length):
                    part = math.prod(mines if v else 1 - mines for v in values)
                    for i, label in enumerate(labels):
                        rest = label - values[i] - values[(i + 1) % length]
                        if not 0 <= rest <= size - 2:
                            part = 0.0
                            break
                        ways = math.comb(size - 2, rest)
                        part *= ways * mines**rest * (1 - mines) ** (size - 2 - rest) / strict
                    weight += part
            total += (density * size * (size - 1)) ** length * weight / (2 * length)
    return total


@pytest.mark.parametrize(("size", "longest"), [(3, 7), (4, 6)])
@pytest.mark.parametrize("mines", [0.5, 0.3])
@pytest.mark.parametrize("free", [False, True])
def test_cycles_are_counted_by_hand(size: int, longest: int, mines: float, free: bool) -> None:
    # So sparse that longer cycles do not matter.
    density = 0.03 / size
    counted = expected_structures({size: 1.0}, density, mines, free=free)
    assert counted == pytest.approx(by_hand(size, density, mines, free, longest), rel=1e-5)


def test_counted_structures_meet_what_is_measured(tmp_path: Path) -> None:
    experiment = Hypergraphs(
        vertices=(1600,), edges={4: 1.0}, densities=(0.15, 0.25), labels="strict", samples=150
    )
    rows = [Row(j.key, j.payload, experiment.work(j.payload)) for j in experiment.jobs()]
    for density in experiment.densities:
        theory = start_probability({4: 1.0}, density, 0.5, "strict", 1600)
        assert theory is not None
        found = [
            row.result["answer"]["something"] for row in rows if row.payload["density"] == density
        ]
        assert abs(np.mean(found) - theory) < 4 * math.sqrt(theory * (1 - theory) / 150)
    text = experiment.report(rows, tmp_path)
    assert "counted small structures against P(something) at 2 densities" in text
    assert start_probability({2: 1.0}, 0.2, 0.5, "strict", 100) is None
