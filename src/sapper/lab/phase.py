"""`sapper lab phase-transition`: figure 3 of Dempsey & Guinn, measured again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from sapper._native import NO_LIMITS, integers, play_measured
from sapper.errors import quoted
from sapper.lab.experiment import Record, Row
from sapper.lab.games import LabError, TorusGame
from sapper.lab.inference import (
    EXTRACTIONS,
    PROTOCOLS,
    Extraction,
    InferenceRun,
    Protocol,
    inferred,
)
from sapper.lab.plots import curve, figure
from sapper.lab.statistics import Mean, mean_of
from sapper.lab.tables import failures, markdown, page, with_errors, write_table
from sapper.lab.torus import TorusExperiment, outcome

__all__ = ["PhaseTransition"]


@dataclass(frozen=True, kw_only=True)
class PhaseTransition(TorusExperiment):
    """The fraction α of mines that inference flags, and the largest minimal core it meets.

    Frozen: threads can share one.

    Parameters
    ----------
    protocols : tuple of str
        Which inferences are measured; see `Protocol`. None: only α, which is much faster.
    smallest : bool
        Also find smallest cores, on the same inferences. This can take long near the transition.
    extraction : str
        How minimal cores are made; see `Extraction`.
    use_total : bool
        Let the player know the number of mines, which the paper does not; without protocols only.

    Examples
    --------
    >>> experiment = PhaseTransition(sizes=(10,), densities=(0.15,), games=1)
    >>> (job,) = experiment.jobs()
    >>> answer = experiment.work(job.payload)["answer"]
    >>> answer["mines"], answer["alpha"], answer["core_sequential"]
    (15, 1.0, 1)
    """

    protocols: tuple[Protocol, ...] = ("sequential",)
    smallest: bool = False
    extraction: Extraction = "rings"
    use_total: bool = False

    name: ClassVar[str] = "phase-transition"

    def __post_init__(self) -> None:
        super().__post_init__()
        wrong = [name for name in self.protocols if name not in PROTOCOLS]
        if wrong or len(set(self.protocols)) < len(self.protocols):
            raise LabError(
                f"protocols are {', '.join(PROTOCOLS)}, not {quoted(list(self.protocols))}"
            )
        if self.smallest and not self.protocols:
            raise LabError("smallest cores need a protocol that says which inferences to measure")
        if self.extraction not in EXTRACTIONS:
            raise LabError(
                f"cores are made by {', '.join(EXTRACTIONS)}, not {quoted(self.extraction)}"
            )
        if self.use_total and self.protocols:
            raise LabError("cores are measured without the mine total; use it without protocols")

    @property
    def parameters(self) -> Record:
        """What the experiment is run with."""
        made = super().parameters
        if self.extraction == "rings":  # runs from before there was a choice go on
            del made["extraction"]
        return made

    def play(self, game: TorusGame) -> Record:
        """Play a board once per protocol."""
        if self.use_total:
            return outcome(inferred(*game, use_total=True))
        if not self.protocols:
            return super().play(game)
        answer: Record = {}
        for protocol in self.protocols:
            status, packed, _, singles = play_measured(
                *game.native, protocol, self.extraction, self.smallest, False, False, NO_LIMITS
            )
            answer |= outcome(InferenceRun(game.layout, status))
            cores = integers(packed)
            # A game of single points has cores of one clue; without inferences there is none.
            answer[f"core_{protocol}"] = max(cores[1::4], default=int(singles))
            answer[f"inferences_{protocol}"] = len(cores) // 4
            if self.smallest:
                answer[f"smallest_{protocol}"] = max(cores[2::4], default=int(singles))
        return answer

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write the figure and ``summary.csv``, and return the text of the report."""
        points = self._points(rows)
        lines = [
            {"N": size, "rho": density, "games": found["alpha"].samples} | with_errors(found)
            for (size, density), found in points.items()
        ]
        write_table(lines, directory / "summary.csv")
        if points:
            self._draw(points, directory)
        shown = [
            {"N": size, "ρ": density, "games": found["alpha"].samples}
            | {_TITLES.get(name, name): str(mean) for name, mean in found.items()}
            for (size, density), found in points.items()
        ]
        return page(
            "# The phase transition of Minesweeper (figure 3)",
            f"{self.games} games for each size and density, seed {self.seed}, start rule "
            f"*{self.start}*. α is the mean fraction of mines flagged by inference alone, "
            f"± its standard error; the mine total is {'' if self.use_total else 'not '}used. "
            "Core: the mean over games of the largest minimal core met, made "
            f"{EXTRACTIONS[self.extraction]}; the assumed literal is not counted.",
            [f"- *{name}*: {PROTOCOLS[name]}." for name in self.protocols],
            "![figure](phase-transition.png)",
            markdown(shown),
            failures(rows),
        )

    def _measures(self) -> list[str]:
        kinds = ("core", "smallest") if self.smallest else ("core",)
        return ["alpha", *(f"{kind}_{name}" for name in self.protocols for kind in kinds)]

    def _points(self, rows: Sequence[Row]) -> dict[tuple[int, float], dict[str, Mean]]:
        return {
            place: {name: mean_of(answer[name] for answer in answers) for name in self._measures()}
            for place, answers in self.found(rows).items()
        }

    def _draw(self, points: dict[tuple[int, float], dict[str, Mean]], directory: Path) -> None:
        panels = 1 + len(self.protocols)
        columns, rows = (2, 2) if panels == 4 else (panels, 1)
        with figure(directory, self.name, columns, rows) as axes:
            self._curves(axes[0], points, "alpha")
            axes[0].set(xlabel=r"mine density $\rho$", ylabel=r"fraction of mines flagged $\alpha$")
            axes[0].set_ylim(-0.03, 1.03)
            axes[0].set_title("inference")
            axes[0].legend()
            for axis, protocol in zip(axes[1:], self.protocols, strict=True):
                self._curves(axis, points, f"core_{protocol}")
                if self.smallest:
                    style = {"linestyle": ":", "alpha": 0.8}
                    self._curves(axis, points, f"smallest_{protocol}", " smallest", **style)
                axis.set(xlabel=r"mine density $\rho$", ylabel="largest minimal core (clues)")
                axis.set_ylim(bottom=0)
                axis.set_title(f"cores, {protocol}")
                axis.legend()

    def _curves(self, axis: Any, points: Any, name: str, suffix: str = "", **style: Any) -> None:
        for number, size in enumerate(self.sizes):
            places = [density for density in self.densities if (size, density) in points]
            means = [points[size, density][name] for density in places]
            curve(axis, places, means, f"N = {size}{suffix}", number, **style)


_TITLES = {"alpha": "α"} | {
    f"{kind}_{name}": f"{word} {name}"
    for name in PROTOCOLS
    for kind, word in (("core", "core"), ("smallest", "smallest core"))
}
