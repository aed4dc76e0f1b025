"""What all tests share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _digits_as_before() -> Iterator[None]:
    """Keep what the command line does to long integers from reaching other tests."""
    before = sys.get_int_max_str_digits()
    yield
    sys.set_int_max_str_digits(before)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors: many tests wait for other processes."""
    return (os.cpu_count() or 1) + 1
