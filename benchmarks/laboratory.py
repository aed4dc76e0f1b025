"""Play by inference, cores and percolation: what the experiments of the laboratory rest on."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.harness import Options, Report, duration
from sapper._native import NO_LIMITS, play_measured
from sapper.game import seed_of
from sapper.lab import LimitedPool, Percolation, PhaseTransition, Run, TorusGame, inferred
from sapper.lab.experiment import Experiment

WORKERS = 2
BOARDS = ((80, 0.20, 300), (40, 0.25, 500), (320, 0.20, 10))


def run_play(options: Options) -> Report:
    """Games by inference alone on one core."""
    rows, raw = [], []
    for size, density, full in BOARDS:
        count = max(2, full // 20) if options.quick else full
        games = [
            TorusGame.drawn(size, density, seed_of("benchmark", size, density, number))
            for number in range(count)
        ]
        native = _each(games, _play)
        cores = _each(games[: max(2, count // 5)], _measure)
        sat = [] if size > 80 else _each(games[:2], _by_sat)
        rows.append(
            [
                str(size),
                f"{density:.2f}",
                f"{1 / statistics.fmean(native):,.0f}",
                duration(statistics.fmean(native)),
                duration(max(native)),
                duration(statistics.fmean(cores)),
                f"{1 / statistics.fmean(sat):.1f}" if sat else "–",
            ]
        )
        raw.append(
            {"size": size, "density": density, "play": native, "sequential": cores, "sat": sat}
        )
    return Report(
        name="play",
        title="Play by inference",
        text="N×N tori, boards of the laboratory; CPU seconds of this process, one core. Every "
        "inference is found. *Sequential* also measures the minimal core of each inference that "
        'single points do not give. *sat* is the same game by `method="sat"`, which looks at '
        "the whole board after each round.",
        columns=[
            "N",
            "ρ",
            "games a second",
            "mean",
            "slowest",
            "with cores, sequential",
            "sat, games a second",
        ],
        rows=rows,
        raw=raw,
        packages=["python-sat"],
    )


def _each(games: list[TorusGame], play: Callable[[TorusGame], object]) -> list[float]:
    spent = []
    for game in games:
        began = time.process_time()
        play(game)
        spent.append(time.process_time() - began)
    return spent


def _play(game: TorusGame) -> bytes:
    return inferred(*game).status


def _measure(game: TorusGame) -> object:
    return play_measured(*game.native, "sequential", "rings", False, False, False, NO_LIMITS)


def _by_sat(game: TorusGame) -> None:
    if inferred(*game, method="sat").status != _play(game):
        raise AssertionError("sat plays another game")


def run_figures(options: Options) -> Report:
    """Whole figures on two processes, results on disk included."""
    alpha = PhaseTransition(protocols=(), games=10 if options.quick else 300)
    clusters = Percolation(samples=1 if options.quick else 100)
    rows, raw = [], []
    for name, experiment in (("figure 3, α", alpha), ("figure 5", clusters)):
        spent, work = _whole(experiment)
        jobs = sum(1 for _ in experiment.jobs())
        rows.append([name, f"{jobs:,}", duration(spent), duration(work)])
        raw.append({"figure": name, "jobs": jobs, "clock": spent, "cpu": work})
    return Report(
        name="figures",
        title="Whole figures of the laboratory",
        text=f"`sapper lab` with {WORKERS} workers: α at 3 sizes, 25 densities, 300 games each; "
        "clusters on 1000×1000 sites, 40 densities and 40 probabilities, 100 lattices each.",
        columns=["figure", "jobs", "by the clock", "CPU seconds of the jobs"],
        rows=rows,
        raw=raw,
        packages=["numpy"],
    )


def _whole(experiment: Experiment) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        run = Run(experiment, Path(folder) / "run")
        began = time.perf_counter()
        with LimitedPool(WORKERS) as pool:
            run.execute(pool, ahead=4 * WORKERS)
        spent = time.perf_counter() - began
        return spent, sum(row.result["measured"]["seconds"] for row in run.rows())
