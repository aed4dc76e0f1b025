"""The door to the compiled core, and the only importer of it.

Limits go in as a `Run`, buffers come out as lists; a limit that the core ran into leaves it as
`LimitExceeded`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from sapper._core import (
    MOST_COEFFICIENT_BYTES,
    MOST_COEFFICIENTS,
    Adjacency,
    Arena,
    Cache,
    Compiled,
    CoreFinder,
    EdgeDiagram,
    Forest,
    Keys,
    Options,
    PieceEstimate,
    Run,
    Sampler,
    System,
    Walk,
    analyze_boards,
    board_metrics,
    certain_values,
    certainty_finishes,
    choose_dig,
    clusters,
    compile_labels,
    draw_board,
    forecast,
    frontier_order,
    frontier_search,
    full_board,
    grade_board,
    independent_clusters,
    k_set_search,
    lattice_cells,
    long_product,
    mine_order,
    mined_or_numbered,
    minesweeper_clusters,
    optimal_wins,
    paired,
    percolation_sweep,
    picked,
    planted_inference,
    play,
    play_by_k_sets,
    play_layouts,
    play_measured,
    play_seeds,
    play_turns,
    random_mines,
    smallest_hitting_set,
    walk_to_board,
    winning,
)
from sapper._core import cheapest as cheapest_solution
from sapper._core import compile as compile_system
from sapper._core import zdd as reduced_zdd
from sapper.limits import machine_limits

if TYPE_CHECKING:
    from sapper.limits import Limits

__all__ = [
    "MOST_COEFFICIENTS",
    "MOST_COEFFICIENT_BYTES",
    "NO_LIMITS",
    "Adjacency",
    "Arena",
    "Cache",
    "Compiled",
    "CoreFinder",
    "EdgeDiagram",
    "Forest",
    "Keys",
    "Options",
    "PieceEstimate",
    "Progress",
    "Run",
    "Sampler",
    "System",
    "Walk",
    "analyze_boards",
    "board_metrics",
    "certain_values",
    "certainty_finishes",
    "cheapest_solution",
    "choose_dig",
    "clusters",
    "compile_labels",
    "compile_system",
    "doubles",
    "draw_board",
    "forecast",
    "frontier_order",
    "frontier_search",
    "full_board",
    "grade_board",
    "independent_clusters",
    "integers",
    "k_set_search",
    "lattice_cells",
    "long_product",
    "mine_order",
    "mined_or_numbered",
    "minesweeper_clusters",
    "optimal_wins",
    "paired",
    "percolation_sweep",
    "picked",
    "planted_inference",
    "play",
    "play_by_k_sets",
    "play_layouts",
    "play_measured",
    "play_seeds",
    "play_turns",
    "random_mines",
    "reduced_zdd",
    "run_under",
    "smallest_hitting_set",
    "walk_to_board",
    "winning",
]

Progress = Callable[[int], Any]
"""Called about twenty times a second with the number of nodes made so far."""

NO_LIMITS: Final = Run()
"""The run of whoever sets no limit: it may be shared, for its clock is never looked at."""


def run_under(limits: Limits | None, progress: Progress | None = None) -> Run:
    """Return limits and a progress callback in the form the core takes; the clock starts now."""
    if progress is None:
        if limits is None:
            return NO_LIMITS
        return Run(*machine_limits(limits))
    if limits is None:
        return Run(None, None, None, progress)
    return Run(*machine_limits(limits), progress)


def integers(data: bytes) -> list[int]:
    """Return the 32-bit integers in a buffer from the core."""
    return memoryview(data).cast("i").tolist()


def doubles(data: bytes) -> list[float]:
    """Return the floats in a buffer from the core."""
    values: list[float] = memoryview(data).cast("d").tolist()  # type: ignore[assignment]
    return values
