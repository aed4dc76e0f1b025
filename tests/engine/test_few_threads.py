"""Systems that give fewer threads than are asked for."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator

import pytest

from sapper.limits import in_order, threads

REFUSED = "can't start new thread"
PLACES = {"at once": (threads, "start_new_thread"), "by another": (threading.Thread, "start")}


@pytest.fixture(autouse=True)
def _ends() -> Iterator[None]:
    """Whoever waits for a thread that never began is woken."""

    def late(*_: object) -> None:
        raise TimeoutError("waited for a thread that never began")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=PLACES)
def refuse_from(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Callable[[int], None]:
    """Let the system refuse threads from the given one on, in one of two places."""
    owner, name = PLACES[request.param]
    real = getattr(owner, name)
    begun = 0

    def refuse(first: int) -> None:
        def begin(*args: object) -> object:
            nonlocal begun
            begun += 1
            if begun >= first:
                raise RuntimeError(REFUSED)
            return real(*args)

        monkeypatch.setattr(owner, name, begin)

    return refuse


@pytest.mark.parametrize("first", [2, 3])
def test_fewer_threads_do_it_all(refuse_from: Callable[[int], None], first: int) -> None:
    refuse_from(first)
    jobs = range(-30, 0)
    assert list(in_order(abs, jobs, 3, stop=lambda: None)) == [-job for job in jobs]


def test_no_thread_at_all_is_an_error(refuse_from: Callable[[int], None]) -> None:
    refuse_from(1)
    with pytest.raises(RuntimeError, match=REFUSED):
        list(in_order(abs, [-1, 2, -3], 3, stop=lambda: None))
