"""The boards of Dempsey & Guinn, each a function of its seed and of nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from hashlib import blake2b
from typing import Literal, NamedTuple, TypeAlias

from sapper._native import Adjacency, random_mines, zeros
from sapper.errors import SapperError
from sapper.field import Torus

__all__ = ["START_RULES", "LabError", "StartRule", "TorusGame", "mine_count", "seed_of"]

StartRule: TypeAlias = Literal["cleared", "zero"]
"""How a start with label zero comes about.

``"cleared"``: mines are placed uniformly outside the start's 3×3 neighbourhood. ``"zero"``: they
are placed anywhere, and the start is a uniformly random site with label zero; boards without one
are drawn again.
"""

START_RULES: tuple[StartRule, ...] = ("cleared", "zero")
_MOST_DRAWS = 10_000


class LabError(SapperError, ValueError):
    """Parameters of an experiment that make no sense."""


def seed_of(*parts: object) -> int:
    """Return 64 bits that follow from the parts, the same on every machine.

    Examples
    --------
    >>> seed_of(1, "torus", 40) == seed_of(1, "torus", 40) != seed_of(1, "torus", 41)
    True
    """
    text = "/".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def mine_count(size: int, density: float) -> int:
    """Return ⌊size² · density⌋ for the density as it is written, not as it is rounded to binary.

    Examples
    --------
    >>> mine_count(10, 0.29), int(10 * 10 * 0.29)
    (29, 28)
    """
    return int(Fraction(str(density)) * size * size)


class TorusGame(NamedTuple):
    """A board in the form the core plays it: the field, a byte per cell, where play begins."""

    field: Adjacency
    mines: bytes
    start: int

    @classmethod
    def drawn(cls, size: int, density: float, seed: int, start: StartRule = "cleared") -> TorusGame:
        """Return the board of a seed.

        Raises
        ------
        LabError
            If so many mines leave no room for a start with label zero.

        Examples
        --------
        >>> game = TorusGame.drawn(20, 0.2, 7)
        >>> sum(game.mines), divmod(game.start, 20)
        (80, (10, 10))
        """
        torus = Torus(size, size)
        cells, mines = size * size, mine_count(size, density)
        if start == "cleared":
            place = torus.index((size // 2, size // 2))
            near = [place, *torus.neighbours_at(place)]
            if mines > cells - len(near):
                raise LabError(f"{mines} mines on {torus} leave no room for a start")
            return cls(torus.adjacency, random_mines(cells, mines, near, seed), place)
        for draw in range(_MOST_DRAWS):
            layout = random_mines(cells, mines, [], seed_of(seed, draw))
            empty = zeros(torus.adjacency, layout)
            if empty:
                choice = random_mines(len(empty), 1, [], seed_of(seed, draw, "start"))
                return cls(torus.adjacency, layout, empty[choice.index(1)])
        raise LabError(f"{_MOST_DRAWS} boards with {mines} mines on {torus} had no zero")


def checked_sizes(sizes: Sequence[int], least: int = 4) -> None:
    """Complain about sizes that make no sense.

    Raises
    ------
    LabError
        If there are none, or one is too small or given twice.
    """
    if not sizes or min(sizes) < least or len(set(sizes)) < len(sizes):
        raise LabError(f"sizes must be different and at least {least}, not {list(sizes)}")


def checked_densities(densities: Sequence[float], name: str = "densities") -> None:
    """Complain about densities that make no sense.

    Raises
    ------
    LabError
        If there are none, or one is not between 0 and 1 or given twice.
    """
    wrong = [value for value in densities if not 0 < value < 1]
    if not densities or wrong or len(set(densities)) < len(densities):
        raise LabError(f"{name} must be different and between 0 and 1, not {list(densities)}")
