"""Fit the weights of ``core/play/outlook.cpp`` to the rows that ``self_play`` wrote.

python benchmarks/outlook/fit.py ROWS… prints a line for each term: its weight without and with a
safe cell. Every sixth block of 500 rows is held back first, to tell the error on games not seen.
"""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
TERMS = 21  # the last is the expected deaths by coin tosses
SAFE = 1  # the term that is above zero if a safe cell is known


def chances(x: Array, weights: Array) -> tuple[Array, Array]:
    """Return the logistic part and the share that survives the coin tosses."""
    return 1 / (1 + np.exp(-x[:, :-1] @ weights[:-1])), np.exp(-x[:, -1] * weights[-1])


def regression(x: Array, y: Array, penalty: float = 0.1) -> Array:
    """Return the weights of least weighted squares, by Gauss and Newton; ``y`` may leave [0, 1]."""
    scale = x.std(axis=0) + 1e-9
    scale[0] = scale[-1] = 1
    x = x / scale
    weights = np.zeros(x.shape[1])
    for _ in range(25):
        logistic, survive = chances(x, weights)
        p = logistic * survive
        slopes = np.c_[x[:, :-1] * (p * (1 - logistic))[:, None], -x[:, -1] * p]
        weighted = slopes / np.maximum(p * (1 - p), 0.02)[:, None]
        bend = weighted.T @ slopes + penalty * np.eye(len(weights))
        step = np.linalg.solve(bend, weighted.T @ (y - p) - penalty * weights)
        weights += step * min(1, 2 / np.abs(step).max())
    return np.asarray(weights / scale, np.float64)


def both(x: Array, y: Array, use: npt.NDArray[np.bool_]) -> Array:
    """Return the weights of positions without and with a safe cell, as columns."""
    safe = x[:, SAFE] > 0
    return np.stack([regression(x[use & m], y[use & m]) for m in (~safe, safe)], axis=1)


def main() -> None:
    """Read the rows, report the error on those held back, print the weights of all."""
    rows = [np.fromfile(name, np.float32).reshape(-1, TERMS + 1) for name in sys.argv[1:]]
    data = np.concatenate(rows).astype(np.float64)
    x, y = data[:, :TERMS], data[:, TERMS]
    held_back = (np.arange(len(y)) // 500) % 6 == 0
    weights = both(x, y, ~held_back)
    safe = x[:, SAFE] > 0
    expected = np.where(safe, *(np.prod(chances(x, weights[:, k]), axis=0) for k in (1, 0)))
    error = (y - expected) ** 2
    print(f"# {len(y)} rows, variance {y.var():.5f}", f"error {error[held_back].mean():.5f}")
    for without, with_safe in both(x, y, np.ones(len(y), bool)):
        print(f"{{{without:.6g}, {with_safe:.6g}}},")


if __name__ == "__main__":
    main()
