"""The engine behind the common protocol of all methods."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from sapper._native import Options, Progress, Run, run_under
from sapper.clues import VERDICTS
from sapper.engine import exact
from sapper.engine.board import Board
from sapper.engine.estimate import EngineEstimate, estimate
from sapper.engine.findings import EngineFindings
from sapper.engine.solutions import EngineSolutions

if TYPE_CHECKING:
    from sapper.clues import Puzzle, Verdict
    from sapper.field import Cell
    from sapper.limits import Limits
    from sapper.questions import Question

__all__ = ["EngineMethod", "Order"]

Order = Literal["auto", "path", "tree", "given"]


class EngineMethod:
    """Compile the clues once into a decision diagram; answer by a pass over it.

    All options are for experiments and checks: they change the cost of an answer, never the
    answer.

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
    progress : callable, optional
        Called about twenty times a second with the number of nodes made so far; what it raises
        ends the work.

    Notes
    -----
    Cost grows with the number of states: the product, over the clues open at once, of the numbers
    of mines they may have seen so far. It is linear in the length of a board of fixed width.
    """

    name: ClassVar[str] = "engine"
    answers: ClassVar[frozenset[Question]] = frozenset(
        ("consistent", "count", "by_mines", "solutions", "verdicts", "probabilities", "estimate")
    )
    complete: ClassVar[bool] = True

    def __init__(
        self,
        *,
        certainty: bool = True,
        grouping: bool = True,
        look_ahead: bool = True,
        order: Order = "auto",
        progress: Progress | None = None,
    ) -> None:
        self._settings: dict[str, bool | str] = {
            "certainty": certainty,
            "grouping": grouping,
            "look_ahead": look_ahead,
            "order": order,
        }
        self._options = Options(**self._settings)  # type: ignore[arg-type]
        self._progress = progress

    def _board(self, puzzle: Puzzle, run: Run) -> Board:
        return Board(puzzle, run, self._options)

    def is_consistent(self, puzzle: Puzzle, limits: Limits | None = None) -> bool:
        """Tell whether there is a legal assignment."""
        return self._findings(puzzle, limits).consistent

    def count(self, puzzle: Puzzle, limits: Limits | None = None) -> int:
        """Return the exact number of legal assignments, under the total if there is one."""
        run = run_under(limits, self._progress)
        return exact.count(self._board(puzzle, run), run)

    def count_by_mines(self, puzzle: Puzzle, limits: Limits | None = None) -> dict[int, int]:
        """Return the exact number of legal assignments for every number of mines."""
        run = run_under(limits, self._progress)
        return exact.count_by_mines(self._board(puzzle, run), run)

    def verdicts(self, puzzle: Puzzle, limits: Limits | None = None) -> dict[Cell, Verdict]:
        """Return the verdict of every covered cell."""
        found = self._findings(puzzle, limits)
        codes = map(VERDICTS.__getitem__, found.verdict_codes)
        return dict(zip(found.cells, codes, strict=False))

    def probabilities(self, puzzle: Puzzle, limits: Limits | None = None) -> dict[Cell, Fraction]:
        """Return how likely each covered cell is a mine, exactly."""
        found = self._findings(puzzle, limits)
        return dict(zip(found.cells, found.exact_probabilities, strict=False))

    def _findings(self, puzzle: Puzzle, limits: Limits | None) -> EngineFindings:
        run = run_under(limits, self._progress)
        return EngineFindings(self._board(puzzle, run), run, now=True)

    def analyze(self, puzzle: Puzzle, limits: Limits | None = None) -> EngineFindings:
        """Compile now; evaluate what is read."""
        run = run_under(limits, self._progress)
        return EngineFindings(self._board(puzzle, run), run)

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> EngineSolutions:
        """Return a view of the legal assignments."""
        return EngineSolutions(puzzle, run_under(limits, self._progress), self._settings)

    def estimate(self, puzzle: Puzzle, limits: Limits | None = None) -> EngineEstimate:
        """Return what compiling would cost, without paying it."""
        return estimate(puzzle, self._options, run_under(limits, self._progress))

    def __repr__(self) -> str:
        changed = ", ".join(
            f"{name}={value!r}"
            for name, value in self._settings.items()
            if value not in (True, "auto")
        )
        return f"EngineMethod({changed})"
