"""What the engine found out about a board, turned into Python values when it is read."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sapper._native import Run, doubles
from sapper.engine import exact
from sapper.engine.board import Board

if TYPE_CHECKING:
    from fractions import Fraction

    from sapper.field import Cell

__all__ = ["EngineFindings"]

# A float in a list, and as it comes from the core.
_BYTES_PER_FLOAT = 48
# A fraction in a list, without the digits of its two integers.
_BYTES_PER_FRACTION = 130


class EngineFindings:
    """Answers of the engine about one compiled board; see `sapper.questions.Findings`.

    Parameters
    ----------
    board : Board
        What was compiled.
    run : Run
        The limits. What is read later may take that long again.
    now : bool
        Whether the answers are part of the question that compiled the board, and share its time.
    """

    def __init__(self, board: Board, run: Run, *, now: bool = False) -> None:
        self.board = board
        self._limits = run
        self._now = now

    @property
    def _run(self) -> Run:
        return self._limits if self._now else self._limits.again()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The covered cells in canonical order."""
        return self.board.cells

    @cached_property
    def _verdicts(self) -> tuple[bool, bytes]:
        return self.board.compiled.verdicts(self._run)

    @property
    def consistent(self) -> bool:
        """Whether there is a legal assignment."""
        return self._verdicts[0]

    @property
    def verdict_codes(self) -> bytes:
        """One byte per cell, an index into `sapper.clues.VERDICTS`."""
        return self._verdicts[1]

    @cached_property
    def count(self) -> int:
        """The exact number of legal assignments."""
        return exact.count(self.board, self._run)

    @cached_property
    def probabilities(self) -> list[float]:
        """How likely each cell is a mine, within 1e-12; exactly 0 or 1 only where it is certain."""
        self.board.hold(_BYTES_PER_FLOAT)
        _, values, _ = self.board.compiled.probabilities(self._run)
        return doubles(values)

    @cached_property
    def exact_probabilities(self) -> list[Fraction]:
        """How likely each cell is a mine."""
        if not self.consistent:
            return []
        board = self.board
        whole, mined = exact.marginals(board, self._run)
        # Cells of a group have the same chance, and reducing a fraction of long integers is slow.
        chances: dict[int, Fraction] = {}
        bits = 0
        for mines in mined:
            if mines in chances:
                continue
            chance = chances[mines] = exact.fraction(mines, whole)
            bits += chance.numerator.bit_length() + chance.denominator.bit_length()
            if len(chances) % 256 == 0:
                board.hold((_BYTES_PER_FRACTION * len(chances) + bits // 8) // len(mined) + 8)
        board.hold((_BYTES_PER_FRACTION * len(chances) + bits // 8) // max(1, len(mined)) + 8)
        return [chances[mines] for mines in mined]
