"""Compiled core of sapper; private, use the Python packages."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


class Adjacency:
    """Neighbour lists of a field."""

    @staticmethod
    def lattice(sides: Sequence[int], offsets: Sequence[int], wrap: bool) -> Adjacency: ...

    @staticmethod
    def csr(offsets: bytes, targets: bytes) -> Adjacency: ...

    def __len__(self) -> int: ...

    def neighbours(self, arg: int, /) -> list[int]: ...

    @property
    def offsets(self) -> bytes: ...

    @property
    def targets(self) -> bytes: ...

class System:
    """Variables, clues and an optional total."""

    @staticmethod
    def from_clues(variables: int, offsets: bytes, cells: bytes, weights: bytes, counts: bytes, total: int | None) -> System: ...

    @staticmethod
    def from_labels(field: Adjacency, labels: bytes, total: int | None, run: Run | None = None, settle: bool = False) -> System: ...

    @property
    def variables(self) -> int: ...

    @property
    def size_in_bytes(self) -> int: ...

    @property
    def clues(self) -> int: ...

    @property
    def cell_of(self) -> bytes: ...

    @property
    def place_of(self) -> bytes: ...

class Keys:
    """The cells of a field as keys of dictionaries."""

    def __init__(self, cells: tuple[Any, ...]) -> None: ...

    def __len__(self) -> int: ...

def picked(cells: tuple[Any, ...], places: bytes) -> tuple[Any, ...]:
    """The cells at some places."""

def lattice_cells(shape: Sequence[int], places: bytes) -> tuple[Any, ...]:
    """The cells at some places of a lattice."""

def paired(keys: tuple[Any, ...], values: list[Any]) -> dict[Any, Any]:
    """A dictionary of keys with their values, as many as there are of both."""

class Run:
    """Limits and a progress callback; the clock runs from the start."""

    def __init__(self, seconds: float | None = None, nodes: int | None = None, bytes: int | None = None, progress: object | None = None) -> None: ...

    @property
    def limited(self) -> bool:
        """Is there any limit?"""

    def silent(self) -> Run:
        """
        The same limits and the same clock, for whoever keeps them: nobody is called.
        """

    def again(self) -> Run:
        """The same limits with a clock that starts now."""

    def check(self, bytes: float = 0.0) -> None:
        """Raise if the time is up, or if so much memory is too much."""

    def hold(self, bytes: float) -> None:
        """Raise if so much memory is too much, whatever the clock says."""

class Options:
    """Which steps the engine takes; all are on by default."""

    def __init__(self, *, certainty: bool = True, grouping: bool = True, look_ahead: bool = True, path_only: bool = False, order: str = 'auto', most_expected: float = float('inf'), threads: int = 1) -> None: ...

class Cache:
    """Compiled diagrams by content."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    @property
    def size_in_bytes(self) -> int: ...

    def clear(self) -> None: ...

    @property
    def hits(self) -> int: ...

    @property
    def compiled(self) -> int: ...

    @property
    def searched(self) -> int: ...

class Piece:
    """An independent part of a compiled system."""

    @property
    def groups(self) -> list[list[int]]:
        """The variables of each group."""

    @property
    def nodes(self) -> int: ...

    @property
    def joins(self) -> bool: ...

    @property
    def least(self) -> int:
        """The fewest mines it can have."""

class PieceEstimate:
    """What an independent part would take."""

    @property
    def variables(self) -> int: ...

    @property
    def groups(self) -> int: ...

    @property
    def clues(self) -> int: ...

    @property
    def width(self) -> int: ...

    @property
    def nodes(self) -> float: ...

    @property
    def joins(self) -> bool: ...

class Forecast:
    """What a system would take."""

    @property
    def forced(self) -> int: ...

    @property
    def free(self) -> int: ...

    @property
    def pieces(self) -> list[PieceEstimate]: ...

class Compiled:
    """A compiled system."""

    @property
    def consistent(self) -> bool: ...

    @property
    def variables(self) -> int: ...

    @property
    def forced_mines(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def size_in_bytes(self) -> int: ...

    @property
    def values(self) -> bytes: ...

    @property
    def free(self) -> list[int]: ...

    @property
    def free_cells(self) -> int: ...

    def __len__(self) -> int: ...

    def piece(self, arg: int, /) -> Piece: ...

    def verdicts(self, arg: Run, /) -> tuple[bool, bytes]: ...

    def probabilities(self, run: Run, threads: int = 1) -> tuple[bool, bytes, float]: ...

    def chances_by_cell(self, system: System, keys: Keys, run: Run, threads: int = 1) -> tuple[dict[Any, float], bytes]:
        """
        The same as a dictionary from the variables' cells, and as bytes; nothing of an inconsistent system.
        """

    def piece_counts(self, run: Run, threads: int = 1) -> tuple[list[float], list[int]]:
        """
        Of each piece: the logarithm of its count to base 2, about, and its count modulo 2^64.
        """

    def count_residue(self, arg0: int, arg1: int, arg2: Run, /) -> int: ...

    def count_by_mines_residues(self, arg0: int, arg1: int, arg2: Run, /) -> list[int]: ...

    def counts_by_mines(self, run: Run, threads: int = 1) -> list[tuple[int, int, bytes]]:
        """
        Of each piece: its fewest mines; the bytes of each number; the numbers of solutions with so many mines, one more, and so on.
        """

    def marginal_residues_under_total(self, arg0: int, arg1: Run, /) -> list[int]: ...

    def marginal_residues(self, arg0: int, arg1: int, arg2: Sequence[int], arg3: Run, /) -> list[int]: ...

def compile(system: System, options: Options, run: Run, cache: Cache | None) -> Compiled: ...

def compile_labels(field: Adjacency, labels: bytes, total: int | None, options: Options, run: Run, cache: Cache | None, settle: bool) -> tuple[System, Compiled]:
    """The system of a position, and the same compiled."""

def forecast(system: System, options: Options, run: Run) -> Forecast: ...

MOST_COEFFICIENTS: int = 1048576

MOST_COEFFICIENT_BYTES: int = 4194304

def long_product(a: bytes, a_size: int, b: bytes, b_size: int, run: Run, threads: int = 1, held: int = 0) -> tuple[int, bytes]:
    """
    The product of polynomials with long coefficients, each of so many bytes, lowest first: the bytes of each of its coefficients, and these. Of memory, `held` bytes are in use.
    """

def certain_values(system: System, run: Run) -> tuple[bool, bytes]: ...

class CoreFinder:
    """Minimal sets of clues that force a value."""

    def __init__(self, system: System, run: Run) -> None: ...

    @property
    def total_id(self) -> int: ...

    def core(self, variable: int, value: bool, smallest: bool, below: int, run: Run) -> list[int] | None: ...

    def contradiction(self, run: Run) -> list[int] | None: ...

    def witness(self, clues: Sequence[int], variable: int, value: bool, near: bytes, run: Run) -> bytes | None: ...

def smallest_hitting_set(families: Sequence[Sequence[int]], least: int, end: int, run: Run) -> list[int] | None:
    """
    A smallest set that meets every family, with at least `least` and fewer than `end` members.
    """

def k_set_search(system: System, k: int, repeat: bool, run: Run) -> tuple[bool, bytes, int]: ...

class EdgeDiagram:
    """A reduced ZDD over edges, and what its search met."""

    @property
    def variable(self) -> bytes: ...

    @property
    def low(self) -> bytes: ...

    @property
    def high(self) -> bytes: ...

    @property
    def root(self) -> int: ...

    @property
    def visited(self) -> int: ...

    @property
    def widest(self) -> int: ...

    @property
    def frontier(self) -> int: ...

    @property
    def states(self) -> list[int]:
        """How many there were before each edge."""

def frontier_search(cells: int, cell: bytes, hint: bytes, targets: bytes, run: Run) -> EdgeDiagram:
    """Degree-constrained subgraphs as a reduced ZDD over the edges."""

def frontier_order(cells: int, offsets: bytes, members: bytes, targets: bytes, tries: int, run: Run) -> bytes:
    """An order of the cells in clues with a narrow frontier."""

class Forest:
    """A field without cycles, in breadth-first order."""

    @staticmethod
    def of(field: Adjacency) -> Forest: ...

    @property
    def cycle(self) -> list[int]: ...

    @property
    def order(self) -> bytes: ...

    @property
    def parent(self) -> bytes: ...

    def is_consistent(self, labels: bytes) -> bool: ...

    def possible(self, labels: bytes) -> bytes: ...

class Walk:
    """Solutions in a fixed order."""

    def __init__(self, arg0: Compiled, arg1: Run, /) -> None: ...

    def take(self, arg0: int, arg1: tuple[object, ...], arg2: Run, /) -> list[frozenset[Any]]: ...

class Sampler:
    """Uniform random solutions."""

    def __init__(self, arg0: Compiled, arg1: int, arg2: Run, /) -> None: ...

    @property
    def has_solution(self) -> bool: ...

    def bits(self, arg0: int, arg1: int, arg2: Run, /) -> bytes: ...

    def sets(self, arg0: int, arg1: tuple[object, ...], arg2: Run, /) -> list[frozenset[Any]]: ...

def cheapest(compiled: Compiled, costs: bytes, run: Run) -> bytes | None: ...

def zdd(compiled: Compiled, run: Run) -> tuple[bytes, bytes, int]: ...

def play(field: Adjacency, mines: bytes, start: int, run: Run) -> bytes: ...

def play_measured(field: Adjacency, mines: bytes, start: int, protocol: str, extraction: str, smallest: bool, picks: bool, clues: bool, run: Run) -> tuple[bytes, bytes, bytes, bool]:
    """
    Status of each cell, (cell, minimal, smallest, picks) per measured inference, the clues of each (number, mines, how many cells, cells), single points made.
    """

def play_turns(field: Adjacency, mines: bytes, start: int, seed: int, run: Run) -> tuple[bytes, int, bool, int, int]:
    """
    Status and turns when it was first stuck, whether it was, turns to the end, and hints.
    """

def play_by_k_sets(field: Adjacency, mines: bytes, start: int, k: int, run: Run) -> bytes: ...

def random_mines(cells: int, mines: int, forbidden: Sequence[int], seed: int) -> bytes: ...

def full_board(field: Adjacency, mines: bytes) -> bytes:
    """Numbers as 32-bit integers, -2 for mines."""

def clusters(side: int, occupied: bytes) -> tuple[int, int, int, float]:
    """Sites, clusters, largest cluster and sum of squared sizes."""

def independent_clusters(side: int, p: float, seed: int) -> tuple[int, int, int, float]: ...

def minesweeper_clusters(side: int, mines: int, seed: int) -> tuple[int, int, int, float]: ...

def mined_or_numbered(side: int, mines: int, seed: int) -> bytes: ...

def mine_order(cells: int, mines: int, forbidden: Sequence[int], seed: int) -> bytes:
    """
    The first cells of a random order of those that are not forbidden, as 32-bit integers.
    """

def percolation_sweep(side: int, square: int, marks: Sequence[int], seed: int, run: Run) -> tuple[int, int, tuple[int, int, int, int, int], list[tuple[int, int, int, int, int]]]:
    """
    Mines at which a cluster wraps along rows and along columns; (mines, sites, clusters, largest, sum of squared sizes) at the first of the two, and at each mark.
    """

def planted_inference(vertices: int, sizes: Sequence[int], counts: Sequence[int], density: float, strict: bool, free: bool, distinct: bool, seed: int, run: Run) -> tuple[bytes, bytes, bytes, bytes, bytes | None]:
    """
    Offsets, vertices and 64-bit labels of the hyperedges, the planted mines, which vertices are forced (None if the labels contradict each other).
    """

class Played:
    """One entry for each game, in order."""

    @property
    def won(self) -> bytes: ...

    @property
    def digs(self) -> bytes: ...

    @property
    def guesses(self) -> bytes: ...

    @property
    def luck(self) -> bytes: ...

def play_seeds(field: Adjacency, mines: int, start: int, kept_free: Sequence[int], strategy: str, effort: float, seeds: bytes, run: Run) -> Played: ...

def play_layouts(field: Adjacency, mines: int, start: int, strategy: str, effort: float, layouts: bytes, seeds: bytes, run: Run) -> Played: ...

def optimal_wins(field: Adjacency, mines: int, rule: str, start: int, run: Run) -> tuple[int, int, int, int]:
    """
    Layouts won by perfect play, layouts, first dig (-1: none is possible), sets looked at.
    """

def choose_dig(field: Adjacency, codes: bytes, mines: int, strategy: str, effort: float, seed: int, run: Run) -> tuple[list[int], bool]:
    """What a strategy digs next, and whether that is a guess."""

def draw_board(field: Adjacency, mines: int, start: int, kept_free: Sequence[int], no_guess: bool, use_total: bool, level: int, seed: int, first: int, tries: int, run: Run) -> tuple[bytes, int]:
    """
    A board that qualifies, or no bytes, and how many were tried. Level -1: any.
    """

def walk_to_board(field: Adjacency, mines: int, start: int, kept_free: Sequence[int], use_total: bool, level: int, seed: int, tries: int, run: Run) -> tuple[bytes, int]:
    """The same by moving mines about; not uniform."""

def grade_board(field: Adjacency, mines: bytes, start: int, run: Run) -> tuple[bytes, bytes, int, int, int]:
    """
    Cells given away, deductions by size of core, how many needed the total, k, level.
    """

def certainty_finishes(field: Adjacency, mines: bytes, start: int, use_total: bool, twins: bool, run: Run) -> bool: ...

def board_metrics(field: Adjacency, mines: bytes, order: bytes, run: Run) -> tuple[tuple[int, int, int, int, int], bytes]:
    """
    3BV, openings, islands, ZiNi and human ZiNi; for each cell the click it is part of. No order, no ZiNi.
    """

class Arena:
    """Many games, dug step by step."""

    def __init__(self, field: Adjacency, boards: int, mines: int, rule: str, start: int, no_guess: bool, tries: int, rewards: tuple[float, float, float, float]) -> None: ...

    def seed(self, board: int, seed: int) -> None: ...

    def reset(self, board: int, seen: Annotated[NDArray[numpy.int8], dict(shape=(None, None), order='C', device='cpu')], run: Run) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], seen: Annotated[NDArray[numpy.int8], dict(shape=(None, None), order='C', device='cpu')], rewards: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], outcomes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], run: Run) -> None: ...

    def mines(self, board: int) -> bytes:
        """One byte a cell; none while no mines are placed."""

def winning(field: Adjacency, codes: bytes, mines: int, most: float, run: Run) -> tuple[int, bytes, bytes]:
    """
    Worlds, cells to dig and how many worlds each wins under perfect play; 0 worlds: too many.
    """

def analyze_boards(field: Adjacency, labels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], totals: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], options: Options, verdicts: Annotated[NDArray[numpy.int8], dict(shape=(None, None), order='C', device='cpu')], probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], consistent: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu')], log2_counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], best: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], run: Run) -> None:
    """
    Verdicts, chances, counts and the cell to dig of many boards on one field.
    """
