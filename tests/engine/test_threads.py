"""Independent passes on several threads: the same answers, and limits that hold."""

from __future__ import annotations

import pickle
import random
import time
from pathlib import Path

import networkx
import pytest

import sapper
from sapper import Limits
from sapper._native import Cache, Run, run_under
from sapper.engine import EngineMethod, crew
from sapper.errors import LimitExceeded, MethodError
from sapper.game import Layout
from tests.engine.boards import minefield, random_graph

MANY = 10**6  # steps


@pytest.fixture(autouse=True)
def _no_pass_is_too_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "_FEW_STEPS", 0)


def board(seed: int, *, total: bool) -> sapper.Position:
    rng = random.Random(seed)
    field = sapper.Grid(24, 24)
    cells = list(field.cells)
    layout = Layout(field, rng.sample(cells, len(cells) * 3 // 10))
    return layout.position(rng.sample(list(layout.numbers), 130), total=total)


@pytest.mark.parametrize("total", [False, True])
@pytest.mark.parametrize("method", ["auto", "engine"])
def test_the_same_answers(method: str, total: bool) -> None:
    for seed in range(2):
        puzzle = board(seed, total=total)
        alone = sapper.analyze(puzzle, method=method)
        crowd = sapper.analyze(puzzle, method=method, threads=3)
        assert crowd.count == alone.count
        assert crowd.exact_probabilities == alone.exact_probabilities
        assert crowd.probabilities == alone.probabilities
        assert sapper.count_by_mines(puzzle, threads=2) == sapper.count_by_mines(puzzle)


def wide(seed: int) -> sapper.Position:
    """Return a board most of whose clues are one component, which the core spreads by itself."""
    rng = random.Random(f"60-30-35-{seed}")
    field = sapper.Grid(60, 60)
    cells = list(field.cells)
    layout = Layout(field, rng.sample(cells, len(cells) * 30 // 100))
    return layout.position(rng.sample(list(layout.numbers), len(layout.numbers) * 35 // 100))


def test_one_wide_component_on_several_threads() -> None:
    findings = EngineMethod().findings(wide(15))
    findings.prepare()
    assert findings._board is not None
    compiled, run = findings._board.compiled, run_under(None)
    piece = max(range(len(compiled)), key=lambda i: compiled.piece(i).nodes)
    assert 2 * compiled.piece(piece).nodes > compiled.nodes
    alone = compiled.counts_by_mines(run)
    for threads in (2, 3, 1024):
        assert compiled.counts_by_mines(run, threads) == alone


def test_limits_hold_where_the_core_spreads_its_work() -> None:
    findings = EngineMethod().findings(wide(15))
    findings.prepare()
    assert findings._board is not None
    compiled = findings._board.compiled
    held = compiled.size_in_bytes
    hit = []
    for more in (1 << k for k in range(12, 26)):
        try:
            compiled.counts_by_mines(Run(bytes=held + more), 2)
        except LimitExceeded as error:
            hit.append((error, held + more))
    assert 0 < len(hit) < 14
    for told, allowed in hit:  # to all, not the share of a thread
        assert (told.limit, told.allowed) == ("bytes", allowed)
        assert told.spent > allowed
    with pytest.raises(LimitExceeded, match="seconds"):
        compiled.counts_by_mines(Run(seconds=0.005), 2)
    assert compiled.counts_by_mines(Run(), 2) == compiled.counts_by_mines(Run())


def area(*, total: bool = True) -> sapper.Position:
    """Return a board of one large component, before forced cells split it into many."""
    rng = random.Random(7)
    field = sapper.Grid(120, 120)
    cells = list(field.cells)
    layout = Layout(field, rng.sample(cells, len(cells) // 5))
    shown = rng.sample(list(layout.numbers), len(layout.numbers) * 2 // 5)
    return layout.position(shown, total=total)


def test_compiled_the_same_on_any_number_of_threads() -> None:
    for puzzle in (area(), wide(94)):

        def found(threads: int, puzzle: sapper.Position = puzzle) -> list[object]:
            run = run_under(None)
            compiled = EngineMethod(threads=threads).board(puzzle, run).compiled
            pieces = [compiled.piece(i) for i in range(len(compiled))]
            return [
                compiled.values,
                compiled.free,
                compiled.size_in_bytes,
                [(piece.groups, piece.nodes, piece.joins, piece.least) for piece in pieces],
                compiled.counts_by_mines(run),
            ]

        alone = found(1)
        for threads in (2, 3, 7):
            assert found(threads) == alone


@pytest.mark.parametrize("total", [True, False])
def test_chances_are_the_same_bit_for_bit(total: bool) -> None:
    """Small components in turn, joins of a wide one and long products are all shared out."""
    long = random.Random("120-30-35-2")
    field = sapper.Grid(120, 120)
    cells = list(field.cells)
    layout = Layout(field, long.sample(cells, len(cells) * 30 // 100))
    shown = long.sample(list(layout.numbers), len(layout.numbers) * 35 // 100)
    for puzzle in (layout.position(shown, total=total), area(total=total)):
        findings = EngineMethod().findings(puzzle)
        findings.prepare()
        assert findings._board is not None
        compiled, run = findings._board.compiled, run_under(None)
        alone = compiled.probabilities(run)
        for threads in (2, 3, 7):
            assert compiled.probabilities(run, threads) == alone
        assert compiled.piece_counts(run, 2) == compiled.piece_counts(run)


def test_limits_hold_while_chances_are_shared_out() -> None:
    findings = EngineMethod().findings(area())
    findings.prepare()
    assert findings._board is not None
    compiled = findings._board.compiled
    held = compiled.size_in_bytes
    alone = compiled.probabilities(Run())
    hit = []
    for more in (1 << k for k in range(12, 28)):
        try:
            assert compiled.probabilities(Run(bytes=held + more), 2) == alone
        except LimitExceeded as error:
            hit.append((error, held + more))
    assert 0 < len(hit) < 16
    for told, allowed in hit:
        assert (told.limit, told.allowed) == ("bytes", allowed)
        with pytest.raises(LimitExceeded):  # one thread needs more, too
            compiled.probabilities(Run(bytes=allowed))
    with pytest.raises(LimitExceeded, match="seconds"):
        compiled.probabilities(Run(seconds=0.001), 2)
    assert compiled.probabilities(Run(), 2) == alone


def test_compiled_with_a_memory_on_several_threads() -> None:
    puzzle, run = area(), run_under(None)
    alone = EngineMethod().board(puzzle, run).compiled
    method = EngineMethod(threads=3, memory=Cache())
    for _ in range(2):
        again = method.board(puzzle, run).compiled
        assert (again.values, again.nodes, len(again)) == (alone.values, alone.nodes, len(alone))


@pytest.mark.parametrize("kind", ["nodes", "bytes"])
def test_limits_hold_while_several_threads_compile(kind: str) -> None:
    puzzle = area()
    hit: list[tuple[LimitExceeded, int]] = []
    for allowed in (1 << k for k in range(4, 26)):
        told = {}
        for threads in (1, 2, 3):
            try:
                EngineMethod(threads=threads).board(puzzle, Run(**{kind: allowed}))
            except LimitExceeded as error:
                told[threads] = (error, allowed)
        # What is enough for one is enough for all; dead ends are nodes, and several may meet fewer.
        assert len(told) in (0, 3) or (kind == "nodes" and 1 in told)
        hit += told.values()
    assert 0 < len(hit) < 3 * 22
    for one, limit in hit:
        assert (one.limit, one.allowed) == (kind, limit)
        assert one.spent > limit


def test_no_memory_for_parts_that_are_handed_over() -> None:
    """Threads were told of parts before there was room for them, and the process died."""
    graph = networkx.gnm_random_graph(10_000, 15_000, seed=1)
    puzzle = minefield(sapper.Graph(graph), mines=0.2, visible=0.3, seed=1, total=True)
    right = sapper.count(puzzle)
    answered = 0
    for step in range(300):
        limits = Limits(bytes=700_000 + 3000 * step)
        try:
            assert sapper.count(puzzle, threads=2 + step % 2, limits=limits) == right
            answered += 1
        except LimitExceeded:
            pass
    assert 20 < answered < 280


def test_several_threads_that_compile_can_be_ended() -> None:
    """One search that takes minutes, in which all threads take part."""
    method = EngineMethod(threads=2)
    puzzle = random_graph(4000, 24000, seed=2)
    with pytest.raises(LimitExceeded, match="seconds"):
        method.board(puzzle, Run(seconds=0.2))

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        method.board(puzzle, Run(progress=stop))


def test_a_contradiction_is_found_on_several_threads() -> None:
    clues = sapper.Clues.of(area())
    for some in (clues.cells[:3], clues.cells[-3:]):
        wrong = (*clues.clues, sapper.Clue(1, some), sapper.Clue(2, some))
        puzzle = sapper.Clues(wrong, clues.cells, clues.mines, known_mines=clues.known_mines)
        for threads in (1, 2):
            board = EngineMethod(threads=threads).board(puzzle, run_under(None))
            assert not board.compiled.consistent


def test_limits_hold_on_every_thread() -> None:
    puzzle = board(1, total=True)
    findings = EngineMethod(threads=2).findings(puzzle)
    findings.prepare()
    assert findings._board is not None
    held = findings._board.compiled.size_in_bytes
    strict = EngineMethod(threads=2).findings(puzzle, Limits(bytes=held + 2000))
    with pytest.raises(LimitExceeded, match="bytes"):
        strict.count  # noqa: B018


def test_all_passes_of_an_answer_share_one_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each began with all the time again."""
    findings = EngineMethod().findings(board(1, total=True))
    findings.prepare()
    assert findings._board is not None
    given: list[float] = []

    def run_with(limits: Limits | None, _: object) -> Run:
        assert limits is not None
        assert limits.seconds is not None
        given.append(limits.seconds)
        return Run()

    monkeypatch.setattr(crew, "run_under", run_with)
    several = crew.Crew(2, Limits(seconds=100))
    compiled = findings._board.compiled
    for _ in range(3):
        list(several.each(compiled, lambda i, _: time.sleep(0.02), [0, 1], Run(), MANY))
    assert 100 >= given[0] >= given[1] + 0.02 >= given[2] + 0.04
    late = crew.Crew(2, Limits(seconds=1e-6))
    list(late.each(compiled, lambda i, _: i, [0, 1], Run(), MANY))
    assert 0 < given[3] < 1e-6


def test_what_progress_raises_ends_all_threads() -> None:
    """Ctrl-C reaches the caller in the same way; the others are told at their next look."""
    reports = []

    def interrupt(nodes: int) -> None:
        reports.append(nodes)
        if len(reports) > 2:
            raise KeyboardInterrupt

    findings = EngineMethod().findings(board(1, total=True))
    findings.prepare()
    assert findings._board is not None
    compiled = findings._board.compiled

    def long(item: int, run: Run) -> int:
        # Short passes never get to the point where the core looks up; these end by themselves.
        while len(reports) < 3:
            compiled.counts_by_mines(run)
        return item

    with pytest.raises(KeyboardInterrupt):
        list(crew.Crew(2, None, interrupt).each(compiled, long, range(3), run_under(None), MANY))


def test_an_error_of_one_thread_ends_the_others() -> None:
    findings = EngineMethod().findings(board(2, total=False))
    findings.prepare()
    assert findings._board is not None

    def ask(item: int, _: Run) -> int:
        if item == 3:
            raise LookupError(item)
        return item

    with pytest.raises(LookupError):
        list(crew.Crew(2).each(findings._board.compiled, ask, range(6), run_under(None), MANY))


def test_threads_are_a_number() -> None:
    with pytest.raises(MethodError, match="threads is a number from 1 to 1024, not 0"):
        EngineMethod(threads=0)
    with pytest.raises(MethodError):
        sapper.count(board(0, total=False), threads="two")
    method = EngineMethod(threads=2)
    assert repr(method) == "EngineMethod(threads=2)"
    assert pickle.loads(pickle.dumps(method)).threads == 2


def test_threads_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from sapper.cli import main

    file = tmp_path / "board.txt"
    file.write_text("mines: 2\n1??\n12?\n_1?\n", encoding="utf-8")
    assert main(["count", str(file), "--threads", "2"]) == 0
    assert main(["count", str(file), "--threads", "0"]) == 2
    told = capsys.readouterr()
    assert told.out.strip() == "2"
    assert "threads is a number from 1 to 1024, not 0" in told.err
