"""`sapper lab scaling`: how the transition moves and sharpens as the board grows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sapper.lab.experiment import Row
from sapper.lab.fits import Crossing, Fit, half_crossing, power_law, resampled, saturating
from sapper.lab.games import LabError
from sapper.lab.plots import COLOURS, curve, figure, size_axis
from sapper.lab.statistics import mean_of
from sapper.lab.tables import failures, grouped, markdown, page, write_table
from sapper.lab.torus import TorusExperiment, spaced
from sapper.limits import load

if TYPE_CHECKING:
    from sapper.lab.fits import Array

__all__ = ["Scaling"]

_ROUNDS = 200
_STARTED = 0.1


@dataclass(frozen=True, kw_only=True)
class Scaling(TorusExperiment):
    """Where α crosses 1/2 and how steep it is there, for growing N.

    Frozen: threads can share one.

    For each size the crossing ρ½, and the mean slope from there to where α is 1/4, come from the
    falling polyline nearest to the means; then ρ½(N) = ρ∞ + a·N^−b and −dα/dρ = c·N^d are fitted
    over the sizes. Uncertainties are those of a bootstrap over games through the whole chain.
    """

    sizes: tuple[int, ...] = (20, 40, 80, 160, 320)
    densities: tuple[float, ...] = spaced(0.23, 0.32, 37)
    games: int = 200

    name: ClassVar[str] = "scaling"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.densities) < 3 or list(self.densities) != sorted(self.densities):
            raise LabError("scaling needs at least three densities, ascending")

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write the figure and ``summary.csv``, and return the text of the report."""
        groups = grouped(rows, ("size", "density"))
        alphas = {
            size: {
                density: [answer["alpha"] for answer in groups[size, density]]
                for density in self.densities
                if (size, density) in groups
            }
            for size in self.sizes
        }
        table = [
            {
                "N": size,
                "rho": density,
                "games": len(values),
                "alpha": (mean := mean_of(values)).value,
                "alpha_se": mean.error,
                "started": sum(value > _STARTED for value in values) / len(values),
            }
            | (
                {"alpha_started": mean_of(going).value}
                if (going := [value for value in values if value > _STARTED])
                else {}
            )
            for size, found in alphas.items()
            for density, values in found.items()
        ]
        write_table(table, directory / "summary.csv")
        chains = {size: found for size in self.sizes if (found := self._chain(alphas[size]))}
        lines = [
            {
                "N": size,
                "ρ½": str(_spread([c and c.place for c in chain])),
                "−dα/dρ below ρ½": f"{(s := _spread([c and -c.slope for c in chain])).value:.1f} "
                f"± {s.error:.1f}",
            }
            for size, chain in chains.items()
        ]
        fits = self._fits(chains)
        if table:
            self._draw(alphas, chains, fits, directory)
        return page(
            "# Finite-size scaling of the transition",
            f"{self.games} games for each size and density, seed {self.seed}, start rule "
            f"*{self.start}*. ρ½ is where the mean flagged fraction α crosses 1/2, on the "
            "falling polyline nearest to the means, and the slope is the mean slope from there "
            "to α = 1/4; uncertainties by a bootstrap over games.",
            "![figure](scaling.png)",
            markdown(lines),
            self._words(fits),
            "*Started* games flag more than a tenth of the mines; the others get stuck near "
            "the start, whatever the size of the board.",
            markdown([{name: _short(value) for name, value in line.items()} for line in table]),
            failures(rows),
        )

    def _chain(self, found: dict[float, list[float]]) -> list[Crossing | None]:
        """Return the crossing of the data, then those of bootstrap resamples."""
        load("numpy")
        import numpy as np

        places = list(found)
        samples = [np.array(values) for values in found.values()]
        means, drawn = resampled(samples, _ROUNDS, self.seed)
        first = half_crossing(places, means.tolist())
        if first is None:
            return []
        return [first, *(half_crossing(places, again.tolist()) for again in drawn)]

    def _fits(self, chains: dict[int, list[Crossing | None]]) -> dict[str, Fit]:
        if len(chains) < 4:
            return {}
        sizes = list(chains)
        errors = [_spread([c and c.place for c in chain]).error for chain in chains.values()]
        found: dict[str, list[float]] = {name: [] for name in ("limit", "a", "b", "c", "d")}
        for crossings in zip(*chains.values(), strict=True):
            if any(c is None or c.slope >= 0 for c in crossings):
                continue
            places, slopes = [c.place for c in crossings if c], [-c.slope for c in crossings if c]
            values = (*saturating(sizes, places, errors), *power_law(sizes, slopes))
            for name, value in zip(found, values, strict=True):
                found[name].append(value)
        return {name: _spread(values) for name, values in found.items()}

    def _words(self, fits: dict[str, Fit]) -> list[str]:
        if not fits:
            return [
                "**Not determined:** four sizes whose α crosses 1/2 are needed for a fit of three "
                "parameters over sizes."
            ]
        loose = [name for name in ("limit", "b", "d") if _is_loose(fits[name])]
        if loose:
            named = ", ".join({"limit": "ρ∞"}.get(name, name) for name in loose)
            return [f"**Not determined:** {named}: the error is as large as the value."]
        apart = abs(fits["b"].value - fits["d"].value) / math.hypot(
            fits["b"].error, fits["d"].error
        )
        sharper = fits["d"].value - 2 * fits["d"].error > 0
        return [
            f"- ρ½(N) = ρ∞ + a·N^−b with ρ∞ = {fits['limit']}, a = {fits['a']}, b = {fits['b']}.",
            f"- −dα/dρ below ρ½ = c·N^d with c = {fits['c']}, d = {fits['d']}: "
            + (
                "the slope grows with N, as at a sharp transition."
                if sharper
                else "no growth of the slope with N beyond two standard errors."
            ),
            f"- b and d are {apart:.1f} standard errors apart. Simple finite-size scaling has one "
            "exponent for both" + ("; it does not hold here." if apart > 3 else "."),
        ]

    def _draw(self, alphas: Any, chains: Any, fits: dict[str, Fit], directory: Path) -> None:
        load("numpy")
        import numpy as np

        with figure(directory, self.name, columns=3 if chains else 1) as axes:
            for number, size in enumerate(self.sizes):
                means = [mean_of(values) for values in alphas[size].values()]
                curve(axes[0], list(alphas[size]), means, f"N = {size}", number)
            axes[0].axhline(0.5, color="grey", lw=0.7, ls="--")
            axes[0].set(xlabel=r"mine density $\rho$", ylabel=r"fraction of mines flagged $\alpha$")
            axes[0].set_ylim(-0.03, 1.03)
            axes[0].legend()
            if not chains:
                return
            sizes = np.array(list(chains), dtype=float)
            halves = [_spread([c and c.place for c in chain]) for chain in chains.values()]
            slopes = [_spread([c and -c.slope for c in chain]) for chain in chains.values()]
            for axis, data in zip(axes[1:], (halves, slopes), strict=True):
                style: dict[str, Any] = {"fmt": "o", "color": COLOURS[0], "elinewidth": 0.8}
                axis.errorbar(sizes, [f.value for f in data], yerr=[f.error for f in data], **style)
                size_axis(axis, list(chains), "N")
            axes[1].set_ylabel(r"$\rho_{1/2}$, where $\alpha$ crosses 1/2")
            axes[2].set_ylabel(r"$-d\alpha/d\rho$ from 1/2 to 1/4")
            axes[2].set_yscale("log")
            for formatter in (axes[2].yaxis.set_major_formatter, axes[2].yaxis.set_minor_formatter):
                formatter(lambda value, _: f"{value:g}")
            if fits:
                along: Array = np.geomspace(sizes.min(), sizes.max(), 60)
                limit, a, b, c, d = (fits[name].value for name in ("limit", "a", "b", "c", "d"))
                axes[1].plot(along, limit + a * along**-b, color=COLOURS[1])
                axes[1].set_title(rf"$\rho_\infty$ = {fits['limit']}")
                axes[2].plot(along, c * along**d, color=COLOURS[1])
                axes[2].set_title(
                    rf"$\propto N^d$, d = {fits['d'].value:.2f} ± {fits['d'].error:.2f}"
                )


def _is_loose(fit: Fit) -> bool:
    return not fit.error < abs(fit.value)


def _spread(values: Sequence[float | None]) -> Fit:
    """Return the first value, and the standard deviation of the others."""
    found = [value for value in values if value is not None]
    if len(found) < 3:
        return Fit(found[0] if found else float("nan"), float("nan"))
    rest = found[1:]
    middle = sum(rest) / len(rest)
    return Fit(found[0], (sum((v - middle) ** 2 for v in rest) / (len(rest) - 1)) ** 0.5)


def _short(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
