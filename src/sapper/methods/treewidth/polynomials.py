"""The polynomials P_i(𝒜) of Golan's Section 5 and their four recurrences.

At node i with bag W, an assignment 𝒜 of the covered cells of W has a polynomial with a variable for
each number of W: the coefficient of ∏ xᵥ^aᵥ counts the ways to extend 𝒜 to all cells below i such
that every number v of W has aᵥ mines below i, and every number that is gone has what it shows.

A number that is forgotten gives its variable back, so there are never more variables than the bag
has numbers. One more variable may mark the mines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, Final, TypeAlias

from flint import fmpz_mpoly_ctx

from sapper.decomposition import NiceDecomposition, NiceNode
from sapper.field import Cell
from sapper.methods.treewidth.graph import ClueGraph
from sapper.questions import Budget

Table: TypeAlias = dict[int, Any]
"""Polynomials by assignment; bit s of an assignment is the mine in the cell with slot s."""

_BYTES_PER_TERM: Final = 24
_BYTES_PER_EXPONENT: Final = 2
_BYTES_PER_POLYNOMIAL: Final = 250
# A term while it is looked at: twice a tuple, a coefficient, and its place in a dictionary.
_BYTES_PER_TUPLE: Final = 280
_BYTES_PER_POWER: Final = 16
# How many terms may come out of one product: some megabytes, and milliseconds.
_AT_ONCE: Final = 20_000


@dataclass(frozen=True)
class Slots:
    """Places that vertices take while they are in a bag: bits for cells, variables for numbers."""

    place: dict[Cell, int]
    cells: int
    numbers: int

    @classmethod
    def reused(cls, nice: NiceDecomposition, graph: ClueGraph, budget: Budget) -> Slots:
        """Give each vertex the lowest place that no other vertex of its bags has."""
        place: dict[Cell, int] = {}
        most = [0, 0]
        # From the root down, a vertex is met first where it is forgotten, or at the root.
        for node in budget.watched(reversed(nice.nodes)):
            new = node.bag if node is nice.root else ()
            if node.kind == "forget":
                new = (*new, node.vertex)
            for vertex in new:
                kind = vertex in graph.counts
                taken = {
                    place[other]
                    for other in node.bag
                    if other in place and (other in graph.counts) is kind
                }
                place[vertex] = next(s for s in range(len(taken) + 1) if s not in taken)
                most[kind] = max(most[kind], place[vertex] + 1)
        return cls(place, most[False], most[True])

    @classmethod
    def own(cls, graph: ClueGraph) -> Slots:
        """Give each cell and each number a place of its own, in canonical order."""
        cells = {cell: number for number, cell in enumerate(graph.cells)}
        numbers = {vertex: number for number, vertex in enumerate(graph.counts)}
        return cls({**cells, **numbers}, len(cells), len(numbers))


class Evaluation:
    """All P_i(𝒜) along a nice decomposition.

    Parameters
    ----------
    graph, nice
        The cells and numbers, and a nice decomposition that covers them.
    slots
        Which variable and which bit a vertex has.
    marked
        Whether the last variable counts mines.
    pruned
        Whether terms that exceed a number, and so can never count, are dropped.
    budget
        Each term of a polynomial is a node.
    """

    def __init__(
        self,
        graph: ClueGraph,
        nice: NiceDecomposition,
        slots: Slots,
        *,
        marked: bool,
        pruned: bool,
        budget: Budget,
    ) -> None:
        self.graph, self.nice, self.slots = graph, nice, slots
        self.marked, self.pruned, self.budget = marked, pruned, budget
        names = [f"x{number + 1}" for number in range(slots.numbers)] + ["z"] * marked
        self.context = fmpz_mpoly_ctx.get(names or ["x1"], "lex")
        self._width = len(names or ["x1"])
        self._bytes_per_term = _BYTES_PER_TERM + _BYTES_PER_EXPONENT * self._width
        self._numbers = frozenset(graph.counts)
        self._held = 0

    # --- upward -----------------------------------------------------------------------------

    def tables(self, *, keep: bool) -> list[Table]:
        """Return the table of each node; without `keep`, only that of the root is left."""
        tables: list[Table] = []
        sizes: list[int] = []
        for node in self.nice.nodes:
            below = [tables[child] for child in node.children]
            cells = len(node.bag - self._numbers)
            self.budget.spend(held=self._held + (_BYTES_PER_POLYNOMIAL << cells))
            made = self._table(node, below)
            tables.append(made)
            terms = sum(map(len, made.values()))
            sizes.append(_BYTES_PER_POLYNOMIAL * len(made) + self._bytes_per_term * terms)
            self._held += sizes[-1]
            self.budget.spend(nodes=terms, held=self._held)
            if not keep:
                for child in node.children:
                    self._held -= sizes[child]
                    tables[child] = {}
        return tables

    def _table(self, node: NiceNode, below: list[Table]) -> Table:
        match node.kind:
            case "leaf":
                local = self._local(node.bag)
                return {mask: self._monomial(local(mask)) for mask in self._watched(node.bag)}
            case "forget" if node.vertex in self.graph.counts:
                (table,) = below
                watched = self.budget.watched(table.items(), every=1)
                return {mask: self._coefficient(p, node.vertex) for mask, p in watched}
            case "forget":
                (table,) = below
                bit = 1 << self.slots.place[node.vertex]
                free = self.budget.watched([mask for mask in table if not mask & bit], every=1)
                return {mask: table[mask] + table[mask | bit] for mask in free}
            case "introduce":
                (table,) = below
                inside, step = ~self._bit(node.vertex), self._introduced(node)
                return {mask: table[mask & inside] * step(mask) for mask in self._watched(node.bag)}
            case _:
                one, two = below
                local, bounds = self._local(node.bag), self._bounds(node.bag)
                return {
                    mask: self._product(one[mask], two[mask], local(mask), bounds)
                    for mask in self.budget.watched(one, every=1)
                }

    # --- downward ---------------------------------------------------------------------------

    def outside(self, tables: list[Table]) -> Iterator[tuple[int, Table]]:
        """Yield nodes from the root down with polynomials Q of all that is not below them.

        The whole is the coefficient of ∏ xᵥ^count in Σ P_i(𝒜) · Q_i(𝒜), at every node i.
        """
        waiting: dict[int, Table] = {
            len(tables) - 1: {mask: self.context.constant(1) for mask in tables[-1]}
        }
        for place in range(len(tables) - 1, -1, -1):
            node, around = self.nice.nodes[place], waiting.pop(place)
            self.budget.spend(nodes=sum(map(len, around.values())))
            yield place, around
            match node.kind:
                case "forget" if node.vertex in self.graph.counts:
                    waiting[node.children[0]] = around
                case "forget":
                    bit = self._bit(node.vertex)
                    waiting[node.children[0]] = {
                        mask: around[mask & ~bit] for mask in tables[node.children[0]]
                    }
                case "introduce":
                    waiting[node.children[0]] = self._not_introduced(node, around)
                case "join":
                    local, bounds = self._local(node.bag), self._bounds(node.bag)
                    for child, other in (node.children, node.children[::-1]):
                        waiting[child] = {
                            mask: self._product(q, tables[other][mask], local(mask), bounds)
                            for mask, q in self.budget.watched(around.items(), every=1)
                        }

    def _not_introduced(self, node: NiceNode, around: Table) -> Table:
        bit, step = self._bit(node.vertex), self._introduced(node)
        made: Table = {}
        for mask, q in self.budget.watched(around.items(), every=1):
            q = q * step(mask)
            if bit:
                made[mask & ~bit] = q + made.get(mask & ~bit, 0)
            else:
                made[mask] = self._coefficient(q, node.vertex)
        return made

    def mined_and_free(self, node: NiceNode, below: Table, around: Table) -> tuple[Any, Any]:
        """Return, where a cell is forgotten, the whole with the cell mined and with it free.

        The marking variable, if there is one, is left in; all others are gone.
        """
        bit = self._bit(node.vertex)
        totals = [self.context.constant(0), self.context.constant(0)]
        for mask, polynomial in self.budget.watched(below.items(), every=1):
            for part in self._split(polynomial, around[mask & ~bit]):
                product = part * around[mask & ~bit]
                totals[bool(mask & bit)] += self._paired(product, node.bag)
        return totals[True], totals[False]

    def _paired(self, polynomial: Any, bag: frozenset[Cell]) -> Any:
        for vertex in bag:
            if vertex in self.graph.counts:
                polynomial = self._coefficient(polynomial, vertex)
        return polynomial

    # --- polynomials ------------------------------------------------------------------------

    def _bit(self, vertex: Cell) -> int:
        return 0 if vertex in self.graph.counts else 1 << self.slots.place[vertex]

    def _masks(self, bag: frozenset[Cell]) -> list[int]:
        masks = [0]
        for bit in filter(None, map(self._bit, bag)):
            masks += [mask | bit for mask in masks]
        return masks

    def _watched(self, bag: frozenset[Cell]) -> Iterator[int]:
        return self.budget.watched(self._masks(bag), every=1)

    def _local(self, bag: frozenset[Cell]) -> Any:
        """Return the exponents of P_loc as a function of the assignment of a bag."""
        rows = [
            (
                self.slots.place[number],
                [
                    (self._bit(cell), weight)
                    for cell, weight in self.graph.weights[number].items()
                    if cell in bag
                ],
            )
            for number in bag
            if number in self.graph.counts
        ]

        def exponents(mask: int) -> list[int]:
            made = [0] * self._width
            for slot, terms in rows:
                made[slot] = sum(
                    weight if weight > 0 else 0 if mask & bit else -weight
                    for bit, weight in terms
                    if mask & bit or weight < 0
                )
            if self.marked:
                made[-1] = mask.bit_count()
            return made

        return exponents

    def _introduced(self, node: NiceNode) -> Callable[[int], Any]:
        """Return what P_loc is multiplied by where a vertex joins, as a function of the assignment.

        A cell joins by one of two monomials; a number by a power of its own variable.
        """
        if node.vertex in self._numbers:
            slot = self.slots.place[node.vertex]
            own = self._local(node.bag - self._numbers | {node.vertex})
            powers: dict[int, Any] = {}

            def power(mask: int) -> Any:
                wanted = own(mask)[slot]
                if wanted not in powers:
                    powers[wanted] = self._monomial(
                        [wanted if place == slot else 0 for place in range(self._width)]
                    )
                return powers[wanted]

            return power
        bit = self._bit(node.vertex)
        local = self._local(node.bag & self._numbers | {node.vertex})
        free, mined = self._monomial(local(0)), self._monomial(local(bit))
        return lambda mask: mined if mask & bit else free

    def _monomial(self, exponents: list[int]) -> Any:
        return self.context.from_dict({tuple(exponents): 1})

    def _over(self, polynomial: Any, exponents: list[int]) -> Any:
        """Divide by a monomial; it always goes."""
        return polynomial / self._monomial(exponents) if any(exponents) else polynomial

    def _bounds(self, bag: frozenset[Cell]) -> list[tuple[int, int]]:
        """Return the variables of a bag's numbers with the powers that they must not exceed."""
        numbers = bag & self._numbers if self.pruned else ()
        return [(self.slots.place[number], self.graph.counts[number]) for number in numbers]

    def _product(self, one: Any, two: Any, shared: list[int], bounds: list[tuple[int, int]]) -> Any:
        """Multiply what two children say, of which both count what they share.

        FLINT cannot be stopped, nor does it say how much memory it takes, so a large product is
        made of small ones, each pruned at once.
        """
        product = None
        for part in self._split(one, two):
            made = self._prune(self._over(part * two, shared), bounds)
            product = made if product is None else product + made
            self.budget.spend(held=self._held + self._bytes_per_term * len(product))
        return product

    def _split(self, one: Any, two: Any) -> Iterable[Any]:
        """Return the sum `one` in parts, so that each, times `two`, has few terms."""
        if (
            len(one) * len(two) <= _AT_ONCE
            or prod(a + b + 1 for a, b in zip(one.degrees(), two.degrees(), strict=True))
            <= _AT_ONCE
        ):
            return (one,)
        return self._parts(one, max(1, _AT_ONCE // len(two)))

    def _parts(self, one: Any, size: int) -> Iterator[Any]:
        for start in range(0, len(one), size):
            self.budget.look()
            end = min(start + size, len(one))
            yield self.context.from_dict(
                {one.monomial(place): one.coefficient(place) for place in range(start, end)}
            )

    def _terms(self, polynomial: Any) -> Any:
        """Return powers and coefficients, as Python has them: much larger than in FLINT."""
        size = _BYTES_PER_TUPLE + _BYTES_PER_POWER * self._width
        self.budget.spend(held=self._held + size * len(polynomial))
        return polynomial.terms()

    def _coefficient(self, polynomial: Any, number: Cell) -> Any:
        """Return the coefficient of what a number shows, without its variable."""
        slot, count = self.slots.place[number], self.graph.counts[number]
        terms = {
            (*powers[:slot], 0, *powers[slot + 1 :]): coefficient
            for powers, coefficient in self._terms(polynomial)
            if powers[slot] == count
        }
        return self.context.from_dict(terms)

    def _prune(self, polynomial: Any, bounds: list[tuple[int, int]]) -> Any:
        degrees = polynomial.degrees()
        bounds = [(slot, count) for slot, count in bounds if degrees[slot] > max(count, 0)]
        if not bounds:
            return polynomial
        return self.context.from_dict(
            {
                powers: coefficient
                for powers, coefficient in self._terms(polynomial)
                if all(powers[slot] <= count for slot, count in bounds)
            }
        )
