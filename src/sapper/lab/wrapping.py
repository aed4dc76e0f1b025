"""`sapper lab wrapping`: where mines and numbers percolate, and with which exponents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Literal, TypeAlias

from sapper._native import NO_LIMITS, percolation_sweep
from sapper.errors import quoted
from sapper.game import seed_of
from sapper.lab.experiment import BaseExperiment, Job, Record, Row, timed
from sapper.lab.games import LabError, checked_sizes
from sapper.lab.wrapping_report import wrapping_report

__all__ = ["SQUARES", "SiteKind", "Wrapping"]

SiteKind: TypeAlias = Literal["minesweeper", "independent"]
"""Which sites are occupied: mines and nonzero labels, or sites drawn one by one (the control)."""

SQUARES: Final[dict[SiteKind, int]] = {"minesweeper": 3, "independent": 1}


@dataclass(frozen=True, kw_only=True)
class Wrapping(BaseExperiment):
    """When clusters first wrap around an L×L torus as mines are laid one by one.

    Frozen: threads can share one.

    One sweep per lattice visits every density (Newman & Ziff 2001). The number of mines at which a
    cluster of occupied sites first wraps along rows, and along columns, gives the threshold; its
    spread over lattices gives ν; the largest cluster and the mean size of the others at that moment
    give the fractal dimension and γ/ν.

    Parameters
    ----------
    sides : tuple of int
        L, ascending.
    samples : tuple of int
        Lattices of each side.
    kinds : tuple of str
        ``"minesweeper"``, ``"independent"`` or both.
    seed : int
        Decides the lattices.

    Examples
    --------
    >>> experiment = Wrapping(sides=(16,), samples=(1,))
    >>> sorted(experiment.work(next(experiment.jobs()).payload)["answer"])
    ['columns', 'largest', 'rows', 'sites', 'squares']
    """

    sides: tuple[int, ...] = (128, 256, 512, 1024, 2048, 4096)
    samples: tuple[int, ...] = (10_000, 8_000, 3_000, 400, 120, 32)
    kinds: tuple[SiteKind, ...] = ("minesweeper",)
    seed: int = 1

    name: ClassVar[str] = "wrapping"

    def __post_init__(self) -> None:
        checked_sizes(self.sides)
        if list(self.sides) != sorted(self.sides) or max(self.sides) > 9741:
            raise LabError(f"sides must ascend and go up to 9741, not {quoted(list(self.sides))}")
        if len(self.samples) != len(self.sides) or min(self.samples) < 1:
            raise LabError("every side needs a number of samples, at least 1")
        wrong = [kind for kind in self.kinds if kind not in SQUARES]
        if wrong or not self.kinds or len(set(self.kinds)) < len(self.kinds):
            raise LabError(f"kinds are {', '.join(SQUARES)}, not {quoted(list(self.kinds))}")

    def jobs(self) -> Iterator[Job]:
        """Yield a job per lattice; the sides advance together, each at its own pace."""
        most = max(self.samples)
        for tick in range(most):
            for side, samples in zip(self.sides, self.samples, strict=True):
                # Sample number i of a side comes when its share of the run is due.
                first, last = tick * samples // most, (tick + 1) * samples // most
                for sample in range(first, last):
                    for kind in self.kinds:
                        yield Job(
                            f"{kind} L={side} sample={sample}",
                            {
                                "kind": kind,
                                "side": side,
                                "sample": sample,
                                "seed": seed_of(self.seed, "wrapping", kind, side, sample),
                            },
                        )

    @timed
    def work(self, payload: Record) -> Record:
        """Sweep one lattice."""
        square = SQUARES[payload["kind"]]
        rows, columns, at_first, _ = percolation_sweep(
            payload["side"], square, [], payload["seed"], NO_LIMITS
        )
        _, sites, _, largest, squares = at_first
        return {
            "rows": rows,
            "columns": columns,
            "sites": sites,
            "largest": largest,
            "squares": squares,
        }

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write the figure and ``summary.csv``, and return the text of the report."""
        return wrapping_report(rows, self.kinds, self.seed, directory)
