"""What all tests share."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import pytest

FIRST = ("tests/engine/test_core_programs.py", "tests/test_wheel.py")
"""Long builds by other programs: begun first, so that none is left alone at the end."""


def pytest_configure() -> None:
    """Let Ctrl-C work: a shell starts what it puts in the background with SIGINT ignored.

    Whatever the tests start inherits that, and those that send the signal would wait for ever.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


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
