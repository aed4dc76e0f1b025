"""`sapper lab turns`: equations 10 and 11 of Dempsey & Guinn, with P and T measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from sapper._native import NO_LIMITS, play_turns
from sapper.game import seed_of
from sapper.lab.experiment import Record, Row
from sapper.lab.games import TorusGame
from sapper.lab.inference import InferenceRun
from sapper.lab.plots import curve, figure
from sapper.lab.statistics import Mean, mean_of
from sapper.lab.tables import failures, markdown, page, with_errors, write_table
from sapper.lab.torus import TorusExperiment, outcome, spaced
from sapper.limits import load

__all__ = ["Turns", "survival"]

_EARLY = 5
_ROUNDS = 200


@dataclass(frozen=True, kw_only=True)
class Turns(TorusExperiment):
    """The chance P to be stuck on a turn, the turns T of a whole game, and α from both.

    Frozen: threads can share one.

    A turn makes every inference of a state (step 5 of the paper's algorithm). P is the number of
    games that got stuck over the number of turns that were tried, the stuck one included: the
    maximum-likelihood estimate if every turn has the same chance. T is the mean number of turns to
    the end, where a stuck game goes on with a hint: a safe cell is uncovered.

    Examples
    --------
    >>> experiment = Turns(sizes=(12,), densities=(0.15,), games=1)
    >>> (job,) = experiment.jobs()
    >>> answer = experiment.work(job.payload)["answer"]
    >>> answer["turns"] <= answer["all_turns"], answer["stuck"] == (answer["hints"] > 0)
    (True, True)
    """

    densities: tuple[float, ...] = spaced(0.14, 0.32, 19)

    name: ClassVar[str] = "turns"

    def play(self, game: TorusGame) -> Record:
        """Play a board in turns, with hints to its end."""
        seed = seed_of("hints", game.layout.mined.hex())
        status, turns, stuck, all_turns, hints = play_turns(*game.native, seed, NO_LIMITS)
        return outcome(InferenceRun(game.layout, status)) | {
            "turns": turns,
            "stuck": stuck,
            "all_turns": all_turns,
            "hints": hints,
        }

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write the figure and ``summary.csv``, and return the text of the report."""
        points = {
            place: _Point.of(answers, self.seed) for place, answers in self.found(rows).items()
        }
        write_table(
            [
                {"N": size, "rho": density, "games": point.alpha.samples}
                | with_errors(point._asdict())
                for (size, density), point in points.items()
            ],
            directory / "summary.csv",
        )
        if points:
            self._draw(points, directory)
        shown = [
            {
                "N": size,
                "ρ": density,
                "α": str(point.alpha),
                "(1 − P)^T": str(point.power),
                "E[min(n, T)]/T": str(point.partial),
                "P": _rate(point.stuck),
                f"in the first {_EARLY} turns": _rate(point.early),
                "later": _rate(point.late),
                "T": f"{point.turns.value:.1f} ± {point.turns.error:.1f}",
            }
            for (size, density), point in points.items()
        ]
        return page(
            "# Turns: equations 10 and 11",
            f"{self.games} games for each size and density, seed {self.seed}, start rule "
            f"*{self.start}*. P: chance to be stuck on a turn; T: turns to the end, with hints. "
            "(1 − P)^T is the paper's α, and E[min(n, T)]/T the fraction of turns played if each "
            "has the chance P to be the last. Errors of both by a bootstrap over games.",
            "![figure](turns.png)",
            markdown(shown),
            failures(rows),
        )

    def _draw(self, points: dict[tuple[int, float], _Point], directory: Path) -> None:
        with figure(directory, self.name, columns=3) as axes:
            for number, size in enumerate(self.sizes):
                places = [density for density in self.densities if (size, density) in points]
                found = [points[size, density] for density in places]
                curve(axes[0], places, [p.alpha for p in found], f"α, N = {size}", number)
                style: dict[str, Any] = {"linestyle": ":", "marker": "none"}
                label = "$(1-P)^T$" if size == self.sizes[-1] else "_"
                curve(axes[0], places, [p.power for p in found], label, number, **style)
                # A logarithmic axis has no place for nothing.
                some = [(d, p.stuck) for d, p in zip(places, found, strict=True) if p.stuck.value]
                curve(axes[1], [d for d, _ in some], [m for _, m in some], f"N = {size}", number)
                curve(axes[2], places, [p.turns for p in found], f"N = {size}", number)
            axes[0].set_ylabel(r"fraction of mines flagged $\alpha$")
            axes[1].set_ylabel("P: chance to be stuck on a turn")
            axes[2].set_ylabel("T: turns to the end, with hints")
            axes[1].set_yscale("log")
            axes[2].set_yscale("log")
            for axis in axes:
                axis.set_xlabel(r"mine density $\rho$")
                axis.legend()


def _rate(mean: Mean) -> str:
    # No game may have lasted so long.
    return f"{mean.value:.2g} ± {mean.error:.1g}" if isfinite(mean.value) else "–"


def survival(stuck: float, turns: float) -> tuple[float, float]:
    """Return (1 − P)^T and the expected fraction of T turns if each has the chance P to be stuck.

    Examples
    --------
    >>> survival(0.0, 9.0), survival(0.5, 2.0)
    ((1.0, 1.0), (0.25, 0.375))
    """
    power = (1 - stuck) ** turns
    if stuck == 0 or turns == 0:
        return power, 1.0
    return power, (1 - stuck) * (1 - power) / (stuck * turns)


class _Point(NamedTuple):
    """What is measured at one size and density."""

    alpha: Mean
    power: Mean
    partial: Mean
    stuck: Mean
    early: Mean
    late: Mean
    turns: Mean

    @classmethod
    def of(cls, answers: list[dict[str, Any]], seed: int) -> _Point:
        load("numpy")
        import numpy as np

        played = np.array([answer["turns"] for answer in answers], dtype=float)
        stuck = np.array([answer["stuck"] for answer in answers], dtype=float)
        whole = np.array([answer["all_turns"] for answer in answers], dtype=float)
        # Turns that were tried: those played, and the one on which a game was stuck.
        tried = played + stuck
        early = np.minimum(tried, _EARLY)
        soon = stuck * (tried <= _EARLY)
        parts = (stuck, tried), (soon, early), (stuck - soon, tried - early)
        random = np.random.default_rng(seed)
        draws = random.integers(len(answers), size=(_ROUNDS, len(answers)))

        def rate(part: Any, of: Any, draw: Any) -> float:
            total = float(of[draw].sum())
            return float(part[draw].sum()) / total if total else float("nan")

        def all_of(draw: Any) -> list[float]:
            rates = [rate(part, of, draw) for part, of in parts]
            return [*survival(rates[0], float(whole[draw].mean())), *rates]

        values = all_of(np.arange(len(answers)))
        again = np.array([all_of(draw) for draw in draws])
        errors = np.nanstd(again, axis=0) if np.isfinite(again).any(axis=0).all() else [0.0] * 5
        power, partial, rate_all, rate_early, rate_late = (
            Mean(value, float(error), len(answers))
            for value, error in zip(values, errors, strict=True)
        )
        alpha, turns = mean_of(a["alpha"] for a in answers), mean_of(whole.tolist())
        return cls(alpha, power, partial, rate_all, rate_early, rate_late, turns)
