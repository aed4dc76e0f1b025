"""`sapper lab sharpness`: is the transition sharp? Coupled boards, one start for all sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from sapper._native import NO_LIMITS, integers, mine_order, play
from sapper.errors import quoted
from sapper.field import Torus
from sapper.game import seed_of
from sapper.lab.experiment import BaseExperiment, Job, Record, Row, timed
from sapper.lab.games import LabError, checked_sizes
from sapper.lab.sharpness_report import sharpness_report
from sapper.lab.torus import spaced

__all__ = ["Sharpness", "patch_of"]


@dataclass(frozen=True, kw_only=True)
class Sharpness(BaseExperiment):
    """The flagged fraction α near its fall, on coupled boards from a start of fixed size.

    Frozen: threads can share one.

    A board is a random order of the cells outside a patch in its middle, which has no mines and is
    open at the start. For each density ρ the first ⌊ρ·(cells outside)⌋ cells of the order are
    mined, so one board is played at all densities. The patch is the same at every N.

    Parameters
    ----------
    sizes : tuple of int
        Sides N, ascending.
    boards : tuple of int
        Boards of each size.
    lows, highs : tuple of float
        First and last density for each size.
    points : int
        Densities for each size, evenly spaced.
    patch : int
        Side of the open square, odd, from 3 (the paper's start).
    seed : int
        Decides the boards.

    Examples
    --------
    >>> experiment = Sharpness(
    ...     sizes=(24,), boards=(1,), lows=(0.1,), highs=(0.3,), points=3, patch=5
    ... )
    >>> answer = experiment.work(next(experiment.jobs()).payload)["answer"]
    >>> answer["mines"], answer["alpha"][0]
    ([55, 110, 165], 1.0)
    """

    sizes: tuple[int, ...] = (40, 80, 160, 320, 640, 1280, 2560)
    boards: tuple[int, ...] = (800, 400, 200, 100, 40, 16, 8)
    lows: tuple[float, ...] = (0.245, 0.245, 0.243, 0.244, 0.244, 0.244, 0.244)
    highs: tuple[float, ...] = (0.37, 0.31, 0.283, 0.27, 0.265, 0.262, 0.26)
    points: int = 8
    patch: int = 15
    seed: int = 1

    name: ClassVar[str] = "sharpness"

    def __post_init__(self) -> None:
        checked_sizes(self.sizes, self.patch + 2)
        if list(self.sizes) != sorted(self.sizes):
            raise LabError(f"sizes must ascend, not {quoted(list(self.sizes))}")
        if not len(self.sizes) == len(self.boards) == len(self.lows) == len(self.highs):
            raise LabError("every size needs boards, a low and a high density")
        wrong = [
            pair
            for pair in zip(self.lows, self.highs, strict=True)
            if not 0 < pair[0] < pair[1] < 1
        ]
        if wrong or min(self.boards) < 1 or self.points < 3:
            raise LabError("densities ascend between 0 and 1, at least three; boards at least 1")
        if self.patch < 3 or self.patch % 2 == 0:
            raise LabError(f"the patch is odd and at least 3, not {self.patch}")

    def densities(self, size: int) -> tuple[float, ...]:
        """Return the densities at which boards of a size are played."""
        place = self.sizes.index(size)
        return spaced(self.lows[place], self.highs[place], self.points)

    def jobs(self) -> Iterator[Job]:
        """Yield a job per board; the sizes advance together, each at its own pace."""
        most = max(self.boards)
        for tick in range(most):
            for size, boards in zip(self.sizes, self.boards, strict=True):
                for board in range(tick * boards // most, (tick + 1) * boards // most):
                    seed = seed_of(self.seed, "sharpness", size, self.patch, board)
                    yield Job(
                        f"N={size} board={board}", {"size": size, "board": board, "seed": seed}
                    )

    @timed
    def work(self, payload: Record) -> Record:
        """Play one board at every density."""
        size: int = payload["size"]
        densities = self.densities(size)
        field = Torus(size, size)
        patch, start = patch_of(size, self.patch)
        outside = size * size - len(patch)
        counts = [int(density * outside) for density in densities]
        order = integers(mine_order(size * size, counts[-1], patch, payload["seed"]))
        mined, laid, alphas = bytearray(size * size), 0, []
        for mines in counts:
            for cell in order[laid:mines]:
                mined[cell] = 1
            laid = mines
            status = play(field.adjacency, bytes(mined), start, NO_LIMITS)
            alphas.append(status.count(2) / mines if mines else 1.0)
        return {"density": list(densities), "mines": counts, "alpha": alphas}

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write the figure and ``summary.csv``, and return the text of the report."""
        return sharpness_report(rows, self.sizes, self.patch, self.seed, directory)


def patch_of(size: int, side: int) -> tuple[list[int], int]:
    """Return the cells of the open square in the middle of a torus, and its middle.

    Examples
    --------
    >>> patch_of(5, 3)
    ([6, 7, 8, 11, 12, 13, 16, 17, 18], 12)
    """
    middle, half = size // 2, side // 2
    steps = range(-half, half + 1)
    cells = [(middle + i) * size + middle + j for i in steps for j in steps]
    return cells, middle * size + middle
