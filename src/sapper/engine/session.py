"""The online problem: labels arrive one by one, and only what they touch is done again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sapper._native import Cache, Options, Run, run_under
from sapper.engine import exact
from sapper.engine.board import Board
from sapper.engine.findings import EngineFindings
from sapper.engine.solutions import EngineSolutions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sapper.field import Cell, Label, Position
    from sapper.limits import Limits

__all__ = ["Session"]


class Session:
    r"""A position that is revealed label by label.

    Compiled components are kept by content, and so is what a search found to be forced in one, so
    after a new label only the component that it touches is done again. Answers are those of the
    position as it stands. What is kept counts as memory, and takes a quarter of the limit at most
    (1 GiB if there is none).

    Parameters
    ----------
    position : Position
        Where to begin.
    limits : Limits, optional
        What each single answer may cost.

    Examples
    --------
    >>> import sapper
    >>> session = sapper.Session(sapper.parse("???\n???\n???", mines=2))
    >>> session.reveal((1, 1), 2)
    >>> session.count()
    28
    >>> session.reveal((0, 0), 0)
    >>> session.findings().consistent, session.count()
    (True, 10)
    """

    def __init__(self, position: Position, *, limits: Limits | None = None) -> None:
        self._position = position
        self._limits = run_under(limits)
        self._cache = Cache()
        self._current: Board | None = None

    @property
    def position(self) -> Position:
        """The position as it stands."""
        return self._position

    def reveal(self, cell: Cell, label: Label) -> None:
        """Put a label on a cell: a number, ``"?"``, ``"*"`` or ``"_"``.

        Raises
        ------
        UnknownCellError, PositionError
            If there is no such cell, or it is no label.
        """
        self._position = self._position.with_label(cell, label)
        self._current = None

    def update(self, labels: Mapping[Any, Label]) -> None:
        """Put many labels at once; all or none take effect."""
        position = self._position
        for cell, label in labels.items():
            position = position.with_label(cell, label)
        self._position = position
        self._current = None

    def _board(self, run: Run) -> Board:
        if self._current is None:
            self._current = Board(self._position, run, Options(), self._cache)
        return self._current

    def findings(self) -> EngineFindings:
        """Return verdicts and probabilities of the position as it stands."""
        run = self._limits.again()
        return EngineFindings(self._board(run), run)

    def count(self) -> int:
        """Return the exact number of legal assignments of the position as it stands."""
        run = self._limits.again()
        return exact.count(self._board(run), run)

    def solutions(self) -> EngineSolutions:
        """Return the view of the legal assignments of the position as it stands."""
        return EngineSolutions(self._position, self._limits, {}, self._cache)

    @property
    def compiled(self) -> int:
        """How many components have been compiled so far; the others came from earlier boards."""
        return self._cache.compiled

    @property
    def searched(self) -> int:
        """How many components have been searched for forced cells so far."""
        return self._cache.searched

    @property
    def reused(self) -> int:
        """How many times a component was found among those compiled before."""
        return self._cache.hits

    def __repr__(self) -> str:
        return f"Session({self._position!r})"
