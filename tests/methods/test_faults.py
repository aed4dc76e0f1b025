"""Faults that were found once, each by its name in the list: limits and Ctrl-C in foreign code."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

import sapper
from sapper import Clue, Clues, LimitExceeded, Limits
from sapper.analysis import get, names_answering
from sapper.game import Layout
from sapper.limits import load
from sapper.methods.sat import SOLVERS, Encoder, Sat, Solver
from sapper.questions import Budget, foreign
from sapper.zdd import Zdd
from tests.support.hard import lattice, torus
from tests.support.processes import processor_time, started, work_on

ROOT: Final = Path(__file__).parents[2]


# Each is interrupted, says how much processor time had gone, and is asked something else.
CHILD: Final = """
import sys, time
import sapper
from sapper import Limits
from tests.support.hard import lattice
side = 120 if sys.argv[2] == "sat" else 40
board = lattice(side, side)
work = {
    "F1 sat": lambda: sapper.analyze(board, method="sat").verdicts,
    "F1 explain": lambda: sapper.explain(board, (0, 0), method="sat"),
    "F2 verdicts": lambda: sapper.analyze(board, method="cpsat").verdicts,
    "F2 iteration": lambda: list(sapper.solutions(lattice(8, 16, total=False), method="cpsat")),
    "F2 highs": lambda: sapper.analyze(board, method="cpsat", solver="highs").verdicts,
}[sys.argv[1]]
sapper.is_consistent(sapper.parse("1?"), method=sys.argv[2])
print("ready", flush=True)
try:
    work()
    print("finished", flush=True)
except KeyboardInterrupt:
    print(time.process_time(), flush=True)
print(sapper.analyze(sapper.parse("?2??"), method=sys.argv[2]).verdicts, flush=True)
"""


@pytest.mark.parametrize(
    ("work", "method"),
    [
        ("F1 sat", "sat"),
        ("F1 explain", "sat"),
        ("F2 verdicts", "cpsat"),
        ("F2 iteration", "cpsat"),
        ("F2 highs", "cpsat"),
    ],
)
def test_interrupted_foreign_code_raises_and_the_process_lives(work: str, method: str) -> None:
    command = [sys.executable, "-c", CHILD, work, method]
    with started(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        work_on(child, 0.4)
        sent = processor_time(child.pid)
        child.send_signal(signal.SIGINT)
        answer = child.stdout.readline().strip()
        assert answer != "finished", "the instance is too easy to test anything"
        assert float(answer) - sent < 0.3 + 0.02
        assert child.stdout.readline() == "{(0, 0): 'mine', (0, 2): 'mine', (0, 3): 'unknown'}\n"
        child.wait()
    assert child.returncode == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_interrupt_while_a_solver_is_freed_is_not_lost_and_frees_nothing_twice(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PySAT freed a solver, was interrupted before it had forgotten it, and freed it again."""
    native = pytest.importorskip("pysolvers")
    names = [name for name in dir(native) if name.endswith("_del")]
    freed: list[object] = []

    def freeing(free: Any) -> Any:
        def interrupted(handle: object) -> None:
            free(handle)
            freed.append(handle)
            if len(freed) == 1:
                raise KeyboardInterrupt

        return interrupted

    sat = Sat(solver=solver)
    for name in names:
        monkeypatch.setattr(native, name, freeing(getattr(native, name)))
    with pytest.raises(KeyboardInterrupt):
        _ = sat.findings(sapper.parse("?1?")).consistent
    assert sat.findings(sapper.parse("?1?")).consistent
    gc.collect()
    assert len(freed) == len(set(map(id, freed))) == 2


def test_ctrl_c_does_not_leave_half_a_library_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The import goes on in a thread of its own; numpy cannot be imported twice."""
    over = tmp_path / "over"
    code = f"""
import pathlib, signal, threading, time
signal.pthread_kill(threading.main_thread().ident, signal.SIGALRM)
while not pathlib.Path({str(over)!r}).exists():
    time.sleep(0.01)
end = 1
"""
    (tmp_path / "slow_library.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, press)
    try:
        with pytest.raises(KeyboardInterrupt):
            load("slow_library")
    finally:
        signal.signal(signal.SIGALRM, before)
    half = sys.modules["slow_library"]
    assert not hasattr(half, "end")
    over.touch()
    whole = load("slow_library")
    assert whole is half
    assert whole.end == 1
    del sys.modules["slow_library"]


FIRST: Final = """
import sys, threading
class Watch:
    def find_spec(name, path=None, target=None):
        if name in ("numpy", "flint", "pysolvers", "ortools") and (
            threading.current_thread() is threading.main_thread()):
            print("interrupted here, half of", name, "would stay behind")
sys.meta_path.insert(0, Watch)
import sapper
board = sapper.parse("?1?2?1????", mines=4)
"""


@pytest.mark.parametrize(
    "question",
    [
        *(
            f"sapper.analyze(board, method={name!r}).verdicts"
            for name in names_answering("verdicts")
        ),
        *(f"next(iter(sapper.solutions(board, method={name!r})))" for name in ("zdd", "subgraph")),
        "sapper.analyze_many([board])",
        "sapper.solutions(board).zdd()",
        "sapper.solutions(board).sample(2, seed=1)",
        "sapper.analyze(board).exact_probabilities",
        "sapper.count_by_mines(board)",
        "sapper.Position.from_array(board.to_array())",
        "sapper.explain(board, (0, 0), smallest=True)",
    ],
)
def test_no_interrupt_leaves_half_of_a_compiled_library_behind(question: str) -> None:
    """A server's clock struck while `sat` imported numpy: every answer after it was a fault."""
    words = [sys.executable, "-c", f"{FIRST}{question}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""


def test_f2_iteration_under_a_limit_does_not_end_as_if_complete() -> None:
    """It ended after 571 of 65,544,575."""
    board = lattice(8, 16, total=False)
    view = sapper.solutions(board, method="cpsat", limits=Limits(seconds=1))
    with pytest.raises(LimitExceeded) as caught:
        list(view)
    assert (caught.value.limit, caught.value.allowed) == ("seconds", 1)


@pytest.mark.parametrize("solver", ["cpsat", "highs"])
def test_f11_what_was_allowed_is_what_the_caller_said(solver: str) -> None:
    method = get("cpsat", solver=solver)
    with pytest.raises(LimitExceeded) as caught:
        _ = method.findings(lattice(60, 60), Limits(seconds=0.5)).verdicts
    assert caught.value.allowed == 0.5
    assert caught.value.spent >= 0.5


@pytest.mark.parametrize(
    "question",
    [
        "method.findings(board, limits).consistent",
        "method.layout(board, limits)",
        "method.status(board, (0, 0), limits)",
        "next(iter(method.solutions(board, limits)))",
    ],
)
@pytest.mark.parametrize("solver", ["cpsat", "highs"])
def test_what_it_takes_to_load_a_solver_is_not_taken_from_the_limits(
    solver: str, question: str
) -> None:
    """OR-Tools alone is more than 64 MB: the first question of a process failed."""
    code = f"""
import sapper
method = sapper.analysis.get("cpsat", solver={solver!r})
board, limits = sapper.parse("?1?"), sapper.Limits(bytes=64 << 20)
assert {question}"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_f3_a_total_over_a_large_board_is_no_burden() -> None:
    """It took 51 s and 5.5 GB."""
    position = torus(100)
    assert sapper.is_consistent(position, method="sat", limits=Limits(seconds=20, bytes=10**8))
    solution = next(iter(sapper.solutions(position, method="sat", limits=Limits(seconds=20))))
    assert Clues.of(position).is_solution(solution)


def test_f3_limits_hold_while_a_total_is_encoded() -> None:
    """The encoding of these totals took 14 s and 2.5 GB, whatever was allowed."""
    cells = range(20_000)
    clues = Clues([Clue(9_999, cells[:19_998])], cells)
    began = time.process_time()
    with pytest.raises(LimitExceeded, match="seconds"):
        _ = Sat().findings(clues, Limits(seconds=0.3)).consistent
    assert time.process_time() - began < 5
    with pytest.raises(LimitExceeded, match="bytes"):
        _ = Sat().findings(clues, Limits(bytes=20_000_000)).consistent


@pytest.mark.parametrize("mines", [10**10, 10**30])
@pytest.mark.parametrize("method", ["sat", "cpsat", "zdd", "subgraph", "brute", "treewidth"])
def test_f8_a_total_beyond_all_cells_is_only_impossible(method: str, mines: int) -> None:
    clues = Clues([Clue(1, "ab")], mines=mines)
    assert sapper.analyze(clues, method=method).verdicts == {}
    assert not sapper.is_consistent(clues, method=method)


@pytest.mark.parametrize(
    "method", ["auto", "engine", "sat", "cpsat", "zdd", "subgraph", "brute", "treewidth", "kset"]
)
def test_f11_limits_beyond_all_machines_are_no_limits(method: str) -> None:
    huge = Limits(seconds=10**400, nodes=10**30, bytes=10**30)
    verdicts = sapper.analyze(Clues([Clue(1, "ab"), Clue(2, "abc")]), method=method, limits=huge)
    assert verdicts.verdicts["c"] == "mine"


@pytest.mark.parametrize("size", range(1, 12))
@pytest.mark.parametrize("totalized", [1, 3, 64])
def test_a_counter_counts(size: int, totalized: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.methods.sat.encodings._TOTALIZED", totalized)
    encoder, solver = Encoder(size), Solver("minisat22", Budget())
    outputs = encoder.counter(range(1, size + 1))
    solver.add(encoder.taken())
    for values in list(product((False, True), repeat=size))[:: 1 + size // 8]:
        assumed = [place if value else -place for place, value in enumerate(values, start=1)]
        assert solver.solve(assumed)
        model = solver.model(encoder.top)
        assert [model[output - 1] > 0 for output in outputs] == sorted(values, reverse=True)


def test_foreign_code_raises_where_it_was_called() -> None:
    def work() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        foreign(work, Budget(), stop=lambda: None)


def test_an_interrupt_while_a_thread_begins_leaves_none_that_never_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The main thread waited for an Event; Ctrl-C left its lock taken, and the process hung."""
    waited = threading.Event.wait

    def interrupted(event: threading.Event, timeout: float | None = None) -> bool:
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt
        return waited(event, timeout)

    monkeypatch.setattr(threading.Event, "wait", interrupted)
    assert foreign(lambda: 6 * 7, Budget(), stop=lambda: None) == 42


def test_foreign_code_that_does_not_stop_is_left_alone() -> None:
    told: list[bool] = []
    enough, ended = threading.Event(), threading.Event()

    def work() -> None:
        enough.wait(60)
        ended.set()

    with pytest.raises(LimitExceeded):
        foreign(work, Budget(Limits(seconds=0.1)), stop=lambda: told.append(True))
    assert told
    assert not ended.is_set()
    enough.set()


@pytest.mark.parametrize("method", ["zdd", "subgraph", "treewidth", "brute"])
def test_f4_limits_hold_in_every_loop_and_the_method_answers_afterwards(method: str) -> None:
    """A torus of 600 × 600 took 28 s by treewidth with a second allowed; this one is its like."""
    hard = Clues([Clue(12, range(24))]) if method == "brute" else lattice(24, 24)
    solver = get(method)
    for limits in (Limits(seconds=0.3), Limits(seconds=60, bytes=3_000_000)):
        started = time.process_time()
        with pytest.raises(LimitExceeded) as caught:
            _ = solver.findings(hard, limits).verdicts
        assert caught.value.allowed in (0.3, 3_000_000)
        if limits.bytes is None:
            assert time.process_time() - started < 1
    assert solver.findings(Clues([Clue(1, "ab"), Clue(2, "abc")])).verdicts["c"] == "mine"


@pytest.mark.parametrize("reading", ["verdicts", "safe", "best", "probabilities"])
def test_f4_naming_the_cells_of_a_large_field_is_work_too(
    reading: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is up once the engine is done, and before the cells are named."""
    box = sapper.Position(sapper.Box(30, 30, 30), {(15, 15, 15): 5})
    budgets: list[Budget] = []
    spend = Budget.spend

    def spent(budget: Budget, *, nodes: int = 0, held: int = 0) -> None:
        budgets.append(budget)
        spend(budget, nodes=nodes, held=held)

    analysis = sapper.analyze(box, limits=Limits(seconds=60))
    assert analysis.consistent
    monkeypatch.setattr(Budget, "spend", spent)
    assert len(getattr(analysis, reading)) in (0, 30**3 - 1)
    # One budget for all of it, looked at between any two chunks of cells.
    assert len(set(map(id, budgets))) == 1
    assert len(budgets) >= 2


def test_f4_exact_chances_of_many_free_cells_take_no_time() -> None:
    """Integers of 27,000 bits were hashed for every cell: half a second allowed, six taken."""
    box = sapper.Position(sapper.Box(40, 40, 40), {(15, 15, 15): 5})
    started = time.process_time()
    chances = sapper.analyze(box, method="engine").exact_probabilities
    assert time.process_time() - started < 1
    assert set(chances.values()) == {Fraction(5, 26), Fraction(1, 2)}


def test_f12_wrong_types_are_told() -> None:
    clues = Clues([Clue(1, "ab")])
    costs: list[Any] = [[], None, "ab", 1]
    for method in ("engine", "zdd", "sat", "cpsat", "brute"):
        for wrong in costs:
            with pytest.raises(TypeError, match="costs are given as a mapping"):
                sapper.solutions(clues, method=method).cheapest(wrong)
    with pytest.raises(TypeError, match=r"sapper\.Limits"):
        clues.simplify(limits=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a Position, not list"):
        Clues.from_position([])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a Position, not Clues"):
        Layout.from_position(clues)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a dump is text, not NoneType"):
        Zdd.loads(None, "ab")  # type: ignore[arg-type]
    with pytest.raises(TypeError) as told:
        sapper.solutions(clues).sample(1, seed="9" * 5000)  # type: ignore[arg-type]
    assert len(str(told.value)) < 100


@pytest.mark.parametrize("method", ["sat", "cpsat"])
def test_an_undecided_cell_is_explained_without_listing_all_solutions(method: str) -> None:
    """There are more than can be listed; two of them are enough."""
    board = lattice(10, 20)
    verdicts = sapper.analyze(board, method="sat").verdicts
    cell = next(cell for cell, verdict in verdicts.items() if verdict == "unknown")
    explanation = sapper.explain(board, cell, method=method, limits=Limits(nodes=2000, seconds=120))
    assert explanation.verdict == "unknown"
    assert [cell in solution for solution in explanation.solutions] == [True, False]
