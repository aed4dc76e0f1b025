"""Why a cell is what it is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

from sapper.analysis.steps import Step
from sapper.analysis.wording import number, some
from sapper.clues import Clue, Puzzle, Solution, Verdict
from sapper.field import Cell, Shown

__all__ = ["Explained", "Explanation"]

Explained: TypeAlias = Verdict | Literal["inconsistent"]
"""What an explanation can be about."""


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """A verdict with its reasons, checked before it was made. Made by `sapper.explain`.

    A frozen value that threads can share.

    Parameters
    ----------
    puzzle
        The position or clue system.
    cell
        The cell that was asked about.
    verdict
        ``"safe"``, ``"mine"`` or ``"unknown"``; ``"inconsistent"`` if there is no legal assignment.
    clues
        A minimal core: these clues force the verdict (or contradict each other), and without any
        one of them they do not. Empty for ``"unknown"``. Each has `cell`, the place of its number,
        `count` and `cells`.
    total
        The clue in `clues` that is the mine total, if it is needed.
    steps
        The way from the clues to the verdict.
    solutions
        For ``"unknown"``, two legal assignments: one with a mine in the cell and one without.
    probability
        How likely the cell is a mine; None if that was too expensive to find out.
    wrong
        For ``"inconsistent"``, marks (``*`` and ``_``) that the numbers refute.
    is_smallest
        Whether the core was proved to have the least number of clues.
    method
        Which method gave the verdict.
    """

    puzzle: Puzzle
    cell: Cell
    verdict: Explained
    clues: tuple[Clue, ...]
    total: Clue | None
    steps: tuple[Step, ...]
    solutions: tuple[Solution, ...]
    probability: Fraction | None
    wrong: tuple[Cell, ...]
    is_smallest: bool
    method: str

    @property
    def size(self) -> int:
        """The number of clues in the core: how hard the deduction is."""
        return len(self.clues)

    @property
    def places(self) -> tuple[Cell, ...]:
        """Where the numbers of the core stand."""
        return tuple(clue.cell for clue in self.clues if clue.cell is not None)

    @cached_property
    def summary(self) -> str:
        """The verdict in one line."""
        name = some([self.cell])
        if self.verdict == "inconsistent":
            return self._inconsistent()
        if self.verdict == "unknown":
            chance = (
                ""
                if self.probability is None
                else f" It is a mine with probability {self._share()}."
            )
            return f"{name} cannot be decided.{chance}"
        what = "safe" if self.verdict == "safe" else "a mine"
        numbers = sum(clue is not self.total for clue in self.clues)
        because = [number(numbers, "clue")] if numbers else []
        if self.total is not None:
            because.append("the mine total")
        verb = "forces" if len(self.clues) == 1 else "force"
        fewest = "; no fewer do" if self.is_smallest and self.size > 1 else ""
        return f"{name} is {what}: {' and '.join(because)} {verb} it{fewest}."

    def _inconsistent(self) -> str:
        if self.wrong:
            marks = (
                f"the mark at {some(self.wrong)}"
                if len(self.wrong) == 1
                else (f"the marks at {some(self.wrong)}")
            )
            verb = "contradicts" if len(self.wrong) == 1 else "contradict"
            return f"There is no legal assignment: {marks} {verb} the numbers."
        where = [some([place]) for place in self.places]
        unplaced = sum(clue.cell is None and clue is not self.total for clue in self.clues)
        parts = []
        if where:
            noun = "the number at" if len(where) == 1 else "the numbers at"
            parts.append(f"{noun} {some(where)}")
        if unplaced:
            parts.append(number(unplaced, "clue"))
        if self.total is not None:
            parts.append("the mine total")
        if len(self.clues) == 1:
            return f"There is no legal assignment: {parts[0]} cannot be met."
        return f"There is no legal assignment: {' and '.join(parts)} contradict each other."

    def _share(self) -> str:
        assert self.probability is not None
        # What is not certain is never shown as 0 % or 100 %.
        share = f"{min(max(float(self.probability) * 100, 0.01), 99.99):.2f}"
        percent = f"{share.rstrip('0').rstrip('.')} %"
        exact = str(self.probability)
        return f"{exact} ({percent})" if len(exact) <= 24 else f"about {percent}"

    @cached_property
    def text(self) -> str:
        """The summary and the numbered steps."""
        lines = [self.summary]
        lines += [
            f"{'   ' * step.depth}{place}. {step.text}"
            for place, step in enumerate(self.steps, start=1)
        ]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Explanation: {self.summary}>"
