"""Playing by certainty alone: reveal what is safe, flag what is mined, until nothing follows."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, Final, Literal, TypeAlias

from sapper._native import (
    Adjacency,
    Run,
    full_board,
    integers,
    play,
    play_by_k_sets,
    play_measured,
    run_under,
)
from sapper.analysis import chosen
from sapper.clues import Clue
from sapper.errors import MethodError, PositionError, expect, quoted
from sapper.field import COVERED, MINE, Cell, Position, Topology
from sapper.game import Layout, uncover
from sapper.limits import Limits
from sapper.questions import Budget, Method

__all__ = [
    "EXTRACTIONS",
    "PROTOCOLS",
    "Core",
    "Extraction",
    "InferenceRun",
    "Protocol",
    "play_by_inference",
]

Protocol: TypeAlias = Literal["sequential", "hybrid", "batch"]
"""Which inferences have their cores measured; all play the same game in the end.

``"sequential"``: single-point inferences first; when stuck, the first inference in row-major order
is measured and made, and only that one. ``"hybrid"``: single points first; when stuck, every
inference is measured and made. ``"batch"``: every inference of every state is measured, then all
are made; this is the paper's step 5 to the letter.
"""

PROTOCOLS: Final[dict[Protocol, str]] = {
    "sequential": "single points first; when stuck, the first inference in row-major order is "
    "measured and made, and only that one",
    "hybrid": "single points first; when stuck, every inference is measured and made",
    "batch": "every inference of every state is measured, then all are made",
}

Extraction: TypeAlias = Literal["rings", "deletion"]
"""How a minimal core is made; there can be several, of different sizes.

``"rings"``: a number that decides the cell alone; if there is none, the clues around the cell, ring
by ring until they decide it, without those that can be spared. ``"deletion"``: all clues that hang
together with the cell, without those that can be spared, the last in row-major order first.
"""

EXTRACTIONS: Final[dict[Extraction, str]] = {
    "rings": "from the clues around the cell, ring by ring",
    "deletion": "by deletion from all clues, the last in row-major order first",
}

_REVEALED: Final = 1
_FLAGGED: Final = 2
# What playing takes for a cell, measured on tori of 300² and 1000² cells.
_BYTES_PER_CELL: Final = 140
_STATUS: Final = {COVERED: 0, MINE: _FLAGGED}


@dataclass(frozen=True)
class Core:
    """Clues that force a cell, with none to spare.

    Frozen: threads can share one.

    Attributes
    ----------
    cell : cell
        What is inferred.
    mine : bool
        Is it a mine?
    clues : tuple of Clue
        A minimal core: numbers as sums over the cells around them that were covered then; a clue's
        `cell` is where its number stands. The refuted assumption is not among them.
    smallest : tuple of Clue, optional
        A core with the least number of clues, if it was asked for.
    """

    cell: Cell
    mine: bool
    clues: tuple[Clue, ...]
    smallest: tuple[Clue, ...] | None = None


@dataclass(frozen=True)
class InferenceRun:
    """How far certainty went.

    Frozen: threads can share one.

    Attributes
    ----------
    layout : Layout
        The field and its mines.
    status : bytes
        Per cell 0 if it is covered, 1 if it was revealed, 2 if it was flagged.
    cores : tuple of Core, optional
        Of each inference that was measured, in the order in which they were made.
    """

    layout: Layout
    status: bytes
    cores: tuple[Core, ...] | None = None

    @cached_property
    def flagged(self) -> frozenset[Cell]:
        """The cells that were found to be mines."""
        return self._with(_FLAGGED)

    @cached_property
    def revealed(self) -> frozenset[Cell]:
        """The cells that were uncovered, the start and what zeros uncovered included."""
        return self._with(_REVEALED)

    @property
    def finished(self) -> bool:
        """Whether nothing stayed covered but mines."""
        return self.status.count(_REVEALED) + sum(self.layout.mined) == len(self.status)

    @property
    def flagged_fraction(self) -> float:
        """The paper's α: the part of the mines that was flagged; 1 if there are none."""
        mines = sum(self.layout.mined)
        return self.status.count(_FLAGGED) / mines if mines else 1.0

    def _with(self, status: int) -> frozenset[Cell]:
        cells = self.layout.topology.cells
        return frozenset(compress(cells, map(status.__eq__, self.status)))


def play_by_inference(
    topology: Topology,
    mines: Iterable[Cell],
    start: Cell,
    *,
    method: str = "auto",
    k: int | None = None,
    use_total: bool = False,
    cores: Protocol | None = None,
    smallest: bool = False,
    extraction: Extraction = "rings",
    limits: Limits | None = None,
) -> InferenceRun:
    """Play a board by inference alone, as in Dempsey & Guinn, section 3.

    The start is uncovered first; a zero uncovers its neighbours. Then everything that follows from
    the visible numbers is done, again and again. The end does not depend on the order.

    Parameters
    ----------
    topology : Topology
        The field; the paper's is a torus.
    mines : iterable of cells
        Where the mines are. The player does not know.
    start : cell
        Where play begins; it must be free.
    method : str
        ``"auto"``: everything that follows is found, natively. ``"kset"``: what combinations of
        at most `k` clues give. Any other name of a method asks that method after each step.
    k : int, optional
        For ``"kset"``; 2 if not given.
    use_total : bool
        Does the player know how many mines there are? Not in the paper.
    cores : str, optional
        Also return the cores of inferences; which ones is told by the protocol, see `Protocol`.
        For ``"auto"`` without the total.
    smallest : bool
        Find smallest cores too; this can take long near the transition.
    extraction : str
        How the minimal cores are made; see `Extraction`.
    limits : Limits, optional
        Seconds for the whole game; nodes and bytes, with `use_total` or a method by name, for each
        step of it.

    Raises
    ------
    PositionError
        If the start is a mine.
    UnknownCellError
        If a cell is not on the field.
    MethodError
        If there is no such method, protocol or extraction, the method gives no verdicts, or `k`
        makes no sense.
    LimitExceeded
        If a limit is hit.

    Examples
    --------
    >>> from sapper import Grid
    >>> run = play_by_inference(Grid(3, 3), mines={(0, 2)}, start=(2, 0))
    >>> sorted(run.flagged), run.finished
    ([(0, 2)], True)

    Two numbers that overlap say more than each alone:

    >>> run = play_by_inference(Grid(3, 4), {(1, 2)}, start=(0, 0), cores="sequential")
    >>> [(core.cell, core.mine, [clue.cell for clue in core.clues]) for core in run.cores]
    [((0, 2), False, [(1, 1), (2, 1)])]
    """
    expect(mines, Iterable, "mines are cells")
    layout = Layout(topology, Budget(limits).watched(mines))
    if cores is None:
        if smallest:
            raise MethodError("smallest cores need a protocol that says which inferences: cores=")
        return inferred(layout, start, method=method, k=k, use_total=use_total, limits=limits)
    if method != "auto" or k is not None or use_total:
        raise MethodError("cores are measured for method 'auto' without the mine total")
    if cores not in PROTOCOLS:
        raise MethodError(f"cores are measured {', '.join(PROTOCOLS)}, not {quoted(cores)}")
    if extraction not in EXTRACTIONS:
        raise MethodError(f"cores are made by {', '.join(EXTRACTIONS)}, not {quoted(extraction)}")
    first = _free_start(layout, start)
    budget = Budget(limits)
    budget.spend(held=_BYTES_PER_CELL * len(layout.mined) + topology.adjacency_bytes)
    status, sizes, flat, _ = play_measured(
        topology.adjacency,
        layout.mined,
        first,
        cores,
        extraction,
        smallest,
        False,
        True,
        run_under(budget.left() if limits else None),
    )
    return InferenceRun(layout, status, _cores(layout, integers(sizes), integers(flat)))


def _cores(layout: Layout, sizes: list[int], flat: list[int]) -> tuple[Core, ...]:
    """Unpack the cores that the core of the package measured."""
    cells, found, at = layout.topology.cells, [], 0

    def clues(count: int) -> tuple[Clue, ...]:
        nonlocal at
        made = []
        for _ in range(count):
            number, mines, around = flat[at : at + 3]
            at += 3 + around
            made.append(Clue(mines, [cells[c] for c in flat[at - around : at]], cell=cells[number]))
        return tuple(made)

    for place, minimal, least, _ in zip(*(sizes[part::4] for part in range(4)), strict=True):
        first = clues(minimal)
        found.append(
            Core(cells[place], bool(layout.mined[place]), first, clues(least) if least else None)
        )
    return tuple(found)


def _free_start(layout: Layout, start: Cell) -> int:
    first = layout.topology.index(start)
    if layout.mined[first]:
        raise PositionError(f"the start {start!r} is a mine")
    return first


def inferred(
    layout: Layout,
    start: Cell,
    *,
    method: str = "auto",
    k: int | None = None,
    use_total: bool = False,
    limits: Limits | None = None,
) -> InferenceRun:
    """Play a layout by inference alone; as `play_by_inference`."""
    first = _free_start(layout, start)
    if method == "kset":
        options: dict[str, Any] = {"k": 2 if k is None else k, "total": use_total}
    elif k is not None:
        raise MethodError(f"k is for method 'kset', not for {method!r}")
    else:
        options = {}
    budget = Budget(limits)
    budget.spend(held=_BYTES_PER_CELL * len(layout.mined) + layout.topology.adjacency_bytes)
    native = _native(method, options)
    if native is None:
        seen = array("i", [COVERED]) * len(layout.mined)
        uncover(layout, seen, [first])
    else:
        run = run_under(budget.left() if limits else None)
        status = native(layout.topology.adjacency, layout.mined, first, run)
        # What follows without the total was done; the rest may need it.
        if not use_total or _total_is_idle(layout, status):
            return InferenceRun(layout, status)
        shown = memoryview(layout.codes).cast("i")
        seen = array("i", map(_label, status, shown))
    total = layout.board.mines if use_total else None
    _follow(chosen(method, options), layout, seen, total, budget)
    return InferenceRun(layout, bytes([_STATUS.get(code, _REVEALED) for code in seen]))


def _label(status: int, shown: int) -> int:
    return shown if status else COVERED


def _native(
    method: str, options: dict[str, Any]
) -> Callable[[Adjacency, bytes, int, Run], bytes] | None:
    """Return the play loop of the core, if it has one for this method."""
    if method == "auto":
        return play
    if method != "kset":
        return None
    chosen(method, options)  # complains about a k that makes no sense
    k = min(options["k"], 1 << 20)
    return lambda field, mines, start, run: play_by_k_sets(field, mines, start, k, run)


def _follow(
    solver: Method, layout: Layout, seen: array[int], total: int | None, budget: Budget
) -> None:
    """Ask a method for its verdicts and do what they say, until they say nothing."""
    topology = layout.topology
    while True:
        position = Position.from_codes(topology, seen.tobytes(), total)
        verdicts = solver.findings(position, budget.left()).verdicts
        told = [topology.index(cell) for cell, verdict in verdicts.items() if verdict != "unknown"]
        if not told:
            return
        for place in told:
            budget.spend()
            if layout.mined[place]:
                seen[place] = MINE
            else:
                uncover(layout, seen, [place])


def _total_is_idle(layout: Layout, seen: bytes) -> bool:
    """Return whether it is plain that the total adds nothing to what the numbers say."""
    left = layout.board.mines - seen.count(_FLAGGED)
    # Where a cell counts as marked, its neighbours have numbers: here those next to a number.
    numbers = bytes([status == _REVEALED for status in seen])
    near = memoryview(full_board(layout.topology.adjacency, numbers)).cast("i")
    touched = sum(not status and number > 0 for status, number in zip(seen, near, strict=True))
    far = seen.count(0) - touched
    # Whatever the cells next to numbers hold, some far cell can be a mine, and some can be free.
    return touched < left < far
