"""Explain a verdict: find a minimal core, check it, and put it into words."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

from sapper.analysis.cores import Cores
from sapper.analysis.explanation import Explanation
from sapper.analysis.steps import steps_of, undecided
from sapper.analysis.verify import VerificationError, check_core
from sapper.analysis.wording import Namer
from sapper.clues import VERDICTS, Clue, Clues, Puzzle, Solution, Verdict
from sapper.errors import LimitExceeded, MethodError
from sapper.field import Cell, Position
from sapper.questions import Budget

if TYPE_CHECKING:
    from sapper.questions import Findings, Solutions

__all__ = ["explain"]

_Worlds: TypeAlias = tuple[Solution | None, Solution | None]

# The verdict, by whether the cell can be a mine and whether it can be free.
_VERDICT: Final[dict[tuple[bool, bool], Verdict | None]] = {
    (True, True): "unknown",
    (True, False): "mine",
    (False, True): "safe",
    (False, False): None,
}


def explain(findings: Findings, cell: Cell, *, smallest: bool = False) -> Explanation:
    """Return why a covered cell is safe, a mine, or cannot be decided; see `sapper.explain`.

    The limits of the findings hold for all of it together.
    """
    budget = Budget(findings.limits)
    source = findings.source
    if not source.complete:
        raise MethodError(
            f"the method {source.name!r} does not find every verdict, so it cannot say that a cell "
            "is undecided; 'engine' and 'sat' can"
        )
    cores = _cores(findings, budget)
    variable = cores.variable(cell)
    worlds = _worlds(findings, cell, budget)
    if worlds is None:
        codes = findings.known("verdict_codes", findings.find_verdict_codes, budget)
        verdict = VERDICTS[codes[variable]] if codes else None
    else:
        verdict = _VERDICT[worlds[0] is not None, worlds[1] is not None]
    if verdict is None:
        return _inconsistent(cores, cell, findings.method)
    if verdict == "unknown":
        return _undecided(cores, cell, variable, findings, worlds)
    return _decided(cores, cell, variable, verdict, smallest, findings.method)


def _worlds(findings: Findings, cell: Cell, budget: Budget) -> _Worlds | None:
    """Return a solution with a mine in a cell and one without, where they come one by one.

    Then two solutions cost less than the verdicts of all cells; and they are the first that there
    are, since all of them would be too many. None if solutions come otherwise.
    """
    if "solutions" not in findings.answers:
        return None
    view = findings.solutions(budget)
    if not getattr(view, "one_by_one", False):
        return None
    return next(iter(view.including(cell)), None), next(iter(view.excluding(cell)), None)


def _cores(findings: Findings, budget: Budget) -> Cores:
    if findings.source.name != "sat":
        return Cores(findings.puzzle, budget)
    from sapper.analysis.sat_cores import SatCores

    return SatCores(findings.puzzle, budget)


def _decided(
    cores: Cores, cell: Cell, variable: int, verdict: Verdict, smallest: bool, method: str
) -> Explanation:
    mine = verdict == "mine"
    numbers = cores.core(variable, not mine, smallest=smallest)
    if numbers is None:
        raise VerificationError(f"no clues were found that make {cell!r} {verdict}")
    clues = cores.clues(numbers)
    witnesses = _witnesses(cores, numbers, variable, not mine)
    check_core(clues, cell, not mine, witnesses, cores.budget)
    total = cores.total if any(clue is cores.total for clue in clues) else None
    names = _names(cores, clues, total)
    return Explanation(
        puzzle=cores.puzzle,
        cell=cell,
        verdict=verdict,
        clues=clues,
        total=total,
        steps=tuple(steps_of(clues, cell, mine, names)),
        solutions=(),
        probability=Fraction(int(mine)),
        wrong=(),
        is_smallest=smallest or len(clues) == 1,
        method=method,
    )


def _witnesses(
    cores: Cores, numbers: list[int], variable: int, mine: bool
) -> list[frozenset[Cell]]:
    """Return, for each clue, an assignment that meets the others and has the refuted value."""
    found = []
    for dropped in range(len(numbers)):
        rest = numbers[:dropped] + numbers[dropped + 1 :]
        values = cores.witness(rest, variable, mine)
        if values is None:
            raise VerificationError("a clue of the core can be dropped")
        found.append(cores.mines_of(values))
    return found


def _names(cores: Cores, clues: tuple[Clue, ...], total: Clue | None) -> Namer:
    puzzle = cores.puzzle
    order = puzzle.index.__getitem__ if isinstance(puzzle, Clues) else puzzle.topology.index
    everything = puzzle.clues if isinstance(puzzle, Clues) else clues
    return Namer(puzzle, everything, total, order)


def _inconsistent(cores: Cores, cell: Cell, method: str) -> Explanation:
    numbers = cores.contradiction()
    if numbers is None:
        raise VerificationError("no clues were found that contradict each other")
    clues = cores.clues(numbers)
    check_core(clues, None, False, _witnesses(cores, numbers, -1, False), cores.budget)
    total = cores.total if any(clue is cores.total for clue in clues) else None
    return Explanation(
        puzzle=cores.puzzle,
        cell=cell,
        verdict="inconsistent",
        clues=clues,
        total=total,
        steps=tuple(steps_of(clues, None, False, _names(cores, clues, total))),
        solutions=(),
        probability=None,
        wrong=_wrong_marks(cores.puzzle, clues, cores.budget),
        is_smallest=len(clues) == 1,
        method=method,
    )


def _wrong_marks(puzzle: Puzzle, clues: tuple[Clue, ...], budget: Budget) -> tuple[Cell, ...]:
    """Return the marks near some clues that the numbers refute once all marks are lifted."""
    if not isinstance(puzzle, Position):
        return ()
    marks: dict[Cell, str] = dict.fromkeys(puzzle.known_mines, "mine")
    marks.update(dict.fromkeys(puzzle.known_free, "safe"))
    if not marks:
        return ()
    lifted = puzzle
    for mark in marks:
        lifted = lifted.with_label(mark, "?")
    cores = Cores(lifted, budget)
    if cores.contradiction() is not None:
        return ()
    near = {
        other
        for clue in clues
        if clue.cell is not None
        for other in puzzle.topology.neighbours(clue.cell)
    }
    suspects = [mark for mark in marks if mark in near] or list(marks)
    return tuple(
        mark
        for mark in suspects
        if cores.core(cores.variable(mark), marks[mark] == "mine") is not None
    )


def _undecided(
    cores: Cores, cell: Cell, variable: int, findings: Findings, worlds: _Worlds | None
) -> Explanation:
    budget = cores.budget
    if worlds is not None:
        with_mine, without = worlds
    elif "solutions" in findings.answers:
        with_mine, without = _pair(findings.solutions(budget), cell, cores)
    else:
        with_mine, without = cores.worlds(variable)
    clues = Clues.of(cores.puzzle, budget.look)
    if with_mine is None or without is None:
        raise VerificationError(f"{cell!r} is undecided, but no two solutions were found")
    solutions = (with_mine, without)
    if not (cell in with_mine and cell not in without):
        raise VerificationError(f"the two solutions do not differ in {cell!r}")
    if not all(_is_solution(clues, one, budget) for one in solutions):
        raise VerificationError("a solution that is shown is none")
    probability = None
    if "probabilities" in findings.answers:
        # The chance is a bonus: half of the time that is left goes into it, not all.
        left = budget.left()
        if left.seconds is not None:
            left = replace(left, seconds=left.seconds / 2)
        try:
            known = findings.known(
                "exact_probabilities", findings.find_exact_probabilities, Budget(left)
            )
            probability = known[variable]
        except LimitExceeded:
            budget.look()
    names = Namer(cores.puzzle, (), None, clues.index.__getitem__)
    return Explanation(
        puzzle=cores.puzzle,
        cell=cell,
        verdict="unknown",
        clues=(),
        total=None,
        steps=tuple(undecided(cell, with_mine, without, names)),
        solutions=solutions,
        probability=probability,
        wrong=(),
        is_smallest=False,
        method=findings.method,
    )


def _is_solution(clues: Clues, solution: Solution, budget: Budget) -> bool:
    """Tell the same as `Clues.is_solution`, within limits."""
    return (
        solution.issubset(clues.index)
        and clues.free_mines in (None, len(solution))
        and all(clue.is_satisfied_by(solution) for clue in budget.watched(clues.clues))
    )


def _pair(view: Solutions, cell: Cell, cores: Cores) -> tuple[Solution, Solution]:
    """Return a solution with a mine in a cell and one without, as much alike as can be.

    Both are cheapest solutions of the same diagram: first the cell costs, then it pays more than
    all differences together.
    """
    without = view.cheapest({cell: 1}).solution
    costs = {other: -1 if other in without else 1 for other in cores.cells}
    costs[cell] = -len(costs)
    return view.cheapest(costs).solution, without
