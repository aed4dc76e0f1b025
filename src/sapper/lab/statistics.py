"""Means with standard errors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["GeometricMean", "Mean", "geometric_mean", "mean_of"]


class Mean(NamedTuple):
    """A mean over independent games, with its standard error (0 if there is but one)."""

    value: float
    error: float
    samples: int

    def __str__(self) -> str:
        return f"{self.value:.4f} ± {self.error:.4f}" if self.samples else "–"


def mean_of(values: Iterable[float]) -> Mean:
    """Return the mean with its standard error.

    Examples
    --------
    >>> mean_of([1, 2, 3, 4])
    Mean(value=2.5, error=0.6454972243679028, samples=4)
    """
    data = list(values)
    if not data:
        return Mean(math.nan, math.nan, 0)
    middle = math.fsum(data) / len(data)
    if len(data) == 1:
        return Mean(middle, 0.0, 1)
    variance = math.fsum((value - middle) ** 2 for value in data) / (len(data) - 1)
    return Mean(middle, math.sqrt(variance / len(data)), len(data))


class GeometricMean(NamedTuple):
    """A geometric mean, and the factor of its standard error (1 if there is but one value)."""

    value: float
    factor: float

    def shown(self, form: str) -> str:
        """Return it with its error.

        Examples
        --------
        >>> geometric_mean([1, 4]).shown(".1f")
        '2.0 ×/÷ 2.00'
        """
        return f"{self.value:{form}} ×/÷ {self.factor:.2f}"


def geometric_mean(values: Iterable[float]) -> GeometricMean:
    """Return the geometric mean of positive values, with the factor of its standard error."""
    mean = mean_of(map(math.log, values))
    return GeometricMean(math.exp(mean.value), math.exp(mean.error))
