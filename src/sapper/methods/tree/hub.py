"""The one hard step on a tree: a number with many covered children (Golan, Case iv).

If child c has the polynomials a (free) and b (mined), the coefficient of yᵗ in ∏ (a + b·y) is the
polynomial of all ways in which exactly t children are mined. Multiplying the product out costs as
much as all its coefficients, and two or three are wanted, so equal factors are brought together
first: one kind of factor gives a binomial, and a few kinds a linear recurrence in t, unrolled by
balanced products of its matrices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import factorial
from typing import Any, Final, TypeAlias

from flint import fmpz, fmpz_poly

Element: TypeAlias = Any
"""A value of the algebra: `fmpz` or `fmpz_poly`."""
Pair: TypeAlias = tuple[Element, Element]
Triple: TypeAlias = tuple[Element, Element, Element]

_SMALL_BITS: Final = 4096
"""Pairs above this size are not compared: they are rarely equal, and finding out is not free."""
_MANY: Final = 48
"""From so many factors on a recurrence is quicker than the product."""
_FEW_KINDS: Final = 8


def product(factors: Iterable[Element], one: Element) -> Element:
    """Multiply by halves, so that most products are of numbers of equal size."""
    level = list(factors)
    if not level:
        return one
    while len(level) > 1:
        paired = [level[i] * level[i + 1] for i in range(0, len(level) - 1, 2)]
        if len(level) % 2:
            paired.append(level[-1])
        level = paired
    return level[0]


def middle(pairs: Sequence[Pair], wanted: int, one: Element) -> tuple[Element, Element, Element]:
    """Return the coefficients of yʷ, yʷ⁻¹ and yʷ⁻² in the product of all a + b·y.

    Parameters
    ----------
    pairs
        The factors ``(a, b)``, integers or polynomials with no negative coefficient.
    wanted
        The highest exponent w asked for.
    one
        The 1 of the algebra.
    """
    zero = one - one
    kinds: dict[Any, tuple[Element, Element, int]] = {}
    scale: list[Element] = []
    for number, (a, b) in enumerate(pairs):
        if a == 0 and b == 0:
            return zero, zero, zero
        if b == 0:
            scale.append(a)
        elif a == 0:
            scale.append(b)
            wanted -= 1
        else:
            key, common = _kind(a, b, number)
            if common is not None:
                scale.append(common)
                a, b = a // common, b // common
            kinds[key] = (a, b, 1 + (kinds[key][2] if key in kinds else 0))
    outside = product(scale, one)
    groups = list(kinds.values())
    factors = sum(count for _, _, count in groups)
    found = [zero, zero, zero]
    # Only exponents from 0 to the number of factors occur.
    top = min(wanted, factors)
    if top >= 0 and wanted - top <= 2:
        if not groups:
            inside = (one, zero, zero)
        elif len(groups) == 1:
            inside = _binomial(groups[0], top, zero)
        elif factors >= _MANY and len(groups) <= _FEW_KINDS:
            inside = _recurrence(groups, top, one)
        else:
            inside = _multiplied(groups, top, one)
        for step, coefficient in enumerate(inside):
            if step + wanted - top <= 2:
                found[step + wanted - top] = coefficient * outside
    return found[0], found[1], found[2]


def _kind(a: Element, b: Element, number: int) -> tuple[Any, Element | None]:
    """Return a key that factors of equal ratio share, and what to divide by."""
    if isinstance(a, fmpz):
        if a.bit_length() + b.bit_length() > _SMALL_BITS:
            return number, None
        common = a.gcd(b)
        return (a // common, b // common), common
    if (len(a) + len(b)) * (a.height_bits() + b.height_bits()) > _SMALL_BITS:
        return number, None
    common = a.gcd(b)
    return (tuple((a // common).coeffs()), tuple((b // common).coeffs())), common


def _binomial(group: tuple[Element, Element, int], top: int, zero: Element) -> Triple:
    a, b, count = group
    found = [
        fmpz.bin_uiui(count, t) * a ** (count - t) * b**t if t >= 0 else zero
        for t in range(top, top - 3, -1)
    ]
    return found[0], found[1], found[2]


def _recurrence(groups: list[tuple[Element, Element, int]], top: int, one: Element) -> Triple:
    """Use that f = ∏ (a + b·y)ᵐ satisfies D·f′ = E·f with D = ∏ (a + b·y).

    Comparing coefficients, D₀·(n+1)·fₙ₊₁ = Σⱼ (Eⱼ − (n−j)·Dⱼ₊₁)·fₙ₋ⱼ.
    """
    if top <= 2:
        return _multiplied(groups, top, one)
    zero = one - one
    factors = [(a, b) for a, b, _ in groups]
    whole = _expanded(factors, one)
    rest = [zero] * len(groups)
    for i, (_, b, count) in enumerate(groups):
        for j, coefficient in enumerate(_expanded(factors[:i] + factors[i + 1 :], one)):
            rest[j] += count * b * coefficient
    width = max(3, len(groups))

    def step(n: int) -> list[list[Element]]:
        matrix = [[zero] * width for _ in range(width)]
        for j in range(len(groups)):
            matrix[0][j] = rest[j] - (n - j) * whole[j + 1]
        for j in range(1, width):
            matrix[j][j - 1] = (n + 1) * whole[0]
        return matrix

    start = [one] + [zero] * (width - 1)
    vector = _applied(step, 0, top, start)
    # The steps leave out f₀ = ∏ aᵐ and divide by nothing; both are made up for here.
    missing = product((a ** (m - top) for a, _, m in groups if m > top), one)
    surplus = product((a ** (top - m) for a, _, m in groups if m < top), one) * factorial(top)
    found = [value * missing // surplus for value in vector[:3]]
    return found[0], found[1], found[2]


def _expanded(factors: Sequence[Pair], one: Element) -> list[Element]:
    """Return the coefficients of a short product of a + b·y."""
    made = [one]
    for a, b in factors:
        low = [a * value for value in made] + [one - one]
        for place, value in enumerate(made, start=1):
            low[place] += b * value
        made = low
    return made


def _applied(step: Any, first: int, last: int, vector: list[Element]) -> list[Element]:
    """Return step(last-1) ⋯ step(first) · vector, by halves."""
    if last - first <= 4:
        for n in range(first, last):
            vector = [_dot(row, vector) for row in step(n)]
        return vector
    half = (first + last) // 2
    later = _power(step, half, last)
    vector = _applied(step, first, half, vector)
    return [_dot(row, vector) for row in later]


def _power(step: Any, first: int, last: int) -> list[list[Element]]:
    if last - first == 1:
        made: list[list[Element]] = step(first)
        return made
    half = (first + last) // 2
    early, late = _power(step, first, half), _power(step, half, last)
    columns = list(zip(*early, strict=True))
    return [[_dot(row, column) for column in columns] for row in late]


def _dot(row: Sequence[Element], column: Sequence[Element]) -> Element:
    total = row[0] * column[0]
    for left, right in zip(row[1:], column[1:], strict=True):
        if left != 0 and right != 0:
            total += left * right
    return total


def _multiplied(groups: list[tuple[Element, Element, int]], top: int, one: Element) -> Triple:
    """Multiply out, up to the exponent that is wanted and from the nearer end."""
    factors = sum(count for _, _, count in groups)
    from_above = 2 * top > factors + 2
    if from_above:
        # Reversed, the coefficient of yᵗ is that of y to the power of `factors` less t.
        groups = [(b, a, count) for a, b, count in groups]
        high = min(factors - top + 2, factors)
    else:
        high = top
    coefficients = _low_coefficients(groups, high + 1, one)
    zero = one - one
    exponents = [t if not from_above else factors - t for t in (top, top - 1, top - 2)]
    found = [coefficients[t] if 0 <= t < len(coefficients) else zero for t in exponents]
    return found[0], found[1], found[2]


def _low_coefficients(
    groups: list[tuple[Element, Element, int]], length: int, one: Element
) -> list[Element]:
    if isinstance(one, fmpz):
        polynomials = [fmpz_poly([a, b]) for a, b, _ in groups]
        multiplied = _truncated(polynomials, [m for _, _, m in groups], length)
        return list(multiplied.coeffs()[:length])
    # y becomes a power of x above every degree that occurs (Golan, Case iv).
    stride = 1 + sum(max(a.degree(), b.degree()) * count for a, b, count in groups)
    polynomials = [a + b.left_shift(stride) for a, b, _ in groups]
    multiplied = _truncated(polynomials, [m for _, _, m in groups], stride * length)
    found = []
    for _ in range(length):
        found.append(multiplied.truncate(stride))
        multiplied = multiplied.right_shift(stride)
    return found


def _truncated(polynomials: list[fmpz_poly], powers: list[int], length: int) -> fmpz_poly:
    level = [p.pow_trunc(m, length) for p, m in zip(polynomials, powers, strict=True)]
    while len(level) > 1:
        paired = [level[i].mul_low(level[i + 1], length) for i in range(0, len(level) - 1, 2)]
        if len(level) % 2:
            paired.append(level[-1])
        level = paired
    return level[0]
