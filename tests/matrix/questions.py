"""What is asked in the table of limits, of whom, and about what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import sapper
from sapper import lab
from sapper.analysis import get
from sapper.clues import Clue, Clues, Puzzle
from sapper.limits import Limits
from tests.engine.boards import random_tree
from tests.matrix.functions import ABOUT, FUNCTIONS, Function, exhaust

Ask = Callable[[Any, Any, Limits | None], object]
"""Puts a question about a puzzle to a method, under limits."""


def view(puzzle: Puzzle, method: Any, limits: Limits | None) -> Any:
    return sapper.solutions(puzzle, method=method, limits=limits)


def analysis(puzzle: Puzzle, method: Any, limits: Limits | None) -> sapper.Analysis:
    return sapper.analyze(puzzle, method=method, limits=limits)


def a_cell(puzzle: Puzzle) -> Any:
    # Not by way of named clues: those of a large board take longer than the question.
    return puzzle.cells[0] if isinstance(puzzle, Clues) else puzzle.covered[0]


def explain(puzzle: Puzzle, method: Any, limits: Limits | None, **options: Any) -> object:
    return sapper.explain(puzzle, a_cell(puzzle), method=method, limits=limits, **options)


def alone(ask: Function) -> Ask:
    return lambda puzzle, _, limits: ask(puzzle, limits)


QUESTIONS: Final[dict[str, Ask]] = {
    "is_consistent": lambda p, m, ls: sapper.is_consistent(p, method=m, limits=ls),
    "count": lambda p, m, ls: sapper.count(p, method=m, limits=ls),
    "count_by_mines": lambda p, m, ls: sapper.count_by_mines(p, method=m, limits=ls),
    "analyze.verdicts": lambda p, m, ls: analysis(p, m, ls).verdicts,
    "analyze.probabilities": lambda p, m, ls: analysis(p, m, ls).probabilities,
    "analyze.exact_probabilities": lambda p, m, ls: analysis(p, m, ls).exact_probabilities,
    "analyze.best": lambda p, m, ls: analysis(p, m, ls).best,
    "analyze.difficulty": lambda p, m, ls: analysis(p, m, ls).difficulty,
    "bool(solutions)": lambda p, m, ls: bool(view(p, m, ls)),
    "iter(solutions)": lambda p, m, ls: exhaust(iter(view(p, m, ls))),
    "solutions.count": lambda p, m, ls: view(p, m, ls).count(),
    "solutions.sample": lambda p, m, ls: view(p, m, ls).sample(10**7, seed=1),
    "solutions.cheapest": lambda p, m, ls: view(p, m, ls).cheapest({}),
    "solutions.zdd": lambda p, m, ls: view(p, m, ls).zdd(),
    "explain": explain,
    "explain, smallest": lambda p, m, ls: explain(p, m, ls, smallest=True),
    "estimate": lambda p, m, ls: sapper.estimate(p, method=m, limits=ls),
    "play_by_inference": lambda p, m, ls: lab.play_by_inference(
        p.topology, p.mines, (0, 0), method=m, limits=ls
    ),
    **{name: alone(ask) for name, (_, ask) in FUNCTIONS.items()},
}


class Case(NamedTuple):
    """A question to a method about a puzzle that is hard for it."""

    question: str
    method: str
    puzzle: str


PUZZLES: Final[dict[str, Callable[[], Any]]] = {
    **ABOUT,
    "a tree of 200,000": lambda: random_tree(200_000, seed=1),
    "12 of 24 cells": lambda: Clues([Clue(12, range(24))]),
}

OWN: Final = {
    "SubgraphMethod": "subgraph",
    "ZddMethod": "zdd",
    "Treewidth": "treewidth",
    "CpSat": "cpsat",
}
"""The methods of classes that are asked themselves."""

METHODS: Final[dict[str, Any]] = {"kset": get("kset", k=6)}
"""Methods that need an option to have something to do."""

COUNTING: Final = (
    "is_consistent",
    "count",
    "count_by_mines",
    "analyze.verdicts",
    "analyze.probabilities",
    "analyze.exact_probabilities",
    "analyze.best",
    "analyze.difficulty",
    "explain",
    "explain, smallest",
)
VIEWS: Final = (
    "bool(solutions)",
    "iter(solutions)",
    "solutions.count",
    "solutions.sample",
    "solutions.cheapest",
    "solutions.zdd",
)
ONE_BY_ONE: Final = (
    "is_consistent",
    "analyze.verdicts",
    "analyze.difficulty",
    "bool(solutions)",
    "iter(solutions)",
    "solutions.count",
    "explain",
    "explain, smallest",
)


EASY: Final = ("is_consistent", "bool(solutions)", "explain", "explain, smallest")


def cases() -> Iterator[Case]:
    """Yield every question with every method that answers it, on something hard."""
    for method in ("auto", "engine", "zdd", "subgraph"):
        for question in (*COUNTING, *VIEWS):
            yield Case(question, method, "LAT(40, 40)")
    for question in (*COUNTING, *VIEWS):
        yield Case(question, "brute", "12 of 24 cells")
    for method in ("auto", "engine"):
        yield Case("estimate", method, "LAT(40, 40)")
    yield Case("play_by_inference", "auto", "a torus of 700 × 700 in play")
    for question in COUNTING:
        yield Case(question, "treewidth", "LAT(26, 26)")
        yield Case(question, "tree", "a tree of 200,000")
    for method in ("sat", "cpsat"):
        for question in ONE_BY_ONE:
            # SAT finds one solution of the smaller board at once.
            wide = method == "sat" and question in EASY
            yield Case(question, method, "LAT(100, 100)" if wide else "LAT(40, 40)")
    for question in ("analyze.verdicts", "analyze.best"):
        yield Case(question, "kset", "LAT(40, 40)")
    for question, (about, _) in FUNCTIONS.items():
        yield Case(question, OWN.get(question.partition(".")[0], "-"), about)
