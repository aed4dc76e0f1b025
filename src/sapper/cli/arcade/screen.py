"""The terminal game: one screen with the board, the clock and what there is to say."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.widgets import Footer, Static

from sapper.cli.arcade.match import Match
from sapper.cli.arcade.minefield import Minefield

__all__ = ["Arcade"]


class Arcade(App[None]):
    """The program: keys and clicks in, a match played on, words out."""

    TITLE = "sapper"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { background: #0d1117; }
    #bar { height: 1; background: #1b222b; color: #d7dee6; }
    #bar Static { width: 1fr; }
    #clock { text-align: center; }
    #board { text-align: right; }
    #table { height: 1fr; align: center middle; }
    Minefield { max-width: 100%; max-height: 100%; background: #0d1117; }
    #words { height: auto; max-height: 10; min-height: 3; margin: 0 1; color: #d7dee6; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(keys, f"step({down}, {right})", show=False)
            for keys, down, right in (
                ("up,k", -1, 0),
                ("down,j", 1, 0),
                ("left,h", 0, -1),
                ("right,l", 0, 1),
            )
        ),
        Binding("enter,space", "dig", "Dig/chord"),
        Binding("f,F", "flag", "Flag"),
        Binding("question_mark,t", "hint", "Hint", key_display="?"),
        Binding("w,W", "why", "Why"),
        Binding("o,O", "odds", "Odds"),
        Binding("u,U", "undo", "Undo"),
        Binding("n,N", "new", "New"),
        Binding("q,Q", "quit", "Quit"),
    ]

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        self.field = Minefield(match)
        self.showing_odds = False
        self.left, self.clock, self.words = Static(), Static(id="clock"), Static()

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        with Horizontal(id="bar"):
            yield self.left
            yield self.clock
            yield Static(f"{self.match.board} ", id="board")
        with Container(id="table"):
            yield self.field
        with VerticalScroll(id="words", can_focus=False):
            yield self.words
        yield Footer()

    def on_mount(self) -> None:
        """Begin."""
        self.field.focus()
        self.set_interval(0.2, self._tick)
        self._say("Arrows and Enter, or the mouse: left digs, right flags. Dig anywhere to begin.")
        self._tick()

    def _tick(self) -> None:
        game = self.match.game
        self.left.update(f" ⚑ {game.mines_left} left")
        shown = f"{self.match.seconds:.0f} s"
        if self.match.over:
            shown += f" · {game.status}"
        self.clock.update(shown)

    def _say(self, words: str) -> None:
        self.words.update(words)

    def _show(self, words: str = "") -> None:
        """Draw what has changed."""
        self.field.hint, self.field.clues = None, frozenset()
        self.field.odds = self.match.odds() if self.showing_odds else {}
        self.field.refresh()
        self._tick()
        self._say(words)

    def on_minefield_pressed(self, message: Minefield.Pressed) -> None:
        """Do what the mouse says."""
        if message.flag:
            self.match.flag(message.cell)
            self._show()
        else:
            self._show(self.match.dig(message.cell))

    def action_step(self, down: int, right: int) -> None:
        """Move the cursor."""
        self.field.step(down, right)

    def action_dig(self) -> None:
        """Dig, or chord at a number."""
        self._show(self.match.dig(self.field.at))

    def action_flag(self) -> None:
        """Put a flag, or take it away."""
        self.match.flag(self.field.at)
        self._show()

    def action_hint(self) -> None:
        """Show a good cell."""
        cell, words = self.match.hint()
        self._show(words)
        if cell is not None:
            self.field.hint = cell
            self.field.go(cell)

    def action_why(self) -> None:
        """Give the reason for the cell under the cursor."""
        clues, words = self.match.why(self.field.at)
        self._show(words)
        self.field.clues = clues

    def action_odds(self) -> None:
        """Show or hide how likely the mines are."""
        self.showing_odds = not self.showing_odds
        self._show("Odds in per cent; ✓ is safe, ✗ is a mine." if self.showing_odds else "")

    def action_undo(self) -> None:
        """Take the last move back, also the one that lost."""
        self._show(self.match.undo())

    def action_new(self) -> None:
        """Begin another game."""
        self.match.restart(self.match.seed + 1)
        self._show(f"A new game, seed {self.match.seed}.")
