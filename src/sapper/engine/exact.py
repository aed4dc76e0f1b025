"""Exact answers: counts, counts by mines, and how many legal assignments mine each cell."""

from __future__ import annotations

import math
from contextlib import closing
from fractions import Fraction
from heapq import heapify, heappop, heappush
from numbers import Rational
from typing import TYPE_CHECKING, NamedTuple

from sapper._native import MOST_COEFFICIENT_BYTES, MOST_COEFFICIENTS, Run, long_product
from sapper.engine.residues import Polynomial, fits_word, polynomials, reconstruct_each
from sapper.engine.total import marginals_under_total
from sapper.limits import load

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from flint import fmpz, fmpz_poly

    from sapper.engine.board import Board

__all__ = ["count", "count_by_mines", "fraction", "marginals"]


class _Lowest(NamedTuple):
    """A fraction in lowest terms, which `Fraction` takes over as it is."""

    numerator: int
    denominator: int


Rational.register(_Lowest)

# Bits of a product that flint makes in a fortieth of a second, about; longer ones are the core's.
_BITS_AT_ONCE = 10_000_000
# Bytes of coefficients between two looks at the limits.
_BYTES_AT_ONCE = 1 << 20
# Numbers that are multiplied with each other first.
_NUMBERS_AT_ONCE = 64
# Terms that are added one after the other before sums of them are.
_TERMS_AT_ONCE = 16
# From here on the greatest common divisor is left to flint, which is far quicker.
_LONG_BITS = 2000


class _Long:
    """A polynomial as the core multiplies it: so many bytes for each coefficient."""

    __slots__ = ("data", "size")

    def __init__(self, size: int, data: bytes) -> None:
        self.size = size
        self.data = data

    @classmethod
    def of(cls, f: fmpz_poly, run: Run) -> _Long:
        size = -(-f.height_bits() // 8)
        step = 1 + _BYTES_AT_ONCE // size

        def rows() -> Iterator[bytes]:
            for place, number in enumerate(f.coeffs()):
                if place % step == 0:
                    run.check()
                yield int(number).to_bytes(size, "little")

        return cls(size, b"".join(rows()))

    def __len__(self) -> int:
        return len(self.data) // self.size

    def height_bits(self) -> int:
        return 8 * self.size

    def numbers(self, run: Run) -> list[int]:
        rows, size = memoryview(self.data), self.size
        step = 1 + _BYTES_AT_ONCE // size
        found = []
        for place in range(len(self)):
            if place % step == 0:
                run.check()
            found.append(int.from_bytes(rows[place * size : (place + 1) * size], "little"))
        return found


def fraction(numerator: int, denominator: int) -> Fraction:
    """Return a fraction of integers that may be long."""
    if denominator.bit_length() < _LONG_BITS:
        return Fraction(numerator, denominator)
    load("flint")
    from flint import fmpq

    ratio = fmpq(numerator, denominator)
    lowest: Rational = _Lowest(int(ratio.p), int(ratio.q))  # type: ignore[assignment]
    return Fraction(lowest)


def count_pieces(board: Board, run: Run) -> int:
    """Return the number of ways to fill all clues, ignoring the total and the free cells."""
    return _product_of([count for count, _ in _counts_of_pieces(board, run)])


def _product_of(numbers: Sequence[int]) -> int:
    """Return the product of many small numbers: not each is multiplied to a long one."""
    some = range(0, len(numbers), _NUMBERS_AT_ONCE)
    return math.prod(math.prod(numbers[i : i + _NUMBERS_AT_ONCE]) for i in some)


def _counts_of_pieces(board: Board, run: Run) -> list[tuple[int, float]]:
    """Return the number of ways to fill each piece, and its logarithm to base 2, about."""
    compiled = board.compiled
    bits, words = compiled.piece_counts(run, board.crew.threads)
    counts = list(words)
    long = [piece for piece, most in enumerate(bits) if not fits_word(most)]

    def residue(place: int, modulus: int, run: Run) -> list[int]:
        piece = long[place]
        return [compiled.count_residue(piece, modulus, run) if modulus else words[piece]]

    def nodes(place: int) -> int:
        return compiled.piece(long[place]).nodes

    each = reconstruct_each((bits[piece] for piece in long), residue, nodes, board, run)
    with closing(each) as found:
        for piece, [count] in zip(long, found, strict=True):
            counts[piece] = count
    return list(zip(counts, bits, strict=True))


def product(
    factors: Sequence[Polynomial], run: Run, held: int = 0, threads: int = 1
) -> tuple[int, fmpz, Sequence[int | fmpz]]:
    """Return the least power in the product of polynomials, a number, and coefficients.

    These are the coefficients from the least power on, divided by the number.

    `held` bytes are in use.

    The smallest two are multiplied next, so that a large one meets the product of many small ones
    instead of each of them.
    """
    load("flint")
    from flint import fmpz, fmpz_poly

    def size(length: int, bits: int) -> float:
        # In the end coefficients are there twice.
        return length * (bits / 4 + 48)

    least = sum(factor.least for factor in factors)
    # Without what divides all coefficients of a factor, products are shorter.
    row, common = [], []
    for factor in factors:
        run.check()
        f = fmpz_poly(factor.coefficients)
        common.append(f.content())
        if len(f) > 1:
            row.append(f // common[-1])
    # The place keeps equal sizes apart.
    heap: list[tuple[float, int, fmpz_poly | _Long]]
    heap = [(size(len(f), f.height_bits()), place, f) for place, f in enumerate(row)]
    heap = heap or [(0.0, 0, fmpz_poly([1]))]
    alive = sum(bytes_ for bytes_, _, _ in heap)
    heapify(heap)
    while len(heap) > 1:
        (x, _, a), (y, place, b) = heappop(heap), heappop(heap)
        # A product is as long as its factors together, and so are its coefficients.
        bits = a.height_bits() + b.height_bits()
        run.check(bytes=held + alive - x - y + size(len(a) + len(b), bits))
        c = _times(a, b, run, threads, held + int(alive))
        z = size(len(c), c.height_bits())
        heappush(heap, (z, place, c))
        alive += z - x - y
    whole = heap[0][2]
    numbers = whole.numbers(run) if isinstance(whole, _Long) else whole.coeffs()
    return least, math.prod(common, start=fmpz(1)), numbers


def _times(
    a: fmpz_poly | _Long, b: fmpz_poly | _Long, run: Run, threads: int, held: int
) -> fmpz_poly | _Long:
    """Return a product; a long one from the core, where it is shared by threads and can be ended.

    Nobody can interrupt flint, to which those of a million coefficients, or of four million bytes
    in one of them, are left.
    """
    from flint import fmpz_poly

    length, bits = len(a) + len(b), a.height_bits() + b.height_bits()
    # No more bits are needed for sums of so many products.
    most = (bits + length.bit_length()) // 8 + 1
    is_short = (
        length * bits < _BITS_AT_ONCE and not isinstance(a, _Long) and not isinstance(b, _Long)
    )
    if is_short or length > MOST_COEFFICIENTS or most > MOST_COEFFICIENT_BYTES:
        a, b = (fmpz_poly(f.numbers(run)) if isinstance(f, _Long) else f for f in (a, b))
        return a * b
    a, b = (f if isinstance(f, _Long) else _Long.of(f, run) for f in (a, b))
    return _Long(*long_product(a.data, a.size, b.data, b.size, run, threads, held))


def free_cells(n: int, run: Run) -> Polynomial:
    """Return the polynomial (1 + x)ⁿ of cells that no clue touches."""
    # Its coefficients have 0.72 n bits on average.
    run.check(bytes=0.09 * n * n)
    row = [1]
    for k in range(n):
        row.append(row[-1] * (n - k) // (k + 1))
        if k % 256 == 0:
            run.check()
    return Polynomial(0, row)


def with_free_cells(ways: Sequence[int | fmpz], free: int, mines: int, run: Run) -> int:
    """Return Σ ways[k] · C(free, mines − k) over all k.

    Neighbouring binomial coefficients differ by a fraction of small numbers, so the sum is found by
    binary splitting: with n terms, numbers of full length are multiplied log n times, not n times.
    """
    load("flint")
    from flint import fmpz

    first, last = max(0, mines - free), min(len(ways) - 1, mines)
    if first > last:
        return 0

    # Over the terms from i to j: the product of all numerators, that of all denominators, and the
    # sum of the terms times the latter.
    def split(i: int, j: int) -> tuple[fmpz, fmpz, fmpz]:
        if j - i < _TERMS_AT_ONCE:
            up, down, total = fmpz(1), fmpz(1), fmpz(0)
            for k in range(i, j + 1):
                if k > first:
                    under = free - mines + k
                    up, down, total = up * (mines - k + 1), down * under, total * under
                total += up * ways[k]
            return up, down, total
        middle = (i + j) // 2
        if j - i > 256:
            run.check()
        up, down, total = split(i, middle)
        up2, down2, total2 = split(middle + 1, j)
        return up * up2, down * down2, total * down2 + up * total2

    _, down, total = split(first, last)
    return int(fmpz.bin_uiui(free, mines - first) * total // down)


def count(board: Board, run: Run) -> int:
    """Return the exact number of legal assignments, under the total if there is one."""
    compiled = board.compiled
    if not compiled.consistent:
        return 0
    total = board.puzzle.mines
    free = compiled.free_cells
    if total is None:
        return count_pieces(board, run) << free
    held, threads = compiled.size_in_bytes, board.crew.threads
    least, common, ways = product(polynomials(board, run), run, held, threads)
    left = total - board.known - compiled.forced_mines - least
    return int(common * with_free_cells(ways, free, left, run))


def count_by_mines(board: Board, run: Run) -> dict[int, int]:
    """Return the exact count for every number of mines, ignoring the total."""
    compiled = board.compiled
    if not compiled.consistent:
        return {}
    parts = polynomials(board, run)
    held = compiled.size_in_bytes
    parts.append(free_cells(compiled.free_cells, run))
    least, common, numbers = product(parts, run, held, board.crew.threads)
    first = board.known + compiled.forced_mines + least
    bits = max(ways.bit_length() for ways in numbers) + common.bit_length()
    run.check(bytes=held + 2 * len(numbers) * (bits / 8 + 48))
    found = {}
    for k, ways in enumerate(numbers, first):
        if ways:
            found[k] = int(ways * common)
        if k % 1024 == 0:
            run.check()
    return found


def marginals(board: Board, run: Run) -> tuple[int, list[int]]:
    """Return the count and, per variable, how many legal assignments mine it; exactly."""
    compiled = board.compiled
    free = compiled.free
    groups = [board.variables(piece) for piece in range(len(compiled))]
    if board.puzzle.mines is None:
        whole, sums = _marginals_without_total(board, groups, run)
        mines_of_free = whole * len(free) // 2
    else:
        left = board.puzzle.mines - board.known - compiled.forced_mines
        whole, sums, mines_of_free = marginals_under_total(board, groups, left, run)
    values = memoryview(compiled.values).cast("b")
    result = [whole if value == 1 else 0 for value in values]
    # Each cell of a group has its share of the group's mines.
    for piece, mines in zip(groups, sums, strict=True):
        for members, number in zip(piece, mines, strict=True):
            share = number // len(members)
            for variable in members:
                result[variable] = share
    if free:
        share = mines_of_free // len(free)
        for variable in free:
            result[variable] = share
    return whole, result


def _marginals_without_total(
    board: Board, groups: list[list[list[int]]], run: Run
) -> tuple[int, list[list[int]]]:
    compiled = board.compiled
    counts = _counts_of_pieces(board, run)
    whole = _product_of([ways for ways, _ in counts]) << compiled.free_cells
    result = []
    held = compiled.size_in_bytes + 8 * compiled.variables
    largest = [max(map(len, piece)) for piece in groups]
    each = reconstruct_each(
        (bits + math.log2(most + 1) for (_, bits), most in zip(counts, largest, strict=True)),
        lambda piece, modulus, run: compiled.marginal_residues(piece, modulus, [], run),
        lambda piece: compiled.piece(piece).nodes,
        board,
        run,
    )
    with closing(each) as found:
        for (ways, _), sums in zip(counts, found, strict=True):
            held += len(sums) * (whole.bit_length() // 8 + 40)
            run.check(bytes=held)
            others = whole // ways
            result.append([mines * others for mines in sums])
    return whole, result
