"""Options that the experiments share, and how lists are written on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from sapper.cli.task import UsageError

__all__ = [
    "Directory",
    "Json",
    "Resume",
    "Scheduler",
    "Seed",
    "Start",
    "Workers",
    "densities_of",
    "integers_of",
]

Directory: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help="Where the run is kept.")]
Seed: TypeAlias = Annotated[int, typer.Option(metavar="S", help="Decides all that is random.")]
Start: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="RULE",
        help="cleared: no mines around the start; zero: a random zero of any board.",
    ),
]
Workers: TypeAlias = Annotated[int, typer.Option(metavar="N", min=1, help="Processes.")]
Scheduler: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="A Dask scheduler, tcp://host:port, instead."),
]
Resume: TypeAlias = Annotated[bool, typer.Option("--resume", help="Go on with the run in DIR.")]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="The results as one JSON document.")]


def integers_of(text: str, option: str) -> tuple[int, ...]:
    """Return the integers in a list such as ``20,40,80``.

    Examples
    --------
    >>> integers_of("20,40 80", "--sizes")
    (20, 40, 80)
    """
    try:
        return tuple(int(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise UsageError(f"{option}: {text[:40]!r} is not a list of integers") from None


def densities_of(text: str, option: str) -> tuple[float, ...]:
    """Return the numbers in a list such as ``0.1,0.2``, or of a range ``first:last:count``.

    Examples
    --------
    >>> densities_of("0.1:0.3:3", "--densities"), densities_of("0.2", "--densities")
    ((0.1, 0.2, 0.3), (0.2,))
    """
    from sapper.lab.torus import spaced

    try:
        if ":" in text:
            first, last, count = text.split(":")
            if int(count) < 1:
                raise ValueError
            return spaced(float(first), float(last), int(count))
        return tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise UsageError(
            f"{option}: {text[:40]!r} is neither a list of numbers nor FIRST:LAST:COUNT"
        ) from None
