"""A played game, move by move: what was certain, what was risked, how lucky it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any, Literal, TypeAlias

from sapper.analysis import Session, count
from sapper.errors import GameError, quoted
from sapper.field import Cell, Position
from sapper.game import Game, Layout, Move, StartRule, Status
from sapper.limits import Budget, Limits
from sapper.play.metrics import Metrics, metrics

__all__ = ["Judgement", "Review", "ReviewedMove", "review"]

Judgement: TypeAlias = Literal["safe", "guess", "mistake", "flag", "doubtful flag", "wrong flag"]
"""What can be said of a move.

``"safe"``: nothing was risked. ``"guess"``: something was, and no cell was certainly safe.
``"mistake"``: something was, although a cell was certainly safe. ``"flag"``: a flag on a certain
mine, or one that is taken away. ``"doubtful flag"``: on a cell that was not certain. ``"wrong
flag"``: on a cell that was certainly safe.
"""

_ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move and what could be known before it.

    Frozen: threads can share one.

    Attributes
    ----------
    move : Move
        What was done, and where.
    before : Position
        What was visible.
    dug : frozenset of cells
        The covered cells that the move dug by itself: one, or several with a chord.
    judgement : str
        See `Judgement`.
    survival : Fraction
        The chance that none of them is a mine, over all layouts that fit what was visible.
    best : cell or None
        A cell with the least chance of a mine; None for flags and for the first dig of a game whose
        mines are placed after it.
    best_survival : Fraction
        The chance of surviving a dig there.
    """

    move: Move
    before: Position
    dug: frozenset[Cell]
    judgement: Judgement
    survival: Fraction = _ONE
    best: Cell | None = None
    best_survival: Fraction = _ONE

    @property
    def regret(self) -> Fraction:
        """How much safer the best dig was; zero if there was none safer."""
        return max(self.best_survival - self.survival, Fraction(0))


@dataclass(frozen=True)
class Review:
    """What a game looks like with hindsight.

    Frozen: threads can share one.

    Attributes
    ----------
    moves : tuple of ReviewedMove
        All moves, in order.
    layout : Layout or None
        Where the mines are; None while nothing was dug.
    status : str
        How the game stands.
    position : Position
        What is visible in the end.
    """

    moves: tuple[ReviewedMove, ...]
    layout: Layout | None
    status: Status
    position: Position

    @cached_property
    def luck(self) -> Fraction:
        """The chance of surviving all digs that were made: the product of their chances.

        Exact, for each factor is the chance given everything that was visible before.
        """
        return prod((move.survival for move in self.moves), start=_ONE)

    @property
    def guesses(self) -> int:
        """Digs that were not certain where nothing was."""
        return sum(move.judgement == "guess" for move in self.moves)

    @property
    def mistakes(self) -> int:
        """Avoidable guesses: digs that were not certain although a cell was."""
        return sum(move.judgement == "mistake" for move in self.moves)

    @cached_property
    def regret(self) -> Fraction:
        """How much safer the best digs were, added up."""
        return sum((move.regret for move in self.moves), start=Fraction(0))

    @property
    def clicks(self) -> int:
        """How many moves there were, flags included."""
        return len(self.moves)

    @cached_property
    def metrics(self) -> Metrics | None:
        """What the board takes; None while there are no mines."""
        return None if self.layout is None else metrics(self.layout)

    @cached_property
    def solved(self) -> int:
        """How much of the 3BV was done."""
        if self.metrics is None:
            return 0
        return self.metrics.solved(self.position)

    @property
    def efficiency(self) -> float:
        """What was done of the 3BV for each click; above 1 only with chords."""
        return self.solved / self.clicks if self.clicks else 0.0


def review(
    game: Game | Mapping[str, Any],
    *,
    rule: StartRule | None = None,
    limits: Limits | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Review:
    """Go through a played game with everything that could be known at each move.

    Parameters
    ----------
    game : Game or its record
        The game, over or not.
    rule : str, optional
        The start rule of a game on a given layout, if there was one: ``"safe"`` and ``"zero"``
        make its first dig certain. Games of `new_game` know their own.
    limits : Limits, optional
        What the whole review may cost; the nodes are those of each position.
    progress : callable, optional
        Called with the number of moves reviewed so far.

    Raises
    ------
    GameError
        If it is neither a game nor a record of one.
    LimitExceeded
        If it takes more than the limits allow.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> game = Game(Layout(Grid(1, 5), mines={(0, 2)}))
    >>> for cell in [(0, 0), (0, 4)]:
    ...     _ = game.dig(cell)
    >>> found = review(game)
    >>> [(move.judgement, str(move.survival)) for move in found.moves]
    [('guess', '4/5'), ('safe', '1')]
    >>> found.status, found.luck, found.efficiency
    ('won', Fraction(4, 5), 1.0)
    """
    if isinstance(game, Mapping):
        game = Game.replay(dict(game))
    if not isinstance(game, Game):
        raise GameError(f"a review needs a Game or its record, not {quoted(game)}")
    moves = []
    budget = Budget(limits)
    for done in _reviewed(game, rule if game.rule is None else game.rule, budget):
        moves.append(done)
        budget.look()
        if progress is not None:
            progress(len(moves))
    return Review(tuple(moves), game.layout, game.status, game.position)


def _reviewed(game: Game, rule: StartRule | None, budget: Budget) -> Iterator[ReviewedMove]:
    if game.layout is None:
        # Nothing but flags on a board without mines: nothing is known of them.
        for move in game.moves:
            yield ReviewedMove(move, game.position, frozenset(), "flag")
        return
    again, topology = Game(game.layout), game.board.topology
    session = Session(again.position)
    begun = False
    for move in game.moves:
        session.limits = budget.left()
        before = again.position
        flagged = again.flagged
        opened = getattr(again, move.kind)(move.cell)
        if move.kind == "flag":
            yield _flag(session, move, before, gone=move.cell in flagged)
            continue
        around = [move.cell] if move.kind == "dig" else topology.neighbours(move.cell)
        dug = frozenset(c for c in around if c not in flagged and before.label(c) == "?")
        if not begun and rule in ("safe", "zero"):
            yield ReviewedMove(move, before, dug, "safe")
        else:
            yield _dig(session, move, before, dug, budget)
        begun = True
        labels = again.position
        if again.status != "lost":
            session.update({cell: labels[cell] for cell in opened})


def _flag(session: Session, move: Move, before: Position, *, gone: bool) -> ReviewedMove:
    verdict = "mine" if gone else session.analyze().verdicts[move.cell]
    judgement: Judgement = (
        "flag" if verdict == "mine" else "wrong flag" if verdict == "safe" else "doubtful flag"
    )
    return ReviewedMove(move, before, frozenset(), judgement)


def _dig(
    session: Session, move: Move, before: Position, dug: frozenset[Cell], budget: Budget
) -> ReviewedMove:
    analysis = session.analyze()
    safe = analysis.safe
    if dug <= safe:
        return ReviewedMove(move, before, dug, "safe", best=min(dug, key=before.topology.index))
    chances = analysis.exact_probabilities
    if len(dug) == 1:
        survival = 1 - chances[next(iter(dug))]
    else:
        free = before
        for cell in dug:
            free = free.with_label(cell, "_")
        survival = Fraction(count(free, limits=budget.left()), analysis.count)
    best = min(chances, key=lambda cell: (chances[cell], before.topology.index(cell)))
    judgement: Judgement = "mistake" if safe else "guess"
    return ReviewedMove(move, before, dug, judgement, survival, best, 1 - chances[best])
