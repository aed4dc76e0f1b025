"""Exact sums over all legal assignments under a mine total.

On small boards a few residues of everything are enough. On large ones the components meet in a
balanced tree of products. From the root down, every node then learns what all that lies outside it
is worth, for each number of mines it may have. So integers of full length are multiplied only as
coefficients of polynomials, which is quick, and a pass over a diagram needs no more residues than
the counts of its own component.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sapper.engine.residues import WORD, moduli, polynomials, reconstruct
from sapper.limits import load

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from flint import fmpz, fmpz_poly

    from sapper._native import Run
    from sapper.engine.board import Board
    from sapper.engine.residues import Polynomial

__all__ = ["marginals_under_total"]

_FEW_VARIABLES = 1000


def marginals_under_total(
    board: Board, groups: list[list[list[int]]], left: int, run: Run
) -> tuple[int, list[list[int]], int]:
    """Return the count; the mines of each group of each piece; the mines of the free cells.

    Mines are added up over all legal assignments. `groups` has the variables of each group of each
    piece, and `left` is how many mines there are in all pieces and the free cells together.
    """
    if board.compiled.variables <= _FEW_VARIABLES:
        return _by_residues(board, groups, run)
    free = board.compiled.free_cells
    factors = polynomials(board, run)
    left -= sum(factor.least for factor in factors)
    _charge(board, factors, free, run)
    tree = _Tree(factors, run)
    worth = _free_cells(free, left, len(tree.product), run)
    ways = [a * b for a, b in zip(tree.product, worth, strict=True)]
    whole = int(sum(ways))
    if not whole:
        return 0, [[0] * len(piece) for piece in groups], 0
    sums = [
        _sums(board, piece, max(map(len, groups[piece])), factors[piece], others, run)
        for piece, others in tree.others(worth)
    ]
    return whole, sums, int(sum((left - x) * number for x, number in enumerate(ways)))


def _by_residues(
    board: Board, groups: list[list[list[int]]], run: Run
) -> tuple[int, list[list[int]], int]:
    """Return the same from passes over the whole board."""
    compiled = board.compiled
    consistent, _, bits = compiled.probabilities(run, board.crew.threads)
    if not consistent:
        return 0, [[0] * len(piece) for piece in groups], 0
    # No group has more mines than there are cells.
    whole, *numbers = reconstruct(
        bits + math.log2(compiled.variables + 1),
        compiled.marginal_residues_under_total,
        compiled.nodes,
        board,
        run,
    )
    found = iter(numbers)
    sums = [[next(found) for _ in piece] for piece in groups]
    return whole, sums, next(found)


def _charge(board: Board, factors: Sequence[Polynomial], free: int, run: Run) -> None:
    """Compare what is needed with the limit: many integers as long as the count."""
    bits = sum(math.log2(sum(factor.coefficients)) for factor in factors) + free
    length = 1 + sum(len(factor.coefficients) - 1 for factor in factors)
    groups = board.compiled.variables - free
    # Polynomials on the way down and the products they are cut from; a sum for each group.
    held = board.compiled.size_in_bytes
    run.check(bytes=held + (8 * length + groups) * (bits / 8 + 32))


def _free_cells(n: int, mines: int, length: int, run: Run) -> list[fmpz]:
    """Return in how many ways `n` cells hold `mines`, one mine less, two less, and so on."""
    load("flint")
    from flint import fmpz

    first, end = max(0, mines - n), min(length, mines + 1)
    if first >= end:
        return [fmpz(0)] * length
    row = [fmpz(0)] * first
    ways = fmpz.bin_uiui(n, mines - first)
    for gone in range(first, end):
        row.append(ways)
        ways = ways * (mines - gone) // (n - mines + gone + 1)
        if gone % 256 == 0:
            run.check()
    return row + [fmpz(0)] * (length - len(row))


class _Tree:
    """Polynomials, multiplied pairwise."""

    def __init__(self, factors: Sequence[Polynomial], run: Run) -> None:
        load("flint")
        from flint import fmpz, fmpz_poly

        self._run = run
        # Each row has the products of pairs of the row before.
        self._rows = [[fmpz_poly(factor.coefficients) for factor in factors]]
        while len(self._rows[-1]) > 1:
            run.check()
            row = self._rows[-1]
            products = [a * b for a, b in zip(row[::2], row[1::2], strict=False)]
            self._rows.append(products + row[2 * len(products) :])
        self.product: list[fmpz] = self._rows[-1][0].coeffs() if factors else [fmpz(1)]

    def others(self, worth: list[fmpz]) -> Iterator[tuple[int, list[fmpz]]]:
        """Walk over the factors, with the worth of all else for each power of the factor.

        `worth` is that of what lies outside the tree, for each power of the product.
        """
        if self._rows[0]:
            yield from self._descend(len(self._rows) - 1, 0, worth)

    def _descend(self, row: int, place: int, worth: list[fmpz]) -> Iterator[tuple[int, list[fmpz]]]:
        if row == 0:
            yield place, worth
            return
        below = self._rows[row - 1][2 * place : 2 * place + 2]
        if len(below) == 1:
            yield from self._descend(row - 1, 2 * place, worth)
            return
        self._run.check()
        for side in (0, 1):
            seen = _through(below[1 - side], worth, len(below[side]))
            yield from self._descend(row - 1, 2 * place + side, seen)


def _through(other: fmpz_poly, worth: list[fmpz], length: int) -> list[fmpz]:
    """Return Σ other[z] · worth[y + z] over all z, for each y below `length`."""
    load("flint")
    from flint import fmpz, fmpz_poly

    if len(other) == 1:
        return [other[0] * ways for ways in worth]
    mirrored = fmpz_poly(other.coeffs()[::-1])
    seen = fmpz_poly(worth).mul_low(mirrored, len(worth)).right_shift(len(other) - 1).coeffs()
    return seen + [fmpz(0)] * (length - len(seen))


def _sums(
    board: Board,
    piece: int,
    largest: int,
    factor: Polynomial,
    others: list[fmpz],
    run: Run,
) -> list[int]:
    """Return the mines of each group of a piece, added up over all legal assignments."""
    compiled = board.compiled
    nodes = compiled.piece(piece).nodes
    own = math.log2(sum(factor.coefficients) * (largest + 1))
    if len(others) == 1:
        parts = reconstruct(
            own, lambda m, run: compiled.marginal_residues(piece, m, [], run), nodes, board, run
        )
        return [int(others[0] * part) for part in parts]
    longest = own + max(int(ways).bit_length() for ways in others)
    # Each number of mines by itself, in integers as long as those of the piece; or all together,
    # in integers as long as those of the board: whichever takes fewer passes.
    if len(moduli(own)) * len(others) > len(moduli(longest)):
        return reconstruct(
            longest,
            lambda m, run: compiled.marginal_residues(
                piece, m, [int(ways % (m or WORD)) for ways in others], run
            ),
            nodes * len(others),
            board,
            run,
        )
    table = []
    for mines, ways in enumerate(others):
        chosen = [int(i == mines) for i in range(len(others))]
        parts = reconstruct(
            own,
            lambda m, run: compiled.marginal_residues(piece, m, chosen, run),  # noqa: B023
            nodes * len(others),
            board,
            run,
        )
        table.append([ways * part for part in parts])
    return [int(sum(column)) for column in zip(*table, strict=True)]
