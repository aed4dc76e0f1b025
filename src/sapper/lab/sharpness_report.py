"""Levels of α against the size of the board: one limit or several, one exponent or several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from sapper.lab.experiment import Row
from sapper.lab.fits import crossing, falling
from sapper.lab.least_squares import LeastSquares, chi_squared_tail, fitted, from_size, with_error
from sapper.lab.plots import curve, figure, size_axis
from sapper.lab.statistics import Mean, mean_of
from sapper.lab.tables import failures, grouped, markdown, page, write_table
from sapper.limits import load

if TYPE_CHECKING:
    from sapper.lab.least_squares import Array

__all__ = ["LEVELS", "Places", "sharpness_report"]

LEVELS: Final = (0.75, 0.5, 0.25)
_ROUNDS: Final = 400


class Places(NamedTuple):
    """Where the mean of α passes each level on boards of one size."""

    size: int
    boards: int
    places: Array
    covariance: Array

    @property
    def errors(self) -> list[float]:
        """The standard errors of the places."""
        return [float(value) ** 0.5 for value in self.covariance.diagonal()]

    @classmethod
    def of(cls, size: int, densities: Sequence[float], alphas: Array, seed: int) -> Places | None:
        """Return the places for boards (rows) × densities, None if a level is not passed.

        The curve is the falling sequence nearest to the means, and straight between densities in
        log-odds: so is a logistic step, and the grid does not bend it. Covariances by a bootstrap
        over boards, since one board is played at all densities; rounds that miss a level are
        refused, and more than one in fifty of them means that the densities do not reach far
        enough.
        """
        load("numpy")
        import numpy as np

        def passed(means: Array) -> list[float] | None:
            smooth = [_log_odds(value) for value in falling(means.tolist())]
            found = [crossing(densities, smooth, _log_odds(level)) for level in LEVELS]
            return None if None in found else [float(place) for place in found if place is not None]

        first = passed(alphas.mean(axis=0))
        if first is None or len(alphas) < 3:
            return None
        random = np.random.default_rng(seed)
        rounds = [
            found
            for draw in random.integers(len(alphas), size=(_ROUNDS, len(alphas)))
            if (found := passed(alphas[draw].mean(axis=0))) is not None
        ]
        if len(rounds) < 0.98 * _ROUNDS:
            return None
        return cls(size, len(alphas), np.array(first), np.cov(np.array(rounds).T))


def _log_odds(value: float) -> float:
    inside = min(max(value, 1e-4), 1 - 1e-4)
    return math.log(inside / (1 - inside))


def _together(used: Sequence[Places], separate: bool) -> LeastSquares:
    """Fit all levels: place = limit + x·N^−b, one b; one limit, or one for each level."""
    load("numpy")
    import numpy as np

    count = len(LEVELS)
    data = np.concatenate([found.places for found in used])
    covariance = np.zeros((len(data), len(data)))
    for number, found in enumerate(used):
        part = slice(number * count, (number + 1) * count)
        covariance[part, part] = found.covariance
    sizes = np.array([found.size for found in used], dtype=float)

    def model(p: Array) -> Array:
        limits = p[count + 1 :] if separate else np.repeat(p[count + 1], count)
        found: Array = (limits + np.outer((sizes / sizes[0]) ** -p[0], p[1 : count + 1])).ravel()
        return found

    last, first = used[-1].places, used[0].places
    start = [1.0, *(first - last), *(last if separate else [last.mean()])]
    return fitted(model, data.tolist(), covariance, start)


def _shift(used: Sequence[Places]) -> LeastSquares:
    """Fit ρ½ = limit + a·N^−b alone."""
    load("numpy")
    import numpy as np

    sizes = np.array([found.size for found in used], dtype=float)
    values = [float(found.places[1]) for found in used]
    return fitted(
        lambda p: p[0] + p[1] * (sizes / sizes[0]) ** -p[2],
        values,
        [found.errors[1] for found in used],
        [values[-1], values[0] - values[-1], 1.0],
    )


def _width(used: Sequence[Places], floor: bool) -> LeastSquares:
    """Fit the width from 3/4 to 1/4 as c·N^−d, with a floor or without."""
    load("numpy")
    import numpy as np

    sizes = np.array([found.size for found in used], dtype=float)
    values = [width.value for width in map(_width_of, used)]
    return fitted(
        lambda p: (p[2] if floor else 0.0) + p[0] * (sizes / sizes[0]) ** -p[1],
        values,
        [width.error for width in map(_width_of, used)],
        [values[0], 0.8, 0.0][: 3 if floor else 2],
    )


def _width_of(found: Places) -> Mean:
    spread = found.covariance
    variance = spread[0, 0] + spread[2, 2] - 2 * spread[0, 2]
    return Mean(
        float(found.places[2] - found.places[0]), max(float(variance), 0.0) ** 0.5, found.boards
    )


def sharpness_report(
    rows: Sequence[Row], sizes: Sequence[int], patch: int, seed: int, directory: Path
) -> str:
    """Write the figure and ``summary.csv``, and return the text of the report."""
    load("numpy")
    import numpy as np

    groups = grouped(rows, ("size",))
    curves: dict[int, tuple[list[float], Array]] = {}
    for size in sizes:
        if (size,) in groups:
            answers = groups[(size,)]
            curves[size] = answers[0]["density"], np.array([answer["alpha"] for answer in answers])
    table = [
        {"N": size, "rho": density, "boards": len(alphas)}
        | {"alpha": (mean := mean_of(alphas[:, at].tolist())).value, "alpha_se": mean.error}
        for size, (densities, alphas) in curves.items()
        for at, density in enumerate(densities)
    ]
    write_table(table, directory / "summary.csv")
    places = [
        found
        for size, (densities, alphas) in curves.items()
        if (found := Places.of(size, densities, alphas, seed)) is not None
    ]
    missing = [size for size in curves if size not in {found.size for found in places}]
    if table:
        _draw(curves, places, directory)
    spent = {
        size: sum(r.result["measured"]["seconds"] for r in rows if r.payload["size"] == size)
        for size in curves
    }
    lines = [
        {"N": found.size, "boards": found.boards}
        | {
            f"α = {level:g}": with_error(float(place), error)
            for level, place, error in zip(LEVELS, found.places, found.errors, strict=True)
        }
        | {"width": with_error(*_width_of(found)[:2]), "CPU s": f"{spent[found.size]:.0f}"}
        for found in places
    ]
    return page(
        "# Is the transition sharp?",
        f"Coupled boards, seed {seed}, start: an open patch of {patch}×{patch} at every N. Where "
        "the mean of α passes 3/4, 1/2 and 1/4; errors by a bootstrap over boards.",
        "![figure](sharpness.png)",
        markdown(lines),
        [
            f"- **N = {size}: not every level is passed in the densities played.**"
            for size in missing
        ],
        _words(places),
        failures(rows),
    )


def _words(places: Sequence[Places]) -> list[str]:
    sizes = [found.size for found in places]
    if len(sizes) < 2:
        return ["Two sizes that pass every level are needed for a fit over sizes."]
    by_size = dict(zip(sizes, places, strict=True))

    def chosen(used: Sequence[int]) -> list[Places]:
        return [by_size[size] for size in used]

    first, one = from_size(sizes, lambda used: _together(chosen(used), False))
    # The test of one limit against several is made where several fit.
    first_several, several = from_size(sizes, lambda used: _together(chosen(used), True))
    same = _together(chosen([size for size in sizes if size >= first_several]), False)
    first_shift, shift = from_size(sizes, lambda used: _shift(chosen(used)))
    first_width, width = from_size(sizes, lambda used: _width(chosen(used), False))
    first_floor, floor = from_size(sizes, lambda used: _width(chosen(used), True))
    words = [
        f"- **One limit, one exponent** (the levels collapse): from N ≥ {first}, "
        + (
            one.quality
            if one.doubt
            else f"ρ∞ = {_show(one, 4)}, b = {_show(one, 0)}; {one.quality}."
        )
    ]
    if several.doubt:
        words.append(f"- A limit for each level: {several.quality}.")
    else:
        gain = same.chi2 - several.chi2
        tail = chi_squared_tail(max(gain, 0.0), len(LEVELS) - 1)
        limits = ", ".join(_show(several, 4 + number) for number in range(len(LEVELS)))
        words.append(
            f"- **A limit for each level** (coarse), from N ≥ {first_several}: {limits} for α = "
            f"{', '.join(f'{level:g}' for level in LEVELS)}, b = {_show(several, 0)}; "
            f"{several.quality}. With one limit χ² is larger by {gain:.1f} for "
            f"{len(LEVELS) - 1} parameters, which has p = {tail:.2g} if there is one."
        )
    for name, start, fit, shown in (
        ("Shift alone, ρ½ = ρ∞ + a·N^−b", first_shift, shift, {"ρ∞": 0, "b": 2}),
        ("Width alone, c·N^−d", first_width, width, {"d": 1}),
        ("Width with a floor, w + c·N^−d", first_floor, floor, {"w": 2, "d": 1}),
    ):
        values = ", ".join(f"{symbol} = {_show(fit, which)}" for symbol, which in shown.items())
        said = fit.quality if fit.doubt else f"{values}; {fit.quality}"
        words.append(f"- {name}, from N ≥ {start}: {said}.")
    if not shift.doubt and not width.doubt:
        error = (shift.errors[2] ** 2 + width.errors[1] ** 2) ** 0.5
        apart = abs(shift.values[2] - width.values[1]) / error
        words.append(
            f"- b and d are {apart:.1f} standard errors apart; in simple finite-size scaling they "
            "are equal" + (", so it does not hold at these sizes." if apart > 3 else ".")
        )
    return words


def _show(fit: LeastSquares, which: int) -> str:
    return with_error(fit.values[which], fit.errors[which])


def _draw(
    curves: dict[int, tuple[list[float], Array]], places: Sequence[Places], directory: Path
) -> None:
    load("numpy")
    import numpy as np

    with figure(directory, "sharpness", columns=3 if len(places) > 1 else 1) as axes:
        for number, (size, (densities, alphas)) in enumerate(curves.items()):
            means = [mean_of(alphas[:, at].tolist()) for at in range(len(densities))]
            curve(axes[0], densities, means, f"N = {size}", number)
        axes[0].set(xlabel=r"mine density $\rho$", ylabel=r"fraction of mines flagged $\alpha$")
        axes[0].set_ylim(-0.03, 1.03)
        axes[0].legend()
        if len(places) < 2:
            return
        for number, level in enumerate(LEVELS):
            means = [Mean(float(f.places[number]), f.errors[number], f.boards) for f in places]
            curve(axes[1], [f.size for f in places], means, f"α = {level:g}", number)
        axes[1].set_ylabel(r"$\rho$ where $\alpha$ passes the level")
        size_axis(axes[1], [f.size for f in places], "N")
        axes[1].legend()
        fit = _together(places, False)
        if fit.doubt:
            return
        for number, found in enumerate(places):
            densities, alphas = curves[found.size]
            scaled = (np.array(densities) - fit.values[4]) * found.size ** fit.values[0]
            means = [mean_of(alphas[:, at].tolist()) for at in range(len(densities))]
            label = f"N = {found.size}"
            curve(axes[2], scaled.tolist(), means, label, number, linestyle="none")
        axes[2].set(xlabel=r"$(\rho - \rho_\infty) N^b$", ylabel=r"$\alpha$")
        # Straight around the limit, logarithmic beyond: the largest boards reach far out.
        axes[2].set_xscale("symlog", linthresh=10)
        axes[2].set_title(f"all sizes: b = {fit.values[0]:.2f}, p = {fit.p:.2g}")
        axes[2].legend()
