"""What a method is, and what its answers look like.

The protocols are structural: a method, a view or a diagram needs to import nothing from here.
Findings are not: `sapper.questions.Findings` is a class, which derives what a method leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from sapper.clues import Cheapest, Cost, Puzzle, Solution
from sapper.field import Cell
from sapper.limits import Limits

if TYPE_CHECKING:
    from sapper.questions.findings import Findings

Question: TypeAlias = Literal[
    "consistent", "count", "by_mines", "solutions", "verdicts", "probabilities", "estimate"
]
"""Something that can be asked of a position."""

QUESTIONS: Final[tuple[Question, ...]] = (
    "consistent",
    "count",
    "by_mines",
    "solutions",
    "verdicts",
    "probabilities",
    "estimate",
)


class Zdd(Protocol):
    """The reduced zero-suppressed decision diagram of a set of solutions."""

    @property
    def cells(self) -> Sequence[Cell]:
        """The variables: cells in the order in which paths from the root meet them."""

    @property
    def nodes(self) -> Sequence[tuple[Cell, int, int]]:
        """The branching nodes ``(cell, low, high)``, each after its children; the root is last.

        A child is the place of a node in this sequence, or -1 for ⊥ and -2 for ⊤.
        """

    def __len__(self) -> int:
        """Return the number of branching nodes; ⊥ and ⊤ are not counted."""

    def __iter__(self) -> Iterator[Solution]:
        """Walk over the solutions."""

    def count(self) -> int:
        """Return the number of solutions."""

    def to_dot(self) -> str:
        """Return the diagram in the DOT language: a low edge is dashed, a high edge solid."""

    def dumps(self) -> str:
        """Return the diagram as Graphillion writes it.

        One line ``id variable low high`` per node, children first, then a line with a full stop.
        Variable ``i`` is ``cells[i - 1]``; the terminals are ``B`` and ``T``.
        """


class Solutions(Protocol):
    """A lazy view of the legal assignments of a position."""

    def __bool__(self) -> bool:
        """Tell whether there is a solution."""

    def __contains__(self, solution: object) -> bool:
        """Tell whether a set of cells is a solution."""

    def __iter__(self) -> Iterator[Solution]:
        """Walk over all solutions in an order that depends on nothing but the position."""

    def count(self) -> int:
        """Return the number of solutions."""

    def sample(self, n: int = 1, *, seed: int | None = None) -> list[Solution]:
        """Draw `n` solutions uniformly and independently; raise if there is none."""

    def cheapest(self, costs: Mapping[Any, Cost]) -> Cheapest:
        """Return a solution of least cost with its cost; raise if there is none."""

    def including(self, cell: Cell) -> Solutions:
        """Return the view of the solutions with a mine in `cell`."""

    def excluding(self, cell: Cell) -> Solutions:
        """Return the view of the solutions with no mine in `cell`."""

    def zdd(self) -> Zdd:
        """Return the reduced diagram of all solutions."""


class Estimate(Protocol):
    """What answering would cost, as far as a cheap look can tell."""

    @property
    def components(self) -> int:
        """How many independent parts there are."""

    @property
    def width(self) -> int:
        """The most clues that are open at once."""

    @property
    def nodes(self) -> float:
        """How many nodes to expect in all."""

    @property
    def bytes(self) -> float:
        """How much memory to expect at once."""


class Method(Protocol):
    """An algorithm that answers questions about a position or a clue system.

    It gives findings, a view of the solutions and an estimate; whatever else is told about a puzzle
    is derived from them. All take limits and raise `LimitExceeded` where one is hit. A question
    outside `answers`, or an input that the method does not take, raises `MethodError`.
    """

    @property
    def name(self) -> str:
        """The name that ``method=`` takes."""

    @property
    def answers(self) -> frozenset[Question]:
        """The questions that the method answers."""

    @property
    def complete(self) -> bool:
        """Whether it finds every verdict. If not, some cells it calls unknown may be certain."""

    def findings(self, puzzle: Puzzle, limits: Limits | None = None) -> Findings:
        """Return what can be found out, computed when it is read."""

    def solutions(self, puzzle: Puzzle, limits: Limits | None = None) -> Solutions:
        """Return a view of the legal assignments."""

    def estimate(self, puzzle: Puzzle, limits: Limits | None = None) -> Estimate:
        """Return what answering would cost, without paying it."""
