"""Puzzles of one position: one covered cell is certainly safe; which, and why, is to be found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from random import Random

from sapper.analysis import Explanation, Session, analyze, explain
from sapper.errors import GameError, LimitExceeded
from sapper.field import Cell, Position
from sapper.game import (
    Board,
    Game,
    Layout,
    StartRule,
    board_named,
    checked_seed,
    random_layout,
    seed_of,
)
from sapper.limits import Budget, Limits
from sapper.play.generate import UnmetWish
from sapper.play.grade import Level, checked_level, level_of
from sapper.play.strategies import first_dig

__all__ = ["OneSafeCell", "puzzle"]

# For each level, the k with which k-set search proves what is easier, or much of it.
_EASIER = (0, 1, 2, 3, 3)
# Positions looked at before it counts as hopeless: seconds on a board of Expert, not minutes.
_MOST = 20_000


@dataclass(frozen=True, slots=True)
class OneSafeCell:
    """A position in which one covered cell is certainly safe, and only one.

    Frozen: threads can share one.

    Attributes
    ----------
    position : Position
        What is shown. Every certain mine is marked, so that nothing but the cell is to be found.
    cell : cell
        The answer.
    proof : Explanation
        Why: a smallest core.
    level : str
        How hard it is, by the numbers that the proof takes; see `Level`.
    layout : Layout
        The board that it comes from.
    seed : int
        `puzzle` with this seed and the same wishes makes it again.
    """

    position: Position
    cell: Cell
    proof: Explanation
    level: Level
    layout: Layout
    seed: int

    @property
    def size(self) -> int:
        """How many numbers the proof takes, the number of mines included if it does."""
        return len(self.proof.clues)


def puzzle(
    board: str | Board = "intermediate",
    *,
    level: Level | None = None,
    use_total: bool = False,
    seed: int | None = None,
    limits: Limits | None = None,
) -> OneSafeCell:
    """Make a puzzle: one safe cell, prove it.

    Games are played by certainty, one safe cell after the other in any order, until only one is
    left. Puzzles that are easy to meet in such games are met more often; nothing else is promised
    of how likely each is.

    Parameters
    ----------
    board : str or Board
        The field and the number of mines.
    level : str, optional
        How hard it should be. Without one, anything but trivial.
    use_total : bool
        Whether the position tells the number of mines, and it may be needed.
    seed : int, optional
        Decides the puzzle; a fresh one if not given.
    limits : Limits, optional
        What it may cost; every position that is looked at is a node at least.

    Raises
    ------
    GameError
        If there is no such board or level.
    UnmetWish
        If none was found within the limits, or in some seconds if there are none. The message
        tells how many positions were looked at.

    Examples
    --------
    >>> made = puzzle("beginner", seed=4)
    >>> made.size, made.level, made.cell
    (2, 'easy', (2, 4))
    >>> analyze(made.position).safe == {made.cell}
    True
    """
    wanted = board_named(board)
    k = 0 if level is None else _EASIER[checked_level(level)]
    number, budget, seen = checked_seed(seed), Budget(limits), 0
    hit = LimitExceeded("nodes", allowed=_MOST, spent=_MOST)
    try:
        for layout, position in _positions(wanted, number, k, bool(use_total), budget):
            seen += 1
            if position is None:
                continue
            proof = _proof(position, budget)
            found = level_of(len(proof.clues), uses_total=proof.total is not None)
            if found == level or (level is None and found != "trivial"):
                return OneSafeCell(position, proof.cell, proof, found, layout, number)
        why = "that is hopeless"
    except LimitExceeded as error:
        hit, why = error, str(error)
    raise UnmetWish(
        f"{wanted}: no {level or 'such'} position with one safe cell was found; positions looked"
        f" at: {seen:,}; {why}",
        hit.limit,
        hit.allowed,
        hit.spent,
    )


def _positions(
    board: Board, seed: int, k: int, use_total: bool, budget: Budget
) -> Iterator[tuple[Layout, Position | None]]:
    """Yield what games by certainty look like; None where not just one cell is safe.

    Cells that k-set search proves are dug at once, others one by one; k = 0: all one by one.
    """
    rng, left = Random(seed), _MOST
    rule = _rule(board)
    start = first_dig(board, rule)
    for attempt in count():
        layout = random_layout(board, start=start, rule=rule, seed=seed_of(seed, attempt))
        game = Game(layout)
        session = Session(layout.position([], total=use_total), limits=budget.left())
        opened = game.dig(start)
        while True:
            left -= 1
            if left < 0:
                return
            budget.look(nodes=1)
            if game.status != "playing":
                yield layout, None
                break
            labels = game.position
            session.update({cell: labels[cell] for cell in opened})
            known = session.analyze()
            safe = known.safe
            position = _marked(session.position, known.mines)
            yield layout, position if len(safe) == 1 else None
            if not safe:
                break
            chosen = [rng.choice(sorted(safe, key=board.topology.index))]
            if k and len(safe) > 1:
                # What is too easy is out of the way at once.
                with budget.step() as limits:
                    quick = analyze(position.with_mines(None), method="kset", k=k, limits=limits)
                chosen = list(quick.safe) or chosen
            opened = frozenset().union(
                *(game.dig(cell) for cell in chosen if game.status == "playing")
            )


def _rule(board: Board) -> StartRule:
    """Return the kindest start rule that leaves room for the mines."""
    for rule in ("zero", "safe"):
        try:
            random_layout(board, start=first_dig(board, rule), rule=rule, seed=0)
        except GameError:
            continue
        return rule
    raise GameError(f"{board}: there is nothing to dig but mines")


def _marked(position: Position, mines: Iterable[Cell]) -> Position:
    for cell in mines:
        position = position.with_label(cell, "*")
    return position


def _proof(position: Position, budget: Budget) -> Explanation:
    with budget.step() as limits:
        (cell,) = analyze(position, limits=limits).safe
    with budget.step() as limits:
        return explain(position, cell, smallest=True, limits=limits)
