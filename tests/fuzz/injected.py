"""Limits and interrupts in the middle of questions; what is asked again must be right.

Everything is asked of objects that live on: a method, a view, an analysis, a session, a diagram.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from random import Random
from typing import Any, Final

import sapper
from sapper.analysis import get, names
from sapper.clues import Clues, Puzzle
from sapper.errors import LimitExceeded, MethodError
from sapper.field import Position
from sapper.limits import Limits
from sapper.questions import Method

OPTIONAL: Final = {"zdd": "oxidd", "cpsat": "ortools"}


class Truth:
    """What is true of a small puzzle, by enumeration."""

    def __init__(self, puzzle: Puzzle) -> None:
        found = sapper.analyze(puzzle, method="brute")
        self.solutions = set(sapper.solutions(puzzle, method="brute"))
        self.cells = Clues.of(puzzle).cells
        self.count = len(self.solutions)
        self.by_mines = sapper.count_by_mines(puzzle, method="brute")
        self.verdicts = found.verdicts
        self.costs = {cell: place % 7 - 3 for place, cell in enumerate(self.cells)}
        self.cheapest = min((self.cost(s) for s in self.solutions), default=None)

    def cost(self, solution: frozenset[Any]) -> int:
        return sum(self.costs[cell] for cell in solution)

    def chances(self) -> dict[Any, float]:
        return {
            cell: sum(cell in s for s in self.solutions) / self.count
            for cell in self.cells
            if self.count
        }


Check = Callable[[], bool]
"""Asks something, and tells whether the answer is right."""


class Asked:
    """Objects made from one puzzle with one method, under limits, and what they can be asked."""

    def __init__(self, puzzle: Puzzle, method: Method, limits: Limits | None, truth: Truth) -> None:
        self.truth = truth
        self.puzzle = puzzle
        self.method = method
        self.limits = limits
        self.kept: dict[str, Any] = {}

    def keep(self, name: str, make: Callable[[], Any]) -> Any:
        """Return an object that was made before, or make it."""
        if name not in self.kept:
            self.kept[name] = make()
        return self.kept[name]

    def analysis(self) -> Any:
        return self.keep(
            "analysis",
            lambda: sapper.analyze(self.puzzle, method=self.method, limits=self.limits),
        )

    def view(self) -> Any:
        return self.keep(
            "view", lambda: sapper.solutions(self.puzzle, method=self.method, limits=self.limits)
        )

    def zdd(self) -> Any:
        return self.keep("zdd", lambda: self.view().zdd())

    def session(self) -> Any:
        position = self.puzzle
        assert isinstance(position, Position)
        return self.keep("session", lambda: sapper.Session(position, limits=self.limits))

    def checks(self) -> dict[str, Check]:
        """Return everything that can be asked."""
        truth, puzzle, method = self.truth, self.puzzle, self.method
        answers = method.answers
        how: dict[str, Any] = {"method": method, "limits": self.limits}
        found: dict[str, Check] = {}
        if "consistent" in answers:
            found["is_consistent"] = lambda: (
                sapper.is_consistent(puzzle, **how) == bool(truth.count)
            )
        if "count" in answers:
            found["count"] = lambda: sapper.count(puzzle, **how) == truth.count
            found["analysis.count"] = lambda: self.analysis().count == truth.count
        if "by_mines" in answers:
            found["by_mines"] = lambda: sapper.count_by_mines(puzzle, **how) == truth.by_mines
        if "verdicts" in answers:
            found["verdicts"] = self.right_verdicts
        if "probabilities" in answers:
            found["probabilities"] = self.right_chances
        if "solutions" in answers:
            found |= self.view_checks()
        if "verdicts" in answers and method.complete and truth.cells:
            found["explain"] = self.right_explanation
        if isinstance(puzzle, Position) and method.name == "engine":
            found["session.count"] = lambda: self.session().count() == truth.count
            found["session.verdicts"] = lambda: self.session().analyze().verdicts == truth.verdicts
        return found

    def view_checks(self) -> dict[str, Check]:
        truth, method = self.truth, self.method
        found: dict[str, Check] = {
            "bool": lambda: bool(self.view()) == bool(truth.count),
            "iteration": lambda: set(self.view()) == truth.solutions,
        }
        if method.name in ("sat", "cpsat"):
            return found
        found["view.count"] = lambda: self.view().count() == truth.count
        found["zdd"] = lambda: set(self.zdd()) == truth.solutions
        found["zdd.count"] = lambda: self.zdd().count() == truth.count
        if truth.count:
            found["sample"] = lambda: truth.solutions.issuperset(self.view().sample(5, seed=3))
            found["cheapest"] = lambda: self.view().cheapest(truth.costs).cost == truth.cheapest
        return found

    def right_verdicts(self) -> bool:
        found = self.analysis().verdicts
        if self.method.complete:
            return bool(found == self.truth.verdicts)
        return all(
            verdict in ("unknown", self.truth.verdicts.get(cell, verdict))
            for cell, verdict in found.items()
        )

    def right_chances(self) -> bool:
        found, expected = self.analysis().probabilities, self.truth.chances()
        return found.keys() == expected.keys() and all(
            abs(found[cell] - chance) < 1e-9 for cell, chance in expected.items()
        )

    def right_explanation(self) -> bool:
        cell = self.truth.cells[0]
        found = sapper.explain(self.puzzle, cell, method=self.method, limits=self.limits)
        return found.verdict == self.truth.verdicts.get(cell, "inconsistent")


def interrupted(ask: Check, delay: float) -> bool | None:
    """Ask, and press Ctrl-C after some seconds; None if that was what ended it."""
    armed = True

    def press(*_: object) -> None:
        # Another thread may take the signal, and then it comes late.
        if armed:
            raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, press)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            return ask()
        finally:
            armed = False
    except KeyboardInterrupt:
        return None
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)


def random_limits(rng: Random) -> Limits:
    """Return one limit, of any size."""
    kind = rng.choice(("nodes", "bytes", "seconds"))
    if kind == "nodes":
        return Limits(nodes=int(10 ** rng.uniform(0, 4)))
    if kind == "bytes":
        return Limits(bytes=int(10 ** rng.uniform(2, 7)))
    return Limits(seconds=10 ** rng.uniform(-5, -1))


def methods() -> list[str]:
    """Return the methods whose libraries are there."""
    from importlib.util import find_spec

    return [name for name in names() if name not in OPTIONAL or find_spec(OPTIONAL[name])]


def judge(puzzle: Puzzle, rng: Random) -> int:
    """Inject some faults into questions about a small puzzle; return how many took effect.

    Raises
    ------
    AssertionError
        If an answer after a fault is wrong, or a fault is not what it should be.
    """
    truth, faults = Truth(puzzle), 0
    method = get(rng.choice(methods()))
    calm = Asked(puzzle, method, None, truth)
    bounded = Asked(puzzle, method, random_limits(rng), truth)
    try:
        for _ in range(8):
            name = rng.choice(sorted(calm.checks()))
            about = f"{method.name}, {name}"
            try:
                answer: bool | None = bounded.checks()[name]()
            except LimitExceeded:
                answer, faults = None, faults + 1
            assert answer in (True, None), f"{about}: wrong under {bounded.limits}"
            answer = interrupted(calm.checks()[name], 10 ** rng.uniform(-5, -1.7))
            faults += answer is None
            assert answer in (True, None), f"{about}: wrong while Ctrl-C was to come"
            assert calm.checks()[name](), f"{about}: wrong when asked again"
    except MethodError:
        pass  # a tree that is none, too many cells: a refusal is an answer
    return faults
