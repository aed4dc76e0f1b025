"""`sapper lab k-set`: figure 4 of Dempsey & Guinn, measured again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from sapper.errors import quoted
from sapper.lab.experiment import Record, Row
from sapper.lab.games import LabError, TorusGame
from sapper.lab.inference import inferred
from sapper.lab.plots import curve, figure
from sapper.lab.statistics import Mean, mean_of
from sapper.lab.tables import failures, markdown, page, write_table
from sapper.lab.torus import TorusExperiment, outcome

__all__ = ["KSets"]


@dataclass(frozen=True, kw_only=True)
class KSets(TorusExperiment):
    """The fraction of mines that k-set search flags, for several k, and full inference.

    Frozen: threads can share one.

    All play the same boards. What k-set search finds is part of what (k+1)-set search finds, and
    that of what follows at all; the report says so game by game.

    Parameters
    ----------
    ks : tuple of int
        The sizes of the sets of clues.

    Examples
    --------
    >>> experiment = KSets(sizes=(12,), densities=(0.2,), games=1, ks=(1, 2))
    >>> (job,) = experiment.jobs()
    >>> answer = experiment.work(job.payload)["answer"]
    >>> answer["alpha_1"] <= answer["alpha_2"] <= answer["alpha"], answer["nested"]
    (True, True)
    """

    sizes: tuple[int, ...] = (40,)
    ks: tuple[int, ...] = (1, 2, 3)

    name: ClassVar[str] = "k-set"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.ks or min(self.ks) < 1 or list(self.ks) != sorted(set(self.ks)):
            raise LabError(f"k must ascend from at least 1, not {quoted(list(self.ks))}")

    def play(self, game: TorusGame) -> Record:
        """Play a board with every k and with full inference."""
        answer: Record = {}
        runs = [inferred(*game, method="kset", k=k) for k in self.ks]
        for k, run in zip(self.ks, runs, strict=True):
            answer |= {f"alpha_{k}": run.flagged_fraction, f"finished_{k}": run.finished}
        runs.append(inferred(*game))
        nested = all(
            not less or less == more
            for weaker, stronger in pairwise(runs)
            for less, more in zip(weaker.status, stronger.status, strict=True)
        )
        return answer | outcome(runs[-1]) | {"nested": nested}

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write the figure and ``summary.csv``, and return the text of the report."""
        groups = self.found(rows)
        names = {f"alpha_{k}": f"{k}-set search" for k in self.ks} | {"alpha": "full inference"}
        points: dict[tuple[int, float], dict[str, Mean]] = {
            place: {name: mean_of(answer[name] for answer in answers) for name in names}
            | {f"lost_{k}": mean_of(a["alpha"] - a[f"alpha_{k}"] for a in answers) for k in self.ks}
            for place, answers in groups.items()
        }
        write_table(
            [
                {
                    "N": size,
                    "rho": density,
                    "games": found[name].samples,
                    "search": names[name],
                    "alpha": found[name].value,
                    "alpha_se": found[name].error,
                }
                | (
                    {"lost": lost.value, "lost_se": lost.error}
                    if (lost := found.get(name.replace("alpha", "lost")))
                    else {}
                )
                for (size, density), found in points.items()
                for name in names
            ],
            directory / "summary.csv",
        )
        if points:
            self._draw(points, names, directory)
        answers = [answer for group in groups.values() for answer in group]
        outside = sum(not answer["nested"] for answer in answers)
        shown = [
            {"N": size, "ρ": density, "games": found["alpha"].samples}
            | {names[name]: str(found[name]) for name in names}
            | {f"lost by {k}-sets": str(found[f"lost_{k}"]) for k in self.ks}
            for (size, density), found in points.items()
        ]
        nested = f"In all {len(answers)} games each search found all that the weaker ones found."
        if outside:
            nested = f"**In {outside} of {len(answers)} games the searches are not nested.**"
        return page(
            "# k-set search against full inference (figure 4)",
            f"{self.games} games for each size and density, seed {self.seed}, start rule "
            f"*{self.start}*; every search plays the same boards. Mean fraction α of mines "
            f"flagged, ± its standard error; *lost*: the mean over boards of α of full inference "
            f"less that of the search, with the error of that difference. {nested}",
            "![figure](k-set.png)",
            markdown(shown),
            failures(rows),
        )

    def _draw(
        self,
        points: dict[tuple[int, float], dict[str, Mean]],
        names: dict[str, str],
        directory: Path,
    ) -> None:
        with figure(directory, self.name, columns=2, rows=len(self.sizes)) as axes:
            for row, size in enumerate(self.sizes):
                plain, paired = axes[2 * row : 2 * row + 2]
                places = [density for density in self.densities if (size, density) in points]
                for number, (name, label) in enumerate(names.items()):
                    means = [points[size, density][name] for density in places]
                    style = {"color": "black", "marker": "."} if name == "alpha" else {}
                    curve(plain, places, means, label, number, **style)
                for number, k in enumerate(self.ks):
                    lost = [points[size, density][f"lost_{k}"] for density in places]
                    curve(paired, places, lost, f"{k}-set search", number)
                plain.set_ylabel(r"fraction of mines flagged $\alpha$")
                plain.set_ylim(-0.03, 1.03)
                paired.set_ylabel(r"$\alpha$ less than full inference, paired")
                # Straight below 0.01, logarithmic above: what 1-set search loses hides the others.
                paired.set_yscale("symlog", linthresh=0.01)
                paired.set_ylim(-0.005, 1)
                paired.set_yticks([0, 0.01, 0.1, 1], ["0", "0.01", "0.1", "1"])
                for axis in (plain, paired):
                    axis.set_xlabel(r"mine density $\rho$")
                    axis.set_title(f"N = {size}")
                # The colours are the same on the right, where curves leave no room.
                plain.legend(loc="upper right")
