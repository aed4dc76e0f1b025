"""Options that the experiments share, and how lists are written on the command line."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from sapper.cli.task import UsageError

__all__ = ["Densities", "Games", "Samples", "Seed", "Sizes", "Start", "densities_of", "integers_of"]

Sizes: TypeAlias = Annotated[
    str, typer.Option(metavar="LIST", help="Sides N of the boards, such as 20,40,80.")
]
Densities: TypeAlias = Annotated[
    str, typer.Option(metavar="LIST", help="Mine densities: 0.1,0.2 or FIRST:LAST:COUNT.")
]
Games: TypeAlias = Annotated[
    int, typer.Option(metavar="N", min=1, help="Games for each size and density.")
]
Samples: TypeAlias = Annotated[
    int, typer.Option(metavar="N", min=1, help="Samples for each point.")
]
Start: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="RULE",
        help="cleared: no mines around the start; zero: a random zero of any board.",
    ),
]
Seed: TypeAlias = Annotated[int, typer.Option(metavar="S", help="Decides all that is random.")]


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
    from sapper.lab import spaced

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
