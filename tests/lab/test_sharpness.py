"""Coupled boards, and fits over sizes that find what was planted, and say when they cannot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sapper import Torus
from sapper._native import integers, mine_order
from sapper.lab import LabError, Sharpness, play_by_inference
from sapper.lab.experiment import Row
from sapper.lab.sharpness import patch_of
from sapper.lab.sharpness_report import LEVELS, Places


def test_a_board_is_one_order_and_its_start_an_open_patch() -> None:
    experiment = Sharpness(
        sizes=(20,), boards=(3,), lows=(0.15,), highs=(0.25,), points=3, patch=7, seed=4
    )
    field = Torus(20, 20)
    patch, start = patch_of(20, 7)
    cells = field.cells
    for job in experiment.jobs():
        answer = experiment.work(job.payload)["answer"]
        assert answer["mines"] == [int(rho * (400 - 49)) for rho in (0.15, 0.2, 0.25)]
        before: set[object] = set()
        for mines, alpha in zip(answer["mines"], answer["alpha"], strict=True):
            laid = integers(mine_order(400, mines, patch, job.payload["seed"]))
            mined = {cells[cell] for cell in laid}
            assert before < mined
            assert not mined & {cells[cell] for cell in patch}
            run = play_by_inference(field, mined, cells[start])
            assert {cells[cell] for cell in patch} <= run.revealed
            assert run.flagged_fraction == pytest.approx(alpha)
            before = set(mined)


def planted(experiment: Sharpness, limits: tuple[float, float], power: float) -> list[Row]:
    """Boards whose α is 3/4 and 1/4 at two densities that go to limits as N grows."""
    random = np.random.default_rng(11)
    rows = []
    for job in experiment.jobs():
        scale = job.payload["size"] ** -power
        noise = random.normal(scale=0.08 * scale, size=2)
        high, low = limits[0] + 0.2 * scale + noise[0], limits[1] + 0.9 * scale + noise[1]
        rho = np.array(experiment.densities(job.payload["size"]))
        steps = np.log(3) * (2 * rho - high - low) / (low - high)
        alpha = 1 / (1 + np.exp(steps + random.normal(scale=0.05, size=len(rho))))
        answer = {"density": rho.tolist(), "alpha": alpha.tolist()}
        rows.append(Row(job.key, job.payload, {"answer": answer, "measured": {"seconds": 0.0}}))
    return rows


SIZES = (40, 80, 160, 320, 640)
RANGE = {"sizes": SIZES, "boards": (100,) * 5, "points": 25}


def test_one_limit_is_found(tmp_path: Path) -> None:
    experiment = Sharpness(**RANGE, lows=(0.24,) * 5, highs=(0.31,) * 5)  # type: ignore[arg-type]
    text = experiment.report(planted(experiment, (0.25, 0.25), 0.8), tmp_path)
    line = next(line for line in text.splitlines() if "One limit" in line)
    assert float(line.split("ρ∞ = ")[1].split(" ")[0]) == pytest.approx(0.25, abs=0.0006)
    assert float(line.split("b = ")[1].split(" ")[0]) == pytest.approx(0.8, abs=0.05)
    apart = next(line for line in text.splitlines() if "standard errors apart" in line)
    assert "does not hold" not in apart


def test_two_limits_are_told_from_one(tmp_path: Path) -> None:
    experiment = Sharpness(**RANGE, lows=(0.22,) * 5, highs=(0.33,) * 5)  # type: ignore[arg-type]
    text = experiment.report(planted(experiment, (0.24, 0.26), 0.8), tmp_path)
    line = next(line for line in text.splitlines() if "A limit for each level" in line)
    assert float(line.split("p = ")[-1].split(" ")[0]) < 1e-4
    floor = next(line for line in text.splitlines() if "with a floor" in line)
    assert float(floor.split("w = ")[1].split(" ")[0]) == pytest.approx(0.02, abs=0.003)


def test_too_few_sizes_are_not_determined(tmp_path: Path) -> None:
    experiment = Sharpness(
        sizes=SIZES[:3], boards=(50,) * 3, points=21, lows=(0.24,) * 3, highs=(0.31,) * 3
    )
    text = experiment.report(planted(experiment, (0.25, 0.25), 0.8), tmp_path)
    assert "Shift alone" in text
    assert "not determined: 3 data for 3 parameters" in text
    narrow = Sharpness(
        sizes=SIZES[:2], boards=(5,) * 2, points=3, lows=(0.3,) * 2, highs=(0.31,) * 2
    )
    text = narrow.report(planted(narrow, (0.25, 0.25), 0.8), tmp_path)
    assert "N = 40: not every level is passed" in text


def test_places_have_the_covariance_of_boards() -> None:
    random = np.random.default_rng(2)
    rho = np.linspace(0.2, 0.3, 41)
    noise = random.normal(scale=0.004, size=200)
    alphas = np.clip((0.27 - (rho - noise[:, None])) / 0.04, 0, 1)
    found = Places.of(99, rho.tolist(), alphas, 1)
    assert found is not None
    middle = LEVELS.index(0.5)
    assert found.places[middle] == pytest.approx(0.25, abs=0.001)
    # Boards move as a whole, so the places move together.
    assert found.errors[middle] == pytest.approx(0.004 / 200**0.5, rel=0.2)
    assert found.covariance[0, 2] > 0.8 * found.covariance[1, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"patch": 4}, "odd"),
        ({"sizes": (15,), "boards": (1,), "lows": (0.1,), "highs": (0.2,)}, "at least 17"),
        ({"boards": (1,)}, "every size"),
        ({"points": 2}, "at least three"),
        ({"sizes": (80, 40), "boards": (1, 1), "lows": (0.1,) * 2, "highs": (0.2,) * 2}, "ascend"),
    ],
)
def test_parameters_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(LabError, match=message):
        Sharpness(**options)  # type: ignore[arg-type]
