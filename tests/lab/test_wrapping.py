"""The percolation sweep against plain labelling, and its estimators against known answers."""

from __future__ import annotations

import math
from collections import deque
from pathlib import Path

import numpy as np
import pytest

from sapper import Limits
from sapper._native import (
    Run,
    clusters,
    integers,
    mine_order,
    mined_or_numbered,
    percolation_sweep,
    random_mines,
    run_under,
)
from sapper.errors import LimitExceeded
from sapper.game import seed_of
from sapper.lab import LabError, Wrapping
from sapper.lab.experiment import Row
from sapper.lab.least_squares import LeastSquares, chi_squared_tail, fitted, from_size
from sapper.lab.statistics import mean_of
from sapper.lab.wrapping_report import UNIVERSAL, WrapData, threshold_at


def occupied(side: int, square: int, mines: list[int]) -> bytes:
    """Every site of the squares around some mines."""
    sites = bytearray(side * side)
    for mine in mines:
        row, column = divmod(mine, side)
        for i in range(square):
            for j in range(square):
                before = (square - 1) // 2
                at = (row + i - before) % side * side + (column + j - before) % side
                sites[at] = 1
    return bytes(sites)


def windings(side: int, sites: bytes) -> tuple[bool, bool]:
    """Walk every cluster in the plane that covers the torus; does it meet itself elsewhere?"""
    place: dict[int, tuple[int, int]] = {}
    rows = columns = False
    for first in range(side * side):
        if not sites[first] or first in place:
            continue
        place[first] = divmod(first, side)
        queue = deque([first])
        while queue:
            row, column = place[queue.popleft()]
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                lifted = row + down, column + right
                other = lifted[0] % side * side + lifted[1] % side
                if not sites[other]:
                    continue
                if other not in place:
                    place[other] = lifted
                    queue.append(other)
                elif place[other] != lifted:
                    columns |= place[other][0] != lifted[0]
                    rows |= place[other][1] != lifted[1]
    return rows, columns


@pytest.mark.parametrize(("side", "square"), [(2, 1), (3, 1), (4, 3), (7, 1), (9, 2), (13, 3)])
def test_the_sweep_is_plain_labelling_at_every_mine(side: int, square: int) -> None:
    cells = side * side
    for number in range(1 + 300 // cells):
        seed = seed_of("sweep", side, square, number)
        order = integers(mine_order(cells, cells, [], seed))
        assert sorted(order) == list(range(cells))
        rows, columns, first, states = percolation_sweep(
            side, square, range(cells + 1), seed, Run()
        )
        wraps = [windings(side, occupied(side, square, order[:m])) for m in range(cells + 1)]
        assert rows == next(m for m in range(cells + 1) if wraps[m][0])
        assert columns == next(m for m in range(cells + 1) if wraps[m][1])
        assert first == states[min(rows, columns)]
        for m, (mines, *found) in enumerate(states):
            assert mines == m
            assert tuple(found) == clusters(side, occupied(side, square, order[:m]))


def test_squares_of_three_are_mines_and_numbers() -> None:
    side, seed = 11, 4
    mined = random_mines(side * side, 12, [], seed)
    sites = occupied(side, 3, [place for place, mine in enumerate(mined) if mine])
    assert sites == mined_or_numbered(side, 12, seed)


def test_orders_of_mines_nest_and_keep_away() -> None:
    long = integers(mine_order(50, 40, [3, 7], 9))
    assert integers(mine_order(50, 15, [3, 7], 9)) == long[:15]
    assert not {3, 7} & set(long)
    with pytest.raises(ValueError, match="no room"):
        mine_order(5, 5, [1], 1)
    with pytest.raises(IndexError):
        mine_order(5, 1, [5], 1)


def test_a_sweep_keeps_its_limits() -> None:
    with pytest.raises(LimitExceeded):
        percolation_sweep(3000, 3, [], 1, run_under(Limits(seconds=0.01)))
    with pytest.raises(LimitExceeded):
        percolation_sweep(3000, 3, [], 1, run_under(Limits(bytes=1_000_000)))
    with pytest.raises(ValueError, match="ascend"):
        percolation_sweep(9, 3, [5, 4], 1, Run())
    with pytest.raises(ValueError, match="larger than the square"):
        percolation_sweep(3, 3, [], 1, Run())


def rows_of(experiment: Wrapping) -> list[Row]:
    return [Row(j.key, j.payload, experiment.work(j.payload)) for j in experiment.jobs()]


def test_independent_sites_percolate_where_they_should(tmp_path: Path) -> None:
    experiment = Wrapping(sides=(24, 48), samples=(1500, 500), kinds=("independent",))
    rows = rows_of(experiment)
    assert len({row.key for row in rows}) == 2000
    for side in (24, 48):
        answers = [row.result["answer"] for row in rows if row.payload["side"] == side]
        data = WrapData.of(side, answers)
        for criterion in UNIVERSAL:
            place = threshold_at(data, criterion)
            assert abs(place.value - 0.592746) < 4 * place.error < 0.008
        # Half of the convolution by hand: the binomial itself, not the normal one.
        cells = side * side
        if side > 24:
            continue
        exact = sum(
            math.comb(cells, m) * (3**m * 2 ** (cells - m)) * int((data.rows <= m).sum())
            for m in range(cells + 1)
        ) / (5**cells * len(data.rows))
        near = data._replace(columns=data.rows).wrapped(0.6, "one way").mean()
        assert near == pytest.approx(exact, abs=0.002)
    text = experiment.report(rows, tmp_path)
    assert "not determined: 2 data for 2 parameters" in text
    assert (tmp_path / "wrapping.svg").stat().st_size > 0


def test_the_error_of_a_place_is_that_of_a_bootstrap() -> None:
    experiment = Wrapping(sides=(24,), samples=(300,))
    data = WrapData.of(24, [row.result["answer"] for row in rows_of(experiment)])
    random = np.random.default_rng(1)
    again = []
    for _ in range(100):
        draw = random.integers(300, size=300)
        again.append(threshold_at(WrapData(24, *(part[draw] for part in data[1:]))).value)
    assert float(np.std(again)) == pytest.approx(threshold_at(data).error, rel=0.3)
    resampled = [
        float(np.std(np.concatenate([data.rows[d], data.columns[d]])))
        for d in random.integers(300, size=(100, 300))
    ]
    spread = data.spread
    binomial = float(data.rows.mean() / 576) * (1 - float(data.rows.mean() / 576)) / 576
    assert spread.value**2 - binomial == pytest.approx(
        (np.std(np.concatenate([data.rows, data.columns])) / 576) ** 2, rel=0.01
    )
    # d spread = (d plain spread) · plain / spread
    plain = float(np.mean(resampled)) / 576
    assert spread.error == pytest.approx(
        float(np.std(resampled)) / 576 * plain / spread.value, rel=0.3
    )


def test_fits_and_their_quality() -> None:
    # Against tables of χ².
    for chi2, dof, tail in (
        (18.307, 10, 0.05),
        (11.345, 3, 0.01),
        (0.0, 4, 1.0),
        (30.0, 11, 0.0016),
    ):
        assert chi_squared_tail(chi2, dof) == pytest.approx(tail, abs=2e-4)
    x = np.array([20.0, 40, 80, 160, 320])
    y = 0.25 + 0.8 * x**-1.2
    found = fitted(lambda p: p[0] + p[1] * x ** -p[2], y.tolist(), [1e-4] * 5, [0.2, 1.0, 1.0])
    assert found.values == pytest.approx((0.25, 0.8, 1.2), rel=1e-4)
    assert found.dof == 2
    assert found.chi2 < 1e-6
    flat = fitted(lambda p: p[0] + p[1] * x ** -p[2], [0.25] * 5, [1e-4] * 5, [0.25, 0.0, 1.0])
    assert flat.doubt
    assert "not determined" in flat.quality
    short = fitted(lambda p: p[0] + p[1] * x[:2], [1.0, 2.0], [0.1] * 2, [0.0, 1.0])
    assert short.doubt == "2 data for 2 parameters"
    # Correlated data: the mean of two that move together is no better than one.
    pair = fitted(lambda p: p[0] + 0 * x[:2], [1.0, 1.0], np.array([[1.0, 0.99], [0.99, 1.0]]), [0])
    assert pair.errors[0] == pytest.approx(math.sqrt(0.995))


def test_errors_of_fits_are_honest() -> None:
    random = np.random.default_rng(8)
    x = np.linspace(0, 1, 8)
    fits = []
    for _ in range(400):
        noisy = (1 + 2 * x + random.normal(scale=0.3, size=8)).tolist()
        fits.append(fitted(lambda p: p[0] + p[1] * x, noisy, [0.3] * 8, [0.0, 0.0]))
    slopes = [fit.values[1] for fit in fits]
    assert float(np.std(slopes)) == pytest.approx(fits[0].errors[1], rel=0.12)
    assert mean_of(fit.p for fit in fits).value == pytest.approx(0.5, abs=0.06)


def test_small_sizes_are_left_out_by_rule() -> None:
    chi2 = {4: 50.0, 3: 20.0, 2: 1.0}

    def fit(used: list[int]) -> LeastSquares:
        return LeastSquares((0.0,), (1.0,), chi2[len(used)], len(used) - 1)

    assert from_size([1, 2, 3, 4], fit)[0] == 3  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sides": (64, 32), "samples": (1, 1)}, "ascend"),
        ({"sides": (64,), "samples": (1, 2)}, "every side"),
        ({"kinds": ("bonds",)}, "kinds are"),
        ({"sides": (3,), "samples": (1,)}, "at least 4"),
    ],
)
def test_sweeps_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(LabError, match=message):
        Wrapping(**options)  # type: ignore[arg-type]
