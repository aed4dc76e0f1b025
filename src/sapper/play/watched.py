"""A strategy written in Python, in this process, with a clock beside it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sapper.errors import GameError
from sapper.limits import Budget

if TYPE_CHECKING:
    from sapper.field import Cell
    from sapper.game import Board, StartRule
    from sapper.play.view import Strategy, View

__all__ = ["Watched"]

_AGAIN = 0.1


class _Late(BaseException):
    """Raised into a strategy that takes too long; no ``except Exception`` of its own stops it."""


class Watched:
    """A strategy that plays here, and is interrupted when a move takes too long.

    The interrupt is a signal, so it needs the main thread. It ends loops in Python, sleeps and
    questions to `sapper`; code of other libraries that runs for ever is only stopped in a process
    of its own.

    Parameters
    ----------
    strategy : Strategy
        Who plays.
    seconds : float
        How long each move may take.

    Attributes
    ----------
    budget : Budget
        What is left for the whole tournament: no move takes longer than that.
    """

    def __init__(self, strategy: Strategy, seconds: float) -> None:
        self._strategy, self._seconds = strategy, seconds
        self.budget = Budget()
        self.name = str(getattr(strategy, "name", type(strategy).__name__))
        self.version = getattr(strategy, "version", None)

    @staticmethod
    def is_possible() -> bool:
        """Tell whether a signal would reach whoever calls."""
        return threading.current_thread() is threading.main_thread()

    def begin(self, board: Board, rule: StartRule | None) -> None:
        """Tell the strategy that a game begins, if it wants to know."""
        begin = getattr(self._strategy, "begin", None)
        if begin is not None:
            self._in_time(begin, board, rule)

    def choose(self, view: View) -> Cell | list[Cell]:
        """Ask the strategy for cells to dig.

        Raises
        ------
        GameError
            If it does not answer in time.
        """
        return self._in_time(self._strategy.choose, view)  # type: ignore[no-any-return]

    def _in_time(self, call: Callable[..., Any], *words: Any) -> Any:
        watching = True

        def late(*_: object) -> None:
            if watching:
                raise _Late

        before = signal.signal(signal.SIGALRM, late)
        try:
            # Again and again: a strategy that catches everything is asked once more to stop.
            signal.setitimer(signal.ITIMER_REAL, self._left(), _AGAIN)
            try:
                return call(*words)
            finally:
                watching = False
        except _Late:
            raise GameError(f"{self.name} gave no answer in {self._seconds:g} seconds") from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _left(self) -> float:
        left = self.budget.seconds
        return self._seconds if left is None else max(1e-3, min(self._seconds, left))

    def __repr__(self) -> str:
        return f"Watched({self._strategy!r})"
