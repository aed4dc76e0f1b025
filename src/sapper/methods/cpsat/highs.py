"""The integer program in HiGHS, a solver for mixed-integer linear programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sapper.errors import MethodError, pip_install
from sapper.limits import load
from sapper.methods.cpsat.programming import Model
from sapper.questions import Budget, foreign

__all__ = ["LARGEST", "HighsSolver", "highspy"]

LARGEST: Final = 1 << 20
"""The largest sum of weights in a clue: with tolerances of 1e-6, larger ones are not exact."""


def highspy() -> Any:
    """Import HiGHS, or say what to install.

    From 1.13 on its shared library clashes with the one inside OR-Tools: whichever is imported
    second fails. Hence the bound in the extra ``mip``.
    """
    try:
        return load("highspy")
    except ImportError as error:
        if "undefined symbol" in str(error):
            raise MethodError(
                f"this HiGHS clashes with OR-Tools: {pip_install('highspy<1.13')}"
            ) from None
        raise MethodError(f"this needs HiGHS: {pip_install('sapper[mip]')}") from None


class HighsSolver:
    """A model in HiGHS; see `sapper.methods.cpsat.programming.Solver`."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self._module = highspy()
        self._budget = budget
        self._size = len(model.clues.cells)
        self._feasible = all(row.terms for row in model.rows)
        self._highs = self._module.Highs()
        for name, value in (
            ("output_flag", False),
            ("threads", 1),
            ("random_seed", 1),
            ("mip_rel_gap", 0.0),
            ("mip_abs_gap", 0.5),
        ):
            self._highs.setOptionValue(name, value)
        infinity = self._module.kHighsInf
        self._infinity = infinity
        # So that it can be told to stop.
        self._highs.HandleUserInterrupt = True
        for place in budget.watched(range(self._size)):
            self._highs.addVar(0.0, 1.0)
            self._highs.changeColIntegrality(place, self._module.HighsVarType.kInteger)
        for row in budget.watched(model.rows):
            cells = [cell for cell, _ in row.terms]
            weights = [float(weight) for _, weight in row.terms]
            self._highs.addRow(float(row.count), float(row.count), len(cells), cells, weights)

    def maximize(self, objective: Mapping[int, int]) -> list[int] | None:
        """Return values that maximize a sum over variables, or None if nothing is feasible."""
        if not self._feasible:
            return None
        if not self._size:
            return []
        self._budget.spend(nodes=1)
        highs = self._highs
        for place in self._budget.watched(range(self._size)):
            highs.changeColCost(place, float(-objective.get(place, 0)))
        foreign(highs.run, self._budget, highs.cancelSolve)
        status = highs.getModelStatus()
        kind = self._module.HighsModelStatus
        if status in (kind.kInfeasible, kind.kUnboundedOrInfeasible):
            return None
        if status != kind.kOptimal:
            raise MethodError(f"HiGHS gave up: {highs.modelStatusToString(status)}")
        return [round(value) for value in highs.getSolution().col_value[: self._size]]

    def forbid(self, values: list[int]) -> None:
        """Rule out one assignment: at least one variable differs."""
        if not values:
            self._feasible = False
            return
        weights = [-1.0 if value else 1.0 for value in values]
        bound = 1.0 - sum(values)
        self._highs.addRow(bound, self._infinity, len(values), list(range(len(values))), weights)

    def every(self) -> Iterator[list[int]]:
        """Yield all assignments, each once."""
        while (values := self.maximize({})) is not None:
            yield values
            self.forbid(values)
