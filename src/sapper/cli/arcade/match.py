"""A game with what a player wants besides the rules: a clock, hints, reasons, odds, hindsight."""

from __future__ import annotations

import time
from typing import Final

from sapper.analysis import Analysis, Explanation, analyze, explain
from sapper.answers import cell_name
from sapper.errors import GameError, LimitExceeded
from sapper.field import Cell
from sapper.game import Board, Game, StartRule, new_game
from sapper.limits import Budget, Limits
from sapper.play import UnmetWish, generate
from sapper.render import precise

__all__ = ["Match"]

_PATIENCE: Final = Limits(seconds=3, bytes=1 << 30)
# For what may be left undone.
_HASTE: Final = Limits(seconds=0.5, bytes=1 << 30)


def _elsewhere(error: GameError) -> str:
    return f"{error}. Dig somewhere else."


class Match:
    """A game as it is played by somebody who may ask.

    Parameters
    ----------
    board : Board
        What is played on.
    rule : str
        The start rule.
    seed : int
        Decides where the mines of the first game are; the next game has the next seed.
    no_guess : bool
        Whether the mines are placed so that certainty alone finishes the game.
    """

    def __init__(self, board: Board, rule: StartRule, seed: int, *, no_guess: bool = False) -> None:
        self.board, self.rule, self.seed, self.no_guess = board, rule, seed, no_guess
        self.game: Game
        self.hints = self.undone = 0
        self.restart(seed)

    def restart(self, seed: int) -> None:
        """Begin a new game."""
        self.seed = seed
        self.game = new_game(self.board, rule=self.rule, seed=seed)
        self.hints = self.undone = 0
        self._began: float | None = None
        self._ended: float | None = None
        self._seen: tuple[object, Analysis] | None = None

    @property
    def over(self) -> bool:
        """Whether the game is won or lost."""
        return self.game.status != "playing"

    @property
    def seconds(self) -> float:
        """How long the game has taken, from the first dig to the end."""
        if self._began is None:
            return 0.0
        return (self._ended or time.monotonic()) - self._began

    @property
    def analysis(self) -> Analysis:
        """What is known of the position as it stands."""
        position = self.game.position
        if self._seen is None or self._seen[0] != position:
            self._seen = position, analyze(position, limits=_PATIENCE)
        return self._seen[1]

    def dig(self, cell: Cell) -> str:
        """Dig a covered cell, or chord at a number; return what there is to say about it."""
        game = self.game
        if self.over:
            return ""
        before = None if game.layout is None else self.analysis
        if self.no_guess and game.layout is None:
            try:
                game = self._without_guesses(cell)
            except UnmetWish:
                return "No board without guesses was found for this start. Dig somewhere else."
            except GameError as error:
                return _elsewhere(error)
        if game.position[cell] == "?":
            try:
                game.dig(cell)
            except GameError as error:  # the start rule leaves too little room around this cell
                return _elsewhere(error)
        else:
            game.chord(cell)
        if self._began is None:
            self._began = time.monotonic()
        return self._ending(before)

    def _without_guesses(self, start: Cell) -> Game:
        """Begin on a board that never needs a guess, with the flags that stand already."""
        layout = generate(self.board, start=start, rule=self.rule, seed=self.seed, limits=_PATIENCE)
        made = Game(layout)
        for cell in self.game.flagged:
            made.flag(cell)
        self.game = made
        return made

    def _ending(self, before: Analysis | None) -> str:
        """Say how the game ended, if it has."""
        game = self.game
        if game.status == "playing":
            return ""
        self._ended = time.monotonic()
        if game.status == "won":
            helped = [f"{self.hints} hints"] * bool(self.hints)
            helped += [f"{self.undone} undone"] * bool(self.undone)
            return f"Won in {self.seconds:.1f} s{' with ' if helped else ''}{', '.join(helped)}."
        return self._hindsight(before)

    def _hindsight(self, before: Analysis | None) -> str:
        """Say whether a loss could have been avoided."""
        if before is None:
            return "A mine at the first dig: bad luck. U takes it back."
        try:
            if before.safe:
                cell = cell_name(min(before.safe, key=self.board.topology.index))
                return f"A mine. {cell} was safe. U takes the dig back, ? finds one, W says why."
            dug = max(before.probabilities.get(cell, 0.0) for cell in self.game.exploded)
            best = before.best[0]
            least = before.probabilities[best]
        except LimitExceeded:
            return "A mine. U takes the dig back."
        if dug > least:
            return (
                f"A mine, with a chance of {precise(dug)}. Nothing was certain, but "
                f"{cell_name(best)} was a mine only with {precise(least)}. U takes the dig back."
            )
        return f"A mine, with a chance of {precise(dug)}. No dig was safer: bad luck. U goes on."

    def flag(self, cell: Cell) -> None:
        """Put a flag or take it away."""
        if not self.over:
            self.game.flag(cell)

    def undo(self) -> str:
        """Take the last move back."""
        if not self.game.moves:
            return "There is nothing to take back."
        move = self.game.undo()
        self._ended = None
        self.undone += move.kind != "flag"
        return f"Taken back: {move.kind} at {cell_name(move.cell)}."

    def hint(self) -> tuple[Cell | None, str]:
        """Return a good cell to dig, and why."""
        if self.over:
            return None, "The game is over. N begins another."
        self.hints += 1
        if self.game.layout is None:
            return None, "Dig anywhere to begin."
        try:
            analysis = self.analysis
            if not analysis.best:
                return None, "Nothing is left to dig."
            if analysis.safe:
                cell = self._easiest(analysis)
                return cell, f"{cell_name(cell)} is safe. W says why."
            cell = analysis.best[0]
            chance = precise(analysis.probabilities[cell])
        except LimitExceeded as error:
            return None, f"Too hard to say: {error}."
        return cell, f"Nothing is certain. {cell_name(cell)} is least likely a mine: {chance}."

    def _easiest(self, analysis: Analysis) -> Cell:
        """Return a safe cell with a short reason, the mine total only if numbers say nothing."""
        position, order = self.game.position, self.board.topology.index
        numbers = position.with_mines(None)
        cells = sorted(analyze(numbers, limits=_PATIENCE).safe or analysis.safe, key=order)
        budget = Budget(_HASTE)
        best, least = cells[0], 0
        try:
            for cell in cells:
                with budget.step() as left:
                    size = len(explain(position, cell, smallest=True, limits=left).clues)
                if not least or size < least:
                    best, least = cell, size
                if least <= 2:
                    break
        except LimitExceeded:
            pass  # the easiest so far will do
        return best

    def _reason(self, cell: Cell) -> Explanation:
        try:
            return explain(self.game.position, cell, smallest=True, limits=_HASTE)
        except LimitExceeded:
            return explain(self.game.position, cell, limits=_PATIENCE)

    def why(self, cell: Cell) -> tuple[frozenset[Cell], str]:
        """Return the numbers that decide a covered cell, and the reason in words."""
        nothing: frozenset[Cell] = frozenset()
        if self.over:
            return nothing, "The game is over. U takes the last dig back."
        if self.game.layout is None:
            return nothing, "Nothing is known before the first dig."
        if self.game.position[cell] != "?":
            return nothing, f"{cell_name(cell)} is uncovered. Go to a covered cell and ask again."
        try:
            found = self._reason(cell)
        except LimitExceeded as error:
            return nothing, f"Too hard to say: {error}."
        return frozenset(clue.cell for clue in found.clues if clue.cell is not None), found.text

    def odds(self) -> dict[Cell, float]:
        """Return how likely each covered cell is a mine, exactly 0 or 1 only if it is certain."""
        if self.over or self.game.layout is None:
            return {}
        try:
            return dict(self.analysis.probabilities)
        except LimitExceeded:
            certain = {"safe": 0.0, "mine": 1.0}
            verdicts = self.analysis.verdicts
            return {cell: certain[v] for cell, v in verdicts.items() if v in certain}
