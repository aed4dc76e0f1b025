"""What only a changed character would break: found by `make mutants`."""

from __future__ import annotations

import pickle
import threading
import time
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

import sapper
from sapper._native import NO_LIMITS, Cache, Run, run_under
from sapper.analysis import get
from sapper.clues import Clues
from sapper.engine import EngineEstimate, EngineMethod, EngineSolutions, Part, exact
from sapper.engine import board as boards
from sapper.engine import crew as crews
from sapper.engine import findings as finding
from sapper.engine.board import Board, cells_of, system_of
from sapper.engine.crew import ALONE, Crew
from sapper.engine.estimate import estimate
from sapper.engine.solutions import _BYTES_PER_COST, _seed_bits
from sapper.errors import CostError, LimitExceeded, MethodError
from sapper.field import Grid, Position
from sapper.limits import Limits
from sapper.questions import Budget
from tests.engine.boards import minefield
from tests.engine.test_parts import Ledger

BOARD = Position(Grid(4, 4), ["*1??", "12??", "????", "??1?"])
SMALL = Part(cells=4, groups=3, clues=2, width=2, nodes=10.0, joins=False)
# Two parts, one of them smaller once a search has found 32 more forced cells; two that are joined.
SEARCHED = minefield(Grid(16, 16), mines=0.2, visible=0.4, seed=1)
JOINED = minefield(Grid(5, 5), mines=0.25, visible=0.3, seed=1)
WIDE = Part(cells=20, groups=9, clues=6, width=5, nodes=300.0, joins=True)


def view() -> EngineSolutions:
    found = EngineMethod().solutions(BOARD)
    assert isinstance(found, EngineSolutions)
    return found


def test_an_estimate_adds_up_its_parts() -> None:
    nothing = EngineEstimate((), forced=3, free=2)
    assert (nothing.components, nothing.width, nothing.nodes) == (0, 0, 0)
    both = EngineEstimate((SMALL, WIDE), forced=3, free=2)
    assert (both.components, both.width, both.nodes) == (2, 5, 310)
    # 250 bytes a cell; 40 a node, fewer where it is wide; 1.6 a cell of the part under a total.
    assert both.bytes == pytest.approx(250 * 29 + 40 * (10 + 300 / 1.3**3))
    under = EngineEstimate((SMALL, WIDE), forced=3, free=2, total=True)
    met = 1.6 * (10 * 4 + 300 / 1.3**3 * 20)
    assert under.bytes == pytest.approx(both.bytes + met)


def test_what_an_estimate_tells_of_a_board() -> None:
    found = estimate(BOARD, {}, None, None)
    assert (found.total, found.coarse) == (False, False)
    assert found.forced + found.free + sum(part.cells for part in found.parts) == 11
    assert estimate(Position(Grid(2, 2), ["1?", "??"], mines=1), {}, None, None).total
    with pytest.raises(LimitExceeded) as hit:
        estimate(BOARD, {}, Limits(bytes=1), None)
    assert hit.value.limit == "bytes"
    with pytest.raises(LimitExceeded) as hit:
        estimate(large_board(), {}, Limits(seconds=1e-6), None)
    assert hit.value.limit == "seconds"
    assert estimate(large_board(), {}, None, None, patience=1e-6).coarse


def large_board() -> Position:
    rows = ["".join("1" if (x + y) % 5 == 0 else "?" for x in range(60)) for y in range(60)]
    return Position(Grid(60, 60), rows)


def test_a_view_that_was_narrowed_pickles() -> None:
    narrowed = view().including((0, 2))
    copied = pickle.loads(pickle.dumps(narrowed))
    assert repr(copied) == repr(narrowed)
    assert copied.count() == narrowed.count() < view().count()


def test_a_view_counts_mines_on_its_cells_alone() -> None:
    """The known mine of the board is none of them."""
    expected = Counter(len(mines) for mines in get("brute").solutions(BOARD))
    assert view().count_by_mines() == expected
    assert expected.total() == view().count()


@pytest.mark.parametrize(
    ("seed", "bits"),
    [
        (0, 5224996704525874836),
        (7, 2131601075368558396),
        (-1, 10502126616487800487),
        (1 << 70, 6090015471840358358),
    ],
)
def test_seeds_are_a_promise(seed: int, bits: int) -> None:
    assert _seed_bits(seed) == bits


def test_what_a_thread_may_take() -> None:
    board: Any = SimpleNamespace(size_in_bytes=100)
    limits = Limits(seconds=3, nodes=50, bytes=500)
    share = Crew(4, limits)._share(board)
    assert share is not None
    assert share.seconds is not None
    assert 2 < share.seconds < 3
    assert share == Limits(seconds=share.seconds, nodes=50, bytes=200)
    assert Crew(4, Limits(nodes=50))._share(board) == Limits(nodes=50)
    assert Crew(4, None)._share(board) is None


def test_how_much_may_be_expected() -> None:
    assert EngineMethod(most_expected=0).settings["most_expected"] == 0
    assert EngineMethod(most_expected=0).name == "engine"
    with pytest.raises(MethodError, match="most_expected is a number of nodes, not -1"):
        EngineMethod(most_expected=-1)


def test_only_some_numbers_of_threads_and_orders_are_options() -> None:
    assert EngineMethod(threads=1024).threads == 1024
    for threads in (0, 1025, True, 1.0):
        with pytest.raises(MethodError, match="threads is a number from 1 to 1024"):
            EngineMethod(threads=threads)  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="certainty is True or False, not 1"):
        EngineMethod(certainty=1)  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="progress is called with a number of nodes; 3 is not"):
        EngineMethod(progress=3)  # type: ignore[arg-type]
    assert EngineMethod(progress=print).progress is print
    with pytest.raises(MethodError, match="order is one of 'auto', 'path', 'tree', 'given', not"):
        EngineMethod(order="random")  # type: ignore[arg-type]


def test_a_look_finds_the_parts() -> None:
    fine = EngineMethod().estimate(SEARCHED)
    coarse = EngineMethod().estimate(SEARCHED, patience=1e-9)
    assert (fine.coarse, coarse.coarse) == (False, True)
    assert (fine.forced, fine.components, coarse.forced, coarse.components) == (120, 3, 88, 2)
    for found in (fine, coarse):
        assert all(part.cells >= part.groups >= 1 <= part.clues for part in found.parts)
        assert found.nodes > found.width > 1
        assert found.forced + found.free + sum(p.cells for p in found.parts) == len(
            SEARCHED.covered
        )
    assert estimate(Clues.of(SEARCHED), {}, None, None) == fine
    with pytest.raises(LimitExceeded) as hit:
        EngineMethod().estimate(SEARCHED, Limits(nodes=1))
    assert hit.value.limit == "nodes"


def test_what_a_board_holds() -> None:
    """Its diagram, and for every covered cell what an answer takes; cells count once named."""
    per_cell, per_float, per_place = 190, 48, 12
    assert pytest.approx(per_cell, rel=0.2) == boards._BYTES_PER_CELL
    assert pytest.approx(per_float, rel=0.2) == boards._BYTES_PER_FLOAT
    assert pytest.approx(per_place, rel=0.2) == boards._BYTES_PER_PLACE
    per_cell, per_float = boards._BYTES_PER_CELL, boards._BYTES_PER_FLOAT
    board: Any = Board(SEARCHED, run_under(Limits(bytes=1 << 30)))
    held, cells = board.compiled.size_in_bytes, len(SEARCHED.covered)
    ledger = board._run = Ledger()
    board.hold(7)
    board.chances(NO_LIMITS)
    board.chances_by_cell(NO_LIMITS)
    assert len(board.cells) == cells
    board.hold(7)
    each = [7, per_float, per_float + per_cell, per_cell, 7 + per_cell]
    assert ledger.charged == [held + cells * bytes_per_cell for bytes_per_cell in each]
    labels: Any = Ledger()
    boards._labels_of(SEARCHED, labels)
    place = boards._BYTES_PER_PLACE
    assert labels.charged == [place * 256 + SEARCHED.topology.adjacency_bytes]
    boards._labels_of(SEARCHED, NO_LIMITS)
    assert len(labels.charged) == 1


def test_what_a_cost_and_a_fraction_hold() -> None:
    solutions = EngineMethod().solutions(SEARCHED, Limits(bytes=1 << 30))
    board: Any = solutions._board(solutions._run())
    cells, held = len(board.cells), board.compiled.size_in_bytes + 190 * len(board.cells)
    ledger = board._run = Ledger()
    solutions.cheapest({})
    assert ledger.charged == [held + cells * _BYTES_PER_COST]
    findings: Any = EngineMethod().findings(SEARCHED)
    findings.prepare()
    findings._board._run = ledger = Ledger()
    chances = findings.exact_probabilities
    distinct = set(chances)
    bits = sum(c.numerator.bit_length() + c.denominator.bit_length() for c in distinct)
    most = ledger.charged[-1] - findings._board.compiled.size_in_bytes
    # Equal chances are one object; every cell has a place in a list; bytes of a cell are whole.
    assert 0 <= 130 * len(distinct) + bits // 8 + 8 * cells - most < cells


def test_what_long_fractions_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = len(BOARD.covered)
    mined = [(1 << 9000) + k for k in range(cells)]
    monkeypatch.setattr(exact, "marginals", lambda *_: ((1 << 9999) + 1, mined))
    findings: Any = EngineMethod().findings(BOARD)
    findings.prepare()
    findings._board._run = ledger = Ledger()
    chances = findings.exact_probabilities
    digits = sum(c.numerator.bit_length() + c.denominator.bit_length() for c in chances) // 8
    most = ledger.charged[-1] - findings._board.compiled.size_in_bytes
    assert digits > 2000 * cells
    assert 0 <= (130 + 8) * cells + digits - most < cells


def test_a_large_board_is_named_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    system = system_of(BOARD)
    looks: list[int] = []
    for at_once, expected in ((8, 6), (40, 2), (44, 0), (48, 0)):  # 4 bytes a cell, 11 cells
        monkeypatch.setattr(boards, "_AT_ONCE", at_once)
        looks.clear()
        assert cells_of(BOARD, system, lambda: looks.append(1)) == BOARD.covered
        assert len(looks) == expected
        assert cells_of(BOARD, system) == BOARD.covered


def on_threads(crew: Crew, items: int, steps: int) -> set[str]:
    compiled: Any = SimpleNamespace(size_in_bytes=0)
    names: list[str] = []

    def ask(item: int, _: Run) -> int:
        names.append(threading.current_thread().name)
        return item

    assert list(crew.each(compiled, ask, range(items), NO_LIMITS, steps)) == list(range(items))
    return set(names)


def test_small_work_is_not_handed_to_threads() -> None:
    here = {threading.current_thread().name}
    assert on_threads(Crew(1), 3, 10**6) == here
    assert on_threads(Crew(2), 1, 10**6) == here
    assert on_threads(Crew(2), 3, 59_999) == here
    assert here.isdisjoint(on_threads(Crew(2), 3, 60_000))


def test_one_failure_ends_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core calls `look` about twenty times a second; here the work does."""
    compiled: Any = SimpleNamespace(size_in_bytes=0)
    looks: list[Any] = []
    ended: list[str] = []
    begun = threading.Event()

    def run_with(_: object, look: object) -> Run:
        looks.append(look)
        return NO_LIMITS

    def ask(item: int, _: Run) -> int:
        if item == 0 and fails:
            assert begun.wait(60)  # else there is nobody to end
            raise KeyError(item)
        begun.set()
        until = time.monotonic() + (60 if fails else 0.1)
        try:
            while time.monotonic() < until:
                looks[-1](0)
                time.sleep(0.005)
        except Exception as error:
            ended.append(type(error).__name__)
            raise
        return item

    monkeypatch.setattr(crews, "run_under", run_with)
    fails = False
    told: list[int] = []
    crew = Crew(2, None, told.append)
    assert list(crew.each(compiled, ask, [0, 1], NO_LIMITS, 10**6)) == [0, 1]
    assert ended == []
    assert set(told) == {0}
    fails = True
    begun.clear()
    with pytest.raises(KeyError):
        list(crew.each(compiled, ask, [0, 1], NO_LIMITS, 10**6))
    assert ended == ["_GivenUpError"]


def test_nobody_else_helps_unless_asked() -> None:
    assert (ALONE.threads, Crew().threads, EngineMethod().threads) == (1, 1, 1)


def test_a_board_keeps_its_limits() -> None:
    limited: Any = Board(BOARD, run_under(Limits(bytes=1 << 30)))
    free: Any = Board(BOARD, NO_LIMITS)
    assert free._run is NO_LIMITS
    assert limited._run is not NO_LIMITS
    assert limited._run.limited


def test_an_estimate_is_a_value() -> None:
    whole = EngineEstimate((SMALL,), forced=3, free=2)
    with pytest.raises(AttributeError):
        SMALL.cells = 4  # type: ignore[misc]
    with pytest.raises(AttributeError):
        whole.forced = 4  # type: ignore[misc]
    assert {whole: 1}[EngineEstimate((SMALL,), forced=3, free=2)] == 1
    assert (whole.components, whole.nodes) == (1, SMALL.nodes)
    assert (whole.total, whole.coarse) == (False, False)
    for kind in (Part, EngineEstimate):
        assert "__slots__" in vars(kind)


def test_who_is_told_of_the_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []

    def noted(left: Limits | None, progress: Any) -> Run:
        told.append(progress)
        return run_under(left, progress)

    monkeypatch.setattr(finding, "run_under", noted)
    found = EngineMethod(progress=print).findings(BOARD)
    found.compile(Budget(None), repr)
    found.compiled(Budget(None))
    assert told == [repr, print]


def test_chances_by_cell_twice() -> None:
    findings = EngineMethod().findings(SEARCHED)
    first = findings.find_probabilities_by_cell(Budget(None))
    assert findings.find_probabilities_by_cell(Budget(None)) == first
    assert list(first.values()) == list(EngineMethod().findings(SEARCHED).probabilities)


def test_what_is_no_solution() -> None:
    for thing in (3, None, [[1]], [(9, 9)]):
        assert thing not in view()


def test_a_thread_has_a_byte_at_least() -> None:
    board: Any = SimpleNamespace(size_in_bytes=100)
    assert Crew(4, Limits(bytes=50))._share(board) == Limits(bytes=101)


def test_findings_name_cells_before_anything_else_is_asked() -> None:
    for limits in (None, Limits(seconds=60)):
        assert tuple(EngineMethod().findings(BOARD, limits).cells) == BOARD.covered
    with pytest.raises(LimitExceeded):
        EngineMethod().findings(SEARCHED, Limits(nodes=1)).prepare()


def test_a_view_of_findings_has_their_diagram() -> None:
    findings = EngineMethod().findings(SEARCHED)
    found: Any = findings.solutions(Budget(None))
    assert found._compiled is findings._board
    assert found._limits is None
    limited = EngineMethod().findings(SEARCHED, Limits(nodes=10**6, seconds=60))
    view: Any = limited.solutions(Budget(limited.limits))
    left = view._limits
    assert left is not None
    assert left.nodes is not None
    assert left.nodes <= 10**6


def test_views_share_what_was_compiled() -> None:
    memory = Cache()
    one = EngineMethod(memory=memory).solutions(SEARCHED)
    assert one._cache is memory
    other = EngineMethod().solutions(SEARCHED)
    assert isinstance(other._cache, Cache)
    assert other._cache is not memory
    compiled = other.count() and other._cache.compiled
    assert compiled > 1
    narrowed = other.including(other.cells[0])
    assert narrowed._cache is other._cache
    narrowed.count()
    assert other._cache.compiled <= compiled + 1


def test_a_diagram_with_joins_is_no_zdd() -> None:
    """What counting keeps is not used for the ZDD, which takes an order without joins."""
    found = EngineMethod(order="tree").solutions(JOINED)
    assert found.count() == found.zdd().count() == get("brute").solutions(JOINED).count()


def test_a_narrowed_view_under_a_total_with_known_mines() -> None:
    position = sapper.parse("*1??\n12??\n????\n??1?", mines=4)
    plain = [set(one) for one in get("brute").solutions(position)]
    found = EngineMethod().solutions(position)
    assert found.count_by_mines() == {3: len(plain)}
    for cell in found.cells:
        number = sum(cell in one for one in plain)
        assert found.including(cell).count() == number
        assert found.excluding(cell).count() == len(plain) - number
        assert found.including(cell).count_by_mines() == ({3: number} if number else {})


def test_samples_without_a_seed() -> None:
    found = view()
    assert all(one in found for _ in range(20) for one in found.sample())
    assert len(found.sample()) == len(found.sample_array()) == 1
    with pytest.raises(TypeError, match="a seed is an integer, not"):
        found.sample(seed="7")  # type: ignore[arg-type]


def test_costs_of_120_bits_are_compared_exactly() -> None:
    cells = view().cells
    most = (1 << 120) - 1
    assert view().cheapest({cells[0]: most}).cost in (0, most)
    with pytest.raises(CostError, match="more than 120 bits"):
        view().cheapest({cells[0]: most, cells[1]: -1})


@pytest.mark.parametrize("mines", [3, (1 << 31) - 1, 1 << 31, (1 << 32) + 1, 10**30])
def test_a_total_that_no_integer_of_the_core_holds(mines: int) -> None:
    position = Position(Grid(1, 2), ["??"], mines=mines)
    findings = EngineMethod().findings(position)
    assert (findings.consistent, findings.count) == (False, 0)
    assert EngineMethod().solutions(position).count() == 0
