"""`sapper lab cores`: how large smallest cores are, and how often k-set search fails at size k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from sapper._native import NO_LIMITS, integers, play_measured
from sapper.errors import quoted
from sapper.lab.experiment import Record, Row
from sapper.lab.games import LabError, TorusGame
from sapper.lab.inference import PROTOCOLS, InferenceRun, Protocol
from sapper.lab.plots import curve, figure
from sapper.lab.statistics import Mean, mean_of
from sapper.lab.tables import failures, markdown, page, write_table
from sapper.lab.torus import TorusExperiment, outcome

__all__ = ["Cores"]

_MOST_PICKS = 12
"""The core of the package tries k-set search with so many picks, or one for each clue."""


@dataclass(frozen=True, kw_only=True)
class Cores(TorusExperiment):
    """Every smallest core of a game, by size, and whether k-set search finds it at that size.

    Frozen: threads can share one.

    The paper expects that k-set search "will only fail if the inference comes from a linear
    combination of constraints with coefficients other than ±1, which is rare". Here each smallest
    core of k clues is given to k-set search alone, and if it fails with k clues then with more, up
    to 12, which lets clues be taken several times; cores of more than 12 clues are tried with k.

    Parameters
    ----------
    protocol : str
        Which inferences are measured; see `Protocol`.

    Examples
    --------
    >>> experiment = Cores(sizes=(20,), densities=(0.22,), games=1)
    >>> (job,) = experiment.jobs()
    >>> answer = experiment.work(job.payload)["answer"]
    >>> sum(answer["cores"].values()) >= sum(answer["later"].values())
    True
    """

    sizes: tuple[int, ...] = (80,)
    densities: tuple[float, ...] = (0.22, 0.23, 0.24, 0.25)
    games: int = 150
    protocol: Protocol = "hybrid"

    name: ClassVar[str] = "cores"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.protocol not in PROTOCOLS:
            raise LabError(f"protocols are {', '.join(PROTOCOLS)}, not {quoted(self.protocol)}")

    def play(self, game: TorusGame) -> Record:
        """Play a board; count its smallest cores by size, and those that k-set search misses."""
        status, packed, _, _ = play_measured(
            *game.native, self.protocol, "rings", True, True, False, NO_LIMITS
        )
        flat = integers(packed)
        cores: Counter[int] = Counter()
        # By size: found only with more picks than clues, and not found with any number tried.
        later: Counter[int] = Counter()
        never: Counter[int] = Counter()
        for size, picks in zip(flat[2::4], flat[3::4], strict=True):
            cores[size] += 1
            if picks == 0:
                never[size] += 1
            elif picks > size:
                later[size] += 1
        counts = {"cores": cores, "later": later, "never": never}
        return outcome(InferenceRun(game.layout, status)) | {
            name: {str(size): count[size] for size in sorted(count)}
            for name, count in counts.items()
        }

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write the figure and ``summary.csv``, and return the text of the report."""
        games = [row.result["answer"] for row in rows if row.result["answer"]]
        sizes = sorted({int(size) for answer in games for size in answer["cores"]})
        lines: list[dict[str, Any]] = []
        rates: dict[int, Mean] = {}
        for size in sizes:
            name = str(size)
            found = [
                (a["cores"].get(name, 0), a["later"].get(name, 0) + a["never"].get(name, 0))
                for a in games
            ]
            rates[size] = _ratio(found)
            lines.append(
                {
                    "k": size,
                    "cores": sum(cores for cores, _ in found),
                    "found with more than k": sum(a["later"].get(name, 0) for a in games),
                    "not found": sum(a["never"].get(name, 0) for a in games),
                    "fails": rates[size].value,
                    "fails_se": rates[size].error,
                }
            )
        write_table(lines, directory / "summary.csv")
        if rates:
            self._draw(rates, directory)
        total = sum(line["cores"] for line in lines)
        missed = sum(line["found with more than k"] + line["not found"] for line in lines)
        return page(
            "# Smallest cores, and k-set search at their size",
            f"{total} cores of {len(games)} games, protocol *{self.protocol}*, N = "
            f"{', '.join(map(str, self.sizes))}, seed {self.seed}. For each smallest core of k "
            "clues: does k-set search with k clues decide its cell from those clues alone? "
            "Standard errors are those over games, since the cores of a game are alike.",
            f"It fails for {missed} of {total} cores. Where it fails more picks than k were tried, "
            f"up to {_MOST_PICKS}.",
            "![figure](cores.png)",
            markdown(lines, lambda v: f"{v:.2g}" if isinstance(v, float) else str(v)),
            failures(rows),
        )

    def _draw(self, rates: dict[int, Mean], directory: Path) -> None:
        with figure(directory, self.name) as (axis,):
            curve(axis, list(rates), list(rates.values()), "k-set search fails", 0)
            axis.set(xlabel="clues in a smallest core, k", ylabel="fraction that k-sets miss")
            axis.set_ylim(bottom=0)
            axis.legend()


def _ratio(pairs: Sequence[tuple[int, int]]) -> Mean:
    """Return Σ part / Σ whole over games, with the standard error of a ratio of means."""
    whole = sum(count for count, _ in pairs)
    ratio = sum(part for _, part in pairs) / whole
    rest = mean_of(part - ratio * count for count, part in pairs)
    return Mean(ratio, rest.error * len(pairs) / whole, whole)
