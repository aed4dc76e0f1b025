"""Numbers and cells in words that people read; what is uncertain never looks certain."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log10
from typing import Final

from sapper.answers import digits
from sapper.field import Topology

__all__ = ["amount", "field_name", "plural", "precise", "short"]

_FINEST: Final = 6


def short(chance: float | Fraction) -> str:
    """Return the probability of an uncertain mine in at most four characters.

    Examples
    --------
    >>> [short(chance) for chance in (0.0, 0.004, 0.01, 1 / 3, 0.99, 0.995, 1.0)]
    ['<1%', '<1%', '1%', '33%', '99%', '>99%', '>99%']
    """
    if chance < 0.01:
        return "<1%"
    if chance > 0.99:
        return ">99%"
    return f"{round(100 * chance)}%"


def precise(chance: float | Fraction) -> str:
    """Return the probability of an uncertain mine with as many digits as it needs.

    Examples
    --------
    >>> [precise(chance) for chance in (0.5, 1 / 3, 0.00042, 0.99958, 1e-12, 1.0)]
    ['50%', '33.3%', '0.042%', '99.958%', '<0.000001%', '>99.999999%']
    """
    # Ask the distance from the nearer end: it decides how many digits keep us off that end.
    distance = float(100 * min(chance, 1 - chance))
    finest = 10.0**-_FINEST
    if distance < finest:
        return f"<{finest:.{_FINEST}f}%" if chance < 0.5 else f">{100 - finest:.{_FINEST}f}%"
    percent = float(100 * chance)
    if abs(percent - round(percent)) < 1e-9:
        return f"{round(percent)}%"
    decimals = min(max(1, 1 - floor(log10(distance))), _FINEST)
    return f"{percent:.{decimals}f}%"


def amount(number: int) -> str:
    """Return a count for people: all digits while they can be taken in, else its magnitude.

    Examples
    --------
    >>> amount(1234567), amount(2**200)
    ('1,234,567', '1.607 × 10^60')
    """
    if abs(number) < 10**15:
        return f"{number:,}"
    text = digits(number)
    exponent = len(text.lstrip("-")) - 1
    mantissa = round(int(text[: 6 + text.startswith("-")]) / 10**5, 3)
    if abs(mantissa) >= 10:  # 9.9996 rounds up to the next power
        mantissa, exponent = mantissa / 10, exponent + 1
    return f"{mantissa:.3f} × 10^{exponent}"


def field_name(topology: Topology) -> str:
    """Return what a field is called in a caption.

    Examples
    --------
    >>> from sapper.field import Torus
    >>> field_name(Torus(9, 9))
    '9×9 torus'
    """
    return str(topology).partition(" ")[2]


def plural(number: int, noun: str, many: str | None = None) -> str:
    """Return a number with its noun, whose plural is `many` if an s does not make it.

    Examples
    --------
    >>> plural(1, "mine"), plural(1200, "mine")
    ('1 mine', '1,200 mines')
    """
    return f"{number:,} {noun if number == 1 else many or f'{noun}s'}"
