"""Integers of any size from passes over machine words.

The core evaluates a diagram modulo 2⁶⁴ or modulo a prime below 2⁶². A floating-point pass bounds
the answer, so we know how many moduli determine it, and the Chinese remainder theorem gives it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from sapper import _core
from sapper.engine.board import exceeded

if TYPE_CHECKING:
    from sapper.engine.board import Board

__all__ = ["Polynomial", "count", "count_by_mines", "marginals", "polynomials"]

_WORD = 1 << 64
# A bound from floating point is trusted up to this many bits, far more than it can be off.
_MARGIN_BITS = 3.0


class Polynomial:
    """The number of ways for every number of mines from `least` on."""

    __slots__ = ("coefficients", "least")

    def __init__(self, least: int, coefficients: list[int]) -> None:
        self.least = least
        self.coefficients = coefficients


@cache
def _primes(n: int) -> tuple[int, ...]:
    """Return the `n` largest primes below 2⁶², in descending order."""
    from flint import fmpz

    found: list[int] = list(_primes(n // 2)) if n > 8 else []
    candidate = (found[-1] if found else 1 << 62) - 1
    while len(found) < n:
        if candidate % 2 and fmpz(candidate).is_prime():
            found.append(candidate)
        candidate -= 1
    return tuple(found)


def _moduli(bits: float) -> list[int]:
    """Return moduli (0 stands for 2⁶⁴) whose product exceeds every integer of so many bits."""
    primes = max(0, math.ceil((bits + _MARGIN_BITS - 64) / 61))
    # A power of two of primes at a time, so that the cache stays small.
    enough = _primes(1 << (primes - 1).bit_length()) if primes else ()
    return [0, *enough[:primes]]


def _reconstruct(
    bits: float, residues: Callable[[int], Sequence[int]], run: _core.Run
) -> list[int]:
    """Return the integers below 2**bits whose residues a function gives for each modulus."""
    values: list[int] = []
    product = 1
    for modulus in _moduli(bits):
        found = residues(modulus)
        size = modulus or _WORD
        if product == 1:
            values, product = list(found), size
            continue
        # The values so far, the next ones, what malloc cannot use between them, and residues.
        run.check(bytes=len(values) * (product.bit_length() * 3 / 8 + 150))
        inverse = pow(product, -1, size)
        values = [
            value + product * ((residue - value) * inverse % size)
            for value, residue in zip(values, found, strict=True)
        ]
        product *= size
    return values


def _piece_bits(board: Board, piece: int, run: _core.Run) -> float:
    return board.compiled.log2_count(piece, run)


def count_pieces(board: Board, run: _core.Run) -> int:
    """Return the number of ways to fill all clues, ignoring the total and the free cells."""
    from math import prod

    compiled = board.compiled

    def one(piece: int) -> int:
        bits = _piece_bits(board, piece, run)
        return _reconstruct(bits, lambda m: [compiled.count_residue(piece, m, run)], run)[0]

    return prod(one(piece) for piece in range(len(compiled)))


def polynomials(board: Board, run: _core.Run) -> list[Polynomial]:
    """Return the count by mines of each piece."""
    compiled = board.compiled

    def one(piece: int) -> Polynomial:
        bits = _piece_bits(board, piece, run)
        coefficients = _reconstruct(
            bits, lambda m: compiled.count_by_mines_residues(piece, m, run), run
        )
        return Polynomial(compiled.piece(piece)["least"], coefficients)

    return [one(piece) for piece in range(len(compiled))]


def product(factors: Sequence[Polynomial], run: _core.Run) -> Polynomial:
    """Return the product of polynomials, multiplied in a balanced way."""
    from flint import fmpz_poly

    least = sum(factor.least for factor in factors)
    row = [fmpz_poly(factor.coefficients) for factor in factors] or [fmpz_poly([1])]
    while len(row) > 1:
        # A product is as long as its factors together, and so are its coefficients; in the end
        # they are there twice.
        run.check(
            bytes=sum(
                (len(a) + len(b)) * ((a.height_bits() + b.height_bits()) / 4 + 48)
                for a, b in zip(row[::2], row[1::2], strict=False)
            )
        )
        row = [a * b for a, b in zip(row[::2], row[1::2], strict=False)] + (
            [row[-1]] if len(row) % 2 else []
        )
    return Polynomial(least, [int(c) for c in row[0].coeffs()])


def free_cells(n: int, run: _core.Run) -> Polynomial:
    """Return the polynomial (1 + x)ⁿ of cells that no clue touches."""
    # Its coefficients have 0.72 n bits on average.
    run.check(bytes=0.09 * n * n)
    row = [1]
    for k in range(n):
        row.append(row[-1] * (n - k) // (k + 1))
        if k % 256 == 0:
            run.check()
    return Polynomial(0, row)


def with_free_cells(ways: Sequence[int], free: int, mines: int, run: _core.Run) -> int:
    """Return Σ ways[k] · C(free, mines − k) over all k.

    Neighbouring binomial coefficients differ by a fraction of small numbers, so the sum is found by
    binary splitting: with n terms, numbers of full length are multiplied log n times, not n times.
    """
    from flint import fmpz

    first, last = max(0, mines - free), min(len(ways) - 1, mines)
    if first > last:
        return 0

    # Over the terms from i to j: the product of all numerators, that of all denominators, and the
    # sum of the terms times the latter.
    def split(i: int, j: int) -> tuple[fmpz, fmpz, fmpz]:
        if i == j:
            up = fmpz(mines - i + 1 if i > first else 1)
            return up, fmpz(free - mines + i if i > first else 1), up * ways[i]
        middle = (i + j) // 2
        if j - i > 256:
            run.check()
        up, down, total = split(i, middle)
        up2, down2, total2 = split(middle + 1, j)
        return up * up2, down * down2, total * down2 + up * total2

    _, down, total = split(first, last)
    return int(fmpz.bin_uiui(free, mines - first) * total // down)


def count(board: Board, run: _core.Run) -> int:
    """Return the exact number of legal assignments, under the total if there is one."""
    compiled = board.compiled
    if not compiled.consistent:
        return 0
    try:
        total = board.puzzle.mines
        free = len(compiled.free) // 4
        if total is None:
            return count_pieces(board, run) << free
        whole = product(polynomials(board, run), run)
        left = total - board.known - compiled.forced_mines - whole.least
        return with_free_cells(whole.coefficients, free, left, run)
    except _core.LimitHit as hit:
        raise exceeded(hit) from None


def count_by_mines(board: Board, run: _core.Run) -> dict[int, int]:
    """Return the exact count for every number of mines, ignoring the total."""
    compiled = board.compiled
    if not compiled.consistent:
        return {}
    try:
        parts = polynomials(board, run)
        whole = product([*parts, free_cells(len(compiled.free) // 4, run)], run)
    except _core.LimitHit as hit:
        raise exceeded(hit) from None
    first = board.known + compiled.forced_mines + whole.least
    return {first + k: ways for k, ways in enumerate(whole.coefficients) if ways}


def marginals(board: Board, run: _core.Run) -> tuple[int, list[int]]:
    """Return the count and, per variable, how many legal assignments mine it; exactly."""
    try:
        if board.puzzle.mines is None:
            return _marginals_without_total(board, run)
        return _marginals_with_total(board, run)
    except _core.LimitHit as hit:
        raise exceeded(hit) from None


def _spread(groups: list[list[int]], sums: list[int], factor: int, into: list[int]) -> None:
    """Give each cell of a group its share of the group's mines."""
    for members, mines in zip(groups, sums, strict=True):
        share = mines * factor // len(members)
        for variable in members:
            into[variable] = share


def _start(board: Board, whole: int) -> list[int]:
    values = memoryview(board.compiled.values).cast("b")
    return [whole if value == 1 else 0 for value in values]


def _marginals_without_total(board: Board, run: _core.Run) -> tuple[int, list[int]]:
    compiled = board.compiled
    free = memoryview(compiled.free).cast("i").tolist()
    bits = [_piece_bits(board, piece, run) for piece in range(len(compiled))]
    counts = [
        _reconstruct(bits[piece], lambda m, i=piece: [compiled.count_residue(i, m, run)], run)[0]  # type: ignore[misc]
        for piece in range(len(compiled))
    ]
    whole = math.prod(counts) << len(free)
    result = _start(board, whole)
    held = compiled.size_in_bytes + 8 * len(result)
    for piece, ways in enumerate(counts):
        largest = max(map(len, board.variables(piece)))
        sums = _reconstruct(
            bits[piece] + math.log2(largest + 1),
            lambda m, i=piece: compiled.marginal_residues(i, m, [], run),  # type: ignore[misc]
            run,
        )
        held += len(sums) * (whole.bit_length() // 8 + 40)
        run.check(bytes=held)
        _spread(board.variables(piece), sums, whole // ways, result)
    for variable in free:
        result[variable] = whole // 2
    return whole, result


def _marginals_with_total(board: Board, run: _core.Run) -> tuple[int, list[int]]:
    compiled = board.compiled
    whole = count(board, run)
    result = _start(board, whole)
    if not whole:
        return 0, result
    # No group has more mines than there are cells.
    bits = whole.bit_length() + math.log2(compiled.variables + 1)
    _, *sums = _reconstruct(bits, lambda m: compiled.marginal_residues_under_total(m, run), run)
    for piece in range(len(compiled)):
        groups = board.variables(piece)
        _spread(groups, sums[: len(groups)], 1, result)
        del sums[: len(groups)]
    free = memoryview(compiled.free).cast("i").tolist()
    if free:
        _spread([free], sums, 1, result)
    return whole, result
