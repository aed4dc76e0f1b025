"""Suzuki, Hao and Minato, section 4: frontier-based search for degree-constrained subgraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sapper.clues import Clues, Puzzle
from sapper.limits import Budget, Limits
from sapper.methods.diagrams import DiagramMethod

if TYPE_CHECKING:
    from sapper.methods.subgraph.model import EdgeOrder, SubgraphModel
    from sapper.zdd import Zdd


class SubgraphMethod(DiagramMethod):
    """Search the subgraphs of the graph MG edge by edge, and read solutions off them.

    The search is the plain one: no forced cells, no grouping, no splitting, so that it shows what
    the model and the order of edges do by themselves. `model` shows edges, order and diagram.

    Parameters
    ----------
    order : str, sequence of cells or sequence of edges
        ``"frontier"`` (default), ``"given"``, ``"row-major"``, or a list; see
        `sapper.methods.subgraph.SubgraphModel`.

    References
    ----------
    Suzuki, Hao and Minato, *Generating all solutions of Minesweeper problem using degree
    constrained subgraph model*, section 4 and theorem 1.

    Examples
    --------
    >>> from sapper.clues import Clue
    >>> clues = Clues([Clue(1, "ab"), Clue(1, "bc")])
    >>> SubgraphMethod().findings(clues).by_mines
    {1: 1, 2: 1}
    >>> len(SubgraphMethod().model(clues).subgraphs())
    4
    """

    name: ClassVar[str] = "subgraph"

    def __init__(self, *, order: EdgeOrder = "frontier") -> None:
        self._order = order

    def model(self, puzzle: Puzzle, limits: Limits | Budget | None = None) -> SubgraphModel:
        """Return the graph, its constraints and its diagram.

        Raises
        ------
        MethodError
            If a clue has weights.
        """
        from sapper.methods.subgraph.model import SubgraphModel

        clues = Clues.of(puzzle, Budget.of(limits).look)
        return SubgraphModel(clues, order=self._order, limits=limits)

    def diagram(self, puzzle: Puzzle, limits: Limits | None = None) -> Zdd:
        """Return the diagram over the cells in clues, the total left aside.

        Raises
        ------
        LimitExceeded
            If a limit is hit.
        MethodError
            If a clue has weights.
        """
        return self.model(puzzle, Budget(limits)).assignments()

    def __repr__(self) -> str:
        return f"SubgraphMethod(order={self._order!r})"
