"""`sapper lab hypergraph`: inference on random hypergraphs (Dempsey & Guinn, section 5)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias, get_args

from sapper._native import Run, planted_inference
from sapper.errors import LimitExceeded, expect, quoted
from sapper.game import seed_of
from sapper.lab.experiment import BaseExperiment, Job, Record, Row, timed
from sapper.lab.fits import crossing
from sapper.lab.games import LabError, checked_sizes
from sapper.lab.least_squares import chi_squared_tail, with_error
from sapper.lab.plots import COLOURS, curve, figure
from sapper.lab.small_structures import start_probability
from sapper.lab.statistics import Mean, mean_of
from sapper.lab.tables import grouped, markdown, page, with_errors, write_table
from sapper.lab.torus import spaced
from sapper.limits import load

__all__ = ["HyperedgeMeasure", "Hypergraphs", "Labels"]

Labels: TypeAlias = Literal["planted", "strict", "free", "free-strict"]
"""How hyperedges get their labels.

``"planted"``: each is the number of mines in a hyperedge of a random mine field. ``"strict"``: so
too, but hyperedges whose label alone decides them, 0 or all, are drawn again. ``"free"``: a uniform
integer from 0 to the size of the hyperedge, as in the paper; labels can contradict each other.
``"free-strict"``: so too, from 1 to the size less 1.
"""

HyperedgeMeasure: TypeAlias = Literal["fixed", "independent"]
"""Which hyperedges there are.

``"fixed"``: a given number of each size, drawn uniformly. ``"independent"``: each possible
hyperedge of a size is there with the same probability, independently, as in the paper.
"""

_DRAWN: Final = 200
_MEASURES: Final = {
    "something": "P(something is inferred)",
    "most": "P(more than half is inferred)",
    "fraction": "fraction inferred",
}


@dataclass(frozen=True, kw_only=True)
class Hypergraphs(BaseExperiment):
    """The probability that a vertex can be inferred, against the density of hyperedges.

    Frozen: threads can share one.

    Parameters
    ----------
    vertices : tuple of int
        Numbers of vertices n.
    edges : mapping of int to float
        Sizes of hyperedges, and which share of all have each.
    densities : tuple of float
        Hyperedges per vertex: density · share · n of each size, rounded or on average.
    mines : float
        Probability that a vertex is a mine.
    labels : str
        How hyperedges get theirs; see `Labels`.
    measure : str
        ``"fixed"`` or ``"independent"``; see `HyperedgeMeasure`.
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
    ['consistent', 'fraction', 'hyperedges', 'most', 'something']
    """

    vertices: tuple[int, ...] = (100, 400, 1600, 6400)
    edges: Mapping[int, float] | None = None
    densities: tuple[float, ...] = spaced(0.05, 1.0, 20)
    mines: float = 0.5
    labels: Labels = "planted"
    measure: HyperedgeMeasure = "fixed"
    samples: int = 200
    seed: int = 1
    seconds: float = 60.0

    name: ClassVar[str] = "hypergraph"

    def __post_init__(self) -> None:
        expect(self.edges, Mapping | None, "edges are shares by size, such as {3: 1.0}")
        edges = dict(self.edges or {3: 1.0})
        checked_sizes(self.vertices)
        if not self.densities or min(self.densities) <= 0:
            raise LabError(f"densities must be positive, not {quoted(list(self.densities))}")
        if any(size < 1 or size > min(self.vertices) for size in edges):
            raise LabError(f"hyperedges have 1 to {min(self.vertices)} vertices, not {list(edges)}")
        if min(edges.values()) < 0 or abs(sum(edges.values()) - 1) > 1e-9:
            raise LabError(f"the shares of hyperedge sizes must sum to 1, not {edges}")
        if self.labels not in get_args(Labels):
            raise LabError(f"labels are {', '.join(get_args(Labels))}, not {quoted(self.labels)}")
        if self.measure not in get_args(HyperedgeMeasure):
            raise LabError(f"the measure is fixed or independent, not {quoted(self.measure)}")
        if self.measure == "independent" and any(
            math.comb(max(self.vertices), size) >= 1 << 63 for size in edges
        ):
            raise LabError(f"too many hyperedges of {max(edges)} vertices to draw from")
        if self.labels.endswith("strict") and edges.get(1):
            raise LabError("a hyperedge of one vertex is always decided by its label")
        if not 0 < self.mines < 1 or self.samples < 1:
            raise LabError("the mine probability is between 0 and 1, and samples at least 1")
        object.__setattr__(self, "edges", {int(size): float(edges[size]) for size in sorted(edges)})

    @property
    def parameters(self) -> Record:
        """What the experiment is run with."""
        fields = super().parameters
        made = fields | {"edges": {str(size): share for size, share in fields["edges"].items()}}
        if self.measure == "fixed":  # runs from before there was a choice go on
            del made["measure"]
        return made

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
        try:
            return self._inferred(payload)
        except LimitExceeded:
            return self.failed(payload, f"stopped after {self.seconds:g} s")

    @timed
    def _inferred(self, payload: Record) -> Record:
        n: int = payload["vertices"]
        assert self.edges is not None
        counts = self._counts(payload)
        *_, forced = planted_inference(
            n,
            list(self.edges),
            counts,
            self.mines,
            self.labels.endswith("strict"),
            self._free,
            self.measure == "independent",
            payload["seed"],
            Run(self.seconds),
        )
        answer: Record = {"hyperedges": sum(counts), "consistent": forced is not None}
        if forced is not None:
            found = forced.count(1)
            answer |= {"something": found > 0, "most": 2 * found > n, "fraction": found / n}
        return answer

    def _counts(self, payload: Record) -> list[int]:
        """Return how many hyperedges of each size there are."""
        assert self.edges is not None
        n: int = payload["vertices"]
        expected = [payload["density"] * share * n for share in self.edges.values()]
        if self.measure == "fixed":
            return [round(count) for count in expected]
        load("numpy")
        import numpy as np

        random = np.random.default_rng(seed_of(payload["seed"], "hyperedges"))
        return [
            int(random.binomial(room := math.comb(n, size), min(1.0, count / room)))
            for size, count in zip(self.edges, expected, strict=True)
        ]

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write the figure and ``summary.csv``, and return the text of the report."""
        assert self.edges is not None
        groups = grouped(rows, ("vertices", "density"))
        points: dict[tuple[int, float], dict[str, Mean]] = {}
        for place in product(self.vertices, self.densities):
            if place in groups:
                # What is inferred is asked of labels that do not contradict each other.
                sound = [answer for answer in groups[place] if answer.get("consistent", True)]
                points[place] = {
                    name: mean_of(answer[name] for answer in sound) for name in _MEASURES
                } | {"consistent": mean_of(a.get("consistent", True) for a in groups[place])}
        stopped = Counter(
            (row.payload["vertices"], row.payload["density"])
            for row in rows
            if "failure" in row.result["measured"]
        )
        lines = [
            {"vertices": n, "density": density, "samples": found["consistent"].samples}
            | {"stopped": stopped[n, density]}
            | with_errors(found)
            | ({} if (theory := self._theory(n, density)) is None else {"theory": theory})
            for (n, density), found in points.items()
        ]
        write_table(lines, directory / "summary.csv")
        if points:
            self._draw(points, directory)
        shape = ", ".join(f"{share:g} of size {size}" for size, share in self.edges.items())
        shown = [
            {"n": n, "hyperedges / n": density}
            | {_MEASURES[name]: str(found[name]) for name in _MEASURES}
            | ({} if (theory := self._theory(n, density)) is None else {"counted": f"{theory:.4f}"})
            | ({"consistent": str(found["consistent"])} if self._free else {})
            | ({"stopped": str(count)} if (count := stopped[n, density]) else {})
            for (n, density), found in points.items()
        ]
        return page(
            "# Inference on random hypergraphs (section 5)",
            f"{self.samples} hypergraphs for each number of vertices and density, seed "
            f"{self.seed}; hyperedges: {shape}, *{self.measure}*; labels *{self.labels}*; a vertex "
            f"is a mine with probability {self.mines:g}.",
            "![figure](hypergraph.png)",
            "How wide is the step from 10 % to 90 %? A sharp threshold has a width that goes "
            "to zero against its place as n grows; a coarse one keeps its width.",
            markdown(self._widths(points)),
            self._agreement(points),
            markdown(shown),
            [f"- **{stopped.total()} were stopped after {self.seconds:g} s** and are left out."]
            if stopped
            else [],
        )

    @property
    def _free(self) -> bool:
        return self.labels.startswith("free")

    def _theory(self, n: int, density: float) -> float | None:
        """Return P(something) from counting small structures (see `small_structures`)."""
        assert self.edges is not None
        return start_probability(self.edges, density, self.mines, self.labels, n)

    def _agreement(self, points: dict[tuple[int, float], dict[str, Mean]]) -> list[str]:
        """Return χ² of what was measured against what was counted, for each n.

        The errors are those of the counted chances; points where fewer than five hypergraphs are
        expected on either side are left out.
        """
        lines = []
        for n in self.vertices:
            chi2, used = 0.0, 0
            for density in self.densities:
                theory = self._theory(n, density)
                if theory is None or (n, density) not in points:
                    continue
                found = points[n, density]["something"]
                if found.samples * min(theory, 1 - theory) < 5:
                    continue
                chi2 += (found.value - theory) ** 2 * found.samples / (theory * (1 - theory))
                used += 1
            if used:
                lines.append(
                    f"- n = {n}: counted small structures against P(something) at {used} "
                    f"densities: χ² = {chi2:.1f}, p = {chi_squared_tail(chi2, used):.2g}."
                )
        return lines

    def _widths(self, points: dict[tuple[int, float], dict[str, Mean]]) -> list[dict[str, Any]]:
        lines = []
        for name in ("something", "most"):
            for n in self.vertices:
                means = {d: points[n, d][name] for d in self.densities if (n, d) in points}
                known = {density: mean for density, mean in means.items() if mean.samples}
                place, wide = _step(list(known), list(known.values()))
                lines.append({"": _MEASURES[name], "n": n, "at 50 %": place, "width": wide})
        return lines

    def _draw(self, points: dict[tuple[int, float], dict[str, Mean]], directory: Path) -> None:
        with figure(directory, self.name, columns=len(_MEASURES)) as axes:
            for axis, (name, label) in zip(axes, _MEASURES.items(), strict=True):
                for number, n in enumerate(self.vertices):
                    places = [density for density in self.densities if (n, density) in points]
                    means = [points[n, density][name] for density in places]
                    curve(axis, places, means, f"n = {n}", number)
                    counted = [(d, p) for d in places if (p := self._theory(n, d)) is not None]
                    if name == "something" and counted:
                        colour = COLOURS[number % len(COLOURS)]
                        style: dict[str, Any] = {"color": colour, "ls": ":", "lw": 1}
                        if n == self.vertices[-1]:
                            style["label"] = "counted"
                        axis.plot(*zip(*counted, strict=True), **style)
                axis.set(xlabel="hyperedges per vertex", ylabel=label)
                axis.set_ylim(-0.03, 1.03)
            axes[0].legend()


def _step(places: list[float], means: list[Mean]) -> tuple[str, str]:
    """Return where chances pass 1/2, and how far it is from 10 % to 90 %, with standard errors.

    The errors are those of 200 runs drawn with the measured chances.
    """
    import numpy as np

    def found(values: Any) -> tuple[float | None, float | None]:
        low, half, high = (crossing(places, list(values), level) for level in (0.1, 0.5, 0.9))
        return half, high - low if low is not None and high is not None else None

    random = np.random.default_rng(1)
    samples = np.array([mean.samples for mean in means], dtype=np.int64)
    chances = np.array([mean.value for mean in means])
    drawn = [found(random.binomial(samples, chances) / samples) for _ in range(_DRAWN)]
    shown = []
    for value, others in zip(found(chances), zip(*drawn, strict=True), strict=True):
        known = [other for other in others if other is not None]
        error = float(np.std(known)) if known else 0.0
        # A place that one run in ten does not have is no place, nor is one between two certainties.
        clear = len(known) > 0.9 * _DRAWN and error > 1e-9
        shown.append(with_error(value, error) if clear and value else "–")
    return shown[0], shown[1]
