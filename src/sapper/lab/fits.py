"""Where a curve crosses a level, how steep it is, and how both change with size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy

    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

__all__ = ["Crossing", "Fit", "crossing", "half_crossing", "power_law", "saturating"]


class Crossing(NamedTuple):
    """Where a falling curve is 1/2, and its slope there."""

    place: float
    slope: float


class Fit(NamedTuple):
    """A value with its bootstrap standard error."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.4f} ± {self.error:.4f}"


def crossing(places: Sequence[float], values: Sequence[float], level: float) -> float | None:
    """Return the first place where a polyline passes a level; None if it does not.

    Examples
    --------
    >>> crossing([0, 1, 2], [0.0, 0.5, 1.0], 0.75)
    1.5
    >>> crossing([0, 1], [0.0, 0.1], 0.5) is None
    True
    """
    for left in range(len(places) - 1):
        below, above = values[left] - level, values[left + 1] - level
        if below == 0:
            return places[left]
        if below * above < 0:
            return places[left] + (places[left + 1] - places[left]) * below / (below - above)
    return places[-1] if len(values) and values[-1] == level else None


def half_crossing(places: Array, means: Array, errors: Array) -> Crossing | None:
    """Fit a straight line to logit(mean) where the mean is between 0.1 and 0.9.

    The logistic curve is a description, not a theory: it smooths over the few densities around
    the crossing. None if fewer than three densities, or not both sides of it, are there.
    """
    import numpy as np

    near = (means > 0.1) & (means < 0.9)
    if near.sum() < 3 or means[near].min() > 0.5 or means[near].max() < 0.5:
        return None
    x, y = places[near], means[near]
    # A point of few games can have no spread at all; it must not outweigh all others.
    spread = np.maximum(errors[near], 0.005) / (y * (1 - y))
    slope, offset = np.polyfit(x, np.log(y / (1 - y)), 1, w=1 / spread)
    return Crossing(float(-offset / slope), float(slope / 4))


def resampled(
    samples: Sequence[Array], rounds: int, seed: int
) -> tuple[Array, Array, Array, Array]:
    """Return means and standard errors of samples, and those of bootstrap resamples.

    The last two have a row per round.
    """
    import numpy as np

    random = np.random.default_rng(seed)
    means = np.array([sample.mean() for sample in samples])
    errors = np.array([_error(sample) for sample in samples])
    drawn = np.empty((rounds, len(samples)))
    spread = np.empty((rounds, len(samples)))
    for place, sample in enumerate(samples):
        again = sample[random.integers(len(sample), size=(rounds, len(sample)))]
        drawn[:, place] = again.mean(axis=1)
        spread[:, place] = again.std(axis=1, ddof=1 if len(sample) > 1 else 0) / len(sample) ** 0.5
    return means, errors, drawn, spread


def _error(sample: Array) -> float:
    return float(sample.std(ddof=1) / len(sample) ** 0.5) if len(sample) > 1 else 0.0


def power_law(sizes: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Return a and b of the least-squares fit values ≈ a · sizes**b.

    Examples
    --------
    >>> a, b = power_law([1, 2, 4], [3, 12, 48])
    >>> round(a, 9), round(b, 9)
    (3.0, 2.0)
    """
    import numpy as np

    b, log_a = np.polyfit(np.log(sizes), np.log(np.asarray(values, dtype=float)), 1)
    return float(np.exp(log_a)), float(b)


def saturating(
    sizes: Sequence[float], values: Sequence[float], errors: Sequence[float]
) -> tuple[float, float, float]:
    """Return limit, a and b of the weighted fit values ≈ limit + a · sizes**-b, 0.2 ≤ b ≤ 3.

    For a given b the fit is linear; b is the best of a fine grid.

    Examples
    --------
    >>> limit, a, b = saturating([10, 20, 40], [0.35, 0.3, 0.275], [0.01] * 3)
    >>> round(limit, 6), round(a, 6), b
    (0.25, 1.0, 1.0)
    """
    import numpy as np

    y = np.asarray(values, dtype=float)
    weights = 1 / np.maximum(np.asarray(errors, dtype=float), 1e-4) ** 2
    weights /= weights.sum()
    powers = np.round(np.arange(0.2, 3.001, 0.02), 2)
    # A row per b: the weighted regression of the values on sizes**-b.
    x = np.asarray(sizes, dtype=float) ** -powers[:, None]
    middle_x, middle_y = (x * weights).sum(axis=1), float((y * weights).sum())
    centred = x - middle_x[:, None]
    a = (centred * weights * (y - middle_y)).sum(axis=1) / (centred**2 * weights).sum(axis=1)
    rest = ((y - middle_y - a[:, None] * centred) ** 2 * weights).sum(axis=1)
    best = int(rest.argmin())
    return float(middle_y - a[best] * middle_x[best]), float(a[best]), float(powers[best])
