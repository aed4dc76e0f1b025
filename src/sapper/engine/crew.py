"""Independent passes on several threads: the core works without the interpreter's lock.

Residues modulo different primes depend on nothing but the diagram. Everything else is spread by the
core itself (`core/base/crew.hpp`). What each thread finds is put together in a fixed order, so
answers are the same bit for bit however many threads there are.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from threading import Event
from typing import TYPE_CHECKING, Final, TypeVar

from sapper._native import run_under
from sapper.limits import Budget, Limits, in_order

if TYPE_CHECKING:
    from sapper._native import Compiled, Progress, Run

__all__ = ["ALONE", "Crew"]

T = TypeVar("T")
R = TypeVar("R")

_NO_TIME = 1e-9
# Below so many steps a pass, in the mean, takes less time than handing it to a thread.
_FEW_STEPS = 20_000


class _GivenUpError(Exception):
    """Another thread has failed, or the caller was interrupted."""


class Crew:
    """Who does the independent passes of one answer.

    Parameters
    ----------
    threads : int
        How many passes go on at once.
    limits : Limits, optional
        What they may cost together; the clock starts now.
    progress : callable, optional
        Called about twenty times a second; what it raises ends the work.
    """

    def __init__(
        self, threads: int = 1, limits: Limits | None = None, progress: Progress | None = None
    ) -> None:
        self.threads = threads
        self._limits = limits
        self._clock = Budget(limits)
        self._progress = progress

    def each(
        self,
        compiled: Compiled,
        ask: Callable[[T, Run], R],
        items: Iterable[T],
        run: Run,
        steps: int,
    ) -> Generator[R, None, None]:
        """Yield ``ask(item, run)`` for each item, in their order, while the others go on.

        `steps` are those of all passes together: nodes, times the numbers kept at each. Alone, all
        get the given run. On several threads each gets its share of the memory, and a limit, an
        error or Ctrl-C ends them all.
        """
        todo = list(items)
        if self.threads == 1 or steps < _FEW_STEPS * len(todo) or len(todo) < 2:
            for item in todo:
                yield ask(item, run)
            return
        stop = Event()

        def look(_: int) -> None:
            if stop.is_set():
                raise _GivenUpError

        def report() -> None:
            if self._progress is not None:
                self._progress(0)

        own = run_under(self._share(compiled), look)
        threads = min(self.threads, len(todo))
        yield from in_order(lambda item: ask(item, own), todo, threads, stop=stop.set, look=report)

    def _share(self, compiled: Compiled) -> Limits | None:
        """Return what one thread may take: the diagram is there once, a pass once a thread."""
        limits = self._limits
        if limits is None:
            return None
        share = limits.bytes
        if share is not None:
            held = compiled.size_in_bytes
            share = held + max(1, (share - held) // self.threads)
        seconds = self._clock.seconds
        if seconds is not None:
            seconds = max(seconds, _NO_TIME)
        return Limits(seconds=seconds, nodes=limits.nodes, bytes=share)


ALONE: Final = Crew()
"""One pass after the other, in the caller's thread."""
