"""Integers of any size from passes over machine words.

The core evaluates a diagram modulo 2⁶⁴ or modulo a prime below 2⁶². A floating-point pass bounds
the answer, so we know how many moduli determine it, and the Chinese remainder theorem gives it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING

from sapper.limits import load

if TYPE_CHECKING:
    from sapper._native import Run
    from sapper.engine.board import Board

__all__ = ["WORD", "Polynomial", "moduli", "polynomials", "reconstruct"]

WORD = 1 << 64
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
    load("flint")
    from flint import fmpz

    found: list[int] = list(_primes(n // 2)) if n > 8 else []
    candidate = (found[-1] if found else 1 << 62) - 1
    while len(found) < n:
        if candidate % 2 and fmpz(candidate).is_prime():
            found.append(candidate)
        candidate -= 1
    return tuple(found)


def fits_word(bits: float) -> bool:
    """Tell whether an integer of so many bits is known by its residue modulo 2⁶⁴."""
    return bits + _MARGIN_BITS <= 64


def moduli(bits: float) -> list[int]:
    """Return moduli (0 stands for 2⁶⁴) whose product exceeds every integer of so many bits."""
    primes = max(0, math.ceil((bits + _MARGIN_BITS - 64) / 61))
    # A power of two of primes at a time, so that the cache stays small.
    enough = _primes(1 << (primes - 1).bit_length()) if primes else ()
    return [0, *enough[:primes]]


def reconstruct(
    bits: float, residues: Callable[[int, Run], Sequence[int]], steps: int, board: Board, run: Run
) -> list[int]:
    """Return the integers below 2**bits whose residues a function gives for each modulus.

    It takes so many steps each time.
    """
    [found] = reconstruct_each(
        [bits], lambda _, modulus, own: residues(modulus, own), lambda _: steps, board, run
    )
    return found


def reconstruct_each(
    bits: Iterable[float],
    residues: Callable[[int, int, Run], Sequence[int]],
    steps: Callable[[int], int],
    board: Board,
    run: Run,
) -> Generator[list[int], None, None]:
    """Yield integers below 2**bits for each of some pieces of work.

    ``residues(place, modulus, run)`` gives their residues, in ``steps(place)`` steps.
    Threads begin once for all of them, and what is found is put together while they look for the
    next. Where one modulus is enough, none is worth it.
    """
    wanted = list(enumerate(map(moduli, bits)))
    asked = [(place, modulus) for place, some in wanted if len(some) > 1 for modulus in some]

    def ask(item: tuple[int, int], own: Run) -> Sequence[int]:
        return residues(*item, own)

    together = sum(steps(place) * len(some) for place, some in wanted if len(some) > 1)
    with closing(board.crew.each(board.compiled, ask, asked, run, together)) as each:
        for place, some in wanted:
            values: list[int] = []
            product = 1
            for modulus in some:
                found = next(each) if len(some) > 1 else residues(place, modulus, run)
                values, product = _combined(values, product, modulus, found, run)
            yield values


def _combined(
    values: list[int], product: int, modulus: int, residues: Sequence[int], run: Run
) -> tuple[list[int], int]:
    """Return values modulo a product, made to have residues modulo one more, and that product."""
    size = modulus or WORD
    if product == 1:
        return list(residues), size
    # The values so far, the next ones, what malloc cannot use between them, and residues.
    run.check(bytes=len(values) * (product.bit_length() * 3 / 8 + 150))
    inverse = pow(product, -1, size)
    found = [
        value + product * ((residue - value % size) * inverse % size)
        for value, residue in zip(values, residues, strict=True)
    ]
    return found, product * size


def polynomials(board: Board, run: Run) -> list[Polynomial]:
    """Return the count by mines of each piece."""

    def numbers(size: int, data: bytes) -> list[int]:
        rows = (data[i : i + size] for i in range(0, len(data), size))
        return [int.from_bytes(row, "little") for row in rows]

    found = board.compiled.counts_by_mines(run, board.crew.threads)
    return [Polynomial(least, numbers(size, data)) for least, size, data in found]
