"""`sapper review`: a played game, move by move."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer

from sapper.cli.options import taking
from sapper.cli.patience import Patience
from sapper.cli.screen import BAD, GOOD, Screen, emit
from sapper.cli.task import Task, UsageError
from sapper.errors import GameError, LimitExceeded, quoted
from sapper.render import plural, precise, save

if TYPE_CHECKING:
    from fractions import Fraction

    from sapper.formats import Reading
    from sapper.game import Game, StartRule
    from sapper.play import Review, ReviewedMove

_QUIET: Final = ("safe", "flag")
_WORDS: Final = {
    "safe": "certain",
    "guess": "a guess, nothing was certain",
    "mistake": "a mistake, other cells were certain",
    "flag": "a flag",
    "doubtful flag": "a flag that was not certain",
    "wrong flag": "a flag on a cell that was certainly safe",
}


def _review(
    task: Task,
    rule: Annotated[
        str | None,
        typer.Option(
            metavar="R",
            help="The start rule that was played: any, safe or zero. Records of our own games know"
            " theirs; other programs' replays are taken as safe.",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Tell of certain moves too, not only of risks.")
    ] = False,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw it: as SVG, or HTML if the name says so."),
    ] = None,
) -> None:
    """Go through a played game: what was certain, what was risked, how lucky it was.

    Reads replays of Arbiter, Viennasweeper, Metasweeper and Clone (AVF, RMV, EVF, MVF), RAWVF,
    and records of our own games. At each dig it tells the chance of surviving it and that of the
    best dig; the luck of a game is the chance of surviving all of them. --seconds bounds the whole.

    For example:
      sapper review game.avf
      sapper review game.rmv --all --svg game.svg
      sapper review record.json --json
    """
    from sapper import answers, play

    found = task.reading
    game = _game(found)
    chosen = _rule(rule, found, game)
    began = perf_counter()

    def progress(done: int) -> None:
        spent = perf_counter() - began
        if task.seconds is not None and spent > task.seconds:
            raise LimitExceeded("seconds", allowed=task.seconds, spent=spent)

    with Patience("reviewing") as patience:
        reviewed = play.review(game, rule=chosen, limits=task.limits, progress=progress)
    if svg is not None:
        save(reviewed, svg)
    if task.json:
        told = game.rule or chosen
        emit(answers.review(reviewed, format=found.format, rule=told, seconds=patience.seconds))
    else:
        _show(task, reviewed, every)


review = taking(Task, _review, without=("mines", "topology", "method", "threads"))


def _game(found: Reading) -> Game:
    try:
        return found.game
    except GameError as error:
        raise UsageError(f"nothing to review: {error}") from None


def _rule(rule: str | None, found: Reading, game: Game) -> StartRule | None:
    from sapper.game import START_RULES

    if rule is not None and rule not in START_RULES:
        raise UsageError(f"--rule: {', '.join(START_RULES)}, not {quoted(rule)}")
    if rule is not None and game.rule not in (None, rule):
        raise UsageError(f"--rule: this record says {game.rule}")
    other = None if found.format == "json" else "safe"
    return cast("StartRule | None", rule or game.rule or other)


def _show(task: Task, found: Review, every: bool) -> None:
    screen, metrics = task.screen, found.metrics
    position = found.position
    mines = plural(position.mines or 0, "mine")
    title = f"{task.source}: {str(position.topology).removeprefix('a ')}, {mines}"
    screen.say(f"{title}, {plural(found.clicks, 'move')}", "bold")
    shown = [
        (number, move)
        for number, move in enumerate(found.moves, start=1)
        if every or move.judgement not in _QUIET
    ]
    if shown:
        screen.say()
    _table(screen, shown)
    screen.say()
    screen.say(found.status, {"won": GOOD, "lost": BAD}.get(found.status, ""))
    guesses = f"{found.guesses} guess{'' if found.guesses == 1 else 'es'}"
    screen.say(
        f"luck {_luck(found.luck)}: {guesses}, {plural(found.mistakes, 'mistake')};"
        f" the best digs were safer by {_percent(found.regret)} in all",
        hang=2,
    )
    if metrics is not None:
        screen.say(f"3BV {found.solved} of {metrics.three_bv}, efficiency {found.efficiency:.2f}")


def _table(screen: Screen, shown: list[tuple[int, ReviewedMove]]) -> None:
    from sapper.answers import cell_name

    headings = ["move", "what", "survival", "best", "judgement"]
    rows = []
    for number, done in shown:
        flag = done.move.kind == "flag"
        best = ""
        if done.best is not None and done.regret:
            best = f"{_luck(done.best_survival)} at {cell_name(done.best)}"
        what = f"{done.move.kind} {cell_name(done.move.cell)}"
        chance = "" if flag else _luck(done.survival)
        rows.append([f"{number:,}", what, chance, best, _WORDS[done.judgement]])
    if not rows:
        return
    if screen.is_terminal:
        screen.table(headings, rows, right=["move", "survival"])
        return
    widths = [max(len(row[at]) for row in [headings, *rows]) for at in range(len(headings))]
    for row in [headings, *rows]:
        cells = [
            text.rjust(wide) if at in (0, 2) else text.ljust(wide)
            for at, (text, wide) in enumerate(zip(row, widths, strict=True))
        ]
        screen.say("  ".join(cells).rstrip())


def _luck(chance: Fraction) -> str:
    """Return a chance of survival; what is certain looks so, and nothing else does."""
    return "100%" if chance == 1 else "0%" if chance == 0 else precise(chance)


def _percent(regret: Fraction) -> str:
    return f"{float(100 * regret):.1f}%"
