"""A sign of life for those who wait longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from threading import Lock, Timer
from time import perf_counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress, TaskID

__all__ = ["Patience", "counted"]

_DELAY: Final = 1.0


class Patience:
    """Shows on a terminal what is going on, once it has gone on for a second.

    The line goes to standard error and vanishes at the end, so it never mixes with an answer. How
    long it took stands in `seconds` afterwards.

    Parameters
    ----------
    doing
        What is being done, such as ``"counting"``.
    """

    def __init__(self, doing: str) -> None:
        self.seconds = 0.0
        self._doing = doing
        self._lock = Lock()
        self._nodes = 0
        self._over = False
        self._timer: Timer | None = None
        self._progress: Progress | None = None
        self._row: TaskID

    def __enter__(self) -> Patience:
        self._began = perf_counter()
        if sys.stderr.isatty():
            self._timer = Timer(_DELAY, self._start)
            self._timer.daemon = True
            self._timer.start()
        return self

    def report(self, nodes: int) -> None:
        """Take note of how many nodes have been made."""
        self._nodes = nodes
        with self._lock:
            if self._progress is not None and not self._over:
                self._progress.update(self._row, description=self._words())

    def _words(self) -> str:
        return f"{self._doing} · {self._nodes:,} nodes" if self._nodes else self._doing

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._over:
                return
            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._row = self._progress.add_task(self._words(), total=None)
            self._progress.start()

    def __exit__(self, *_: object) -> None:
        self.seconds = perf_counter() - self._began
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._over = True
            if self._progress is not None:
                self._progress.stop()


def counted(below: Callable[[], str] | None = None) -> Progress:
    """Return a bar on standard error with what is done, of how much, and how long it will take.

    Parameters
    ----------
    below
        Gives a line that is shown under the bar.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Counted(Progress):
        def get_renderables(self) -> Iterable[RenderableType]:
            yield from super().get_renderables()
            if below is not None:
                yield Text(below(), style="dim", overflow="ellipsis", no_wrap=True)

    return Counted(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
