"""Inference by constraint programming: Chlond's model, after Jandhyala, chapter 22.

A layout is a feasible point. Whether a cell is safe to click is found by pushing its variable as
high and as low as the clues allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from sapper.clues import Clues, Puzzle, Solution, Verdict
from sapper.errors import InconsistentError, MethodError, UnknownCellError, pip_install, quoted
from sapper.field import Cell
from sapper.limits import load
from sapper.methods.cpsat.programming import Model, Solver, model_of
from sapper.methods.onebyone import OneByOne, SolverFindings
from sapper.questions import BaseMethod, Budget, Question, Uniqueness, foreign

if TYPE_CHECKING:
    from sapper.limits import Limits

__all__ = ["CpSat", "Uniqueness", "status"]

SOLVERS: Final = ("cpsat", "highs")
"""What ``solver=`` takes: OR-Tools CP-SAT, or HiGHS."""

# CP-SAT holds 64-bit integers and wants sums well inside.
_LARGEST: Final = 1 << 60
# The most layouts that are collected before the search is started anew.
_CHUNK: Final = 4096


class CpSat(BaseMethod):
    """The integer program, solved by OR-Tools CP-SAT or by HiGHS.

    Parameters
    ----------
    solver : str
        ``"cpsat"`` or ``"highs"``. HiGHS works in floating point; what it returns is checked.

    Raises
    ------
    MethodError
        If there is no such solver. Whether it is installed is seen when the first question is
        asked: what the method does not answer is refused without it.

    Examples
    --------
    >>> from sapper.clues import Clue
    >>> clues = Clues([Clue(1, "ab"), Clue(2, "abc")])
    >>> CpSat().findings(clues).verdicts
    {'a': 'unknown', 'b': 'unknown', 'c': 'mine'}
    >>> CpSat().status(clues, "c")
    'mine'
    >>> CpSat().uniqueness(clues.with_clue(Clue(0, "a"))).is_unique
    True
    """

    name: ClassVar[str] = "cpsat"
    answers: ClassVar[frozenset[Question]] = frozenset({"consistent", "solutions", "verdicts"})

    def __init__(self, *, solver: str = "cpsat") -> None:
        if solver not in SOLVERS:
            known = " and ".join(map(repr, SOLVERS))
            raise MethodError(f"there is no solver {quoted(solver)} for 'cpsat'; there are {known}")
        self._solver = solver

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> SolverFindings:
        """Return findings, each computed when it is read."""
        self._load()
        return SolverFindings(self, puzzle, limits)

    def layout(self, puzzle: Puzzle, limits: Limits | None = None) -> Solution | None:
        """Return a legal assignment, or None if there is none."""
        self._load()
        return self._layout(puzzle, Budget(limits))

    def is_consistent(self, puzzle: Puzzle, budget: Budget) -> bool:
        """Tell whether there is a legal assignment."""
        return self._layout(puzzle, budget) is not None

    def _layout(self, puzzle: Puzzle, budget: Budget) -> Solution | None:
        model, solver = self._start(puzzle, budget)
        values = solver.maximize({})
        return None if values is None else model.solution(values)

    def uniqueness(self, puzzle: Puzzle, limits: Limits | None = None) -> Uniqueness:
        """Return a layout, and a second one if there is any.

        Raises
        ------
        InconsistentError
            If there is no layout at all.
        """
        return Uniqueness.of(self.solutions(puzzle, limits))

    def status(self, puzzle: Puzzle, cell: Cell, limits: Limits | None = None) -> Verdict:
        """Return whether a covered cell is ``"safe"``, a ``"mine"`` or ``"unknown"``.

        The cell's variable is pushed up, and if it gets there, down.

        Raises
        ------
        UnknownCellError
            If it is not a covered cell.
        InconsistentError
            If there is no legal assignment.
        """
        self._load()
        model, solver = self._start(puzzle, Budget(limits))
        clues = model.clues
        if cell not in clues.index:
            raise UnknownCellError(cell, "the covered cells")
        variable = clues.index[cell]
        highest = solver.maximize({variable: 1})
        if highest is None:
            raise InconsistentError("there is no legal assignment, so no cell has a status")
        model.solution(highest)
        if not highest[variable]:
            return "safe"
        lowest = solver.maximize({variable: -1})
        return "mine" if lowest is None or lowest[variable] else "unknown"

    def verdicts(self, puzzle: Puzzle, budget: Budget) -> dict[Cell, Verdict]:
        """Return the verdict of every covered cell; nothing if there is no legal assignment.

        All cells are pushed at once: each layout has as many values as possible that no layout
        had before. When not one more can be had, the rest is certain.
        """
        model, solver = self._start(puzzle, budget)
        values = solver.maximize({})
        if values is None:
            return {}
        model.solution(values)
        unsettled = set(range(len(values)))
        first = values
        while unsettled:
            wanted = {cell: -1 if first[cell] else 1 for cell in unsettled}
            found = solver.maximize(wanted)
            assert found is not None
            model.solution(found)
            flipped = {cell for cell in unsettled if found[cell] != first[cell]}
            if not flipped:
                break
            unsettled -= flipped
        names: tuple[Verdict, Verdict] = ("safe", "mine")
        return {
            cell: names[first[place]] if place in unsettled else "unknown"
            for place, cell in enumerate(model.clues.cells)
        }

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> OneByOne:
        """Return a view that finds the legal assignments one by one."""
        self._load()
        clues = Clues.of(puzzle, Budget(limits).look)
        return OneByOne(self, clues, limits)

    def find(self, clues: Clues, budget: Budget) -> Iterator[Solution]:
        """Yield all layouts."""
        model, solver = self._start(clues, budget)
        for values in solver.every():
            yield model.solution(values)

    def _load(self) -> None:
        """Import the solver before a budget is made: its time and memory are not the question's."""
        if self._solver == "cpsat":
            cp_model()
        else:
            from sapper.methods.cpsat.highs import highspy

            highspy()

    def _start(self, puzzle: Puzzle, budget: Budget) -> tuple[Model, Solver]:
        clues = Clues.of(puzzle, budget.look)
        if self._solver == "highs":
            from sapper.methods.cpsat.highs import LARGEST, HighsSolver

            model = model_of(clues, budget, largest=LARGEST)
            return model, HighsSolver(model, budget)
        model = model_of(clues, budget, largest=_LARGEST)
        return model, _CpSatSolver(model, budget)

    def __repr__(self) -> str:
        return f"CpSat(solver={self._solver!r})"


def status(puzzle: Puzzle, cell: Cell, *, solver: str = "cpsat") -> Verdict:
    r"""Return whether a covered cell is ``"safe"``, a ``"mine"`` or ``"unknown"``.

    Examples
    --------
    >>> import sapper
    >>> position = sapper.parse("???\n121")
    >>> status(position, (0, 0)), status(position, (0, 1))
    ('mine', 'safe')
    """
    return CpSat(solver=solver).status(puzzle, cell)


def cp_model() -> Any:
    """Import OR-Tools, or say what to install."""
    try:
        return load("ortools.sat.python.cp_model")
    except ImportError:
        raise MethodError(
            f"the method 'cpsat' needs OR-Tools: {pip_install('sapper[mip]')}"
        ) from None


class _CpSatSolver:
    """A model in CP-SAT. One worker and a fixed seed, so that answers do not change."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self._module = cp_model()
        self._budget = budget
        self._model = self._module.CpModel()
        cells = range(len(model.clues.cells))
        self._x = [self._model.new_bool_var("") for _ in budget.watched(cells)]
        for row in budget.watched(model.rows):
            if not row.terms:
                self._model.add_bool_or([])
                continue
            summed = [self._x[cell] for cell, _ in row.terms]
            weights = [weight for _, weight in row.terms]
            total = self._module.LinearExpr.weighted_sum(summed, weights)
            self._model.add(total == row.count)

    def maximize(self, objective: Mapping[int, int]) -> list[int] | None:
        """Return values that maximize a sum over variables, or None if nothing is feasible."""
        self._model.clear_objective()
        if objective:
            cells = [self._x[cell] for cell in objective]
            weights = list(objective.values())
            self._model.maximize(self._module.LinearExpr.weighted_sum(cells, weights))
        solver, code = self._solve()
        if code == self._module.INFEASIBLE:
            return None
        if code == self._module.OPTIMAL or (code == self._module.FEASIBLE and not objective):
            return [int(solver.value(variable)) for variable in self._budget.watched(self._x)]
        raise _gave_up(solver)

    def forbid(self, values: list[int]) -> None:
        """Rule out one assignment."""
        pairs = zip(self._x, values, strict=True)
        self._model.add_bool_or([x.negated() if value else x for x, value in pairs])

    def every(self) -> Iterator[list[int]]:
        """Yield all assignments; found in chunks that double, so that a few come soon."""
        self._model.clear_objective()
        size = 1
        while True:
            collected = _Collector(self._module, self._x, size)
            solver, code = self._solve(collected.callback)
            yield from self._budget.watched(collected.found)
            if code in (self._module.OPTIMAL, self._module.INFEASIBLE):
                return
            if len(collected.found) < size:
                raise _gave_up(solver)
            for values in collected.found:
                self.forbid(values)
            size = min(2 * size, _CHUNK)

    def _solve(self, callback: Any = None) -> tuple[Any, Any]:
        self._budget.spend(nodes=1)
        solver, model = self._module.CpSolver(), self._model
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        # Ctrl-C is for Python to see.
        solver.parameters.catch_sigint_signal = False
        solver.parameters.enumerate_all_solutions = callback is not None
        code = foreign(lambda: solver.solve(model, callback), self._budget, solver.stop_search)
        return solver, code


def _gave_up(solver: Any) -> MethodError:
    return MethodError(
        f"CP-SAT gave up ({solver.status_name()}): it may not take these numbers; "
        "'engine' and 'brute' do"
    )


class _Collector:
    """Collects up to `size` assignments and stops the search."""

    def __init__(self, module: Any, variables: list[Any], size: int) -> None:
        found: list[list[int]] = []

        class Callback(module.CpSolverSolutionCallback):  # type: ignore[misc]
            def on_solution_callback(self) -> None:
                found.append([int(self.value(variable)) for variable in variables])
                if len(found) >= size:
                    self.stop_search()

        self.found = found
        self.callback = Callback()
