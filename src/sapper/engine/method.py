"""The engine behind the common protocol of all methods."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, get_args

from sapper._native import Options
from sapper.engine.board import Board
from sapper.engine.estimate import LOOK, EngineEstimate, estimate
from sapper.engine.findings import EngineFindings
from sapper.engine.solutions import EngineSolutions
from sapper.errors import MethodError
from sapper.questions import QUESTIONS, BaseMethod, Question

if TYPE_CHECKING:
    from sapper._native import Cache, Progress, Run
    from sapper.clues import Puzzle
    from sapper.limits import Limits

__all__ = ["EngineMethod", "Order"]

Order = Literal["auto", "path", "tree", "given"]


class EngineMethod(BaseMethod):
    """Compile the clues once into a decision diagram; answer by a pass over it.

    All options are for experiments and checks: they change the cost of an answer, never the
    answer. A method pickles as its options, without what it reports to or remembers.

    Parameters
    ----------
    certainty : bool
        Find forced cells by search before a large component is compiled.
    grouping : bool
        Treat cells that stand in the same clues as one variable.
    look_ahead : bool
        Drop states early by looking at pairs of clues, and by compiling from both ends at once.
    order : str
        ``"path"``: one growing frontier; ``"tree"``: a tree decomposition with joins;
        ``"given"``: the clues as they come; ``"auto"``: the cheapest by estimate.
    most_expected : float
        Give up before anything is compiled if more nodes are expected than this.
    memory : Cache, optional
        Where compiled components are kept by content, for puzzles that have some in common.
    progress : callable, optional
        Called about twenty times a second with the number of nodes made so far; what it raises
        ends the work.
    threads : int
        How many share a count or chances: passes of different components, modulo different primes,
        and within a wide component. As many compile a system of a thousand clues or more. Answers
        are the same bit for bit.

    Raises
    ------
    MethodError
        If an option has a value that makes no sense.

    Notes
    -----
    Cost grows with the number of states: the product, over the clues open at once, of the numbers
    of mines they may have seen so far. It is linear in the length of a board of fixed width.
    """

    name: ClassVar[str] = "engine"
    answers: ClassVar[frozenset[Question]] = frozenset(QUESTIONS)

    def __init__(
        self,
        *,
        certainty: bool = True,
        grouping: bool = True,
        look_ahead: bool = True,
        order: Order = "auto",
        most_expected: float = math.inf,
        memory: Cache | None = None,
        progress: Progress | None = None,
        threads: int = 1,
    ) -> None:
        switches = {"certainty": certainty, "grouping": grouping, "look_ahead": look_ahead}
        for name, value in switches.items():
            if not isinstance(value, bool):
                raise MethodError(f"{name} is True or False, not {value!r:.60}")
        if order not in get_args(Order):
            known = ", ".join(map(repr, get_args(Order)))
            raise MethodError(f"order is one of {known}, not {order!r:.60}")
        if not isinstance(most_expected, int | float) or not most_expected >= 0:
            raise MethodError(f"most_expected is a number of nodes, not {most_expected!r:.60}")
        if progress is not None and not callable(progress):
            raise MethodError(f"progress is called with a number of nodes; {progress!r:.60} is not")
        if not isinstance(threads, int) or isinstance(threads, bool) or not 1 <= threads <= 1024:
            raise MethodError(f"threads is a number from 1 to 1024, not {threads!r:.60}")
        self.settings: Final[dict[str, Any]] = {
            **switches,
            "order": order,
            "most_expected": float(most_expected),
        }
        self.threads = threads
        self.progress = progress
        self.memory = memory
        self._options = Options(**self.settings, threads=threads)

    def board(self, puzzle: Puzzle, run: Run) -> Board:
        """Return a puzzle, compiled."""
        return Board(puzzle, run, self._options, self.memory)

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> EngineFindings:
        """Compile when something is read; evaluate what is read."""
        return EngineFindings(self, puzzle, limits, self)

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> EngineSolutions:
        """Return a view of the legal assignments."""
        return EngineSolutions(self, puzzle, limits)

    def estimate(
        self, puzzle: Puzzle, limits: Limits | None = None, *, patience: float = LOOK
    ) -> EngineEstimate:
        """Return what compiling would cost, without paying it.

        Forced cells that are not found within `patience`, in seconds, are left aside.
        """
        return estimate(puzzle, self.settings, limits, self.progress, patience)

    def __repr__(self) -> str:
        plain = (True, "auto", math.inf)
        changed = [
            f"{name}={value!r}" for name, value in self.settings.items() if value not in plain
        ]
        if self.threads > 1:
            changed.append(f"threads={self.threads}")
        return f"EngineMethod({', '.join(changed)})"

    def __reduce__(self) -> tuple[object, ...]:
        return _with_settings, ({**self.settings, "threads": self.threads},)


def _with_settings(settings: dict[str, Any]) -> EngineMethod:
    return EngineMethod(**settings)
