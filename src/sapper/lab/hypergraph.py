"""`sapper lab hypergraph`: inference on random hypergraphs (Dempsey & Guinn, section 5)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias

from sapper._native import Run, planted_inference
from sapper.errors import LimitExceeded
from sapper.game import seed_of
from sapper.lab.experiment import BaseExperiment, Job, Record, Row
from sapper.lab.fits import crossing
from sapper.lab.games import LabError, checked_sizes
from sapper.lab.plots import curve, figure
from sapper.lab.statistics import (
    Mean,
    failures,
    grouped,
    markdown,
    mean_of,
    page,
    with_errors,
    write_table,
)
from sapper.lab.torus import spaced

__all__ = ["Hypergraphs", "Labels"]

Labels: TypeAlias = Literal["planted", "strict"]
"""How hyperedges get their labels.

``"planted"``: each is the number of mines in a hyperedge of a random mine field. ``"strict"``: so
too, but hyperedges whose label alone decides them, 0 or all, are drawn again.
"""

_MEASURES: Final = {
    "something": "P(something is inferred)",
    "most": "P(more than half is inferred)",
    "fraction": "fraction inferred",
}


@dataclass(frozen=True, kw_only=True)
class Hypergraphs(BaseExperiment):
    """The probability that a vertex can be inferred, against the density of hyperedges.

    Parameters
    ----------
    vertices : tuple of int
        Numbers of vertices n.
    edges : mapping of int to float
        Sizes of hyperedges, and which share of all have each.
    densities : tuple of float
        Hyperedges per vertex. There are round(density · share · n) of each size, drawn uniformly.
    mines : float
        Probability that a vertex is a mine.
    labels : str
        ``"planted"`` or ``"strict"``; see `Labels`.
    samples : int
        Hypergraphs for each number of vertices and density.
    seed : int
        Decides the hypergraphs.
    seconds : float
        Limit for one hypergraph.

    Examples
    --------
    >>> experiment = Hypergraphs(vertices=(50,), densities=(0.5,), samples=1)
    >>> sorted(experiment.work(next(experiment.jobs()).payload)["answer"])
    ['fraction', 'most', 'something']
    """

    vertices: tuple[int, ...] = (100, 400, 1600, 6400)
    edges: Mapping[int, float] | None = None
    densities: tuple[float, ...] = spaced(0.05, 1.0, 20)
    mines: float = 0.5
    labels: Labels = "planted"
    samples: int = 200
    seed: int = 1
    seconds: float = 60.0

    name: ClassVar[str] = "hypergraph"

    def __post_init__(self) -> None:
        edges = dict(self.edges or {3: 1.0})
        checked_sizes(self.vertices)
        if not self.densities or min(self.densities) <= 0:
            raise LabError(f"densities must be positive, not {list(self.densities)}")
        if any(size < 1 or size > min(self.vertices) for size in edges):
            raise LabError(f"hyperedges have 1 to {min(self.vertices)} vertices, not {list(edges)}")
        if min(edges.values()) < 0 or abs(sum(edges.values()) - 1) > 1e-9:
            raise LabError(f"the shares of hyperedge sizes must sum to 1, not {edges}")
        if self.labels not in ("planted", "strict"):
            raise LabError(f"labels are 'planted' or 'strict', not {self.labels!r}")
        if self.labels == "strict" and edges.get(1):
            raise LabError("a hyperedge of one vertex is always decided by its label")
        if not 0 < self.mines < 1 or self.samples < 1:
            raise LabError("the mine probability is between 0 and 1, and samples at least 1")
        object.__setattr__(self, "edges", {int(size): float(edges[size]) for size in sorted(edges)})

    @property
    def parameters(self) -> Record:
        """What the experiment is run with."""
        fields = super().parameters
        return fields | {"edges": {str(size): share for size, share in fields["edges"].items()}}

    def jobs(self) -> Iterator[Job]:
        """Yield a job per hypergraph; the first of every point comes before any second."""
        for sample in range(self.samples):
            for vertices in self.vertices:
                for density in self.densities:
                    seed = seed_of(self.seed, "hypergraph", vertices, density, sample)
                    yield Job(
                        f"n={vertices} density={density} sample={sample}",
                        {"vertices": vertices, "density": density, "sample": sample, "seed": seed},
                    )

    def work(self, payload: Record) -> Record:
        """Draw one hypergraph and find all that follows from its labels."""
        began = time.process_time()
        n: int = payload["vertices"]
        assert self.edges is not None
        sizes = list(self.edges)
        counts = [round(payload["density"] * share * n) for share in self.edges.values()]
        run = Run(self.seconds)
        strict = self.labels == "strict"
        try:
            *_, forced = planted_inference(
                n, sizes, counts, self.mines, strict, payload["seed"], run
            )
        except LimitExceeded:
            return self.failed(payload, f"stopped after {self.seconds:g} s")
        found = forced.count(1)
        answer = {"something": found > 0, "most": 2 * found > n, "fraction": found / n}
        spent = time.process_time() - began
        return {"answer": answer, "measured": {"seconds": round(spent, 6)}}

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write the figure and ``summary.csv``, and return the text of the report."""
        assert self.edges is not None
        groups = grouped(rows, ("vertices", "density"))
        points: dict[tuple[int, float], dict[str, Mean]] = {
            (n, density): {
                name: mean_of(answer[name] for answer in groups[n, density]) for name in _MEASURES
            }
            for n in self.vertices
            for density in self.densities
            if (n, density) in groups
        }
        write_table(
            [
                {"vertices": n, "density": density, "samples": found["fraction"].samples}
                | with_errors(found)
                for (n, density), found in points.items()
            ],
            directory / "summary.csv",
        )
        if points:
            self._draw(points, directory)
        shape = ", ".join(f"{share:g} of size {size}" for size, share in self.edges.items())
        shown = [
            {"n": n, "hyperedges / n": density}
            | {_MEASURES[name]: str(mean) for name, mean in found.items()}
            for (n, density), found in points.items()
        ]
        return page(
            "# Inference on random hypergraphs (section 5)",
            f"{self.samples} hypergraphs for each number of vertices and density, seed "
            f"{self.seed}; hyperedges: {shape}; labels *{self.labels}*; a vertex is a mine "
            f"with probability {self.mines:g}.",
            "![figure](hypergraph.png)",
            "How wide is the step from 10 % to 90 %? A sharp threshold has a width that goes "
            "to zero against its place as n grows; a coarse one keeps its width.",
            markdown(self._widths(points)),
            markdown(shown),
            failures(rows),
        )

    def _widths(self, points: dict[tuple[int, float], dict[str, Mean]]) -> list[dict[str, Any]]:
        lines = []
        for name in ("something", "most"):
            for n in self.vertices:
                places = [density for density in self.densities if (n, density) in points]
                values = [points[n, density][name].value for density in places]
                low, half, high = (crossing(places, values, level) for level in (0.1, 0.5, 0.9))
                wide = f"{high - low:.3f}" if low is not None and high is not None else "–"
                place = f"{half:.3f}" if half is not None else "–"
                lines.append({"": _MEASURES[name], "n": n, "at 50 %": place, "width": wide})
        return lines

    def _draw(self, points: dict[tuple[int, float], dict[str, Mean]], directory: Path) -> None:
        with figure(directory, self.name, columns=len(_MEASURES)) as axes:
            for axis, (name, label) in zip(axes, _MEASURES.items(), strict=True):
                for number, n in enumerate(self.vertices):
                    places = [density for density in self.densities if (n, density) in points]
                    means = [points[n, density][name] for density in places]
                    curve(axis, places, means, f"n = {n}", number)
                axis.set(xlabel="hyperedges per vertex", ylabel=label)
                axis.set_ylim(-0.03, 1.03)
            axes[0].legend()
