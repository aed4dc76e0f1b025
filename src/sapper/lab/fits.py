"""Where a curve crosses a level, how steep it is, and how both change with size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sapper.limits import load

if TYPE_CHECKING:
    import numpy

    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

__all__ = ["Crossing", "Fit", "crossing", "falling", "half_crossing", "power_law", "saturating"]


class Crossing(NamedTuple):
    """Where a falling curve is 1/2, and how steeply it falls from there."""

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


def falling(values: Sequence[float]) -> list[float]:
    """Return the falling sequence nearest to a sequence, by least squares.

    Examples
    --------
    >>> falling([3, 1, 2, 0])
    [3.0, 1.5, 1.5, 0.0]
    """
    blocks: list[tuple[float, int]] = []
    for value in values:
        total, length = float(value), 1
        # A block that lies above the one before it is merged with it.
        while blocks and blocks[-1][0] * length < total * blocks[-1][1]:
            before = blocks.pop()
            total, length = total + before[0], length + before[1]
        blocks.append((total, length))
    return [total / length for total, length in blocks for _ in range(length)]


def half_crossing(places: Sequence[float], means: Sequence[float]) -> Crossing | None:
    """Return where a falling curve is 1/2, and its mean slope from there to 1/4.

    The curve is the falling polyline nearest to the means, so no shape is assumed. The slope is
    taken below 1/2 because above it the curve can have a shoulder. None if the curve does not
    reach from above 1/2 to 1/4.
    """
    smooth = falling(means)
    half, quarter = (crossing(places, smooth, level) for level in (0.5, 0.25))
    if half is None or quarter is None or smooth[0] <= 0.5 or quarter <= half:
        return None
    return Crossing(float(half), float(-0.25 / (quarter - half)))


def resampled(samples: Sequence[Array], rounds: int, seed: int) -> tuple[Array, Array]:
    """Return the means of samples, and those of bootstrap resamples, a row per round."""
    load("numpy")
    import numpy as np

    random = np.random.default_rng(seed)
    means = np.array([sample.mean() for sample in samples])
    drawn = np.empty((rounds, len(samples)))
    for place, sample in enumerate(samples):
        drawn[:, place] = sample[random.integers(len(sample), size=(rounds, len(sample)))].mean(
            axis=1
        )
    return means, drawn


def power_law(sizes: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Return a and b of the least-squares fit values ≈ a · sizes**b.

    Examples
    --------
    >>> a, b = power_law([1, 2, 4], [3, 12, 48])
    >>> round(a, 9), round(b, 9)
    (3.0, 2.0)
    """
    load("numpy")
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
    load("numpy")
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
