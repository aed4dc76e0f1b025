"""What guesses lose to the best dig, by the digs that ``self_play`` tried on worlds drawn.

python benchmarks/outlook/regret.py DIGS… prints, for all guesses and for ranges of the number of
worlds, what the dig that looks best on one half of the worlds wins more than the dig that was
chosen, on the other half. Half of the worlds do not always find the best dig, so this is the least
that was lost.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

RANGES = ((0, 8), (8, 20), (20, 40), (40, 60), (60, 80), (80, 92), (92, 110))
SPLITS = 40
COLUMNS = 10


def guesses(name: str) -> Iterator[tuple[float, npt.NDArray[np.float64]]]:
    """Give each guess: its worlds (log 10); what digs win more than the chosen, by world."""
    numbers = np.fromfile(name, np.float32).astype(np.float64)
    rows = numbers[: len(numbers) // COLUMNS * COLUMNS].reshape(-1, COLUMNS)
    last = np.flatnonzero(rows[:, 0] == rows[-1, 0])[0]  # a file that was cut ends inside a guess
    for guess in np.split(rows[:last], np.flatnonzero(np.diff(rows[:last, 0])) + 1):
        chosen = np.flatnonzero(guess[:, 2])
        if len(chosen) < 2 or len(guess) % len(chosen):
            continue  # the dig that was chosen is none of those tried
        value = guess[:, -1].reshape(len(chosen), -1)
        yield guess[0, 1], value - value[:, [chosen[0]]]


def lost(more: npt.NDArray[np.float64], random: np.random.Generator) -> float:
    """Return what the best dig of one half wins more, on the other half."""
    found = []
    for _ in range(SPLITS):
        order = random.permutation(len(more))
        one, other = more[order[: len(more) // 2]], more[order[len(more) // 2 :]]
        found.append(other.mean(axis=0)[one.mean(axis=0).argmax()])
    return float(np.mean(found))


def main() -> None:
    """Read the digs and print what was lost."""
    random = np.random.default_rng(1)
    rows = [(worlds, lost(more, random)) for name in sys.argv[1:] for worlds, more in guesses(name)]
    worlds, regret = (np.array(column) for column in zip(*rows, strict=True))
    for least, most in ((worlds.min(), np.inf), *RANGES):
        some = 100 * regret[(worlds >= least) & (worlds < most)]
        if len(some) > 1:
            error = some.std(ddof=1) / len(some) ** 0.5
            lost_there = f"{some.mean():.3f} ± {error:.3f} points, {len(some)} guesses"
            print(f"10^{least:.0f} to 10^{most:.0f} worlds: {lost_there}")


if __name__ == "__main__":
    main()
