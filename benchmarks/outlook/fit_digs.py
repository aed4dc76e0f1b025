"""Fit the weights of ``core/play/look_ahead.cpp`` to the digs that ``self_play`` tried.

python benchmarks/outlook/fit_digs.py DIGS… prints each term's weight and its standard error. Only
the differences between the digs of one guess count: all were tried on the same board, so most of
what is luck is in all of them, and what the position is worth is too. Before that it tells what the
weights of four fifths of the guesses would have won on the fifth left out, against the digs that
were chosen.
"""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
TERMS = ("outlook_after", "safety_after", "safe_after", "no_mine", "relief", "touched")
FOLDS, BLOCK, PENALTY = 5, 100, 100.0


def inside(x: Array, guess: npt.NDArray[np.int64]) -> Array:
    """Return each row less the mean of its guess."""
    count = np.bincount(guess)
    means = np.stack([np.bincount(guess, column) / count for column in x.T], axis=1)
    return np.asarray(x - means[guess], np.float64)


def regression(x: Array, y: Array) -> tuple[Array, Array]:
    """Return weights near one for the outlook and zero for the rest, and their standard errors."""
    scale = x.std(axis=0) + 1e-12
    x = x / scale
    bend = x.T @ x + PENALTY * np.eye(x.shape[1])
    weights = np.linalg.solve(bend, x.T @ y)
    errors = np.sqrt(np.diag(np.linalg.inv(bend)) * (y - x @ weights).var())
    return weights / scale, errors / scale


def main() -> None:
    """Read the digs, report the gain on guesses left out, print the weights of all."""
    parts = [np.fromfile(name, np.float32).reshape(-1, len(TERMS) + 4) for name in sys.argv[1:]]
    rows = np.concatenate(parts).astype(np.float64)
    guess = np.r_[0, np.cumsum(np.diff(rows[:, 0]) != 0)]
    chosen, terms, value = rows[:, 2] > 0, rows[:, 3:-1], rows[:, -1]
    x = inside(terms, guess)
    # What is left to explain if the outlook alone were right.
    y = inside((value - terms[:, 0])[:, None], guess)[:, 0]
    fold = guess // BLOCK % FOLDS
    score = np.zeros(len(y))
    for k in range(FOLDS):
        weights, _ = regression(x[fold != k], y[fold != k])
        score[fold == k] = (terms @ weights + terms[:, 0])[fold == k]
    order = np.lexsort((score, guess))
    best = order[np.r_[np.flatnonzero(np.diff(guess)), len(guess) - 1]]
    kept = np.bincount(guess, chosen) == 1  # a guess at random may be none of those compared
    chosen_value = np.bincount(guess, chosen * value)
    gain = (value[best] - chosen_value)[kept]
    error = gain.std() / len(gain) ** 0.5
    print(f"# {len(kept)} guesses; left out: {100 * gain.mean():+.3f} ± {100 * error:.3f} a guess")
    weights, errors = regression(x, y)
    weights[0] += 1
    for name, weight, error in zip(TERMS, weights, errors, strict=True):
        print(f"{name:14} {weight:8.4f} ± {error:.4f}")


if __name__ == "__main__":
    main()
