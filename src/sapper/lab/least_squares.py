"""Least squares with goodness of fit: parameters, errors, χ² and its p-value."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sapper.limits import load

if TYPE_CHECKING:
    import numpy

    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

__all__ = ["LeastSquares", "chi_squared_tail", "fitted", "from_size", "with_error"]

_ACCEPTED = 0.05
_MOST_CONDITION = 1e12


class LeastSquares(NamedTuple):
    """A least-squares fit.

    Attributes
    ----------
    values, errors : tuple of float
        The parameters and their standard errors, from the covariance of the data alone: they are
        not scaled up where the model fits badly, so look at `p` before them.
    chi2, dof : float, int
        χ² and how many more data than parameters there are.
    doubt : str
        Why the parameters are not determined; empty if they are.
    """

    values: tuple[float, ...]
    errors: tuple[float, ...]
    chi2: float
    dof: int
    doubt: str = ""

    @property
    def p(self) -> float:
        """The chance of a χ² as large as this if the model holds."""
        return chi_squared_tail(self.chi2, self.dof)

    @property
    def quality(self) -> str:
        """χ², degrees of freedom and p in words, or why there is no fit."""
        if self.doubt:
            return f"**not determined: {self.doubt}**"
        return f"χ² = {self.chi2:.1f} for {self.dof} degrees of freedom, p = {self.p:.2g}"


def chi_squared_tail(chi2: float, dof: int) -> float:
    """Return the probability that χ² with so many degrees of freedom exceeds a value.

    A finite sum, so exact to rounding.

    Examples
    --------
    >>> [round(chi_squared_tail(*pair), 4) for pair in ((3.841, 1), (5.991, 2), (7.815, 3))]
    [0.05, 0.05, 0.05]
    """
    if dof < 1 or not chi2 >= 0:
        return math.nan
    half = chi2 / 2
    # Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1), from Q(1/2, x) = erfc √x or Q(1, x) = e^-x.
    a, tail = (0.5, math.erfc(math.sqrt(half))) if dof % 2 else (1.0, math.exp(-half))
    while a < dof / 2 - 0.25:
        if half > 0:
            tail += math.exp(a * math.log(half) - half - math.lgamma(a + 1))
        a += 1
    return tail


def fitted(
    model: Callable[[Array], Array],
    data: Sequence[float],
    covariance: Sequence[float] | Array,
    start: Sequence[float],
) -> LeastSquares:
    """Fit a model to data with errors (or a covariance matrix), by Levenberg and Marquardt.

    The fit is not determined, and says why, if there are no more data than parameters, if some
    combination of the parameters does not change the model, or if the steps do not settle.

    Examples
    --------
    >>> found = fitted(lambda p: p[0] + 0 * p[:1].repeat(4), [1, 2, 3, 2], [0.5] * 4, [0.0])
    >>> round(found.values[0], 6), round(found.errors[0], 6), round(found.chi2, 6), found.dof
    (2.0, 0.25, 8.0, 3)
    """
    load("numpy")
    import numpy as np

    y = np.asarray(data, dtype=float)
    spread = np.asarray(covariance, dtype=float)
    if spread.ndim == 1:
        spread = np.diag(spread**2)
    place = np.asarray(start, dtype=float)
    nothing = (math.nan,) * len(place)
    if len(y) <= len(place):
        doubt = f"{len(y)} data for {len(place)} parameters"
        return LeastSquares(nothing, nothing, math.nan, len(y) - len(place), doubt)
    dof = len(y) - len(place)
    try:
        whitening = np.linalg.inv(np.linalg.cholesky(spread))
    except np.linalg.LinAlgError:
        return LeastSquares(nothing, nothing, math.nan, dof, "the data have no errors")

    def residuals(at: Array) -> Array:
        found: Array = whitening @ (y - model(at))
        return found

    rest, damping, settled = residuals(place), 1e-3, False
    scale = np.maximum(np.abs(place), 1e-3)
    for _ in range(300):
        slopes = np.empty((len(y), len(place)))
        for column in range(len(place)):
            step = np.zeros(len(place))
            step[column] = 1e-6 * scale[column]
            slopes[:, column] = (residuals(place + step) - residuals(place - step)) / (
                2 * step[column]
            )
        normal = slopes.T @ slopes
        if not np.isfinite(normal).all() or not normal.diagonal().all():
            break
        move = np.linalg.solve(normal + damping * np.diag(normal.diagonal()), -slopes.T @ rest)
        after = residuals(place + move)
        if np.isfinite(after).all() and after @ after <= rest @ rest:
            settled = bool(rest @ rest - after @ after < 1e-9 * (1 + rest @ rest))
            place, rest, damping = place + move, after, damping / 10
            if settled:
                break
        else:
            damping *= 10
            if damping > 1e12:
                settled = True
                break
    roots = np.sqrt(normal.diagonal())
    scaled = normal / np.outer(roots, roots) if roots.all() else normal
    if not settled or np.linalg.cond(scaled) > _MOST_CONDITION:
        doubt = "the steps do not settle" if not settled else "parameters cannot be told apart"
        return LeastSquares(tuple(place.tolist()), nothing, float(rest @ rest), dof, doubt)
    errors = np.sqrt(np.linalg.inv(scaled).diagonal()) / roots
    return LeastSquares(tuple(place.tolist()), tuple(errors.tolist()), float(rest @ rest), dof)


def from_size(
    sizes: Sequence[int], fit: Callable[[Sequence[int]], LeastSquares]
) -> tuple[int, LeastSquares]:
    """Leave out the smallest sizes until a fit is accepted (p ≥ 0.05); return the first used.

    If none is accepted before the fit is no longer determined, the last that was is returned.

    Examples
    --------
    >>> from_size([1, 2, 3, 4], lambda used: LeastSquares((0.0,), (1.0,), 9.0 - used[0] ** 2, 1))
    (3, LeastSquares(values=(0.0,), errors=(1.0,), chi2=0.0, dof=1, doubt=''))
    """
    found = fit(sizes)
    first = sizes[0]
    for place in range(1, len(sizes)):
        if found.doubt or found.p >= _ACCEPTED:
            break
        after = fit(sizes[place:])
        if after.doubt:
            break
        first, found = sizes[place], after
    return first, found


def with_error(value: float, error: float) -> str:
    """Return a value to two digits of its error.

    Examples
    --------
    >>> with_error(0.0957643, 0.0000213), with_error(12.34, 3.0), with_error(1.0, float("nan"))
    ('0.095764 ± 0.000021', '12.3 ± 3.0', '1 ± ?')
    """
    if not math.isfinite(error) or error <= 0:
        return f"{value:.4g} ± ?"
    places = max(0, 1 - math.floor(math.log10(error)))
    return f"{value:.{places}f} ± {error:.{places}f}"
