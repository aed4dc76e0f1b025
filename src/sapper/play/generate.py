"""Boards made to order: never a guess, uniformly drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from math import comb
from operator import index as as_int
from threading import Event
from typing import Any, Final

from sapper._native import draw_board, run_under, walk_to_board
from sapper.errors import GameError, LimitExceeded, quoted
from sapper.field import Cell, Topology
from sapper.game import (
    Board,
    Layout,
    StartRule,
    board_named,
    checked_seed,
    kept_free,
    random_layout,
    seed_of,
)
from sapper.limits import Budget, Limits, in_order
from sapper.play.grade import LEVELS, Level, checked_level
from sapper.play.strategies import first_dig

__all__ = ["Generated", "UnmetWish", "generate", "generate_many"]

METHODS: Final = ("auto", "uniform", "walk")
# Cells of layouts and layouts looked at before it counts as hopeless: seconds, not minutes. To
# grade one takes longer.
_HOPELESS: Final = 30_000_000, 1_000_000
_HOPELESS_GRADED: Final = 6_000_000, 20_000
# Draws for each layout there is: one of them is missed with a chance of less than exp(-50).
_EACH: Final = 50
_SMALL: Final = 64


class UnmetWish(LimitExceeded):
    """No board was found that is as it was wished; the message tells what was tried."""

    def __init__(self, message: str, limit: Any, allowed: float, spent: float) -> None:
        super().__init__(limit, allowed=allowed, spent=spent)
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        return UnmetWish, (self.message, self.limit, self.allowed, self.spent)


class Generated(Layout):
    """A layout that was made to order, and how; `grade` begins at its start.

    Attributes
    ----------
    start, rule
        The first dig that it was made for.
    seed : int
        `generate` with this seed and the same wishes makes it again.
    method : str
        ``"uniform"``: drawn by rejection, so that every layout that qualifies was equally likely.
        ``"walk"``: found by moving mines about, see `generate`; not uniform.
    tries : int
        How many layouts were looked at.
    """

    __slots__ = ("method", "rule", "seed", "start", "tries")

    start: Cell
    rule: StartRule
    seed: int
    method: str
    tries: int

    @classmethod
    def make(cls, topology: Topology, mined: bytes, **how: Any) -> Generated:
        """Return a layout together with what is known of how it was made."""
        layout = cls.from_bytes(topology, mined)
        assert isinstance(layout, Generated)
        for name in cls.__slots__:
            object.__setattr__(layout, name, how[name])
        return layout

    def __reduce__(self) -> tuple[object, ...]:
        how = {name: getattr(self, name) for name in Generated.__slots__}
        return _made_again, (self.topology, self.mined, how)


def _made_again(topology: Topology, mined: bytes, how: dict[str, Any]) -> Generated:
    return Generated.make(topology, mined, **how)


@dataclass(frozen=True)
class _Wish:
    board: Board
    start: Cell
    rule: StartRule
    no_guess: bool
    use_total: bool
    level: int
    method: str

    def made(
        self, seed: int, limits: Limits | None, look: Callable[[int], Any] | None = None
    ) -> Generated:
        if not self.no_guess and self.level < 0:
            layout = random_layout(self.board, start=self.start, rule=self.rule, seed=seed)
            return self._told(layout.mined, seed, "uniform", 1)
        budget, tried = Budget(limits), list[str]()
        spent = 0
        methods: tuple[str, ...] = (self.method,)
        if self.method == "auto":
            # Where every layout was drawn, a walk finds no other.
            methods = ("uniform",) if self._draws < self._most else ("uniform", "walk")
        for method in methods:
            work = self._drawn if method == "uniform" else self._walked
            spent = 0
            try:
                for mined, tries in work(seed, budget, look):
                    spent += tries
                    if mined:
                        return self._told(mined, seed, method, spent)
            except LimitExceeded as hit:
                raise self._unmet(
                    [*tried, f"{_TRIED[method]} at least {spent:,}", str(hit)], hit
                ) from None
            tried.append(f"{_TRIED[method]} {spent:,}")
        raise self._unmet(tried, LimitExceeded("layouts", allowed=spent, spent=spent))  # type: ignore[arg-type]

    @property
    def _most(self) -> int:
        """How many layouts to look at before it counts as hopeless."""
        cells, layouts = _HOPELESS if self.level < 0 else _HOPELESS_GRADED
        return max(1, min(cells // len(self.board.topology), layouts))

    @property
    def _draws(self) -> int:
        """How many layouts to draw at most: fewer where there are few."""
        topology = self.board.topology
        if len(topology) > _SMALL:
            return self._most
        kept = len(kept_free(topology, self.start, self.rule))
        return min(self._most, _EACH * comb(len(topology) - kept, self.board.mines))

    def _asking(self, core: Callable[..., tuple[bytes, int]]) -> Callable[..., tuple[bytes, int]]:
        topology = self.board.topology
        return partial(
            core,
            field=topology.adjacency,
            mines=self.board.mines,
            start=topology.index(self.start),
            kept_free=kept_free(topology, self.start, self.rule),
            use_total=self.use_total,
            level=self.level,
        )

    def _drawn(
        self, seed: int, budget: Budget, look: Callable[[int], Any] | None
    ) -> Iterator[tuple[bytes, int]]:
        # In pieces, so that one can tell how many were tried when a limit is hit.
        most, first = self._draws, 0
        each = max(1, most // 20)
        draw = partial(self._asking(draw_board), no_guess=self.no_guess, seed=seed)
        while first < most:
            with budget.step() as left:
                piece = min(each, most - first)
                yield draw(first=first, tries=piece, run=run_under(left, look))
            first += piece
            budget.spend(nodes=piece)

    def _walked(
        self, seed: int, budget: Budget, look: Callable[[int], Any] | None
    ) -> Iterator[tuple[bytes, int]]:
        with budget.step() as left:
            walk = self._asking(walk_to_board)
            yield walk(seed=seed, tries=self._most, run=run_under(left, look))

    def _told(self, mined: bytes, seed: int, method: str, tries: int) -> Generated:
        return Generated.make(
            self.board.topology,
            mined,
            start=self.start,
            rule=self.rule,
            seed=seed,
            method=method,
            tries=tries,
        )

    def _unmet(self, tried: list[str], hit: LimitExceeded) -> UnmetWish:
        wish = ["can be finished without a guess"] * self.no_guess
        wish += [f"is {LEVELS[self.level]}"] * (self.level >= 0)
        return UnmetWish(
            f"{self.board}, start {quoted(self.start)}, rule {self.rule!r}: no layout was found"
            f" that {' and '.join(wish)}; {'; '.join(tried)}",
            hit.limit,
            hit.allowed,
            hit.spent,
        )


_TRIED: Final = {"uniform": "layouts drawn:", "walk": "layouts on a walk:"}


def _wish(
    board: str | Board,
    start: Cell | None,
    rule: StartRule,
    no_guess: bool,
    use_total: bool,
    grade: Level | None,
    method: str,
) -> _Wish:
    wanted = board_named(board)
    if not len(wanted.topology):
        raise GameError("there is nothing to dig on a field without cells")
    first = first_dig(wanted, rule) if start is None else start
    # Fails early, with its own words, if the mines have no room.
    random_layout(wanted, start=first, rule=rule, seed=0)
    if method not in METHODS:
        raise GameError(f"a method is {', '.join(METHODS)}, not {quoted(method)}")
    if method == "walk" and not no_guess:
        raise GameError("a walk leads to boards that need no guess, and only those")
    methods = "uniform" if method == "auto" and not no_guess else method
    level = -1 if grade is None else checked_level(grade)
    return _Wish(wanted, first, rule, bool(no_guess), bool(use_total), level, methods)


def generate(
    board: str | Board,
    *,
    start: Cell | None = None,
    rule: StartRule = "zero",
    no_guess: bool = True,
    use_total: bool = True,
    grade: Level | None = None,
    method: str = "auto",
    seed: int | None = None,
    limits: Limits | None = None,
) -> Generated:
    """Make a layout, uniformly among all that qualify.

    Layouts are drawn uniformly under the start rule until one qualifies. Whether it can be
    finished without a guess is decided by complete logic: it fails only where no player could be
    certain of a safe cell.

    Parameters
    ----------
    board : str or Board
        The field and the number of mines.
    start : cell, optional
        The first dig; where the built-in strategies begin if not given, see `first_dig`.
    rule : str
        ``"any"``, ``"safe"`` or ``"zero"``; see `sapper.game.StartRule`.
    no_guess : bool
        Only layouts that certainty alone finishes. If false, any layout: `random_layout` of the
        same seed.
    use_total : bool
        Whether certainty may use the number of mines.
    grade : str, optional
        Only layouts of this `Level`.
    method : str
        ``"uniform"`` draws layouts until one qualifies. ``"walk"`` begins anywhere, moves mines
        from where certainty stops until it reaches the end, and then moves mines at random, twenty
        times for each mine, as long as the layout still qualifies. It reaches boards that are
        hopeless to draw, but not all with the same chance. ``"auto"`` walks after some seconds of
        drawing; `Generated.method` tells.
    seed : int, optional
        Decides the layout, on every machine; a fresh one if not given. `Generated.seed` tells it.
    limits : Limits, optional
        What it may cost; every layout that is looked at is a node at least.

    Raises
    ------
    GameError
        If there is no such board or rule, or the mines have no room.
    UnmetWish
        If no layout was found within the limits, or within some seconds if there are none. The
        message tells what was tried.

    Examples
    --------
    >>> layout = generate("expert", start=(3, 3), seed=7)
    >>> len(layout.mines), layout.method, layout.tries
    (99, 'uniform', 2)
    """
    return _wish(board, start, rule, no_guess, use_total, grade, method).made(
        checked_seed(seed), limits
    )


def generate_many(
    board: str | Board,
    number: int,
    *,
    start: Cell | None = None,
    rule: StartRule = "zero",
    no_guess: bool = True,
    use_total: bool = True,
    grade: Level | None = None,
    method: str = "auto",
    seed: int | None = None,
    workers: int = 1,
    limits: Limits | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Iterator[Generated]:
    """Make many layouts, one after the other as they are asked for.

    Layout i is that of `generate` with the seed ``seed_of(seed, i)``, whatever the number of
    workers.

    Parameters
    ----------
    board, start, rule, no_guess, use_total, grade, method
        As in `generate`.
    number : int
        How many.
    seed : int, optional
        Decides all of them.
    workers : int
        Threads that work; the core keeps as many processors busy.
    limits : Limits, optional
        What each may cost.
    progress : callable, optional
        Called with the number of layouts made so far.

    Raises
    ------
    GameError, UnmetWish
        As `generate` does.

    Examples
    --------
    >>> boards = list(generate_many("beginner", 3, seed=1))
    >>> boards[2] == generate("beginner", seed=boards[2].seed)
    True
    """
    if as_int(workers) < 1 or as_int(number) < 0:
        raise GameError("the number must not be negative, and there must be a worker")
    wish = _wish(board, start, rule, no_guess, use_total, grade, method)
    return _stream(wish, number, checked_seed(seed), workers, limits, progress)


def _stream(
    wish: _Wish,
    number: int,
    seed: int,
    workers: int,
    limits: Limits | None,
    progress: Callable[[int], Any] | None,
) -> Iterator[Generated]:
    if workers == 1:
        for i in range(number):
            yield wish.made(seed_of(seed, i), limits)
            if progress is not None:
                progress(i + 1)
        return
    stopped = Event()

    def look(_: int) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt

    seeds = (seed_of(seed, i) for i in range(number))
    made = in_order(lambda own: wish.made(own, limits, look), seeds, workers, stop=stopped.set)
    with closing(made):
        for i, layout in enumerate(made):
            yield layout
            if progress is not None:
                progress(i + 1)
