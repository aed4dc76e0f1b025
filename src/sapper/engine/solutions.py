"""The engine's view of all legal assignments: nothing is listed until it is asked for."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Final

from sapper._native import (
    Cache,
    Options,
    Run,
    Sampler,
    Walk,
    cheapest_solution,
    integers,
    reduced_zdd,
    run_under,
)
from sapper.clues import Cheapest, Clue, Clues, Cost, Solution, checked_costs, total_cost
from sapper.engine import exact
from sapper.engine.board import Board
from sapper.errors import CostError, InconsistentError, UnknownCellError, quoted
from sapper.limits import load
from sapper.questions import kept
from sapper.zdd import SetView, checked_number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sapper.clues import Puzzle
    from sapper.engine.method import EngineMethod
    from sapper.field import Cell
    from sapper.limits import Limits
    from sapper.zdd import Zdd

__all__ = ["EngineSolutions"]

# Exact costs are compared as 128-bit integers; the core needs a few bits for itself.
_COST_BITS: Final = 120
_BATCH: Final = 1024
# A cell of a ZDD: in a list, with its place, and in a dictionary.
_BYTES_PER_CELL_OF_ZDD: Final = 120
# A cost in a dictionary, as a fraction, as an integer and as the core takes it.
_BYTES_PER_COST: Final = 360


class EngineSolutions(SetView):
    r"""A lazy view of the legal assignments of a position.

    A solution is the frozen set of the covered cells that are mined; known mines are not in it.
    Nothing is listed: the view compiles the position when it is first needed and walks over the
    diagram. Made by `sapper.solutions`.

    Examples
    --------
    >>> import sapper
    >>> view = sapper.solutions(sapper.parse("1??\n?1?", mines=1))
    >>> bool(view), view.count(), sorted(map(sorted, view))
    (True, 2, [[(0, 1)], [(1, 0)]])
    >>> view.including((0, 1)).count()
    1
    >>> view.cheapest({(0, 1): 5})
    Cheapest(solution=frozenset({(1, 0)}), cost=0)
    """

    def __init__(
        self,
        source: EngineMethod,
        puzzle: Puzzle,
        limits: Limits | None = None,
        decided: tuple[tuple[Cell, bool], ...] = (),
        cache: Cache | None = None,
        board: Board | None = None,
    ) -> None:
        self._source = source
        self._puzzle = puzzle
        self._limits = limits
        self._decided = decided
        # Views of the same position share diagrams of the components they do not change.
        shared = cache if source.memory is None else source.memory
        self._cache = Cache() if shared is None else shared
        self._compiled = board

    def _run(self) -> Run:
        return run_under(self._limits, self._source.progress)

    @property
    def clues(self) -> Clues:
        """The clues whose solutions these are."""
        return kept(self, "_clues", self._made_clues)

    def _made_clues(self) -> Clues:
        clues = Clues.of(self._puzzle)
        if not self._decided:
            return clues
        extra = [Clue(int(mined), (cell,)) for cell, mined in self._decided]
        return Clues(
            (*clues.clues, *extra), clues.cells, clues.mines, known_mines=clues.known_mines
        )

    def _compile(self, run: Run, **changes: Any) -> Board:
        options = Options(**{**self._source.settings, **changes}, threads=self._source.threads)
        puzzle = self.clues if self._decided else self._puzzle
        # Diagrams with and without joins are not interchangeable.
        cache = None if changes else self._cache
        return Board(puzzle, run, options, cache, settle=not changes)

    def _board(self, run: Run) -> Board:
        if self._compiled is None:
            self._compiled = self._compile(run)
        return self._compiled

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The covered cells in canonical order."""
        return self._board(self._run()).cells

    @property
    def puzzle(self) -> Puzzle:
        """The position, or the clue system, whose solutions these are."""
        return self._puzzle

    def __bool__(self) -> bool:
        run = self._run()
        consistent, _ = self._board(run).compiled.verdicts(run)
        return consistent

    def count(self) -> int:
        """Return the exact number of solutions."""
        return kept(self, "_count", self._counted)

    def _counted(self) -> int:
        run = self._run()
        return exact.count(self._board(run), run)

    def count_by_mines(self) -> dict[int, int]:
        """Return the number of these solutions for every number of mines on `cells`."""
        total = self.clues.free_mines
        if total is not None:
            number = self.count()
            return {total: number} if number else {}
        run = self._run()
        known = self.clues.known_mines
        counts = exact.count_by_mines(self._board(run), run)
        return {mines - known: number for mines, number in counts.items()}

    def __contains__(self, solution: object) -> bool:
        if not isinstance(solution, Iterable):
            return False
        try:
            return self.clues.is_solution(solution)
        except TypeError:  # a set with something in it that cannot be a cell
            return False

    def __iter__(self) -> Iterator[Solution]:
        """Walk over all solutions, in an order that depends on nothing but the position.

        The limit of seconds holds for each batch: what happens between two solutions is up to the
        caller, and so is how many to ask for.
        """
        run = self._run()
        board = self._board(run)
        walk = Walk(board.compiled, run)
        # Small batches first: whoever wants one solution should not pay for a thousand.
        size = 1
        while found := walk.take(size, board.cells, self._run()):
            yield from found
            size = min(2 * size, _BATCH)

    def _sampler(self, seed: int | None, run: Run) -> Sampler:
        state = secrets.randbits(64) if seed is None else _seed_bits(seed)
        sampler = Sampler(self._board(run).compiled, state, run)
        if not sampler.has_solution:
            raise InconsistentError("there is no legal assignment to draw")
        return sampler

    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        """Draw `n` solutions independently, each exactly uniform.

        Every random choice is that of exact integers, so no solution is favoured. The same
        seed gives the same solutions.

        Raises
        ------
        InconsistentError
            If there is no solution.
        ValueError
            If `n` is negative.
        """
        run = self._run()
        return self._sampler(seed, run).sets(checked_number(n), self.cells, run)

    def sample_array(self, n: int = 1, *, seed: int | None = None) -> NDArray[np.bool_]:
        """Draw `n` solutions as one boolean array: a row per solution, a column per cell.

        Columns are in the order of `cells`. Row ``i`` is the solution that `sample` would give.
        """
        load("numpy")
        import numpy as np

        run = self._run()
        width = len(self._board(run).cells)
        bits = self._sampler(seed, run).bits(checked_number(n), width, run)
        return np.frombuffer(bits, dtype=np.bool_).reshape(n, width)

    def cheapest(self, costs: Mapping[Any, Cost]) -> Cheapest:
        """Return a solution of least cost, with its cost.

        A cell without a cost costs nothing; costs may be negative. They are compared exactly:
        integers, fractions and floats are all rational numbers.

        Raises
        ------
        InconsistentError
            If there is no solution.
        CostError
            If a cost is not a finite number, or the costs span more than 120 bits.
        UnknownCellError
            If a cost is given for something that is not a covered cell.
        """
        run = self._run()
        board = self._board(run)
        board.hold(_BYTES_PER_COST)
        checked = checked_costs(costs, board.cells)
        scaled = _scaled(checked)
        found = cheapest_solution(board.compiled, scaled, run)
        if found is None:
            raise InconsistentError("there is no legal assignment, so there is no cheapest one")
        solution = frozenset(board.cells[place] for place in integers(found))
        return Cheapest(solution, total_cost(checked, solution))

    def including(self, cell: Cell) -> EngineSolutions:
        """Return the view of the solutions with a mine in `cell`."""
        return self._narrowed(cell, mined=True)

    def excluding(self, cell: Cell) -> EngineSolutions:
        """Return the view of the solutions with no mine in `cell`."""
        return self._narrowed(cell, mined=False)

    def _narrowed(self, cell: Cell, *, mined: bool) -> EngineSolutions:
        decided = self.decided_with(cell, mined=mined)
        return EngineSolutions(self._source, self._puzzle, self._limits, decided, self._cache)

    def decided_with(self, cell: Cell, *, mined: bool) -> tuple[tuple[Cell, bool], ...]:
        """Return what is decided here, and one more cell; it must be covered."""
        if cell not in self.clues.index:
            raise UnknownCellError(cell, "the covered cells")
        return (*self._decided, (cell, mined))

    def zdd(self) -> Zdd:
        """Return the reduced ZDD of all solutions over the covered cells.

        It needs an order of the cells without joins, which can cost far more than the count on
        graphs that are wide but tree-like.
        """
        load("numpy")
        import numpy as np

        from sapper.zdd import Zdd

        run = self._run()
        board = self._compile(run, path_only=True)
        order, nodes, root = reduced_zdd(board.compiled, run)
        board.hold(_BYTES_PER_CELL_OF_ZDD)
        names = board.cells
        cells = [names[place] for place in integers(order)]
        table = np.frombuffer(nodes, dtype=np.int32).reshape(-1, 3)
        return Zdd(cells, table, root=root, is_reduced=True)

    def __reduce__(self) -> tuple[object, ...]:
        return EngineSolutions, (self._source, self._puzzle, self._limits, self._decided)

    def __repr__(self) -> str:
        narrowed = "".join(
            f".{'including' if mined else 'excluding'}({cell!r})" for cell, mined in self._decided
        )
        return f"solutions({self._puzzle!r}){narrowed}"


def _seed_bits(seed: int) -> int:
    """Return 64 bits that depend on the whole seed, however large or negative."""
    from hashlib import blake2b

    if not isinstance(seed, int):
        raise TypeError(f"a seed is an integer, not {quoted(seed)}")
    data = seed.to_bytes(seed.bit_length() // 8 + 1, "little", signed=True)
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


def _scaled(costs: Mapping[Cell, Cost]) -> bytes:
    """Return the costs as 128-bit integers in the same proportions."""
    exact_costs = [Fraction(cost) for cost in costs.values()]
    unit = lcm(*(cost.denominator for cost in exact_costs))
    scaled = [int(cost * unit) for cost in exact_costs]
    if sum(map(abs, scaled)).bit_length() > _COST_BITS:
        raise CostError(
            "the costs differ too much in size to be compared exactly; "
            f"as integers they need more than {_COST_BITS} bits"
        )
    return b"".join(cost.to_bytes(16, "little", signed=True) for cost in scaled)
