"""Minesweeper on graphs of bounded treewidth: Golan, *Minesweeper on graphs*, Section 5.

A tree decomposition is made nice, and polynomials P_i(𝒜) with one variable for each number of a bag
are carried up its tree by four recurrences. Time and memory grow with the number of assignments of
a bag, 2^(cells), times the number of terms, the product of the numbers' degrees: the method is for
graphs that are narrow and have no hubs.
"""

from __future__ import annotations

from dataclasses import replace
from sys import getsizeof
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from sapper.clues import Puzzle
from sapper.decomposition import Heuristic, NiceDecomposition, TreeDecomposition, decompose
from sapper.errors import MethodError, quoted
from sapper.field import Cell, Graph
from sapper.limits import Limits
from sapper.methods.treewidth.graph import TOTAL, ClueGraph, with_total_everywhere
from sapper.questions import BaseMethod, Budget, CountedFindings, Question

if TYPE_CHECKING:
    from sapper.methods.treewidth.rows import Row

Marking = Literal["variable", "vertex"]

_MAX_CELLS: Final = 20
"""The most covered cells in a bag: each one doubles the assignments."""


class Treewidth(BaseMethod):
    """Golan's algorithm for graphs of bounded treewidth.

    Parameters
    ----------
    decomposition : TreeDecomposition, optional
        A decomposition of the field, or of `clue_graph`; by default one is made.
    heuristic : str
        How one is made; see `sapper.decomposition.decompose`.
    mark : str
        How mines are counted: ``"variable"`` multiplies by z for each mine, ``"vertex"`` adds a
        vertex next to all cells (Proposition 5.2). The answers are the same.

    Raises
    ------
    DecompositionError
        When a question is asked, if the decomposition is none of the graph at hand.
    MethodError
        If a bag holds more than 20 covered cells.

    Notes
    -----
    Theorem 2.4. Verdicts and probabilities come from one more pass, from the root down, which
    computes for every node the polynomials of all that is *not* below it.

    Examples
    --------
    >>> from sapper.field import Graph, Position
    >>> square = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    >>> position = Position(square, {"a": 1, "c": 1})
    >>> Treewidth().findings(position).count
    2
    >>> Treewidth(mark="vertex").findings(position).by_mines
    {1: 2}
    """

    name: ClassVar[str] = "treewidth"
    answers: ClassVar[frozenset[Question]] = frozenset(
        {"consistent", "count", "by_mines", "verdicts", "probabilities"}
    )

    def __init__(
        self,
        *,
        decomposition: TreeDecomposition | None = None,
        heuristic: Heuristic = "auto",
        mark: Marking = "variable",
    ) -> None:
        if mark not in ("variable", "vertex"):
            raise MethodError(f"mines are marked by a 'variable' or a 'vertex', not {quoted(mark)}")
        self._decomposition = decomposition
        self._heuristic = heuristic
        self.mark = mark

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> TreewidthFindings:
        """Return findings, each computed when it is read."""
        return TreewidthFindings(self, puzzle, limits)

    def table(self, puzzle: Puzzle, limits: Limits | None = None) -> list[Row]:
        """Return P_i(𝒜) for all nodes i of the decomposition and all assignments 𝒜.

        See `sapper.methods.treewidth.table`.
        """
        from sapper.methods.treewidth.rows import table

        budget = Budget(limits)
        made = self.decomposition(ClueGraph.of(puzzle, budget), budget)
        return table(puzzle, made, limits=budget.left())

    def decomposition(self, graph: ClueGraph, budget: Budget) -> TreeDecomposition:
        """Return the tree decomposition that is used for a graph of cells and numbers."""
        field = graph.graph
        budget.look()
        if self._decomposition is None:
            with budget.step() as left:
                made = decompose(field, heuristic=self._heuristic, limits=left)
        else:
            made = self._decomposition.restricted(field.cells)
            made.check(field)
        numbers = graph.counts.keys()
        most = max((sum(v not in numbers for v in bag) for bag in made.bags), default=0)
        if most > _MAX_CELLS:
            raise MethodError(
                f"a bag holds {most} covered cells, and the method 'treewidth' takes at most"
                f" {_MAX_CELLS}; 'engine' takes any graph"
            )
        return made


class TreewidthFindings(CountedFindings):
    """What is found out about one puzzle."""

    source: Treewidth

    def _graph(self, budget: Budget) -> ClueGraph:
        return self.known("_drawn", lambda budget: ClueGraph.of(self.puzzle, budget), budget)

    def _root(
        self,
        graph: ClueGraph,
        budget: Budget,
        *,
        marked: bool,
        vertex: Literal["none", "kept", "forgotten"] = "none",
    ) -> Any:
        """Return the polynomial of the root, whose bag is empty or holds the extra vertex."""
        from sapper.methods.treewidth.polynomials import Evaluation, Slots

        decomposition = self._decomposition(budget)
        if vertex != "none":
            graph, decomposition = graph.with_total_vertex(), with_total_everywhere(decomposition)
        with budget.step() as left:
            nice = NiceDecomposition.of(
                decomposition, keep=[TOTAL] if vertex == "kept" else (), limits=left
            )
        held = nice.size_in_bytes + sum(map(getsizeof, decomposition.bags))
        budget.charge(held)
        slots = Slots.reused(nice, graph, budget)
        made = Evaluation(graph, nice, slots, marked=marked, pruned=True, budget=budget)
        found = made.tables(keep=False)[-1][0]
        budget.charge(-held)
        return found

    def _decomposition(self, budget: Budget) -> TreeDecomposition:
        """Decompose the graph once; the total is no part of it."""
        return self.known(
            "_parts", lambda budget: self.source.decomposition(self._graph(budget), budget), budget
        )

    def find_count(self, budget: Budget) -> int:
        """Count the legal assignments on the root's polynomial."""
        graph = self._graph(budget)
        total = graph.free_mines
        if total is None:
            return int(_constant(self._root(graph, budget, marked=False)))
        if not 0 <= total <= len(graph.cells):
            return 0
        if self.source.mark == "vertex":
            return int(_constant(self._root(graph, budget, marked=False, vertex="forgotten")))
        return _by_exponent(self._root(graph, budget, marked=True)).get(total, 0)

    def find_by_mines(self, budget: Budget) -> dict[int, int]:
        """Count for every number of mines: the coefficients of the root's polynomial."""
        graph = replace(self._graph(budget), mines=None)
        if self.source.mark == "vertex":
            polynomial = self._root(graph, budget, marked=False, vertex="kept")
        else:
            polynomial = self._root(graph, budget, marked=True)
        counts = sorted(_by_exponent(polynomial).items())
        return {mines + graph.offset: count for mines, count in counts}

    def find_mined(self, budget: Budget) -> list[int]:
        """Count the legal assignments with a mine in each cell, by one pass up and one down."""
        from sapper.methods.treewidth.polynomials import Evaluation, Slots

        graph = self._graph(budget)
        total = graph.free_mines
        decomposition = self._decomposition(budget)
        with budget.step() as left:
            nice = NiceDecomposition.of(decomposition, limits=left)
        budget.charge(nice.size_in_bytes + sum(map(getsizeof, decomposition.bags)))
        made = Evaluation(
            graph,
            nice,
            Slots.reused(nice, graph, budget),
            marked=total is not None,
            pruned=True,
            budget=budget,
        )
        tables = made.tables(keep=True)
        found: dict[Cell, int] = {}
        for place, around in made.outside(tables):
            node = nice.nodes[place]
            if node.kind == "forget" and node.vertex not in graph.counts:
                mined, _ = made.mined_and_free(node, tables[node.children[0]], around)
                found[node.vertex] = (
                    int(_constant(mined)) if total is None else _by_exponent(mined).get(total, 0)
                )
        return [found[cell] for cell in graph.cells]


def clue_graph(puzzle: Puzzle, *, limits: Limits | None = None) -> Graph:
    """Return the graph that has to be decomposed: covered cells, numbers, and who counts whom.

    A decomposition of a position's field is one of this graph too. For a clue system the numbers
    are called ``("clue", 0)``, ``("clue", 1)``, … unless each has a place on a board.

    Examples
    --------
    >>> from sapper.clues import Clue, Clues
    >>> clue_graph(Clues([Clue(1, "ab")])).edges
    (('a', ('clue', 0)), ('b', ('clue', 0)))
    """
    return ClueGraph.of(puzzle, Budget(limits)).graph


def _constant(polynomial: Any) -> Any:
    return sum((coefficient for _, coefficient in polynomial.terms()), start=0)


def _by_exponent(polynomial: Any) -> dict[int, int]:
    """Return the coefficients of a polynomial in which one variable is left."""
    return {int(sum(powers)): int(coefficient) for powers, coefficient in polynomial.terms()}
