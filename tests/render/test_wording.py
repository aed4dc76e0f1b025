"""Nothing uncertain is ever shown as certain."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.answers import cell_name, digits
from sapper.render.palette import ramp
from sapper.render.wording import amount, precise, short

CHANCES = st.one_of(
    st.floats(0, 1), st.fractions(0, 1), st.floats(0, 1e-9), st.floats(0, 1e-9).map(lambda p: 1 - p)
)


@given(CHANCES)
def test_no_probability_is_rounded_to_certainty(chance: float | Fraction) -> None:
    for shown in (short(chance), precise(chance)):
        number = float(re.fullmatch(r"[<>]?([0-9.]+)%", shown)[1])  # type: ignore[index]
        assert 0 < number < 100
        # Bounds are bounds, and everything else is near.
        percent = float(100 * chance)
        if shown.startswith("<"):
            assert percent < number
        elif shown.startswith(">"):
            assert percent > number or number == pytest.approx(percent)
        else:
            assert abs(number - percent) <= 0.5 + 1e-9


@given(CHANCES)
def test_short_fits_in_four_characters(chance: float | Fraction) -> None:
    assert len(short(chance)) <= 4


@given(CHANCES)
def test_small_distances_from_the_ends_keep_two_digits(chance: float | Fraction) -> None:
    shown = precise(chance)
    if not shown.startswith(("<", ">")):
        distance = float(100 * min(chance, 1 - chance))
        error = abs(float(shown[:-1]) - float(100 * chance))
        assert error <= max(0.05 * distance, 5e-7) + 1e-9


@given(st.integers())
def test_digits_are_those_of_python(number: int) -> None:
    assert digits(number) == str(number)


@pytest.mark.parametrize("exponent", [3_010, 9_999, 10_000, 50_000])
def test_long_integers_are_written_in_full(exponent: int) -> None:
    assert digits(10**exponent) == "1" + "0" * exponent
    assert digits(-(10**exponent) - 7) == "-1" + "0" * (exponent - 1) + "7"


def test_amounts() -> None:
    assert amount(999_999_999_999_999) == "999,999,999,999,999"
    assert amount(10**15) == "1.000 × 10^15"
    assert amount(99_999_600_000_000_000) == "1.000 × 10^17"
    assert amount(2**100_000).endswith("× 10^30102")


def test_cells_are_named_as_the_command_line_reads_them() -> None:
    assert [cell_name(cell) for cell in [(1, 2), (0, 1, 2), "hut", 7, ("a", 1)]] == [
        "1,2",
        "0,1,2",
        "hut",
        "7",
        "a,1",
    ]


def test_the_ramp_is_monotone_in_lightness_of_each_half() -> None:
    assert ramp(-1) == ramp(0)
    assert ramp(2) == ramp(1)
    assert len({ramp(step / 100) for step in range(101)}) > 60
