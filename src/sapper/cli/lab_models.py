"""`sapper lab percolation` and `hypergraph`: what stands beside the game."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from sapper.cli.lab_options import Densities, Samples, Seed, densities_of, integers_of
from sapper.cli.lab_run import Work
from sapper.cli.shared import taking
from sapper.cli.task import UsageError

__all__ = ["register"]


def register(lab: typer.Typer) -> None:
    """Add the commands to the group."""
    lab.command()(taking(Work, percolation))
    lab.command()(taking(Work, hypergraph))


def percolation(
    work: Work,
    side: Annotated[int, typer.Option(metavar="L", min=4, help="Side of the lattices.")] = 1000,
    densities: Densities = "0.005:0.2:40",
    probabilities: Annotated[
        str, typer.Option(metavar="LIST", help="Of independent sites, likewise.")
    ] = "0.35:0.74:40",
    samples: Samples = 100,
    seed: Seed = 1,
) -> None:
    """Figure 5 of Dempsey & Guinn: mean cluster sizes of mines and numbers.

    Sites that are a mine or have a nonzero label, against the mine density; and independent
    sites, against their probability; with and without the largest cluster.

    For example:
      sapper lab percolation runs/figure5 --workers 2
      sapper lab percolation runs/small --side 200 --samples 20
    """
    from sapper.lab import Percolation

    experiment = Percolation(
        side=side,
        densities=densities_of(densities, "--densities"),
        probabilities=densities_of(probabilities, "--probabilities"),
        samples=samples,
        seed=seed,
    )
    work.on(experiment)


def hypergraph(
    work: Work,
    vertices: Annotated[
        str, typer.Option(metavar="LIST", help="Numbers of vertices.")
    ] = "100,400,1600,6400",
    edges: Annotated[
        str,
        typer.Option(metavar="LIST", help="Sizes of hyperedges with their shares: 3:0.5,4:0.5."),
    ] = "3",
    densities: Annotated[
        str, typer.Option(metavar="LIST", help="Hyperedges per vertex: list or FIRST:LAST:COUNT.")
    ] = "0.05:1:20",
    mine_probability: Annotated[
        float, typer.Option(metavar="P", help="That a vertex is a mine.")
    ] = 0.5,
    labels: Annotated[
        str,
        typer.Option(
            metavar="KIND", help="planted, or strict: no label decides its hyperedge alone."
        ),
    ] = "planted",
    samples: Samples = 200,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0.001, help="Limit for one hypergraph.")
    ] = 60.0,
    seed: Seed = 1,
) -> None:
    """Section 5 of Dempsey & Guinn: inference on random hypergraphs, for growing sizes.

    Vertices are mines at random, hyperedges have the number of mines among their vertices as
    label. How likely is it that some vertex can be inferred, and how many can?

    For example:
      sapper lab hypergraph runs/hypergraph --workers 2
      sapper lab hypergraph runs/strict --labels strict --edges 4 --densities 0.1:0.8:15
    """
    from sapper.lab import Hypergraphs, Labels

    experiment = Hypergraphs(
        vertices=integers_of(vertices, "--vertices"),
        edges=_shares(edges),
        densities=densities_of(densities, "--densities"),
        mines=mine_probability,
        labels=cast(Labels, labels),
        samples=samples,
        seed=seed,
        seconds=seconds,
    )
    work.on(experiment)


def _shares(text: str) -> dict[int, float]:
    """Return sizes and shares in ``3:0.5,4:0.5``; without shares all are equal.

    Examples
    --------
    >>> _shares("3"), _shares("3,4"), _shares("3:0.25,4:0.75")
    ({3: 1.0}, {3: 0.5, 4: 0.5}, {3: 0.25, 4: 0.75})
    """
    pairs = [part.partition(":") for part in text.replace(",", " ").split()]
    try:
        return {int(size): float(share) if sign else 1 / len(pairs) for size, sign, share in pairs}
    except ValueError:
        raise UsageError(f"--edges: {text[:40]!r} is not a list such as 3:0.5,4:0.5") from None
