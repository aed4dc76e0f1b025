"""What the engine found out about a board, turned into Python values when it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper._native import doubles, run_under
from sapper.engine import exact
from sapper.engine.board import Board
from sapper.engine.crew import Crew
from sapper.engine.solutions import EngineSolutions
from sapper.limits import UNLIMITED
from sapper.questions import Budget, Findings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sapper._native import Progress, Run
    from sapper.clues import Puzzle
    from sapper.engine.method import EngineMethod
    from sapper.field import Cell
    from sapper.limits import Limits
    from sapper.questions import Method, Solutions

__all__ = ["EngineFindings"]

# Under limits, more cells than this are named a few at a time, with a look at them in between.
_MOST_AT_ONCE = 1 << 14
# A fraction in a list, without the digits of its two integers.
_BYTES_PER_FRACTION = 130


class EngineFindings(Findings):
    """Answers of the engine about one puzzle, which is compiled when the first is read.

    Parameters
    ----------
    source, puzzle, limits
        As for all findings.
    engine : EngineMethod
        Who compiles.
    """

    _board: Board | None = None
    _chances: bytes | None = None  # found on the way to a dictionary

    def __init__(
        self, source: Method, puzzle: Puzzle, limits: Limits | None, engine: EngineMethod
    ) -> None:
        # Made for every position of a game: no call that is not needed.
        self.source = source
        self.puzzle = puzzle
        self.limits = limits
        self.engine = engine

    def prepare(self) -> None:
        """Compile."""
        if self.limits is None:
            self.settle(UNLIMITED)
            return
        budget = Budget(self.limits)
        with budget.whole():
            self.settle(budget)

    def settle(self, budget: Budget) -> None:
        """Compile, if nobody has done it."""
        if self._board is None:
            self.compile(budget)

    def compile(
        self,
        budget: Budget,
        progress: Progress | None = None,
        engine: EngineMethod | None = None,
    ) -> Board:
        """Return the board, compiled now; `progress` is called instead of the method's own."""
        if engine is None:
            engine = self.engine
        left = None if self.limits is None else budget.left()
        run = run_under(left, engine.progress if progress is None else progress)
        board = self._board = engine.board(self.puzzle, run)
        return board

    def compiled(self, budget: Budget) -> tuple[Board, Run]:
        """Return the compiled board, and what is left for a pass over it."""
        board = self._board
        if board is None:
            board = self.compile(budget)
        engine = self.engine
        left = None if self.limits is None else budget.left()
        if engine.threads > 1:
            board.crew = Crew(engine.threads, left, engine.progress)
        return board, run_under(left, engine.progress)

    def solutions(self, budget: Budget) -> Solutions:
        """Return a view of the same diagram."""
        board, _ = self.compiled(budget)
        return EngineSolutions(self.engine, self.puzzle, self.limits and budget.left(), board=board)

    def find_cells(self, budget: Budget) -> Sequence[Cell]:
        """Name the variables of the board."""
        board = self._board or self.compile(budget)
        return board.cells if self.limits is None else board.named(budget.spend)

    def _verdicts(self, budget: Budget) -> tuple[bool, bytes]:
        board, run = self.compiled(budget)
        return board.compiled.verdicts(run)

    def find_consistent(self, budget: Budget) -> bool:
        """Tell whether there is a legal assignment: verdicts and consistency are one pass."""
        return self.known("_pass", self._verdicts, budget)[0]

    def find_verdict_codes(self, budget: Budget) -> bytes:
        """Return the code of the verdict of each cell."""
        return self.known("_pass", self._verdicts, budget)[1]

    def find_count(self, budget: Budget) -> int:
        """Return the exact number of legal assignments."""
        return exact.count(*self.compiled(budget))

    def find_by_mines(self, budget: Budget) -> dict[int, int]:
        """Return the exact number of legal assignments for every number of mines."""
        return exact.count_by_mines(*self.compiled(budget))

    def find_probabilities(self, budget: Budget) -> list[float]:
        """Return chances within 1e-12; exactly 0 or 1 only where it is certain."""
        if self._chances is None:
            board, run = self.compiled(budget)
            return doubles(board.chances(run))
        return doubles(self._chances)

    def find_probabilities_by_cell(self, budget: Budget) -> dict[Cell, float]:
        """Return the same by cell; a small board's dictionary is made in the core."""
        if self._chances is None:
            board, run = self.compiled(budget)
            few = self.limits is None or board.compiled.variables <= _MOST_AT_ONCE
            found = board.chances_by_cell(run) if few else None
            if found is not None:
                by_cell, self._chances = found
                return by_cell
        return super().find_probabilities_by_cell(budget)

    def find_exact_probabilities(self, budget: Budget) -> list[Fraction]:
        """Return the chances as fractions."""
        if not self.known("_pass", self._verdicts, budget)[0]:
            return []
        board, run = self.compiled(budget)
        whole, mined = exact.marginals(board, run)
        # Cells of a group have the same chance, and reducing a fraction of long integers is slow.
        # They have the same integer too, and even hashing that one takes long.
        distinct = {id(mines): mines for mines in mined}
        chances: dict[int, Fraction] = {}
        bits = 0
        for mines in distinct.values():
            if mines in chances:
                continue
            budget.spend()
            chance = chances[mines] = exact.fraction(mines, whole)
            bits += chance.numerator.bit_length() + chance.denominator.bit_length()
            if len(chances) % 256 == 0:
                board.hold((_BYTES_PER_FRACTION * len(chances) + bits // 8) // len(mined) + 8)
        board.hold((_BYTES_PER_FRACTION * len(chances) + bits // 8) // max(1, len(mined)) + 8)
        found = {key: chances[mines] for key, mines in distinct.items()}
        return [found[id(mines)] for mines in mined]
