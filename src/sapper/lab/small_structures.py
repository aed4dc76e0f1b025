"""How likely it is that something can be inferred on a sparse random hypergraph, from counting.

Below the density at which inference spreads, what can be inferred comes from structures of a few
hyperedges, whose number is Poisson as n grows; so P(something) = 1 − exp(−Λ), Λ their expectation.

- A label 0 or all decides its hyperedge alone.
- Otherwise a tree of hyperedges decides nothing: whatever one vertex is, the others can make up for
  it. A cycle of hyperedges that share one vertex with the next leaves each with two shared vertices
  x, y. The label 1 forbids x = y = 1 (*not both*), the label m − 1 forbids x = y = 0 (*one of
  both*), and other labels forbid nothing, which makes the cycle as good as a tree. Where the two
  kinds alternate all around, each x + y is 1 and the other vertices are decided; where they
  alternate but for one place, the vertex there is decided; with more such places nothing is.
- Structures with more than one cycle have an expectation that goes to zero like 1/n.

Let N and O be the matrices over the values of x and y of the expected number of ways to go on by a
hyperedge of either kind. Then the expected number of cycles that decide something is
−½ ln det(1 − NO) + ½ tr(N·NO/(1 − NO)) + ½ tr(O·ON/(1 − ON)), until NO has an eigenvalue 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from sapper.limits import load

__all__ = ["expected_structures", "start_probability"]


def expected_structures(
    edges: Mapping[int, float], density: float, mines: float, *, free: bool
) -> float | None:
    """Return Λ for labels that decide no hyperedge alone; None where there is no such limit.

    Parameters
    ----------
    edges : mapping of int to float
        Sizes of hyperedges, from 3, and which share of all have each.
    density : float
        Hyperedges per vertex.
    mines : float
        The probability that a vertex is a mine, for planted labels.
    free : bool
        Are labels drawn uniformly from 1 to the size less 1, or planted?

    Examples
    --------
    >>> round(expected_structures({4: 1.0}, 0.25, 0.5, free=False), 4)
    0.8683
    >>> expected_structures({4: 1.0}, 0.26, 0.5, free=True) is None  # beyond 1/4
    True
    """
    load("numpy")
    import numpy as np

    if min(edges) < 3:
        return None
    kinds = [np.zeros((2, 2)), np.zeros((2, 2))]
    chance = (1 - mines, mines)
    for size, share in edges.items():
        strict = 1 - mines**size - (1 - mines) ** size
        for kind, label in zip(kinds, (1, size - 1), strict=True):
            for x in (0, 1):
                for y in (0, 1):
                    if free:
                        # Labels know nothing of values; half of a ones matrix has the trace 1.
                        weight = 0.5 / (size - 1)
                    else:
                        weight = _binomial(size - 2, label - x - y, mines) * chance[y] / strict
                    kind[x, y] += density * share * size * (size - 1) * weight
    n, o = kinds
    both = n @ o
    if max(abs(np.linalg.eigvals(both))) >= 1:
        return None
    one = np.eye(2)
    cycles = -0.5 * math.log(np.linalg.det(one - both))
    cycles += 0.5 * float(np.trace(n @ both @ np.linalg.inv(one - both)))
    other = o @ n
    return cycles + 0.5 * float(np.trace(o @ other @ np.linalg.inv(one - other)))


def _binomial(trials: int, successes: int, chance: float) -> float:
    if not 0 <= successes <= trials:
        return 0.0
    return math.comb(trials, successes) * chance**successes * (1 - chance) ** (trials - successes)


def start_probability(
    edges: Mapping[int, float], density: float, mines: float, labels: str, vertices: int
) -> float | None:
    """Return P(something is inferred) as n grows, None beyond the reach of small structures.

    With labels that can decide alone the number of such hyperedges is all that matters, at
    densities like 1/n; so that is for a given number of vertices.

    Examples
    --------
    >>> round(start_probability({3: 1.0}, 0.01, 0.5, "planted", 100), 4)  # one hyperedge
    0.2212
    """
    if labels.endswith("strict"):
        found = expected_structures(edges, density, mines, free=labels.startswith("free"))
    else:
        found = math.fsum(
            density * share * vertices * _alone(size, mines, free=labels == "free")
            for size, share in edges.items()
        )
    return None if found is None else 1 - math.exp(-found)


def _alone(size: int, mines: float, *, free: bool) -> float:
    """Return the chance of a label that decides its hyperedge."""
    return 2 / (size + 1) if free else float(mines**size + (1 - mines) ** size)
