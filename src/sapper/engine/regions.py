"""Counts by mines of a piece, put together from its regions.

The core cuts a diagram where it is narrow and counts what leads through each region from one node
below it to one above it: short polynomials with small coefficients. Where regions meet they become
long, and multiplying those is left to flint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sapper.limits import load

if TYPE_CHECKING:
    from flint import fmpz_poly

    from sapper._native import Run

__all__ = ["Polynomial", "by_regions"]

# Left and right region below; nodes at the top; (source, node, fewest mines, numbers) of each
# transfer; bytes of a number; the numbers.
Region = tuple[int, int, int, list[tuple[int, int, int, int]], int, bytes]


class Polynomial:
    """The number of ways for every number of mines from `least` on."""

    __slots__ = ("coefficients", "least")

    def __init__(self, least: int, coefficients: list[int]) -> None:
        self.least = least
        self.coefficients = coefficients


class _Long(NamedTuple):
    """The same, as flint has it."""

    least: int
    ways: fmpz_poly


def by_regions(regions: Sequence[Region], run: Run) -> Polynomial:
    """Return the count by mines of a whole piece."""
    if len(regions) == 1:
        ((_, _, least, coefficients),) = _transfers(regions[0])
        return Polynomial(least, coefficients)
    load("flint")
    from flint import fmpz_poly

    tops: list[list[_Long]] = []
    held = 0.0  # by what is in `tops`
    for region in regions:
        left, right, nodes, *_ = region
        if left < 0:
            sources = [_Long(0, fmpz_poly([1]))]
        elif right < 0:
            sources = tops[left]
        else:
            sources = [_product(a, b, run, held) for a in tops[left] for b in tops[right]]
        found: list[_Long | None] = [None] * nodes
        for source, node, least, coefficients in _transfers(region):
            way = _product(sources[source], _Long(least, fmpz_poly(coefficients)), run, held)
            before = found[node]
            found[node] = way if before is None else _sum(before, way)
        tops.append([top for top in found if top is not None])
        held += sum(map(_size, tops[-1]))
    ((least, ways),) = tops[-1]
    return Polynomial(least, [int(c) for c in ways.coeffs()])


def _transfers(region: Region) -> Iterator[tuple[int, int, int, list[int]]]:
    """Yield the source, the node, the fewest mines and the numbers of each transfer."""
    *_, transfers, size, data = region
    start = 0
    for source, node, least, length in transfers:
        end = start + length * size
        numbers = [int.from_bytes(data[i : i + size], "little") for i in range(start, end, size)]
        yield source, node, least, numbers
        start = end


def _size(polynomial: _Long) -> float:
    """Return about how many bytes it takes."""
    ways = polynomial.ways
    return len(ways) * (ways.height_bits() / 8 + 24)


def _product(a: _Long, b: _Long, run: Run, held: float) -> _Long:
    # A product is as long as its factors together, and so are its coefficients.
    bits = a.ways.height_bits() + b.ways.height_bits()
    run.check(bytes=held + (len(a.ways) + len(b.ways)) * (bits / 4 + 48))
    return _Long(a.least + b.least, a.ways * b.ways)


def _sum(a: _Long, b: _Long) -> _Long:
    if a.least > b.least:
        a, b = b, a
    return _Long(a.least, a.ways + b.ways.left_shift(b.least - a.least))
