"""Products of polynomials with long coefficients: the core's against flint's."""

from __future__ import annotations

import time
from random import Random
from typing import Final

import pytest
from flint import fmpz_poly

from sapper._native import MOST_COEFFICIENTS, NO_LIMITS, Run, long_product, run_under
from sapper.engine import exact
from sapper.engine.residues import Polynomial
from sapper.errors import LimitExceeded
from sapper.limits import Limits

PROMPT: Final = 0.2


def packed(numbers: list[int], size: int) -> bytes:
    return b"".join(number.to_bytes(size, "little") for number in numbers)


def unpacked(size: int, data: bytes) -> list[int]:
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]


def sparse(random: Random, length: int, bits: int) -> list[int]:
    """Return numbers of up to so many bits; some are zero, some as large as can be."""
    kinds = (lambda: 0, lambda: (1 << bits) - 1, lambda: random.getrandbits(bits))
    return [random.choice(kinds)() for _ in range(length)]


@pytest.mark.parametrize("seed", range(40))
def test_as_flint_multiplies(seed: int) -> None:
    random = Random(seed)
    lengths = [random.choice((1, 2, 3, 17, 64, 65, 300)) for _ in range(2)]
    bits = [random.choice((1, 8, 49, 200, 1000, 4097)) for _ in range(2)]
    a, b = (sparse(random, *pair) for pair in zip(lengths, bits, strict=True))
    # There may be room for more than the numbers need.
    sizes = [-(-n // 8) + random.randrange(3) for n in bits]
    one, other = ((packed(f, size), size) for f, size in zip((a, b), sizes, strict=True))
    size, data = long_product(*one, *other, NO_LIMITS)
    found = unpacked(size, data)
    assert len(found) == sum(lengths) - 1
    assert size <= -(-(sum(bits) + min(lengths).bit_length()) // 8)
    assert fmpz_poly(found) == fmpz_poly(a) * fmpz_poly(b)


def test_threads_change_nothing() -> None:
    random = Random(1)
    a, b = (packed([random.getrandbits(3000) for _ in range(n)], 375) for n in (700, 400))
    one, two, three = (long_product(a, 375, b, 375, NO_LIMITS, threads) for threads in (1, 2, 3))
    assert one == two == three
    assert fmpz_poly(unpacked(*one)) == fmpz_poly(unpacked(375, a)) * fmpz_poly(unpacked(375, b))


@pytest.mark.parametrize(("data", "size"), [(b"", 1), (b"abc", 2), (b"abc", 0)])
def test_what_is_no_polynomial(data: bytes, size: int) -> None:
    with pytest.raises(ValueError, match="coefficients of the same size"):
        long_product(data, size, b"a", 1, NO_LIMITS)
    with pytest.raises(ValueError, match="coefficients of the same size"):
        long_product(b"a", 1, data, size, NO_LIMITS)


def test_what_has_no_roots_of_unity() -> None:
    with pytest.raises(ValueError, match="too long"):
        long_product(bytes(1 << 20), 1, b"ab", 1, NO_LIMITS)
    with pytest.raises(ValueError, match="too long"):
        long_product(b"a" * (1 << 22), 1 << 22, b"a", 1, NO_LIMITS)


@pytest.mark.parametrize("threads", [1, 2])
def test_limits_hold(threads: int) -> None:
    a = b"\xff" * (4000 * 1000)

    def ask(run: Run, held: int = 0) -> tuple[int, bytes]:
        return long_product(a, 1000, a, 1000, run, threads, held)

    start = time.process_time()
    with pytest.raises(LimitExceeded, match="seconds"):
        ask(run_under(Limits(seconds=0.05)))
    assert time.process_time() - start < threads * (0.05 + PROMPT)
    # The product has 16 MB, and 43 MB are in use besides.
    ask(run_under(Limits(bytes=70_000_000)))
    for run, held in ((Limits(bytes=50_000_000), 0), (Limits(bytes=70_000_000), 20_000_000)):
        with pytest.raises(LimitExceeded, match="bytes"):
            ask(run_under(run), held)


@pytest.mark.parametrize("most", [30, MOST_COEFFICIENTS])
@pytest.mark.parametrize("bits", [0, 2000, exact._BITS_AT_ONCE])
def test_whoever_multiplies(bits: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short products are flint's, long ones the core's while it has roots for them."""
    random = Random(3)
    factors = [
        Polynomial(0, [random.getrandbits(10 * n) for _ in range(n)] + [1]) for n in range(1, 12)
    ]
    asked = []

    def noted(*args: object) -> tuple[int, bytes]:
        asked.append(args)
        return long_product(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(exact, "long_product", noted)
    monkeypatch.setattr(exact, "_BITS_AT_ONCE", bits)
    monkeypatch.setattr(exact, "MOST_COEFFICIENTS", most)
    plain = fmpz_poly([1])
    for factor in factors:
        plain *= fmpz_poly(factor.coefficients)
    least, common, numbers = exact.product(factors, NO_LIMITS, threads=2)
    assert least == 0
    assert fmpz_poly(numbers) * common == plain
    if bits > 2000:
        assert not asked
    else:
        assert 1 < len(asked) < (len(factors) - 1 if bits or most == 30 else len(factors))


def test_what_is_too_long_for_the_core_is_left_to_flint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_COEFFICIENT_BYTES", 100)
    monkeypatch.setattr(exact, "_BITS_AT_ONCE", 0)
    monkeypatch.setattr(exact, "long_product", None)
    factors = [Polynomial(0, [3**300, 1]), Polynomial(0, [5**200, 1])]
    assert exact.product(factors, NO_LIMITS)[2] == [3**300 * 5**200, 3**300 + 5**200, 1]


def test_the_core_is_told_what_is_held() -> None:
    random = Random(4)
    factors = [Polynomial(0, [random.getrandbits(3000) for _ in range(1000)]) for _ in range(2)]
    run = run_under(Limits(bytes=20_000_000))
    assert len(exact.product(factors, run)[2]) == 1999
    with pytest.raises(LimitExceeded, match="bytes"):
        exact.product(factors, run, held=14_000_000)
