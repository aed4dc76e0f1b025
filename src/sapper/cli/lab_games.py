"""`sapper lab phase-transition`, `k-set` and `scaling`: games on tori."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from sapper.cli.lab_options import Densities, Games, Seed, Sizes, Start, densities_of, integers_of
from sapper.cli.lab_run import Work
from sapper.cli.shared import taking
from sapper.cli.task import UsageError

__all__ = ["register"]


def register(lab: typer.Typer) -> None:
    """Add the commands to the group."""
    lab.command("phase-transition")(taking(Work, phase_transition))
    lab.command("k-set")(taking(Work, k_set))
    lab.command("scaling")(taking(Work, scaling))


def phase_transition(
    work: Work,
    sizes: Sizes = "20,40,80",
    densities: Densities = "0.1:0.34:25",
    games: Games = 300,
    protocol: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Which inferences are measured: of sequential, hybrid, batch; or none.",
        ),
    ] = "sequential",
    cores: Annotated[
        str, typer.Option(metavar="KIND", help="minimal, or smallest to measure both kinds.")
    ] = "minimal",
    start: Start = "cleared",
    use_total: Annotated[
        bool,
        typer.Option("--use-total", help="The player knows the number of mines; --protocol none."),
    ] = False,
    seed: Seed = 1,
) -> None:
    """Figure 3 of Dempsey & Guinn: the fraction of mines flagged, and the largest cores met.

    Games on N×N tori by inference alone. Which inferences have their cores measured decides the
    second curve: sequential plays single points first and, when stuck, measures and makes the
    first inference in row-major order; hybrid measures every inference when stuck; batch measures
    every inference of every state.

    For example:
      sapper lab phase-transition runs/figure3 --workers 2
      sapper lab phase-transition runs/alpha --protocol none --sizes 20,40,80,160
      sapper lab phase-transition runs/all --protocol sequential,hybrid,batch --games 50
    """
    from sapper.lab import PhaseTransition, Protocol, TorusStart

    if cores not in ("minimal", "smallest"):
        raise UsageError(f"--cores takes minimal or smallest, not {cores!r}")
    names = () if protocol == "none" else tuple(protocol.replace(",", " ").split())
    experiment = PhaseTransition(
        sizes=integers_of(sizes, "--sizes"),
        densities=densities_of(densities, "--densities"),
        games=games,
        seed=seed,
        start=cast(TorusStart, start),
        protocols=cast(tuple[Protocol, ...], names),
        smallest=cores == "smallest",
        use_total=use_total,
    )
    work.on(experiment)


def k_set(
    work: Work,
    sizes: Sizes = "40",
    densities: Densities = "0.1:0.34:25",
    k: Annotated[str, typer.Option("-k", metavar="LIST", help="Sizes of sets of clues.")] = "1,2,3",
    games: Games = 300,
    start: Start = "cleared",
    seed: Seed = 1,
) -> None:
    """Figure 4 of Dempsey & Guinn: k-set search against full inference on the same boards.

    For example:
      sapper lab k-set runs/figure4 --workers 2
      sapper lab k-set runs/more -k 1,2,3,4 --games 100
    """
    from sapper.lab import KSets, TorusStart

    experiment = KSets(
        sizes=integers_of(sizes, "--sizes"),
        densities=densities_of(densities, "--densities"),
        games=games,
        seed=seed,
        start=cast(TorusStart, start),
        ks=integers_of(k, "-k"),
    )
    work.on(experiment)


def scaling(
    work: Work,
    sizes: Sizes = "20,40,80,160,320",
    densities: Densities = "0.23:0.32:37",
    games: Games = 200,
    start: Start = "cleared",
    seed: Seed = 1,
) -> None:
    """Where the flagged fraction crosses 1/2 and how steep it is, for growing boards.

    For example:
      sapper lab scaling runs/scaling --workers 2
    """
    from sapper.lab import Scaling, TorusStart

    experiment = Scaling(
        sizes=integers_of(sizes, "--sizes"),
        densities=densities_of(densities, "--densities"),
        games=games,
        seed=seed,
        start=cast(TorusStart, start),
    )
    work.on(experiment)
