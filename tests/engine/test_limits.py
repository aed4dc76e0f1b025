"""Limits: what is hit is named, and memory and time really stay below them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

import pytest

import sapper
from sapper._native import Sampler, Walk, run_under
from sapper.analysis.cores import Cores
from sapper.clues import Clue, Clues
from sapper.engine import EngineMethod
from sapper.engine.board import Board
from sapper.errors import LimitExceeded
from sapper.field import Grid, Position
from sapper.limits import Limits
from sapper.methods.kset import KSet
from sapper.methods.tree import Tree
from sapper.questions import Budget
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
OVERHEAD: Final = 8_000_000
"""What a question may use on top of its limit: small Python objects, and what malloc keeps."""


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
        return engine.findings(puzzle, limits).count
    if question == "by_mines":
        return engine.findings(puzzle, limits).by_mines
    if question == "verdicts":
        return engine.findings(puzzle, limits).verdicts
    if question == "floats":
        return engine.findings(puzzle, limits).probabilities
    if question == "fractions":
        return engine.findings(puzzle, limits).exact_probabilities
    if question == "estimate":
        return engine.estimate(puzzle, limits)
    if question == "tree":
        return Tree().findings(puzzle, limits).verdicts
    if question == "kset":
        return KSet(k=2).findings(puzzle, limits).verdicts
    if question == "explain":
        return Cores(puzzle, Budget(limits)).witness([0], 0, True)
    if question == "simplify":
        return Clues.of(puzzle).simplify(limits=limits)
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
import ctypes, gc, json, os, sys
import flint, numpy
from sapper.errors import LimitExceeded
from sapper.limits import Limits
from sapper.methods.kset import KSet
from sapper.methods.tree import Tree
from tests.engine import boards, test_limits
from tests.support import hard
from sapper.field import Grid, Torus

def status(key):
    text = open("/proc/self/status").read()
    return int(text.split(key + ":")[1].split()[0]) * 1024

def measure(question, allowed):
    open("/proc/self/clear_refs", "w").write("5")
    before = status("VmRSS")
    try:
        test_limits.ask(question, puzzle, Limits(bytes=allowed, seconds=60))
        outcome = None
    except LimitExceeded as hit:
        outcome = [hit.limit, hit.allowed, hit.spent]
    print(json.dumps([status("VmHWM") - before, outcome]), flush=True)

puzzle = eval(sys.argv[1])
cases = json.loads(sys.argv[2])
for question, _ in cases:
    test_limits.ask(question, boards.random_tree(9, seed=1), None)
# What making the board left over must not hide what answers take.
gc.collect()
getattr(ctypes.CDLL(None), "malloc_trim", int)(0)
for case in cases:
    child = os.fork()  # each question starts from the same memory
    if not child:
        measure(*case)
        os._exit(0)
    os.waitpid(child, 0)
"""


Measured = tuple[int, list[Any] | None]


def measured(puzzle: str, *cases: tuple[str, int]) -> list[Measured]:
    """Return by how many bytes the resident set grew, and the limit that was hit if any."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, puzzle, json.dumps(cases)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(cases), done.stderr
    return [(growth, outcome) for growth, outcome in found]


def check_growth(found: Measured, question: str, allowed: int) -> None:
    growth, outcome = found
    shown = f"{question} of {allowed:,} bytes grew by {growth:,}: {outcome}"
    assert growth <= allowed + OVERHEAD, shown
    if outcome is not None:
        limit, stated, spent = outcome
        assert limit == "bytes", shown
        assert stated == allowed < spent, shown


@pytest.mark.parametrize(
    ("puzzle", "allowed"),
    [
        ("test_limits.partition(60, 3000, total=True)", 60_000_000),
        ("boards.random_graph(400, 2000, seed=1)", 60_000_000),
    ],
    ids=["many states", "wide graph"],
)
def test_memory_stays_below_the_limit(puzzle: str, allowed: int) -> None:
    cases = [(question, allowed) for question in QUESTIONS]
    for found, question in zip(measured(puzzle, *cases), QUESTIONS, strict=True):
        check_growth(found, question, allowed)
        if "graph" in puzzle:
            assert found[1] is not None, f"{question} is too easy to test anything"


EASY: Final = ("verdicts", "floats", "count", "sample", "cheapest", "first", "estimate")


@pytest.mark.parametrize(
    ("puzzle", "questions", "too_little"),
    [
        ("boards.minefield(Grid(600, 600), mines=0.2, visible=0.1, seed=1)", EASY, 20),
        ("boards.minefield(Torus(300, 300), mines=0.15, visible=0.2, seed=1)", EASY, 5),
        ("boards.minefield(Grid(60, 60), mines=0.3, visible=0.4, seed=1)", EASY, 0),
        ("boards.chain(20_000)", (*EASY, "simplify", "kset"), 5),
        ("boards.random_tree(100_000, seed=1)", (*EASY, "tree", "kset", "explain"), 5),
        ("hard.knapsacks(60, 3)", ("verdicts", "simplify"), 5),
    ],
    ids=["sparse grid", "torus", "dense grid", "chain", "tree", "knapsacks"],
)
def test_memory_of_large_boards(puzzle: str, questions: tuple[str, ...], too_little: int) -> None:
    """The board, its parts, its plans, what a search learns and the answer are all counted."""
    cases = [(question, 10**6 * allowed) for question in questions for allowed in (5, 20, 60)]
    if "knapsacks" in puzzle:
        cases = cases[::3]  # with more memory the search goes on for long
    for found, (question, allowed) in zip(measured(puzzle, *cases), cases, strict=True):
        check_growth(found, question, allowed)
        if allowed <= 10**6 * too_little:
            assert found[1] is not None, f"{question} is too easy to test anything"
        elif not too_little:
            assert found[1] is None, f"{question} of a small board takes {allowed:,} bytes"


def test_memory_of_what_fits() -> None:
    """The same questions with enough memory are answered, and the charge covers what they take."""
    puzzle = "test_limits.partition(60, 3000, total=True)"
    ((growth, outcome),) = measured(puzzle, ("sample", 1_500_000_000))
    assert outcome is None
    assert growth > 60_000_000, "the instance is too easy to test anything"


def test_the_charge_is_close() -> None:
    """A board that takes some megabytes is answered with not much more than that."""
    puzzle = "boards.minefield(Grid(600, 600), mines=0.2, visible=0.1, seed=1)"
    needed = {"count": 60, "verdicts": 110, "zdd": 160, "cheapest": 250}
    cases = [(question, 10**6 * size) for question, size in needed.items()]
    for (growth, outcome), (question, size) in zip(measured(puzzle, *cases), cases, strict=True):
        assert outcome is None, question
        assert growth > size / 2, question


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

    clues = chain(10_000).with_mines(6000)
    allowed = 0.01
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


def test_seconds_while_forced_cells_are_looked_for_in_long_clues() -> None:
    """Reasons of a thousand literals: 1.8 s passed before anybody looked at the clock."""
    sizes = (60, 200, 200, 500, 60)
    touched = ((2, 3), (0, 1, 2, 3), (0, 2, 3), (2, 3), (0, 3))
    clues: list[list[int]] = [[] for _ in range(4)]
    cells = 0
    for size, which in zip(sizes, touched, strict=True):
        for clue in which:
            clues[clue] += range(cells, cells + size)
        cells += size
    system = Clues([Clue(len(clue) // 2, clue) for clue in clues], cells=range(cells))
    started = time.process_time()
    with pytest.raises(LimitExceeded):
        ask("count", system, Limits(seconds=0.05))
    assert time.process_time() - started < 0.6


def test_an_answer_within_the_limits_is_the_answer() -> None:
    board = minefield(Grid(16, 30), mines=0.2, visible=0.3, seed=5, total=True)
    limits = Limits(seconds=60, nodes=10**7, bytes=10**9)
    for question in ("count", "by_mines", "verdicts", "floats", "fractions", "sample", "cheapest"):
        assert ask(question, board, limits) == ask(question, board, None)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("limit", ["nodes", "bytes"])
@pytest.mark.parametrize(
    ("side", "visible", "total"), [(10, 0.2, False), (10, 0.2, True), (60, 0.85, True)]
)
def test_looking_for_a_smaller_diagram_takes_no_more(
    side: int, visible: float, total: bool, limit: str, seed: int
) -> None:
    """Where the first order fits into a limit, so does the search for a better one."""
    board = minefield(Grid(side, side), mines=0.15, visible=visible, seed=seed, total=total)

    def fits(order: Literal["auto", "path"], allowed: int) -> bool:
        limits = Limits(nodes=allowed) if limit == "nodes" else Limits(bytes=allowed)
        view = EngineMethod(order=order).solutions(board, limits)
        try:
            view.zdd()
        except LimitExceeded:
            return False
        return True

    low, high = 1, 1 << 24
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits("path", middle) else (middle + 1, high)
    assert fits("auto", low + low // 4)


def test_a_view_outlives_a_limit() -> None:
    """What was hit once may be asked again, and other questions are not affected."""
    # Of 100, the least there can be, the diagram has a node for each and fits.
    clues = chain(200).with_mines(130)
    view = EngineMethod().solutions(clues, Limits(nodes=3000))
    for _ in range(2):
        with pytest.raises(LimitExceeded):
            view.zdd()
    assert view.count() == EngineMethod().findings(clues).count


def test_samples_count_as_memory() -> None:
    view = EngineMethod().solutions(chain(200), Limits(bytes=10**6))
    with pytest.raises(LimitExceeded, match="bytes"):
        view.sample(10**6, seed=1)
    with pytest.raises(LimitExceeded, match="bytes"):
        view.sample_array(10**6, seed=1)
    assert len(view.sample(20, seed=1)) == 20


def test_findings_may_be_read_late() -> None:
    import time

    found = sapper.analyze(chain(3), limits=Limits(seconds=1))
    time.sleep(1.1)
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


def test_large_solutions_come_in_small_batches() -> None:
    """Whoever asks for one more solution need not hold a thousand large ones."""
    board = Board(Position(Grid(200, 200), {(100, 100): 3}, mines=30_000), run_under(None))
    walk = Walk(board.compiled, run_under(None))
    first = walk.take(1024, board.cells, run_under(None))
    assert 1 <= len(first) < 8
    second = walk.take(1024, board.cells, run_under(None))
    assert second
    assert not set(first) & set(second)


def test_a_walk_outlives_its_board() -> None:
    walk = Walk(Board(chain(3), run_under(None)).compiled, run_under(None))
    sampler = Sampler(Board(chain(3), run_under(None)).compiled, 1, run_under(None))
    cells = chain(3).cells
    assert len(walk.take(100, cells, run_under(None))) == 8
    assert len(sampler.sets(5, cells, run_under(None))) == 5
