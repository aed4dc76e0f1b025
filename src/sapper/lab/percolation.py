"""`sapper lab percolation`: figure 5 of Dempsey & Guinn, measured again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from sapper._native import independent_clusters, minesweeper_clusters
from sapper.game import seed_of
from sapper.lab.experiment import BaseExperiment, Job, Record, Row, timed
from sapper.lab.games import LabError, checked_densities, checked_sizes, mine_count
from sapper.lab.plots import curve, figure
from sapper.lab.statistics import Mean, mean_of
from sapper.lab.tables import failures, grouped, markdown, page, with_errors, write_table
from sapper.lab.torus import spaced

__all__ = ["MEASURED_THRESHOLD", "SITE_THRESHOLD", "Percolation", "predicted_threshold"]

SITE_THRESHOLD: Final = 0.592746
"""Of independent sites on the square lattice; Newman and Ziff, 2000."""

MEASURED_THRESHOLD: Final = 0.095774
"""Of sites with a mine or a nonzero label: ± 0.000016, by `sapper lab wrapping`, seeds 1 and 2."""

_KINDS: Final = {"minesweeper": "mine or nonzero label", "independent": "independent sites"}


def predicted_threshold() -> float:
    """Return the density ρ at which a site is a mine or nonzero as often as at the threshold.

    The paper's equation 9, as if sites were independent: 1 − (1 − ρ)⁹ equals the threshold.

    Examples
    --------
    >>> round(predicted_threshold(), 4)
    0.095
    """
    return float(1 - (1 - SITE_THRESHOLD) ** (1 / 9))


@dataclass(frozen=True, kw_only=True)
class Percolation(BaseExperiment):
    """Mean cluster size of sites with a mine or a nonzero label, and of independent sites.

    Frozen: threads can share one.

    Sites of an L×L torus touch along edges. The mean cluster size is that of the cluster of a
    random occupied site, Σ s² / Σ s over clusters of s sites; once with all clusters, once without
    the largest.

    Parameters
    ----------
    side : int
        L.
    densities : tuple of float
        Mine densities ρ; boards have ⌊L²ρ⌋ mines.
    probabilities : tuple of float
        Probabilities p of independent sites.
    samples : int
        Lattices for each density and probability.
    seed : int
        Decides the lattices.

    Examples
    --------
    >>> experiment = Percolation(side=20, densities=(0.1,), probabilities=(0.5,), samples=1)
    >>> sorted(experiment.work(next(experiment.jobs()).payload)["answer"])
    ['clusters', 'largest', 'mean_size', 'mean_size_rest', 'sites']
    """

    side: int = 1000
    densities: tuple[float, ...] = (
        *spaced(0.01, 0.08, 8),
        *spaced(0.085, 0.105, 21),
        *spaced(0.11, 0.2, 10),
    )
    probabilities: tuple[float, ...] = (
        *spaced(0.35, 0.55, 9),
        *spaced(0.57, 0.61, 21),
        *spaced(0.63, 0.74, 6),
    )
    samples: int = 100
    seed: int = 1

    name: ClassVar[str] = "percolation"

    def __post_init__(self) -> None:
        checked_sizes((self.side,))
        if self.side > 9741:
            raise LabError(f"sides go up to 9741, not {self.side}")
        checked_densities(self.densities)
        checked_densities(self.probabilities, "probabilities")
        if self.samples < 1:
            raise LabError(f"at least one sample is needed, not {self.samples}")

    def _places(self) -> Iterator[tuple[str, float]]:
        yield from (("minesweeper", density) for density in self.densities)
        yield from (("independent", p) for p in self.probabilities)

    def jobs(self) -> Iterator[Job]:
        """Yield a job per lattice; the first lattice of every point comes before any second."""
        for sample in range(self.samples):
            for kind, density in self._places():
                seed = seed_of(self.seed, "percolation", kind, self.side, density, sample)
                yield Job(
                    f"{kind} {density} sample={sample}",
                    {"kind": kind, "density": density, "sample": sample, "seed": seed},
                )

    @timed
    def work(self, payload: Record) -> Record:
        """Measure the clusters of one lattice."""
        if payload["kind"] == "minesweeper":
            mines = mine_count(self.side, payload["density"])
            found = minesweeper_clusters(self.side, mines, payload["seed"])
        else:
            found = independent_clusters(self.side, payload["density"], payload["seed"])
        sites, clusters, largest, squares = found
        rest = sites - largest
        return {
            "sites": sites,
            "clusters": clusters,
            "largest": largest,
            "mean_size": squares / sites if sites else 0.0,
            "mean_size_rest": (squares - largest**2) / rest if rest else 0.0,
        }

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write the figure and ``summary.csv``, and return the text of the report."""
        groups = grouped(rows, ("kind", "density"))
        cells = self.side**2
        points: dict[tuple[str, float], dict[str, Mean]] = {
            place: {
                "mean_size": mean_of(answer["mean_size"] for answer in groups[place]),
                "mean_size_rest": mean_of(answer["mean_size_rest"] for answer in groups[place]),
                "occupied": mean_of(answer["sites"] / cells for answer in groups[place]),
                "largest": mean_of(answer["largest"] / cells for answer in groups[place]),
            }
            for place in self._places()
            if place in groups
        }
        table = [
            {"kind": kind, "density": density, "samples": found["mean_size"].samples}
            | with_errors(found)
            for (kind, density), found in points.items()
        ]
        write_table(table, directory / "summary.csv")
        if points:
            self._draw(points, directory)
        shown = [
            {"sites": _KINDS[kind], "ρ or p": density}
            | {
                "occupied": f"{found['occupied'].value:.4f}",
                "mean size": _long(found["mean_size"]),
                "without the largest": _long(found["mean_size_rest"]),
                "largest / L²": f"{found['largest'].value:.4f}",
            }
            for (kind, density), found in points.items()
        ]
        return page(
            "# Percolation of mines and numbers (figure 5)",
            f"{self.samples} lattices of {self.side}×{self.side} sites for each density, torus,"
            f" seed {self.seed}. The mean cluster size is Σ s² / Σ s, ± its standard error.",
            "![figure](percolation.png)",
            self._words(points),
            markdown(shown),
            failures(rows),
        )

    def _words(self, points: dict[tuple[str, float], dict[str, Mean]]) -> list[str]:
        peaks = {}
        for kind in _KINDS:
            found = {d: p["mean_size_rest"].value for (k, d), p in points.items() if k == kind}
            if found:
                peaks[kind] = max(found, key=lambda density: found[density])
        lines = []
        if "minesweeper" in peaks:
            density = peaks["minesweeper"]
            occupied = points["minesweeper", density]["occupied"].value
            lines.append(
                f"- Sites with a mine or a nonzero label: without the largest cluster the mean "
                f"size peaks at ρ = {density}, where {occupied:.4f} of the sites are occupied. The "
                f"peak of a finite lattice lies off the threshold, {MEASURED_THRESHOLD:.6f} by "
                f"`sapper lab wrapping`; independent sites would have {predicted_threshold():.4f}."
            )
        if "independent" in peaks:
            lines.append(
                f"- Independent sites: the peak is at p = {peaks['independent']}; the threshold "
                f"is {SITE_THRESHOLD:.4f}."
            )
        return lines

    def _draw(self, points: dict[tuple[str, float], dict[str, Mean]], directory: Path) -> None:
        panels = [kind for kind in _KINDS if any(k == kind for k, _ in points)]
        lines = {"minesweeper": MEASURED_THRESHOLD, "independent": SITE_THRESHOLD}
        names = {"minesweeper": r"mine density $\rho$", "independent": "site probability $p$"}
        with figure(directory, self.name, columns=len(panels)) as axes:
            for axis, kind in zip(axes, panels, strict=True):
                places = [density for k, density in points if k == kind]
                for number, (name, label) in enumerate(
                    {"mean_size": "all clusters", "mean_size_rest": "without the largest"}.items()
                ):
                    means = [points[kind, density][name] for density in places]
                    curve(axis, places, means, label, number)
                style: dict[str, Any] = {"color": "grey", "lw": 0.9, "ls": "--"}
                axis.axvline(lines[kind], label=f"threshold {lines[kind]:.4f}", **style)
                if kind == "minesweeper":
                    apart = predicted_threshold()
                    label = f"if independent {apart:.4f}"
                    axis.axvline(apart, label=label, **style | {"ls": ":"})
                axis.set_yscale("log")
                axis.set(xlabel=names[kind], ylabel="mean cluster size (sites)")
                axis.set_title(_KINDS[kind])
                axis.legend()


def _long(mean: Mean) -> str:
    return f"{mean.value:,.1f} ± {mean.error:,.1f}"
