"""Many positions at once, into arrays: for bots, grading and learning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy
from numpy.typing import NDArray

from sapper._native import Options, analyze_boards, run_under
from sapper.analysis.auto import MOST_EXPECTED
from sapper.errors import PositionError, TooWide, quoted
from sapper.field import Position, checked_mines, codes_of_stack
from sapper.limits import Limits

if TYPE_CHECKING:
    from sapper._native import Run
    from sapper.field import Topology

__all__ = ["Analyses", "analyze_many"]

_OPTIONS: Final = Options(most_expected=MOST_EXPECTED)
# What an answer takes for every cell: its code, its verdict and its chance.
_BYTES_PER_CELL: Final = 4 + 1 + 8


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Analyses:
    """What `analyze_many` found: one row a position in every array.

    Frozen: threads can share one.

    `verdicts` and `probabilities` have the shape of the field behind the number of the position,
    as ``(n, height, width)`` for a grid. Positions on different fields have rows of cells in
    canonical order, as long as the largest field. Cells that are not covered, and all cells of an
    inconsistent position, have the verdict -1 and the probability NaN.
    """

    consistent: NDArray[numpy.bool_]
    """Whether there is a legal assignment."""
    log2_counts: NDArray[numpy.float64]
    """The binary logarithm of the number of legal assignments; ``-inf`` if there is none."""
    verdicts: NDArray[numpy.int8]
    """0 safe, 1 mine, 2 unknown: the index in `sapper.clues.VERDICTS`."""
    probabilities: NDArray[numpy.float64]
    """How likely a covered cell is a mine; exactly 0 or 1 only where it is certain."""
    best: NDArray[numpy.int32]
    """The first cell of `Analysis.best`, by its place in `Topology.cells`; -1 if there is none."""

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.consistent)

    def __repr__(self) -> str:
        return f"<Analyses of {len(self)} positions, {int(self.consistent.sum())} consistent>"


def analyze_many(
    positions: Iterable[Position] | NDArray[Any],
    *,
    mines: int | numpy.integer[Any] | Sequence[int] | NDArray[Any] | None = None,
    topology: str | Topology | None = None,
    limits: Limits | None = None,
) -> Analyses:
    r"""Analyse many positions in one call and return arrays.

    The numbers are those of `analyze` for one position after the other, bit by bit; what is saved
    is Python's part of each call. An inconsistent position is an answer, not an error.

    Parameters
    ----------
    positions : iterable of Position, or array
        Positions on one field or on several; or an array of whole numbers with a board in each
        row, ``(n, height, width)`` on flat fields: ``0`` and more are numbers, ``-1`` is covered
        (as in `sapper.play.gym`), ``-2`` a known mine, ``-3`` known free.
    mines : int or sequence of int, optional
        For an array: the number of mines of all boards, or of each. Positions know their own.
    topology : str or Topology, optional
        For an array: the field, by default a grid.
    limits : Limits, optional
        What all positions together may cost.

    Raises
    ------
    PositionError
        If an entry is no label or a total is none; it names the board.
    LimitExceeded
        If a limit is hit, or a position is too wide for the engine, which is named.

    Examples
    --------
    >>> import numpy, sapper
    >>> boards = numpy.array([[[-1, -1, 1]], [[-1, -1, 2]]], dtype=numpy.int8)
    >>> found = sapper.analyze_many(boards)
    >>> found.consistent.tolist(), found.verdicts.tolist()
    ([True, False], [[[2, 1, -1]], [[-1, -1, -1]]])
    >>> found.probabilities[0].tolist(), found.best.tolist()
    ([[0.5, 1.0, nan]], [0, -1])
    >>> position = sapper.parse("1??\n12?\n_1?", mines=2)
    >>> sapper.analyze_many([position, position]).log2_counts.tolist()
    [1.0, 1.0]
    """
    if limits is not None and not isinstance(limits, Limits):
        raise TypeError(f"limits are given as sapper.Limits(seconds=…), not as {limits!r:.60}")
    run = run_under(limits)
    if isinstance(positions, numpy.ndarray):
        field, codes = codes_of_stack(positions, topology)
        found = _analyzed(field, codes, _totals(mines, len(codes), len(field)), run)
        return _shaped(found, (len(codes), *field.shape))
    if mines is not None or topology is not None:
        raise TypeError("mines and topology go with an array; positions have their own")
    return _of_positions(list(positions), run)


def _totals(mines: object, boards: int, cells: int) -> NDArray[numpy.int64]:
    """Return one total a board, -1 where it is not known; what is impossible stays impossible."""
    if mines is None:
        return numpy.full(boards, -1, dtype=numpy.int64)
    if isinstance(mines, int | numpy.integer):
        return numpy.full(boards, min(checked_mines(mines) or 0, cells + 1), dtype=numpy.int64)
    totals = numpy.asarray(mines)
    if totals.dtype.kind not in "iu" or totals.shape != (boards,):
        raise PositionError(
            f"mines is a whole number or one for each of {boards} boards, not {quoted(mines)}"
        )
    if boards and totals.min() < 0:
        board = int(totals.argmin())
        raise PositionError(f"board {board}: {totals[board]} mines cannot be")
    return numpy.asarray(numpy.minimum(totals, cells + 1), dtype=numpy.int64)


def _of_positions(positions: list[Position], run: Run) -> Analyses:
    groups: dict[Topology, list[int]] = {}
    known: dict[int, list[int]] = {}  # the same by identity, since comparing fields takes longer
    last: Topology | None = None
    places: list[int] = []
    for place, position in enumerate(positions):
        if not isinstance(position, Position):
            raise TypeError(f"position {place}: expected a Position, not {quoted(position)}")
        field = position.topology
        if field is not last:
            last = field
            if id(field) not in known:
                known[id(field)] = groups.setdefault(field, [])
            places = known[id(field)]
        places.append(place)
    parts = []
    for field, places in groups.items():
        run.hold(_BYTES_PER_CELL * len(field) * len(positions))
        chosen = [positions[place] for place in places] if len(groups) > 1 else positions
        joined = b"".join([position.codes for position in chosen])
        codes = numpy.frombuffer(joined, dtype=numpy.int32).reshape(len(places), len(field))
        most = len(field) + 1
        totals = numpy.array(
            [-1 if (total := p.mines) is None else min(total, most) for p in chosen],
            dtype=numpy.int64,
        )
        parts.append((places, field, _analyzed(field, codes, totals, run, places)))
    if len(parts) == 1:
        _, field, found = parts[0]
        return _shaped(found, (len(positions), *field.shape))
    whole = _empty(len(positions), max((len(field) for field in groups), default=0))
    for places, field, found in parts:
        whole.consistent[places] = found.consistent
        whole.log2_counts[places] = found.log2_counts
        whole.best[places] = found.best
        whole.verdicts[places, : len(field)] = found.verdicts
        whole.probabilities[places, : len(field)] = found.probabilities
    return whole


def _empty(boards: int, cells: int) -> Analyses:
    return Analyses(
        consistent=numpy.zeros(boards, dtype=numpy.bool_),
        log2_counts=numpy.full(boards, -numpy.inf),
        verdicts=numpy.full((boards, cells), -1, dtype=numpy.int8),
        probabilities=numpy.full((boards, cells), numpy.nan),
        best=numpy.full(boards, -1, dtype=numpy.int32),
    )


def _analyzed(
    field: Topology,
    codes: NDArray[numpy.int32],
    totals: NDArray[numpy.int64],
    run: Run,
    places: Sequence[int] | None = None,
) -> Analyses:
    run.hold(_BYTES_PER_CELL * codes.size)
    found = _empty(len(codes), len(field))
    done = numpy.full(len(codes), -1, dtype=numpy.int8)
    try:
        analyze_boards(
            field.adjacency,
            codes,
            totals,
            _OPTIONS,
            found.verdicts,
            found.probabilities,
            done,
            found.log2_counts,
            found.best,
            run,
        )
    except TooWide as error:
        board = int((done < 0).argmax())
        raise TooWide(
            expected=error.expected, place=f"position {places[board] if places else board}"
        ) from None
    found.consistent[:] = done == 1
    return found


def _shaped(found: Analyses, shape: tuple[int, ...]) -> Analyses:
    return Analyses(
        found.consistent,
        found.log2_counts,
        found.verdicts.reshape(shape),
        found.probabilities.reshape(shape),
        found.best,
    )
