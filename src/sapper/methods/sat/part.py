"""One component in a SAT solver: models as bit masks, and every value that some model has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sapper.methods.reduced import Component, Row
from sapper.methods.sat.encodings import Encoder
from sapper.methods.sat.solver import Solver
from sapper.methods.totals import Totals
from sapper.questions import Budget

__all__ = ["Part", "Seen"]

Seen = tuple[int, int]
"""The cells that can be mines and those that can be free, as masks."""

# How many unwitnessed values are assumed at once, at first and at most. Larger chunks need fewer
# models, and more calls in which the assumptions get in each other's way: on a lattice of numbers
# two apart, 40 × 40, chunks of 400 take a hundred times as long as chunks of 8.
_FEWEST: Final = 8
_CHUNK: Final = 400
_MANY: Final = 200
# How hard several values are tried together before fewer are.
_CONFLICTS: Final = 2000
# Nudging a model: how many cells may change at once, how hard that is tried, and how often in all.
_WINDOW: Final = 60
_QUICK: Final = 100
_NUDGES: Final = 400
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
        self._place = {cell: number for number, cell in enumerate(component.cells, start=1)}
        self._rows = component.rows
        self._encoder = Encoder(len(self._place), encoding, budget)
        self._solver = Solver(solver, budget)
        self._counted: tuple[int, list[int]] | None = None
        self._windows: list[tuple[list[int], bytes]] = []
        self._turn = 0
        for row in component.rows:
            terms = [(self._place[cell], weight) for cell, weight in row.terms]
            if row.is_plain:
                self._encoder.equals([literal for literal, _ in terms], row.count)
            else:
                self._encoder.weighted(terms, row.count)
            self._solver.add(self._encoder.taken())

    def free(self) -> None:
        """Give back the memory of the solver."""
        self._solver.free()

    @property
    def all(self) -> int:
        """The mask with every cell in it."""
        return (1 << len(self.cells)) - 1

    def find(self, assumptions: Sequence[int] = ()) -> int | None:
        """Return a model under assumptions, or None; models are remembered."""
        return self._model() if self._solver.solve(assumptions) else None

    def _model(self) -> int:
        literals = self._solver.model(len(self.cells))
        bits = "".join(["1" if literal > 0 else "0" for literal in reversed(literals)])
        mask = int(bits, 2) if bits else 0
        self.models.append(mask)
        return mask

    def _some(self, literals: list[int]) -> tuple[int, list[int], list[int]]:
        """Return a model with as many of these literals as come easily, these, and what none has.

        Of literals that conflict one is left out, and of those that are hard to have together
        half. One that fails alone is in no model, which the solver is told.
        """
        refuted: list[int] = []
        while not (found := self._solver.solve(literals, _CONFLICTS if len(literals) > 1 else -1)):
            core = self._solver.core() if found is False else []
            if len(core) == 1:
                refuted += core
            if core:
                literals.remove(core[0])
            else:
                literals = literals[::2]
        mask = self._model()
        # Told one by one, each would make the solver go through all its clauses again.
        self._solver.add([-literal] for literal in refuted)
        return mask, literals, refuted

    def forbid(self, mask: int) -> None:
        """Rule out one model."""
        self._solver.add([[-literal for literal in self._literals(self.all, mask)]])

    def mines_of(self, mask: int) -> list[int]:
        """Return the cells that are mines in a model."""
        return [self.cells[place - 1] for place in _bits(mask)]

    def prefer(self, mask: int) -> None:
        """Ask the solver to try the values in `mask` first."""
        self._solver.prefer(self._literals(self.all, mask))

    def _literals(self, cells: int, values: int) -> list[int]:
        """Return the literals of the cells in a mask, with their values from another."""
        places = np.flatnonzero(_flags(cells, len(self.cells)))
        signs = _flags(values, len(self.cells))[places]
        found: list[int] = np.where(signs, places + 1, -1 - places).tolist()
        return found

    def settle(self) -> Seen:
        """Return which cells are a mine in some model and which are free in some model.

        Needs a model. Each further model is steered by the solver's phases towards the values that
        no model had yet, so that one settles many cells. Of the values left, those that unit
        propagation refutes are put aside and the rest is assumed in chunks: an assumption that
        fails alone is impossible, one that fails with others waits, and chunks grow while few do.
        """
        mined, freed = self.seen(self.models)
        progress = True
        while progress and (missing := self.all & ~(mined & freed)):
            # A cell seen only free should be a mine, and the other way round.
            self.prefer(freed & ~mined | self.models[-1] & ~missing)
            mask = self.find()
            assert mask is not None
            settled = (mask & ~mined | ~mask & ~freed & self.all).bit_count()
            mined, freed = mined | mask, freed | self.all & ~mask
            progress = settled > _PROGRESS * missing.bit_count()
        missing = self.all & ~(mined & freed)
        impossible = _mask(self._solver.refute(self._literals(missing, freed)))
        size = _FEWEST
        while missing := self.all & ~(mined & freed) & ~impossible:
            wanted = freed & ~mined
            self.prefer(wanted | self.models[-1] & ~missing)
            size = max(_FEWEST, min(_CHUNK, size, missing.bit_count() // 8))
            chosen = _spread(self._literals(missing, wanted), size)
            asked = len(chosen)
            mask, literals, refuted = self._some(chosen)
            mined, freed = mined | mask, freed | self.all & ~mask
            impossible |= _mask(refuted)
            waiting = asked - len(literals) - len(refuted)
            size = 2 * size if 4 * waiting <= asked else size // 2
        return mined, freed

    def witness(self, possible: Seen, least: int, most: int) -> None:
        """Look for models with `least` to `most` mines that have the values in `possible`.

        Needs a model. The models at hand are nudged to such a number, then those of a few wanted
        values at a time. What is not found in this way may be there all the same.
        """
        known = self.models[:]
        mined, freed = self.seen([m for m in known if least <= m.bit_count() <= most])
        for model in known:
            missing = possible[0] & ~mined | possible[1] & ~freed
            if model & missing & ~mined or ~model & missing & ~freed:
                mask = self.nudge(model, least, most)
                if mask is not None:
                    mined, freed = mined | mask, freed | self.all & ~mask
        stuck = 0
        while missing := (possible[0] & ~mined | possible[1] & ~freed) & ~stuck:
            wanted = possible[0] & ~mined
            self.prefer(wanted | self.models[-1] & ~missing)
            model, literals, _ = self._some(_spread(self._literals(missing, wanted), _FEWEST))
            assert literals
            fixed = _mask(literals)
            mask = self.nudge(model, least, most, fixed)
            if mask is not None:
                mined, freed = mined | mask, freed | self.all & ~mask
            else:
                stuck |= fixed

    def nudge(self, mask: int, least: int, most: int, fixed: int = 0) -> int | None:
        """Change a model, here and there, until it has `least` to `most` mines; None if that fails.

        The cells in `fixed` stay as they are. Everywhere but in a small window cells are assumed as
        they are, and in the window the solver first tries mines, or no mines.
        """
        if not self._windows:
            self._windows = _windows(self._rows, self._place)
        literals = self._literals(self.all, mask)
        kept = [literals[place - 1] for place in _bits(fixed)]
        failed = 0
        for _ in range(_NUDGES):
            count = mask.bit_count()
            if least <= count <= most:
                return mask
            if failed >= len(self._windows):
                return None
            inside, outside = self._windows[self._turn % len(self._windows)]
            # A step that few numbers have in common: the next window is elsewhere on the board.
            self._turn += 53
            self._solver.prefer(inside if count < least else [-cell for cell in inside])
            failed += 1
            if self._solver.solve([*kept, *compress(literals, outside)], _QUICK):
                found = self._model()
                off = max(least - found.bit_count(), found.bit_count() - most)
                if off < max(least - count, count - most):
                    mask, failed = found, 0
                    literals = self._literals(self.all, mask)
        return None

    def seen(self, models: Sequence[int]) -> Seen:
        """Return which cells are a mine, and which are free, in some of these models."""
        mined = freed = 0
        for mask in models:
            mined |= mask
            freed |= self.all & ~mask
        return mined, freed

    def aim(self, least: int, most: int) -> int | None:
        """Look for a model with `least` to `most` mines by phases alone; None if it is missed.

        Needs a model. Of a model with fewer mines and one with more, the first half and the second
        half of the cells are preferred: the solver mends the seam, and where the seam has to be is
        found by bisection. The nearest that was found is then nudged.
        """
        for mask in self.models:
            if least <= mask.bit_count() <= most:
                return mask
        few, many = min(self.models, key=int.bit_count), max(self.models, key=int.bit_count)
        if many.bit_count() < least:
            self.prefer(self.all)
            found = self.find()
            assert found is not None
            many = found
        elif few.bit_count() > most:
            self.prefer(0)
            found = self.find()
            assert found is not None
            few = found
        low, high = 0, len(self.cells)
        while low < high and few.bit_count() <= most and many.bit_count() >= least:
            seam = (low + high) // 2
            below = (1 << seam) - 1
            self.prefer(many & below | few & ~below)
            found = self.find()
            assert found is not None
            if found.bit_count() < least:
                low = seam + 1
            elif found.bit_count() > most:
                high = seam
            else:
                return found
        nearest = min(self.models, key=lambda mask: abs(2 * mask.bit_count() - least - most))
        return self.nudge(nearest, least, most)

    def with_mines(self, least: int, most: int, assumption: Sequence[int] = ()) -> int | None:
        """Return a model with `least` to `most` mines under an assumption, or None."""
        if least > len(self.cells) or most < max(least, 0):
            return None
        if self._counted is None:
            apart, rest = _packed(self._rows, self.cells)
            outputs = self._encoder.counter([self._place[cell] for cell in rest])
            self._solver.add(self._encoder.taken())
            self._counted = apart, outputs
        apart, outputs = self._counted
        least, most = least - apart, most - apart
        if most < 0 or least > len(outputs):
            return None
        bounds = list(assumption)
        if least > 0:
            bounds.append(outputs[least - 1])
        if most < len(outputs):
            bounds.append(-outputs[most])
        return self.find(bounds)

    def counts(self) -> Totals:
        """Return all numbers of mines that models have."""
        known = {mask.bit_count() for mask in self.models}
        least, most = min(known), max(known)
        while (fewer := self.with_mines(0, least - 1)) is not None:
            known.add(least := fewer.bit_count())
        while (more := self.with_mines(most + 1, len(self.cells))) is not None:
            known.add(most := more.bit_count())
        for count in range(least + 1, most):
            if count not in known and self.with_mines(count, count) is not None:
                known.add(count)
        return Totals(sum(1 << count for count in known))

    def has(self, counts: Totals) -> bool:
        """Tell whether a model has one of these numbers of mines."""
        return any(mask.bit_count() in counts for mask in self.models) or any(
            (self.is_large and self.aim(least, most) is not None)
            or self.with_mines(least, most) is not None
            for least, most in counts.runs()
        )

    @property
    def is_large(self) -> bool:
        """Whether counting mines is so costly that models are first looked for without it."""
        return len(self.cells) > _MANY


def _packed(rows: Sequence[Row], cells: Sequence[int]) -> tuple[int, list[int]]:
    """Return the mines of rows that share no cell, and the cells in none of these rows.

    What rows say of their cells need not be counted again; larger rows are taken first.
    """
    taken: set[int] = set()
    mines = 0
    for row in sorted(rows, key=lambda row: -len(row.terms)):
        if row.is_plain and taken.isdisjoint(row.cells):
            taken.update(row.cells)
            mines += row.count
    return mines, [cell for cell in cells if cell not in taken]


def _windows(rows: Sequence[Row], place: dict[int, int]) -> list[tuple[list[int], bytes]]:
    """Return cells near each other, as literals, and a byte for every cell: whether it is outside.

    They are the cells of a row and of the rows that it meets.
    """
    places = [[place[cell] for cell in row.cells] for row in rows]
    uses: dict[int, list[int]] = {}
    for number, cells in enumerate(places):
        for cell in cells:
            uses.setdefault(cell, []).append(number)
    windows = []
    for cells in places:
        near = dict.fromkeys(cells)
        for cell in cells:
            for other in uses[cell] if len(near) < _WINDOW else ():
                near.update(dict.fromkeys(places[other]))
        inside = list(near)[:_WINDOW]
        outside = bytearray(b"\1") * len(place)
        for cell in inside:
            outside[cell - 1] = 0
        windows.append((inside, bytes(outside)))
    return windows


def _bits(mask: int) -> Iterator[int]:
    """Yield the places of the bits of a mask, counted from 1."""
    text = bin(mask)[:1:-1]
    place = text.find("1")
    while place >= 0:
        yield place + 1
        place = text.find("1", place + 1)


def _mask(literals: Sequence[int]) -> int:
    """Return the mask of the cells of some literals."""
    flags = np.zeros(max(map(abs, literals), default=0), np.uint8)
    flags[np.abs(np.array(literals, np.int64)) - 1] = 1
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _flags(mask: int, size: int) -> NDArray[np.bool_]:
    """Return the bits of a mask, the lowest first."""
    packed = np.frombuffer(mask.to_bytes(size // 8 + 1, "little"), np.uint8)
    return np.unpackbits(packed, count=size, bitorder="little").view(np.bool_)


def _spread(literals: list[int], size: int) -> list[int]:
    """Return up to `size` literals, far from each other on a board."""
    return literals[:: max(1, len(literals) // size)][:size]
