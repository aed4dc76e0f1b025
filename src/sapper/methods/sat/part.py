"""One component in a SAT solver: models as bit masks, and every value that some model has."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sapper.errors import LimitExceeded, MethodError
from sapper.methods.reduced import Component
from sapper.methods.sat.encodings import Encoder, pysat
from sapper.questions import Budget

__all__ = ["SOLVERS", "Part"]

SOLVERS: Final = ("minisat22", "minisat-gh", "glucose3", "glucose4", "glucose42")
"""The solvers of PySAT that take phases and can be interrupted."""

# No solver is satisfied with this. (They differ in what they make of an empty clause.)
_FALSE: Final = ((1,), (-1,))
# How many unwitnessed values are assumed at once. Larger chunks need fewer models, and more calls
# in which the assumptions get in each other's way.
_CHUNK: Final = 400
# Solving again with other phases is dropped once a model settles less than this share.
_PROGRESS: Final = 0.05


class Part:
    """A component with its solver.

    A model is an integer whose bit i says whether the i-th cell of the component is a mine.

    Parameters
    ----------
    component
        What to solve.
    encoding, solver
        How clues become clauses, and the solver of PySAT that takes them.
    budget
        Limits; each call of the solver counts as a node.
    """

    def __init__(self, component: Component, encoding: str, solver: str, budget: Budget) -> None:
        self.cells = component.cells
        self.models: list[int] = []
        self._budget = budget
        place = {cell: number for number, cell in enumerate(component.cells, start=1)}
        encoder = Encoder(len(place), encoding)
        for row in component.rows:
            if row.is_plain:
                encoder.equals([place[cell] for cell, _ in row.terms], row.count)
            else:
                encoder.weighted([(place[cell], weight) for cell, weight in row.terms], row.count)
        self._encoder = encoder
        self._written = len(encoder.clauses)
        self._outputs: list[int] | None = None
        self._solver = make_solver(solver, encoder.clauses)

    def close(self) -> None:
        """Release the solver."""
        self._solver.delete()

    @property
    def all(self) -> int:
        """The mask with every cell in it."""
        return (1 << len(self.cells)) - 1

    def find(self, assumptions: Sequence[int] = ()) -> int | None:
        """Return a model under assumptions, or None; models are remembered."""
        if not solve(self._solver, assumptions, self._budget):
            return None
        literals = self._solver.get_model()[: len(self.cells)]
        bits = "".join(["1" if literal > 0 else "0" for literal in reversed(literals)])
        mask = int(bits, 2) if bits else 0
        self.models.append(mask)
        return mask

    def forbid(self, mask: int) -> None:
        """Rule out one model."""
        if self.cells:
            self._solver.add_clause([-literal for literal in self._literals(self.all, mask)])
        else:
            self._solver.append_formula(_FALSE)

    def mines_of(self, mask: int) -> list[int]:
        """Return the cells that are mines in a model."""
        return [self.cells[place - 1] for place in _bits(mask)]

    def prefer(self, mask: int) -> None:
        """Ask the solver to try the values in `mask` first."""
        self._solver.set_phases(self._literals(self.all, mask))

    def _literals(self, cells: int, values: int) -> list[int]:
        """Return the literals of the cells in a mask, with their values from another."""
        return [number if values >> (number - 1) & 1 else -number for number in _bits(cells)]

    def settle(self) -> tuple[int, int]:
        """Return which cells are a mine in some model and which are free in some model.

        Needs a model. Each further model is steered by the solver's phases towards the values that
        no model had yet, so that one settles many cells. Then chunks of these values are assumed
        together: an assumption that fails alone is impossible, one that fails with others waits.
        """
        mined, freed = self._witnessed()
        progress = True
        while progress and (missing := self.all & ~(mined & freed)):
            # A cell seen only free should be a mine, and the other way round.
            self.prefer(freed & ~mined | self.models[-1] & ~missing)
            mask = self.find()
            assert mask is not None
            settled = (mask & ~mined | ~mask & ~freed & self.all).bit_count()
            mined, freed = mined | mask, freed | self.all & ~mask
            progress = settled > _PROGRESS * missing.bit_count()
        impossible = 0
        while missing := self.all & ~(mined & freed) & ~impossible:
            wanted = freed & ~mined
            literals = _spread(self._literals(missing, wanted), _CHUNK)
            self.prefer(wanted | self.models[-1] & ~missing)
            while literals:
                mask = self.find(literals)
                if mask is not None:
                    mined, freed = mined | mask, freed | self.all & ~mask
                    break
                core = self._solver.get_core()
                if len(core) == 1:
                    self._solver.add_clause([-core[0]])
                    impossible |= 1 << (abs(core[0]) - 1)
                literals.remove(core[0])
        return mined, freed

    def _witnessed(self) -> tuple[int, int]:
        mined = freed = 0
        for mask in self.models:
            mined |= mask
            freed |= self.all & ~mask
        return mined, freed

    def with_mines(self, least: int, most: int, assumption: Sequence[int] = ()) -> int | None:
        """Return a model with `least` to `most` mines under an assumption, or None."""
        if self._outputs is None:
            self._outputs = self._encoder.counter(range(1, len(self.cells) + 1))
            for clause in self._encoder.clauses[self._written :]:
                self._solver.add_clause(list(clause))
            self._written = len(self._encoder.clauses)
        bounds = list(assumption)
        if least > 0:
            bounds.append(self._outputs[least - 1])
        if most < len(self.cells):
            bounds.append(-self._outputs[most])
        return self.find(bounds)

    def counts(self) -> int:
        """Return the set of numbers of mines that models have, as a mask."""
        known = 0
        for mask in self.models:
            known |= 1 << mask.bit_count()
        size = len(self.cells)
        least, most = (known & -known).bit_length() - 1, known.bit_length() - 1
        while least and (fewer := self.with_mines(0, least - 1)) is not None:
            least = fewer.bit_count()
            known |= 1 << least
        while most < size and (more := self.with_mines(most + 1, size)) is not None:
            most = more.bit_count()
            known |= 1 << most
        for count in range(least + 1, most):
            if not known >> count & 1 and self.with_mines(count, count) is not None:
                known |= 1 << count
        return known


def _bits(mask: int) -> Iterator[int]:
    """Yield the places of the bits of a mask, counted from 1."""
    text = bin(mask)[:1:-1]
    place = text.find("1")
    while place >= 0:
        yield place + 1
        place = text.find("1", place + 1)


def _spread(literals: list[int], size: int) -> list[int]:
    """Return up to `size` literals, far from each other on a board."""
    return literals[:: max(1, len(literals) // size)][:size]


def make_solver(name: str, clauses: Sequence[Sequence[int]]) -> Any:
    """Return a solver of PySAT over some clauses.

    Raises
    ------
    MethodError
        If PySAT is missing or the solver is not one of `SOLVERS`.
    """
    if name not in SOLVERS:
        known = ", ".join(map(repr, SOLVERS))
        raise MethodError(f"there is no solver {name!r} for 'sat'; there are {known}")
    solver = pysat("solvers").Solver(name=name)
    for clause in clauses:
        if not clause:
            solver.append_formula(_FALSE)
            break
    solver.append_formula([clause for clause in clauses if clause])
    return solver


def solve(solver: Any, assumptions: Sequence[int], budget: Budget) -> bool:
    """Tell whether there is a model under the assumptions.

    Raises
    ------
    LimitExceeded
        If time or calls run out; the solver is interrupted in its work.
    """
    budget.spend(nodes=1)
    seconds = budget.left().seconds
    answer: list[bool | None] = []

    # The solver works in a thread of its own, so that this one can see Ctrl-C and the clock.
    def work() -> None:
        answer.append(solver.solve_limited(assumptions=list(assumptions), expect_interrupt=True))

    thread = threading.Thread(target=work, daemon=True)
    end = None if seconds is None else time.monotonic() + seconds
    thread.start()
    try:
        while thread.is_alive():
            if end is not None and time.monotonic() > end:
                break
            thread.join(0.05 if end is None else min(0.05, max(0.0, end - time.monotonic())))
    finally:
        if thread.is_alive():
            solver.interrupt()
            thread.join()
        solver.clear_interrupt()
    if not answer or answer[0] is None:
        budget.spend()
        spent = 0.0 if seconds is None else seconds
        raise LimitExceeded("seconds", allowed=spent, spent=spent)
    return bool(answer[0])
