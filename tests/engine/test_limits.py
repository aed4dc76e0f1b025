"""Limits: what is hit is named, and memory and time really stay below them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

import sapper
from sapper.clues import Clue, Clues
from sapper.engine import EngineMethod
from sapper.errors import LimitExceeded
from sapper.field import Grid, Position
from sapper.limits import Limits
from tests.engine.boards import chain, minefield, random_graph

ROOT: Final = Path(__file__).parents[2]
QUESTIONS: Final = (
    "count",
    "by_mines",
    "verdicts",
    "floats",
    "fractions",
    "sample",
    "cheapest",
    "first",
    "zdd",
)
OVERHEAD: Final = 24_000_000
"""What a question may use on top of its limit: its Python objects, and what malloc keeps."""


def partition(size: int, heaviest: int, *, total: bool) -> Clues:
    """Return one clue with heavy weights, met by half of their sum: few cells, many states."""
    random = Random(5)
    weights = [random.randint(1, heaviest) for _ in range(size)]
    return Clues(
        [Clue(sum(weights) // 2, range(size), weights=weights)], mines=size // 2 if total else None
    )


def ask(question: str, puzzle: Any, limits: Limits | None) -> object:
    """Put one question to the engine."""
    engine = EngineMethod()
    if question == "count":
        return engine.count(puzzle, limits)
    if question == "by_mines":
        return engine.count_by_mines(puzzle, limits)
    if question == "verdicts":
        return engine.verdicts(puzzle, limits)
    if question == "floats":
        return engine.analyze(puzzle, limits).probabilities
    if question == "fractions":
        return engine.analyze(puzzle, limits).exact_probabilities
    view = engine.solutions(puzzle, limits)
    if question == "sample":
        return view.sample(3, seed=1)
    if question == "cheapest":
        return view.cheapest({})
    if question == "first":
        return next(iter(view))
    return view.zdd()


# --- memory: measured in a process of its own, where the peak can be read -----------------------

CHILD: Final = """
import json, sys
import flint, numpy
from sapper.errors import LimitExceeded
from sapper.limits import Limits
from tests.engine import boards, test_limits

def status(key):
    text = open("/proc/self/status").read()
    return int(text.split(key + ":")[1].split()[0]) * 1024

question, puzzle, allowed = sys.argv[1], eval(sys.argv[2]), int(sys.argv[3])
test_limits.ask(question, boards.chain(3), None)
open("/proc/self/clear_refs", "w").write("5")
before = status("VmRSS")
try:
    test_limits.ask(question, puzzle, Limits(bytes=allowed, seconds=60))
    outcome = None
except LimitExceeded as hit:
    outcome = [hit.limit, hit.allowed, hit.spent]
print(json.dumps([status("VmHWM") - before, outcome]))
"""


def measured(question: str, puzzle: str, allowed: int) -> tuple[int, list[Any] | None]:
    """Return by how many bytes the resident set grew, and the limit that was hit if any."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, question, puzzle, str(allowed)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    growth, outcome = json.loads(done.stdout)
    return growth, outcome


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    ("puzzle", "allowed"),
    [
        ("test_limits.partition(60, 3000, total=True)", 60_000_000),
        ("boards.random_graph(400, 2000, seed=1)", 60_000_000),
    ],
    ids=["many states", "wide graph"],
)
def test_memory_stays_below_the_limit(question: str, puzzle: str, allowed: int) -> None:
    growth, outcome = measured(question, puzzle, allowed)
    assert growth <= allowed + OVERHEAD
    if outcome is not None:
        limit, stated, spent = outcome
        assert limit == "bytes"
        assert stated == allowed < spent
    if "graph" in puzzle:
        assert outcome is not None, "the instance is too easy to test anything"


def test_memory_of_what_fits() -> None:
    """The same questions with enough memory are answered, and the charge covers what they take."""
    puzzle = "test_limits.partition(60, 3000, total=True)"
    growth, outcome = measured("sample", puzzle, 1_500_000_000)
    assert outcome is None
    assert growth > 60_000_000, "the instance is too easy to test anything"


# --- nodes and time -----------------------------------------------------------------------------


@pytest.mark.parametrize("question", QUESTIONS)
def test_nodes(question: str) -> None:
    board = minefield(Grid(30, 30), mines=0.3, visible=0.4, seed=1)
    with pytest.raises(LimitExceeded) as caught:
        ask(question, board, Limits(nodes=300))
    assert caught.value.limit == "nodes"
    assert caught.value.allowed == 300 < caught.value.spent
    assert "300" in str(caught.value)
    ask(question, board, Limits(nodes=10**7))


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q != "first"])
def test_seconds_for_the_whole_question(question: str) -> None:
    """A question that consists of many quick passes is stopped too."""
    import time

    clues = chain(10_000).with_mines(5000)
    allowed = 0.03
    started = time.process_time()
    with pytest.raises(LimitExceeded) as caught:
        ask(question, clues, Limits(seconds=allowed))
    assert time.process_time() - started < 0.6
    assert caught.value.limit == "seconds"
    assert caught.value.allowed == allowed < caught.value.spent


def test_seconds_while_compiling() -> None:
    position = random_graph(400, 2000, seed=1)
    for question in QUESTIONS:
        with pytest.raises(LimitExceeded) as caught:
            ask(question, position, Limits(seconds=0.1))
        assert caught.value.limit == "seconds"


def test_an_answer_within_the_limits_is_the_answer() -> None:
    board = minefield(Grid(16, 30), mines=0.2, visible=0.3, seed=5, total=True)
    limits = Limits(seconds=60, nodes=10**7, bytes=10**9)
    for question in ("count", "by_mines", "verdicts", "floats", "fractions", "sample", "cheapest"):
        assert ask(question, board, limits) == ask(question, board, None)


def test_a_view_outlives_a_limit() -> None:
    """What was hit once may be asked again, and other questions are not affected."""
    clues = chain(200).with_mines(100)
    view = EngineMethod().solutions(clues, Limits(nodes=3000))
    for _ in range(2):
        with pytest.raises(LimitExceeded):
            view.zdd()
    assert view.count() == EngineMethod().count(clues)


def test_samples_count_as_memory() -> None:
    view = EngineMethod().solutions(chain(200), Limits(bytes=10**6))
    with pytest.raises(LimitExceeded, match="bytes"):
        view.sample(10**6, seed=1)
    with pytest.raises(LimitExceeded, match="bytes"):
        view.sample_array(10**6, seed=1)
    assert len(view.sample(20, seed=1)) == 20


def test_findings_may_be_read_late() -> None:
    import time

    found = sapper.analyze(chain(3), limits=Limits(seconds=0.2))
    time.sleep(0.3)
    assert found.count == 8
    assert len(found.probabilities) == 7


@pytest.mark.parametrize("question", ["by_mines", "zdd", "sample"])
def test_a_million_cells_and_too_little_memory(question: str) -> None:
    """Answers that would not fit are refused before they are begun."""
    board = Position(Grid(1000, 1000), {(500, 500): 3}, mines=200_000)
    if question == "sample":  # fits, and takes a moment: no limit on memory is needed
        assert len(EngineMethod().solutions(board).sample(1, seed=1)[0]) == 200_000
        return
    with pytest.raises(LimitExceeded):
        ask(question, board, Limits(bytes=10**8, seconds=5))
