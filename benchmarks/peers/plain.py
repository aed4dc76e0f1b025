"""A minefield for PySAT, CP-SAT and Ganak, in a few lines each.

A position is a list of sums: how many of some variables, numbered from 1, are mines.
"""

from __future__ import annotations

from typing import Any

Sums = list[tuple[int, list[int]]]


def clauses_of(sums: Sums, encoding: int) -> list[list[int]]:
    """Return the clauses of all sums, with auxiliary variables after the cells."""
    from pysat.card import CardEnc

    top = max(cell for _, cells in sums for cell in cells)
    clauses: list[list[int]] = []
    for count, cells in sums:
        encoded = CardEnc.equals(lits=cells, bound=count, top_id=top, encoding=encoding)
        clauses += encoded.clauses
        top = max(top, encoded.nv)
    return clauses


def verdict(can_be_free: bool, can_be_mined: bool) -> str:
    """Return what two questions say about a cell."""
    return "unknown" if can_be_free and can_be_mined else "mine" if can_be_mined else "safe"


def by_pysat(sums: Sums) -> list[str]:
    """Ask for each cell whether it can be free, and whether it can be mined."""
    from pysat.card import EncType
    from pysat.solvers import Solver

    cells = max(cell for _, members in sums for cell in members)
    with Solver("cadical153", bootstrap_with=clauses_of(sums, EncType.seqcounter)) as solver:
        return [
            verdict(solver.solve(assumptions=[-cell]), solver.solve(assumptions=[cell]))
            for cell in range(1, cells + 1)
        ]


def by_cpsat(sums: Sums) -> list[str]:
    """The same with linear equations; a model with the cell decided for each question."""
    cells = max(cell for _, members in sums for cell in members)
    return [
        verdict(_cpsat_can_be(sums, cells, cell, 0), _cpsat_can_be(sums, cells, cell, 1))
        for cell in range(1, cells + 1)
    ]


def _cpsat_can_be(sums: Sums, cells: int, cell: int, value: int) -> bool:
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    mined = [model.new_bool_var("") for _ in range(cells + 1)]
    for count, members in sums:
        model.add(sum(mined[member] for member in members) == count)
    model.add(mined[cell] == value)
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return bool(solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE))


def count_by_ganak(sums: Sums) -> int:
    """Count the models; every auxiliary variable of this encoding is fixed by the cells."""
    import pyganak

    from benchmarks.graph_tasks import exactly

    touched = sorted({cell for _, cells in sums for cell in cells})
    variable = {cell: number for number, cell in enumerate(touched, start=1)}
    fresh = iter(range(len(touched) + 1, 1 << 30))
    counter: Any = pyganak.Counter()
    for count, cells in sums:
        counter.add_clauses(list(exactly([variable[cell] for cell in cells], count, fresh)))
    return int(counter.count())
