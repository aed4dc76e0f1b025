"""Fixed seeds, and bands that hold what was measured with many more games."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from sapper.game import seed_of
from sapper.lab import Hypergraphs, LabError, Percolation, PhaseTransition, Scaling
from sapper.lab.experiment import Row
from sapper.lab.fits import crossing, half_crossing, power_law, resampled, saturating
from sapper.lab.games import TorusGame, mine_count
from sapper.lab.inference import inferred
from sapper.lab.percolation import SITE_THRESHOLD, predicted_threshold
from sapper.lab.statistics import mean_of
from sapper.lab.torus import spaced


@cache
def alphas(size: int, density: float, games: int) -> list[float]:
    found = []
    for number in range(games):
        seed = seed_of(1, "torus", size, mine_count(size, density), number)
        found.append(inferred(*TorusGame.drawn(size, density, seed)).flagged_fraction)
    return found


# Means over 2000 games of other seeds; bands of about four standard errors of 300 games.
BANDS = [
    (20, 0.10, 0.997, 0.014),
    (20, 0.20, 0.878, 0.08),
    (20, 0.25, 0.671, 0.11),
    (20, 0.30, 0.261, 0.073),
    (40, 0.20, 0.885, 0.078),
    (40, 0.25, 0.589, 0.112),
    (40, 0.30, 0.096, 0.033),
    (80, 0.20, 0.883, 0.079),
    (80, 0.30, 0.027, 0.011),
]


@pytest.mark.parametrize(("size", "density", "expected", "band"), BANDS)
def test_alpha_stays_in_its_band(size: int, density: float, expected: float, band: float) -> None:
    assert abs(fmean(alphas(size, density, 300)) - expected) < band


def test_the_decline_is_steeper_on_larger_boards() -> None:
    # Above the transition a larger board is played less far.
    means = [fmean(alphas(size, 0.30, 300)) for size in (20, 40, 80)]
    assert means[0] > means[1] + 0.1 > means[2] + 0.1


def test_sequential_cores_peak_at_the_transition_and_batch_cores_do_not() -> None:
    experiment = PhaseTransition(
        sizes=(40,), densities=(0.12, 0.25, 0.34), games=20, protocols=("sequential", "batch")
    )
    found: dict[tuple[str, float], list[int]] = {}
    for job in experiment.jobs():
        answer = experiment.work(job.payload)["answer"]
        for protocol in experiment.protocols:
            key = protocol, job.payload["density"]
            found.setdefault(key, []).append(answer[f"core_{protocol}"])
    mean = {key: fmean(values) for key, values in found.items()}
    assert mean["sequential", 0.12] < 2.5
    assert 5 < mean["sequential", 0.25] < 9
    assert mean["sequential", 0.34] < mean["sequential", 0.25] - 1.5
    assert mean["batch", 0.12] > 0.6 * mean["batch", 0.25]


def test_the_total_only_helps() -> None:
    points = {"sizes": (6,), "densities": (0.2, 0.25), "games": 50, "protocols": ()}
    plain, known = (
        PhaseTransition(**wrong(points)),
        PhaseTransition(**wrong(points), use_total=True),
    )
    pairs = [
        [experiment.work(job.payload)["answer"] for experiment in (plain, known)]
        for job in plain.jobs()
    ]
    assert all(less["alpha"] <= more["alpha"] for less, more in pairs)
    assert all(less["revealed"] <= more["revealed"] for less, more in pairs)
    assert any(less["revealed"] < more["revealed"] for less, more in pairs)


def test_percolation_of_independent_sites_is_where_it_should_be() -> None:
    experiment = Percolation(
        side=300, densities=(0.06, 0.095, 0.15), probabilities=(0.45, 0.59, 0.75), samples=8
    )
    rest: dict[tuple[str, float], list[float]] = {}
    largest: dict[tuple[str, float], list[float]] = {}
    for job in experiment.jobs():
        answer = experiment.work(job.payload)["answer"]
        key = job.payload["kind"], job.payload["density"]
        rest.setdefault(key, []).append(answer["mean_size_rest"])
        largest.setdefault(key, []).append(answer["largest"] / 300**2)
    for kind, low, near, high in (
        ("independent", 0.45, 0.59, 0.75),
        ("minesweeper", 0.06, 0.095, 0.15),
    ):
        size = {density: fmean(rest[kind, density]) for density in (low, near, high)}
        assert size[near] > 3 * size[low]
        assert size[near] > 3 * size[high]
        assert fmean(largest[kind, low]) < 0.05
        assert fmean(largest[kind, high]) > 0.6
    assert (1 - predicted_threshold()) ** 9 == pytest.approx(1 - SITE_THRESHOLD)


def test_most_of_a_strict_hypergraph_is_inferred_beyond_a_sharp_threshold() -> None:
    experiment = Hypergraphs(
        vertices=(1600,), edges={4: 1.0}, densities=(0.3, 0.65), labels="strict", samples=12
    )
    found: dict[float, list[float]] = {}
    for job in experiment.jobs():
        answer = experiment.work(job.payload)["answer"]
        found.setdefault(job.payload["density"], []).append(answer["fraction"])
    assert max(found[0.3]) < 0.1
    assert min(found[0.65]) > 0.7


def test_a_known_crossing_is_found() -> None:
    places = np.linspace(0.2, 0.3, 41).tolist()
    means = 1 / (1 + np.exp((np.array(places) - 0.25) * 80))
    found = half_crossing(places, means.tolist())
    assert found is not None
    assert found.place == pytest.approx(0.25)
    # From 1/2 to 1/4 a logistic curve of this steepness takes log(3) / 80.
    assert found.slope == pytest.approx(-0.25 / (np.log(3) / 80), rel=0.03)
    assert half_crossing(places, [0.95] * 41) is None
    assert half_crossing(places, [0.4] * 41) is None
    assert half_crossing([0.1, 0.2, 0.3], [0.8, 0.6, 0.4]) is None
    assert crossing([0, 1], [0.0, 1.0], 1.0) == 1
    limit, a, b = saturating(
        [20, 40, 80, 160], [0.25 + 0.8 / n for n in (20, 40, 80, 160)], [0] * 4
    )
    assert [limit, a, b] == pytest.approx([0.25, 0.8, 1.0])
    assert power_law([20, 80], [2.0, 4.0])[1] == pytest.approx(0.5)


def test_bootstrap_errors_are_standard_errors() -> None:
    sample = np.random.default_rng(5).normal(size=400)
    means, drawn = resampled([sample], 500, 1)
    assert means[0] == pytest.approx(mean_of(sample).value)
    assert drawn.std() == pytest.approx(mean_of(sample).error, rel=0.15)


def test_scaling_recovers_planted_laws(tmp_path: Path) -> None:
    experiment = Scaling(sizes=(20, 40, 80, 160), densities=spaced(0.2, 0.4, 61), games=10)
    random = np.random.default_rng(3)
    rows = []
    for job in experiment.jobs():
        size, density = job.payload["size"], job.payload["density"]
        mean = 1 / (1 + np.exp((density - 0.25 - 0.4 / size) * 4 * 0.8 * size**0.5))
        answer = {"alpha": float(np.clip(mean + random.normal(scale=0.01), 0, 1))}
        rows.append(Row(job.key, job.payload, {"answer": answer, "measured": {}}))
    text = experiment.report(rows, tmp_path)
    assert "as at a sharp transition" in text
    limit = float(text.split("ρ∞ = ")[1].split(" ")[0])
    growth = float(text.split("d = ")[1].split(" ")[0])
    assert limit == pytest.approx(0.25, abs=0.003)
    assert growth == pytest.approx(0.5, abs=0.08)


def wrong(value: Any) -> Any:
    """Return a value that no type checker would let pass."""
    return value


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PhaseTransition(sizes=()), "sizes"),
        (lambda: PhaseTransition(sizes=(3,)), "at least 4"),
        (lambda: PhaseTransition(densities=(1.5,)), "between 0 and 1"),
        (lambda: PhaseTransition(games=0), "at least one game"),
        (lambda: PhaseTransition(protocols=(wrong("parallel"),)), "protocols"),
        (lambda: PhaseTransition(protocols=(), smallest=True), "need a protocol"),
        (lambda: PhaseTransition(use_total=True), "without protocols"),
        (lambda: PhaseTransition(start=wrong("corner")), "start"),
        (lambda: Percolation(side=10_000), "9741"),
        (lambda: Percolation(samples=0), "sample"),
        (lambda: Hypergraphs(edges={3: 0.5}), "sum to 1"),
        (lambda: Hypergraphs(edges={200: 1.0}), "1 to 100"),
        (lambda: Hypergraphs(labels=wrong("random")), "planted"),
        (lambda: Hypergraphs(edges={1: 1.0}, labels="strict"), "one vertex"),
        (lambda: Hypergraphs(mines=1.0), "probability"),
        (lambda: Hypergraphs(densities=(0.0,)), "positive"),
        (lambda: Scaling(densities=(0.2, 0.3)), "three densities"),
    ],
)
def test_parameters_that_make_no_sense(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(LabError, match=message):
        make()
