"""The boards of Dempsey & Guinn, each a function of its seed and of nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from sapper._native import Adjacency, random_mines
from sapper.errors import GameError, SapperError
from sapper.field import Cell, Torus
from sapper.game import Board, Layout, random_layout, seed_of

__all__ = ["TORUS_STARTS", "LabError", "TorusGame", "TorusStart", "mine_count"]

TorusStart: TypeAlias = Literal["cleared", "zero"]
"""How a start with label zero comes about.

``"cleared"``: mines are placed uniformly outside the start's 3×3 neighbourhood, which is the game's
rule ``"zero"``. ``"zero"``: they are placed anywhere, and the start is a uniformly random site with
label zero; boards without one are drawn again.
"""

TORUS_STARTS: tuple[TorusStart, ...] = ("cleared", "zero")
_MOST_DRAWS = 10_000


class LabError(SapperError, ValueError):
    """Parameters of an experiment that make no sense."""


def mine_count(size: int, density: float) -> int:
    """Return ⌊size² · density⌋ for the density as it is written, not as it is rounded to binary.

    Examples
    --------
    >>> mine_count(10, 0.29), int(10 * 10 * 0.29)
    (29, 28)
    """
    return int(Fraction(str(density)) * size * size)


class TorusGame(NamedTuple):
    """A layout and where play begins.

    Frozen: threads can share one.
    """

    layout: Layout
    start: Cell

    @property
    def native(self) -> tuple[Adjacency, bytes, int]:
        """The game as the core plays it: the field, a byte per cell, the place of the start."""
        topology = self.layout.topology
        return topology.adjacency, self.layout.mined, topology.index(self.start)

    @classmethod
    def drawn(
        cls, size: int, density: float, seed: int, start: TorusStart = "cleared"
    ) -> TorusGame:
        """Return the board of a seed.

        Raises
        ------
        LabError
            If so many mines leave no room for a start with label zero.

        Examples
        --------
        >>> game = TorusGame.drawn(20, 0.2, 7)
        >>> len(game.layout.mines), game.start
        (80, (10, 10))
        """
        board = Board(Torus(size, size), mine_count(size, density))
        if start == "cleared":
            middle = (size // 2, size // 2)
            try:
                return cls(random_layout(board, start=middle, rule="zero", seed=seed), middle)
            except GameError as error:
                raise LabError(str(error)) from None
        for draw in range(_MOST_DRAWS):
            layout = random_layout(board, seed=seed_of(seed, draw))
            zeros = [cell for cell, number in layout.numbers.items() if number == 0]
            if zeros:
                choice = random_mines(len(zeros), 1, [], seed_of(seed, draw, "start"))
                return cls(layout, zeros[choice.index(1)])
        raise LabError(f"{_MOST_DRAWS} layouts of {board} had no zero")


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
