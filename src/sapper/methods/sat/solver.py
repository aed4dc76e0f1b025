"""A solver of PySAT that keeps to limits and can be interrupted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

from sapper.errors import MethodError, quoted
from sapper.limits import load
from sapper.methods.sat.encodings import Clause, pysat
from sapper.questions import Budget, foreign

__all__ = ["SOLVERS", "Solver"]

# The class of PySAT, and how its native functions begin.
_KINDS: Final = {
    "minisat22": ("Minisat22", "minisat22"),
    "minisat-gh": ("MinisatGH", "minisatgh"),
    "glucose3": ("Glucose3", "glucose3"),
    "glucose4": ("Glucose4", "glucose41"),
    "glucose42": ("Glucose42", "glucose421"),
}
SOLVERS: Final = tuple(_KINDS)
"""The solvers of PySAT that take phases and can be interrupted."""

# No solver is satisfied with this. (They differ in what they make of an empty clause.)
_FALSE: Final = ((1,), (-1,))
# How many conflicts and propagations a call may take without a thread of its own: milliseconds.
_AT_ONCE: Final = 200
_PROPAGATIONS_AT_ONCE: Final = 200_000
# How many clauses are handed over between two looks at the limits.
_BATCH: Final = 2048


@cache
def _kind(name: str) -> Any:
    """Return a class of PySAT whose solvers are freed once, whenever Ctrl-C comes.

    PySAT forgets a solver after it was freed: an interrupt in between, and it is freed again. And
    while it propagates, it makes an error of its own of Ctrl-C; `fails` leaves that to Python.
    """
    kind, prefix = _KINDS[name]
    handle = "minisat" if prefix.startswith("minisat") else "glucose"
    solver, native = getattr(pysat("solvers"), kind), load("pysolvers")

    def delete(self: Any) -> None:
        held = vars(self).pop(handle, None)
        if held is not None:
            getattr(native, f"{prefix}_del")(held)

    propagate = getattr(native, f"{prefix}_propagate")

    def fails(self: Any, literal: int) -> bool:
        return not propagate(vars(self)[handle], [literal], 0, 0)[0]

    return type(kind, (solver,), {"delete": delete, "fails": fails, handle: None})


class Solver:
    """Clauses in a solver; it is freed when nobody refers to it any more.

    After an error that is the only way: a thread may still be working in it. Otherwise `free` is
    better, because Ctrl-C that comes while Python collects garbage is lost.

    Parameters
    ----------
    name
        One of `SOLVERS`.
    budget
        Limits; each call of `solve` counts as a node.

    Raises
    ------
    MethodError
        If PySAT is missing or there is no such solver.
    """

    def __init__(self, name: str, budget: Budget) -> None:
        if name not in SOLVERS:
            known = ", ".join(map(repr, SOLVERS))
            raise MethodError(f"there is no solver {quoted(name)} for 'sat'; there are {known}")
        self._solver = _kind(name)()
        self._budget = budget
        self._added = 0

    def add(self, clauses: Iterable[Clause]) -> None:
        """State clauses."""
        for clause in clauses:
            self._added += 1
            if self._added % _BATCH == 0:
                self._budget.look()
            if clause:
                self._solver.add_clause(clause)
            else:
                self._solver.append_formula(_FALSE)

    def solve(self, assumptions: Sequence[int] = (), conflicts: int = -1) -> bool | None:
        """Tell whether there is a model under the assumptions.

        None if that is not clear after so many conflicts; -1 is as many as it takes.

        Raises
        ------
        LimitExceeded
            If a limit is hit; the solver is interrupted in its work, and of no use afterwards.
        """
        self._budget.look(nodes=1)
        solver: Any = self._solver
        assumed = list(assumptions)

        def work() -> bool | None:
            found: bool | None = solver.solve_limited(assumptions=assumed, expect_interrupt=True)
            return found

        # Most calls are short, and a thread takes longer than they do.
        solver.conf_budget(min(conflicts, _AT_ONCE) if conflicts >= 0 else _AT_ONCE)
        solver.prop_budget(_PROPAGATIONS_AT_ONCE)
        found = work()
        if found is None and not 0 <= conflicts <= _AT_ONCE:
            solver.conf_budget(conflicts)
            solver.prop_budget(-1)
            found = foreign(work, self._budget, stop=solver.interrupt)
        return found

    def refute(self, literals: Iterable[int]) -> list[int]:
        """Return the literals that unit propagation alone refutes; that they fail is stated."""
        refuted = []
        for literal in self._budget.watched(literals):
            if self._solver.fails(literal):
                refuted.append(literal)
                self._solver.add_clause([-literal])
        return refuted

    def model(self, variables: int) -> list[int]:
        """Return the literals of the first variables in the model that was found last."""
        literals: list[int] = self._solver.get_model()[:variables]
        return literals

    def core(self) -> list[int]:
        """Return the assumptions that the last call could not have together."""
        return self._solver.get_core() or []

    def free(self) -> None:
        """Give back the memory of a solver that has done its work."""
        self._solver.delete()

    def prefer(self, literals: Sequence[int]) -> None:
        """Try these values first from now on."""
        self._solver.set_phases(literals)
