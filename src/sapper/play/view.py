"""What a strategy gets to see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from sapper.analysis import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from sapper.field import Cell, Position

__all__ = ["Chooser", "Strategy", "View"]


class View:
    """The visible part of a game, and nothing else: never the layout.

    It belongs to the thread that plays.

    Attributes
    ----------
    position : Position
        What is uncovered, with the number of mines.
    session : Session
        The analysis, kept from move to move.
    rng : random.Random
        For strategies that leave something to chance; it follows from the seed of the game.
    """

    __slots__ = ("_session", "position", "rng")

    def __init__(self, position: Position, rng: Random) -> None:
        self.position = position
        self.rng = rng
        self._session: Session | None = None

    @property
    def session(self) -> Session:
        """The analysis of the position; what earlier moves compiled is kept."""
        if self._session is None:
            self._session = Session(self.position)
        elif self._session.position is not self.position:
            before = self._session.position
            self._session.update(
                {
                    cell: label
                    for cell, label in self.position.items()
                    if before.label(cell) != label
                }
            )
        return self._session


class Strategy(Protocol):
    """Chooses what to dig, from what is visible.

    A tournament asks one from one thread at a time.
    """

    def choose(self, view: View, /) -> Cell | Iterable[Cell]:
        """Return one covered cell or several, all of which are dug."""
        ...


Chooser: TypeAlias = "Strategy | Callable[[View], Cell | Iterable[Cell]]"
