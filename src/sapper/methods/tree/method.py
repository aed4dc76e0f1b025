"""Minesweeper on trees: Golan, *Minesweeper on graphs*, Section 4.

Consistency and verdicts take linear time, by one sweep up and one down. Counts are products along
heavy paths, taken by halves: quasi-linear in the length of the answer on every common shape.
Nothing recurses along the tree, so a path of a million vertices is like any other tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Final

from sapper.clues import VERDICTS, Clues, Puzzle
from sapper.field import Cell, Position
from sapper.limits import Limits
from sapper.methods.tree.forest import LabelledForest
from sapper.methods.tree.rerooting import Algebra, Element, trees_and_pairs
from sapper.questions import BaseMethod, Budget, Findings, Question

# From what a cell can be, as the core says it (1 free, 2 mined, 3 either), to the verdict's code.
_CODES: Final = bytes(
    [0, VERDICTS.index("safe"), VERDICTS.index("mine"), VERDICTS.index("unknown"), *range(4, 256)]
)


# A vertex, about: in the core its neighbours, its place and what it hears; in Python, where one
# value after the other is computed, its place, its children and what it says, to one or to all.
_BYTES_PER_VERTEX: Final = 60
_BYTES_PER_SWEPT_VERTEX: Final = 200
_BYTES_PER_ROOT: Final = 400
# A cell in a tuple and in a dictionary of answers.
_BYTES_PER_ANSWER: Final = 60


class Tree(BaseMethod):
    """Golan's algorithms for forests.

    A position must have a field without cycles; a clue system must have none in the graph of its
    cells and clues, and no weights.

    With a mine total, consistency and verdicts follow sets of possible totals instead of truths:
    n bits a vertex. Probabilities keep exact values at every vertex. Both suit some thousand
    vertices, the rest a hundred thousand and more.

    Notes
    -----
    Consistency is Theorem 2.1, `count` Theorem 2.2, `count_by_mines` Theorem 2.3 with its
    polynomial P(T). The paper gives O(n² log n) and O(n³ log n) for the last two.

    Examples
    --------
    >>> from sapper.field import Graph, Position
    >>> path = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d")])
    >>> position = Position(path, {"b": 1, "d": 0})
    >>> Tree().findings(position).count
    1
    >>> Tree().findings(position).verdicts
    {'a': 'mine', 'c': 'safe'}
    >>> cycle = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")])
    >>> Tree().findings(Position(cycle, {"a": 1})).count  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    sapper.errors.MethodError: the field has a cycle: b – a – c – b; ...
    """

    name: ClassVar[str] = "tree"
    answers: ClassVar[frozenset[Question]] = frozenset(
        {"consistent", "count", "by_mines", "verdicts", "probabilities"}
    )

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> TreeFindings:
        """Return findings, each computed when it is read."""
        return TreeFindings(self, puzzle, limits)


class TreeFindings(Findings):
    """What is found out about one forest."""

    def prepare(self) -> None:
        """Look whether it is a forest."""
        self._forest(Budget(self.limits))

    def _forest(self, budget: Budget) -> LabelledForest:
        return self.known("_grown", self._grow, budget)

    def _grow(self, budget: Budget) -> LabelledForest:
        budget.spend(held=_BYTES_PER_VERTEX * _vertices(self.puzzle))
        return LabelledForest.of(self.puzzle)

    def find_cells(self, budget: Budget) -> Sequence[Cell]:
        """Take them from the forest."""
        return self._forest(budget).covered

    def find_consistent(self, budget: Budget) -> bool:
        """Tell whether there is a legal assignment; linear time if no total is given."""
        forest = self._forest(budget)
        budget.spend(nodes=len(forest.codes) // 4)
        possible = forest.shape.is_consistent(forest.codes)
        if forest.free_mines is None or not possible:
            return possible
        if not 0 <= forest.free_mines <= len(forest.labels):
            return False
        trees, _ = trees_and_pairs(forest, _totals(), budget, down=False)
        return forest.free_mines in _all(list(trees.values()), _totals().one)

    def find_count(self, budget: Budget) -> int:
        """Count the legal assignments, by integers or, under a total, by polynomials."""
        from flint import fmpz

        from sapper.methods.tree.paths import evaluate

        forest = self._forest(budget)
        if not forest.shape.is_consistent(forest.codes):
            return 0
        budget.spend(held=_BYTES_PER_SWEPT_VERTEX * len(forest.codes) // 4)
        if forest.free_mines is None:
            return int(evaluate(forest, fmpz(1), fmpz(1), budget))
        if not 0 <= forest.free_mines <= len(forest.labels):
            return 0
        return int(_polynomial(forest, budget)[forest.free_mines])

    def find_by_mines(self, budget: Budget) -> dict[int, int]:
        """Count for every number of mines: the polynomial P(T)."""
        forest = self._forest(budget)
        polynomial = _polynomial(forest, budget)
        return {
            mines + forest.offset: int(count)
            for mines, count in enumerate(polynomial.coeffs())
            if count != 0
        }

    def find_verdict_codes(self, budget: Budget) -> bytes:
        """Find verdicts by one sweep up and one down."""
        forest = self._forest(budget)
        vertices = len(forest.codes) // 4
        budget.spend(nodes=vertices, held=(_BYTES_PER_VERTEX + _BYTES_PER_ANSWER) * vertices)
        if forest.free_mines is not None:
            return self._verdict_codes_under_total(forest.free_mines, budget)
        possible = forest.shape.possible(forest.codes)
        if 0 in possible:
            return b""
        from itertools import compress

        from sapper.field import COVERED

        is_covered = map(COVERED.__eq__, memoryview(forest.codes).cast("i"))
        return bytes(compress(possible.translate(_CODES), is_covered))

    def _verdict_codes_under_total(self, total: int, budget: Budget) -> bytes:
        if not self.known("consistent", self.find_consistent, budget):
            return b""
        safe, mine, unknown = map(VERDICTS.index, ("safe", "mine", "unknown"))
        codes = []
        for free, mined, rest in self._pairs(_totals(), budget):
            if total not in mined * rest:
                codes.append(safe)
            else:
                codes.append(unknown if total in free * rest else mine)
        return bytes(codes)

    def find_exact_probabilities(self, budget: Budget) -> list[Fraction]:
        """Find chances by one sweep up and one down, with integers or polynomials."""
        if not self.known("consistent", self.find_consistent, budget):
            return []
        total = self._forest(budget).free_mines
        if total is None:
            return [
                Fraction(int(mined), int(free + mined))
                for free, mined, _ in self._pairs(_integers(), budget)
            ]
        whole = self.known("count", self.find_count, budget)
        return [
            Fraction(int((mined * rest)[total]), whole)
            for _, mined, rest in self._pairs(_polynomials(), budget)
        ]

    def _pairs(self, algebra: Algebra, budget: Budget) -> list[tuple[Element, Element, Element]]:
        """Return for each covered cell its tree's pair and the value of all other trees."""
        forest = self._forest(budget)
        budget.spend(held=_BYTES_PER_ROOT * len(forest.codes) // 4)
        trees, pairs = trees_and_pairs(forest, algebra, budget)
        others = _others(trees, algebra.one)
        # Parents stand before their children, so roots are known by the time they are asked for.
        roots: list[int] = []
        for place, parent in enumerate(forest.parents):
            roots.append(place if parent < 0 else roots[parent])
        found: list[Any] = forest.along_covered(
            [(free, mined, others[root]) for (free, mined), root in zip(pairs, roots, strict=True)]
        )
        return found


def _vertices(puzzle: Puzzle) -> int:
    if isinstance(puzzle, Position):
        return len(puzzle.topology)
    clues = Clues.of(puzzle)
    return len(clues.cells) + len(clues.clues)


def _polynomial(forest: LabelledForest, budget: Budget) -> Any:
    from flint import fmpz_poly

    from sapper.methods.tree.paths import evaluate

    if not forest.shape.is_consistent(forest.codes):
        return fmpz_poly([])
    budget.spend(held=_BYTES_PER_SWEPT_VERTEX * len(forest.codes) // 4)
    return evaluate(forest, fmpz_poly([1]), fmpz_poly([0, 1]), budget)


def _others(trees: dict[int, Element], one: Element) -> dict[int, Element]:
    """Return for each tree the product of all others."""
    before: dict[int, Element] = {}
    running = one
    for root, value in trees.items():
        before[root] = running
        running = running * value
    running, found = one, {}
    for root in reversed(trees):
        found[root] = before[root] * running
        running = running * trees[root]
    return found


def _all(values: list[Element], one: Element) -> Element:
    from sapper.methods.tree.hub import product

    return product(values, one)


def _integers() -> Algebra:
    from flint import fmpz

    from sapper.methods.tree.hub import middle

    return Algebra(fmpz(0), fmpz(1), fmpz(1), partial(middle, one=fmpz(1)), key=lambda pair: pair)


def _polynomials() -> Algebra:
    from flint import fmpz_poly

    from sapper.methods.tree.hub import middle

    one = fmpz_poly([1])
    return Algebra(
        fmpz_poly([]),
        one,
        fmpz_poly([0, 1]),
        partial(middle, one=one),
        key=lambda pair: (tuple(pair[0].coeffs()), tuple(pair[1].coeffs())),
    )


def _totals() -> Algebra:
    from sapper.methods.totals import NONE, NOTHING, ONE
    from sapper.methods.tree.totals import middle_totals

    return Algebra(NONE, NOTHING, ONE, middle_totals, key=lambda pair: pair)
