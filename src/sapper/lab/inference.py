"""Playing by certainty alone: reveal what is safe, flag what is mined, until nothing follows."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sapper._native import Adjacency, LimitHit, Run, exceeded, play, play_by_k_sets, run_under
from sapper.errors import MethodError, PositionError
from sapper.field import Cell, Position, Topology
from sapper.field.labels import COVERED, MINE
from sapper.limits import Limits

__all__ = ["InferenceRun", "play_by_inference"]

_REVEALED = 1
_FLAGGED = 2


@dataclass(frozen=True)
class InferenceRun:
    """How far certainty went.

    Attributes
    ----------
    topology : Topology
        The field.
    status : bytes
        Per cell 0 if it is covered, 1 if it was revealed, 2 if it was flagged.
    mines : int
        How many mines the field has.
    """

    topology: Topology
    status: bytes
    mines: int

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
        return self.status.count(_REVEALED) + self.mines == len(self.status)

    @property
    def flagged_fraction(self) -> float:
        """The paper's α: the part of the mines that was flagged; 1 if there are none."""
        return self.status.count(_FLAGGED) / self.mines if self.mines else 1.0

    def _with(self, status: int) -> frozenset[Cell]:
        cells = self.topology.cells
        return frozenset(cells[place] for place, s in enumerate(self.status) if s == status)


def play_by_inference(
    topology: Topology,
    mines: Iterable[Cell],
    start: Cell,
    *,
    method: str = "auto",
    k: int | None = None,
    use_total: bool = False,
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
    limits : Limits, optional
        For the whole game; with `use_total` or a method by name, for each step.

    Raises
    ------
    PositionError
        If the start is a mine.
    UnknownCellError
        If a cell is not on the field.
    MethodError
        If there is no such method, it gives no verdicts, or `k` makes no sense.
    LimitExceeded
        If a limit is hit.

    Examples
    --------
    >>> from sapper import Grid
    >>> run = play_by_inference(Grid(3, 3), mines={(0, 2)}, start=(2, 0))
    >>> sorted(run.flagged), run.finished
    ([(0, 2)], True)
    """
    layout = bytearray(len(topology))
    for cell in mines:
        layout[topology.index(cell)] = 1
    first = topology.index(start)
    if layout[first]:
        raise PositionError(f"the start {start!r} is a mine")
    board = bytes(layout)
    if method == "kset":
        options: dict[str, Any] = {"k": 2 if k is None else k, "total": use_total}
    elif k is not None:
        raise MethodError(f"k is for method 'kset', not for {method!r}")
    else:
        options = {}
    native = _native(method, options)
    if native is None:
        status = _by_verdicts(topology, board, first, None, method, options, use_total, limits)
    else:
        try:
            status = native(topology.adjacency, board, first, run_under(limits))
        except LimitHit as hit:
            raise exceeded(hit) from None
        if use_total:
            status = _by_verdicts(topology, board, first, status, method, options, True, limits)
    return InferenceRun(topology, status, sum(board))


def _native(
    method: str, options: dict[str, Any]
) -> Callable[[Adjacency, bytes, int, Run], bytes] | None:
    """Return the play loop of the core, if it has one for this method."""
    if method == "auto":
        return play
    if method != "kset":
        return None
    from sapper.analysis import get

    get(method, **options)  # complains about a k that makes no sense
    k = min(options["k"], 1 << 20)
    return lambda field, mines, start, run: play_by_k_sets(field, mines, start, k, run)


def _by_verdicts(
    topology: Topology,
    mines: bytes,
    start: int,
    status: bytes | None,
    method: str,
    options: dict[str, Any],
    use_total: bool,
    limits: Limits | None,
) -> bytes:
    """Ask a method for its verdicts and do what they say, until they say nothing."""
    from sapper.analysis import chosen

    solver = chosen(method, options)
    seen = bytearray(status or len(mines))
    if status is None:
        _reveal(topology, mines, start, seen)
    elif _total_is_idle(topology, seen, sum(mines)):
        return status  # all that follows without the total was done before
    total = sum(mines) if use_total else None
    while True:
        position = _visible(topology, mines, seen, total)
        verdicts = solver.verdicts(position, limits)
        told = [cell for cell, verdict in verdicts.items() if verdict != "unknown"]
        if not told:
            return bytes(seen)
        for cell in told:
            place = topology.index(cell)
            if mines[place]:
                seen[place] = _FLAGGED
            else:
                _reveal(topology, mines, place, seen)


def _reveal(topology: Topology, mines: bytes, start: int, seen: bytearray) -> None:
    waiting = [start]
    while waiting:
        place = waiting.pop()
        if seen[place]:
            continue
        seen[place] = _REVEALED
        around = topology.neighbours_at(place)
        if not any(mines[other] for other in around):
            waiting.extend(around)


def _visible(topology: Topology, mines: bytes, seen: bytearray, total: int | None) -> Position:
    codes = array("i", [COVERED]) * len(seen)
    for place, status in enumerate(seen):
        if status == _FLAGGED:
            codes[place] = MINE
        elif status == _REVEALED:
            codes[place] = sum(mines[other] for other in topology.neighbours_at(place))
    return Position._from_codes(topology, codes.tobytes(), total)


def _total_is_idle(topology: Topology, seen: bytearray, mines: int) -> bool:
    """Return whether it is plain that the total adds nothing to what the numbers say."""
    left = mines - seen.count(_FLAGGED)
    touched = sum(
        not status and any(seen[other] == _REVEALED for other in topology.neighbours_at(place))
        for place, status in enumerate(seen)
    )
    far = seen.count(0) - touched
    # Whatever the cells next to numbers hold, some far cell can be a mine, and some can be free.
    return touched < left < far
