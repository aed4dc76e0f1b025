"""Threshold and exponents from the moments at which clusters wrap around tori."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sapper.lab.experiment import Row
from sapper.lab.least_squares import LeastSquares, fitted, from_size, with_error
from sapper.lab.plots import curve, figure, size_axis
from sapper.lab.statistics import Mean, mean_of
from sapper.lab.tables import failures, grouped, markdown, page, with_errors, write_table
from sapper.limits import load

if TYPE_CHECKING:
    from sapper.lab.least_squares import Array

__all__ = ["UNIVERSAL", "WrapData", "threshold_at", "wrapping_report"]

UNIVERSAL: Final = {"one way": 0.521058290, "either": 0.690473725, "both": 0.351642855}
"""Wrapping probabilities of critical percolation on a square torus (Pinson 1994, in the digits of
Newman & Ziff 2001): along a given axis, along either, along both."""

EXPONENTS: Final = {"1/ν": 3 / 4, "D": 91 / 48, "γ/ν": 43 / 24}
"""Of percolation in two dimensions."""

_NAMES: Final = {"minesweeper": "mines and nonzero labels", "independent": "independent sites"}
_CORRECTION: Final = 11 / 4
_CLUSTER_CORRECTION: Final = 3 / 2
"""Of the sizes of clusters (Ziff 2011)."""


class WrapData(NamedTuple):
    """The lattices of one kind and side: when each wrapped, and its clusters when it first did."""

    side: int
    rows: Array
    columns: Array
    largest: Array
    squares: Array

    @classmethod
    def of(cls, side: int, answers: Iterable[dict[str, Any]]) -> WrapData:
        """Return the data of some answers."""
        load("numpy")
        import numpy as np

        found = list(answers)
        names = ("rows", "columns", "largest", "squares")
        return cls(side, *(np.array([float(a[name]) for a in found]) for name in names))

    def wrapped(self, density: float, criterion: str) -> Array:
        """Return each lattice's probability to wrap if sites are mined with this probability.

        A lattice with its order of mines wraps if the binomial number of mines reaches that of
        its first wrap. The binomial is taken as normal: at 128² cells its tail is then wrong by
        less than 0.002, and the mean over lattices by far less.
        """
        load("numpy")
        import numpy as np

        cells = self.side**2
        width = math.sqrt(cells * density * (1 - density))

        def reached(mines: Array) -> Array:
            return _normal_tail((mines - 0.5 - cells * density) / width)

        if criterion == "either":
            return reached(np.minimum(self.rows, self.columns))
        if criterion == "both":
            return reached(np.maximum(self.rows, self.columns))
        found: Array = (reached(self.rows) + reached(self.columns)) / 2
        return found

    @property
    def spread(self) -> Mean:
        """The standard deviation of the density at which one axis is wrapped, for binomial mines.

        With its standard error; to the variance of the number of mines comes that of the binomial.
        """
        cells = self.side**2
        middle = float((self.rows.mean() + self.columns.mean()) / 2) / cells
        squares = (
            (self.rows / cells - middle) ** 2 + (self.columns / cells - middle) ** 2
        ) / 2 + middle * (1 - middle) / cells
        variance = mean_of(squares.tolist())
        root = math.sqrt(variance.value)
        return Mean(root, variance.error / (2 * root), variance.samples)


def _normal_tail(z: Array) -> Array:
    """Return P(Z ≥ z), to 1.2e-7 (Numerical Recipes' erfc), without a loop over lattices."""
    load("numpy")
    import numpy as np

    x = np.abs(z) / math.sqrt(2)
    t = 1 / (1 + x / 2)
    series = np.zeros_like(t)
    for c in (
        0.17087277,
        -0.82215223,
        1.48851587,
        -1.13520398,
        0.27886807,
        -0.18628806,
        0.09678418,
        0.37409196,
        1.00002368,
    ):
        series = series * t + c
    half = t * np.exp(-x * x - 1.26551223 + t * series) / 2
    found: Array = np.where(z >= 0, half, 1 - half)
    return found


def threshold_at(data: WrapData, criterion: str = "one way") -> Mean:
    """Return the density at which lattices wrap as often as critical ones, with standard error.

    By bisection; the error is that of the mean of the lattices' probabilities there, divided by
    its slope in the density.
    """
    level = UNIVERSAL[criterion]
    cells = data.side**2
    # Whatever the sample, the answer lies between these: no lattice wraps, all do.
    low = max(float(min(data.rows.min(), data.columns.min())) / cells * 0.5, 0.5 / cells)
    high = min(float(max(data.rows.max(), data.columns.max())) / cells * 1.5, 1 - 0.5 / cells)
    for _ in range(60):
        middle = (low + high) / 2
        if data.wrapped(middle, criterion).mean() < level:
            low = middle
        else:
            high = middle
    there = mean_of(data.wrapped(low, criterion).tolist())
    step = 0.05 * math.sqrt(low * (1 - low)) / data.side
    slope = (
        data.wrapped(low + step, criterion).mean() - data.wrapped(low - step, criterion).mean()
    ) / (2 * step)
    return Mean(low, there.error / float(slope), there.samples)


class _Findings(NamedTuple):
    """All that is concluded about one kind."""

    data: dict[int, WrapData]
    places: dict[str, dict[int, Mean]]
    thresholds: dict[str, LeastSquares]
    free: LeastSquares
    curves: dict[str, dict[int, Mean]]
    powers: dict[str, tuple[int, LeastSquares]]
    corrected: tuple[LeastSquares, LeastSquares]


def _findings(data: dict[int, WrapData]) -> _Findings:
    sizes = list(data)
    places = {
        name: {side: threshold_at(found, name) for side, found in data.items()}
        for name in UNIVERSAL
    }
    thresholds = {
        name: _linear(sizes, list(means.values()), -_CORRECTION) for name, means in places.items()
    }
    # Without the universal value: were it another here, the places would move like L^(-1/ν).
    free = _linear(sizes, list(places["one way"].values()), -EXPONENTS["1/ν"])
    curves = {
        "1/ν": {side: found.spread for side, found in data.items()},
        "D": {side: mean_of(found.largest.tolist()) for side, found in data.items()},
        "γ/ν": {
            side: mean_of(((found.squares - found.largest**2) / side**2).tolist())
            for side, found in data.items()
        },
    }
    powers = {
        name: from_size(sizes, lambda used, means=means: _power(used, [means[s] for s in used]))  # type: ignore[misc]
        for name, means in curves.items()
    }
    largest = list(curves["D"].values())
    corrected = _corrected(sizes, largest), _corrected(sizes, largest, EXPONENTS["D"])
    return _Findings(data, places, thresholds, free, curves, powers, corrected)


def _linear(sizes: Sequence[int], means: Sequence[Mean], power: float) -> LeastSquares:
    """Fit value = limit + a · size**power."""
    load("numpy")
    import numpy as np

    x = np.array(sizes, dtype=float) ** power
    values, errors = [m.value for m in means], [m.error for m in means]
    return fitted(lambda p: p[0] + p[1] * x, values, errors, [values[-1], 0.0])


def _power(sizes: Sequence[int], means: Sequence[Mean]) -> LeastSquares:
    """Fit log value = a + b · log size."""
    load("numpy")
    import numpy as np

    x = np.log(np.array(sizes, dtype=float))
    return _logarithms(means, lambda p: p[0] + p[1] * x, [1.0])


def _corrected(
    sizes: Sequence[int], means: Sequence[Mean], exponent: float | None = None
) -> LeastSquares:
    """Fit log value = a + c · size**(-3/2) + b · log size, where b may be given."""
    import numpy as np

    x = np.array(sizes, dtype=float)

    def model(p: Array) -> Array:
        slope = p[2] if exponent is None else exponent
        found: Array = p[0] + p[1] * x**-_CLUSTER_CORRECTION + slope * np.log(x)
        return found

    return _logarithms(means, model, [0.0, EXPONENTS["D"]] if exponent is None else [0.0])


def _logarithms(
    means: Sequence[Mean], model: Callable[[Array], Array], start: Sequence[float]
) -> LeastSquares:
    """Fit the logarithms of means; the first parameter begins at the first of them."""
    if any(mean.value <= 0 or mean.error <= 0 for mean in means):
        nothing = (math.nan,) * (1 + len(start))
        dof = len(means) - len(nothing)
        return LeastSquares(nothing, nothing, math.nan, dof, "a mean or its error is 0")
    y = [math.log(mean.value) for mean in means]
    return fitted(model, y, [mean.error / mean.value for mean in means], [y[0], *start])


def wrapping_report(rows: Sequence[Row], kinds: Sequence[str], seed: int, directory: Path) -> str:
    """Write the figure and ``summary.csv``, and return the text of the report."""
    groups = grouped(rows, ("kind", "side"))
    found = {}
    for kind in kinds:
        sides = sorted(side for k, side in groups if k == kind and len(groups[k, side]) > 1)
        if sides:
            data = {side: WrapData.of(side, groups[kind, side]) for side in sides}
            found[kind] = _findings(data)
    lines = [
        {"kind": kind, "side": side, "samples": len(data.rows)}
        | with_errors({n: m[side] for n, m in (findings.places | findings.curves).items()})
        for kind, findings in found.items()
        for side, data in findings.data.items()
    ]
    write_table(lines, directory / "summary.csv")
    if found:
        _draw(found, directory)
    spent = sum(row.result["measured"].get("seconds", 0.0) for row in rows)
    return page(
        "# Wrapping: the threshold and the exponents of percolation",
        f"Seed {seed}; {len(rows)} sweeps, {spent:.0f} CPU seconds. A place is the density at "
        "which tori of side L wrap as often as critical percolation does "
        f"(along one axis {UNIVERSAL['one way']:.6f}).",
        "![figure](wrapping.png)",
        *(block for kind, findings in found.items() for block in _words(kind, findings)),
        failures(rows),
    )


def _words(kind: str, findings: _Findings) -> list[str | list[str]]:
    main = findings.thresholds["one way"]
    table = [
        {"L": side, "lattices": len(data.rows)}
        | {
            f"place, {name}": with_error(*means[side][:2])
            for name, means in findings.places.items()
        }
        | {
            label: with_error(*findings.curves[name][side][:2])
            for name, label in (("1/ν", "spread"), ("D", "largest"), ("γ/ν", "mean size, others"))
        }
        for side, data in findings.data.items()
    ]
    words = [
        f"- threshold **{_shown(main, 0)}** from place = threshold + a·L^(−11/4), along one axis; "
        f"{main.quality}.",
        *(
            f"- the same, {name}: {_shown(fit, 0)}; {fit.quality}."
            for name, fit in findings.thresholds.items()
            if name != "one way"
        ),
        f"- without the universal value, place = threshold + a·L^(−3/4): {_shown(findings.free, 0)}"
        f" with a = {_shown(findings.free, 1)} (0 if the value holds); {findings.free.quality}.",
    ]
    for name, (first, fit) in findings.powers.items():
        sign = -1 if name == "1/ν" else 1
        if fit.doubt:
            words.append(f"- {name}: {fit.quality}.")
            continue
        value, error = sign * fit.values[1], fit.errors[1]
        away = (value - EXPONENTS[name]) / error
        words.append(
            f"- {name} = **{with_error(value, error)}** from L ≥ {first}; ordinary percolation has "
            f"{EXPONENTS[name]:.4f}, {abs(away):.1f} standard errors away; {fit.quality}."
        )
    free, known = findings.corrected
    words.append(
        f"- D with a correction c·L^(−3/2), all L: {_shown(free, 2)}; {free.quality}. "
        f"With {EXPONENTS['D']:.4f} and that correction: {known.quality}."
    )
    derived = _derived(findings)
    if derived:
        words.append(derived)
    return [f"## {_NAMES[kind].capitalize()}", words, markdown(table)]


def _derived(findings: _Findings) -> str:
    """Return ν and γ, errors combined as if the two fits were independent."""
    (_, spread), (_, size) = findings.powers["1/ν"], findings.powers["γ/ν"]
    if spread.doubt or size.doubt:
        return ""
    inverse, error = -spread.values[1], spread.errors[1]
    ratio, ratio_error = size.values[1], size.errors[1]
    gamma = ratio / inverse
    both = gamma * math.hypot(error / inverse, ratio_error / ratio)
    return (
        f"- so ν = {with_error(1 / inverse, error / inverse**2)} (4/3) and γ = "
        f"{with_error(gamma, both)} (43/18 = 2.389)."
    )


def _shown(fit: LeastSquares, which: int) -> str:
    return with_error(fit.values[which], fit.errors[which]) if not fit.doubt else "?"


_APART: Final = 1.12
"""Points of the same L stand beside each other."""


def _draw(found: dict[str, _Findings], directory: Path) -> None:
    load("numpy")
    import numpy as np

    with figure(directory, "wrapping", columns=3, rows=len(found)) as axes:
        for number, (kind, findings) in enumerate(found.items()):
            wrap, place, power = axes[3 * number : 3 * number + 3]
            fit = findings.thresholds["one way"]
            means = findings.places["one way"]
            centre = fit.values[0] if not fit.doubt else list(means.values())[-1].value
            symbol = r"mine density $\rho$" if kind == "minesweeper" else "site probability $p$"
            smallest = min(findings.data)
            width = 1.2 * findings.data[smallest].spread.value * (smallest / 512) ** 0.75
            for index, (side, data) in enumerate(findings.data.items()):
                along = np.linspace(centre - width, centre + width, 25)
                values = [mean_of(data.wrapped(float(p), "one way").tolist()) for p in along]
                curve(wrap, along.tolist(), values, f"L = {side}", index)
            wrap.axhline(UNIVERSAL["one way"], color="grey", lw=0.7, ls="--")
            wrap.set(xlabel=symbol, ylabel="P(a cluster wraps along one axis)")
            wrap.set_title(_NAMES[kind])
            wrap.legend()
            for index, (name, points) in enumerate(findings.places.items()):
                beside = [side * _APART ** (index - 1) for side in points]
                curve(place, beside, list(points.values()), name, index, linestyle="none")
            if not fit.doubt:
                place.axhspan(
                    centre - fit.errors[0], centre + fit.errors[0], color="grey", alpha=0.25, lw=0
                )
                place.set_title(f"threshold {_shown(fit, 0)}")
            size_axis(place, list(findings.data), "L", base=2)
            place.set_ylabel("place of the universal value")
            place.legend()
            for index, (name, points) in enumerate(findings.curves.items()):
                first = next(iter(points.values())).value or 1.0
                scaled = [
                    Mean(m.value / first, m.error / first, m.samples) for m in points.values()
                ]
                sides = np.array(list(points), dtype=float)
                exact = -EXPONENTS[name] if name == "1/ν" else EXPONENTS[name]
                rest = [
                    Mean(m.value / (s / sides[0]) ** exact, m.error / (s / sides[0]) ** exact, 1)
                    for m, s in zip(scaled, sides, strict=True)
                ]
                beside = [side * _APART ** (index - 1) for side in points]
                curve(power, beside, rest, f"{name} = {EXPONENTS[name]:.4f}", index)
            size_axis(power, list(findings.data), "L", base=2)
            power.set_ylabel("divided by the known power of L")
            power.legend()
