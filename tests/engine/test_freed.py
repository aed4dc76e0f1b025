"""What was asked about a board is given back with the answer."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

import sapper
from sapper import Limits
from sapper._native import Run

POSITION = sapper.parse("1??\n12?\n_1?", mines=2)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: sapper.analyze(POSITION).probabilities,
        lambda: sapper.analyze(POSITION, limits=Limits(seconds=10)).verdicts,
        lambda: sapper.count(POSITION, threads=2),
        lambda: sapper.solutions(POSITION).count(),
    ],
)
def test_questions_leave_nothing_behind(ask: Callable[[], object]) -> None:
    """Once a board held its run, that whoever watched it, and that the board: for ever."""
    for _ in range(3):
        ask()
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(50):
        ask()
    gc.collect()
    assert len(gc.get_objects()) - before < 50


def test_a_run_in_a_circle_is_freed() -> None:
    class Circle:
        def __init__(self) -> None:
            self.run = Run(progress=self.watch)

        def watch(self, nodes: int) -> None:
            raise NotImplementedError

    def circles() -> int:
        return sum(type(thing) is Circle for thing in gc.get_objects())

    Circle()
    gc.collect()
    assert circles() == 0
