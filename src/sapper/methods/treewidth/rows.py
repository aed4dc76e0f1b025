"""The polynomials of a decomposition, row by row: Table 2 of Golan's paper for any graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sapper.clues import Puzzle
from sapper.decomposition import NiceDecomposition, TreeDecomposition
from sapper.field import Cell, Position
from sapper.limits import Limits
from sapper.methods.treewidth.graph import ClueGraph
from sapper.methods.treewidth.polynomials import Evaluation, Slots
from sapper.questions import Budget


@dataclass(frozen=True)
class Row:
    """One row: a node, an assignment of its covered cells, and their polynomial.

    Frozen: threads can share one.

    Attributes
    ----------
    node : int
        The node, counted from 1 as in the paper.
    assignment : tuple of pairs
        The covered cells of its bag, each with ``"□"`` (free) or ``"*"`` (mined).
    terms : mapping
        The coefficient of each monomial; a monomial is a tuple of pairs (j, exponent), and the
        variable xⱼ belongs to the j-th cell of the field, or to the j-th clue where there is none.
    """

    node: int
    assignment: tuple[tuple[Cell, str], ...]
    terms: tuple[tuple[tuple[tuple[int, int], ...], int], ...]

    @property
    def assignment_text(self) -> str:
        """The assignment as the paper writes it."""
        return ", ".join(f"{cell} → {value}" for cell, value in self.assignment) or "∅"

    @property
    def latex(self) -> str:
        """The polynomial as the paper's source writes it, such as ``1 + x_1x_2``."""
        return _written(self.terms, "x_{}", "^{}")

    @property
    def text(self) -> str:
        """The polynomial for people, such as ``1 + x₁x₂``."""
        return _written(self.terms, "x{}", "{}", digits=True)

    def __str__(self) -> str:
        return f"{self.node} | {self.assignment_text} | {self.text}"


def table(
    puzzle: Puzzle, decomposition: TreeDecomposition, *, limits: Limits | None = None
) -> list[Row]:
    r"""Return P_i(𝒜) for all nodes i and all assignments 𝒜, nothing left out.

    The nodes are those of the decomposition, nice or not: it is made nice inside, and each of its
    nodes is looked up there. The last node is the root. No term is dropped, also those that
    exceed a number; `Treewidth` drops them.

    Raises
    ------
    DecompositionError
        If the decomposition is none of the field, nor of `clue_graph`.

    Examples
    --------
    >>> from sapper.field import Graph
    >>> star = Position(Graph.from_edges([("v1", "v2"), ("v1", "v3")]), {"v1": 1})
    >>> rows = table(star, TreeDecomposition([{"v1", "v2"}, {"v1", "v3"}], [(0, 1)]))
    >>> print(*rows, sep="\n")
    1 | v2 → □ | 1
    1 | v2 → * | x₁
    2 | v3 → □ | 1 + x₁
    2 | v3 → * | x₁ + x₁²
    """
    budget = Budget(limits)
    graph = ClueGraph.of(puzzle, budget)
    kept = decomposition.restricted([*graph.cells, *graph.counts])
    kept.check(graph.graph)
    nice = NiceDecomposition.of(kept, root=len(kept) - 1)
    slots = Slots.own(graph)
    made = Evaluation(graph, nice, slots, marked=False, pruned=False, budget=budget)
    tables = made.tables(keep=True)
    places = puzzle.topology.index if isinstance(puzzle, Position) else [*graph.counts].index
    variable = [places(number) + 1 for number in graph.counts]
    rows = []
    for node, origin in enumerate(nice.origins):
        cells = sorted(
            (v for v in kept.bags[node] if v not in graph.counts), key=slots.place.__getitem__
        )
        masks = sorted(tables[origin], key=lambda mask: _bits(mask, cells, slots))
        for mask in masks:
            mined = _bits(mask, cells, slots)
            assignment = tuple(
                (cell, "*" if is_mine else "□") for cell, is_mine in zip(cells, mined, strict=True)
            )
            rows.append(Row(node + 1, assignment, _terms(tables[origin][mask], variable)))
    return rows


def _bits(mask: int, cells: Iterable[Cell], slots: Slots) -> list[bool]:
    return [bool(mask >> slots.place[cell] & 1) for cell in cells]


def _terms(
    polynomial: Any, variable: list[int]
) -> tuple[tuple[tuple[tuple[int, int], ...], int], ...]:
    found = []
    for powers, coefficient in polynomial.terms():
        monomial = sorted(
            (j, int(power)) for j, power in zip(variable, powers, strict=False) if power
        )
        found.append((tuple(monomial), int(coefficient)))
    return tuple(sorted(found, key=_rank))


def _rank(term: tuple[tuple[tuple[int, int], ...], int]) -> tuple[Any, ...]:
    """Order terms as the paper does: by degree, then variables that are near each other first."""
    monomial, _ = term
    degree = sum(power for _, power in monomial)
    span = monomial[-1][0] - monomial[0][0] if monomial else 0
    return degree, span, [(j, -power) for j, power in monomial]


_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _written(
    terms: Iterable[tuple[tuple[tuple[int, int], ...], int]],
    name: str,
    power_form: str,
    *,
    digits: bool = False,
) -> str:
    parts = []
    for monomial, coefficient in terms:
        factors = []
        for j, power in monomial:
            index, raised = str(j), str(power)
            if digits:
                index, raised = index.translate(_SUBSCRIPTS), raised.translate(_SUPERSCRIPTS)
            else:
                index = index if len(index) == 1 else f"{{{index}}}"
                raised = raised if len(raised) == 1 else f"{{{raised}}}"
            factors.append(name.format(index) + (power_form.format(raised) if power > 1 else ""))
        number = str(coefficient) if coefficient != 1 or not factors else ""
        parts.append(number + "".join(factors))
    return " + ".join(parts) or "0"
