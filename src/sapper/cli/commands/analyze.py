"""`sapper analyze`: the board with verdicts and probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from sapper import analysis, answers
from sapper.cli.patience import Patience
from sapper.cli.screen import BAD, emit
from sapper.cli.show import cells, problems
from sapper.cli.task import Task, UsageError, question
from sapper.errors import SapperError, TooWide
from sapper.field import Position
from sapper.render import Board, Scene, has_rows, precise, save

if TYPE_CHECKING:
    from fractions import Fraction

    from sapper.field import Cell

_LISTED: Final = 8
_LEAST_ROWS: Final = 50
_FRACTIONS: Final = 20


@question
def analyze(
    task: Task,
    exact: Annotated[bool, typer.Option("--exact", help="Also exact fractions.")] = False,
    around: Annotated[
        str | None,
        typer.Option(metavar="ROW,COL", help="Which part of a large board to show."),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the board, as SVG or HTML.")
    ] = None,
) -> None:
    """Show what is certain, what is likely, and where to dig.

    A tick marks a safe cell and a cross a mine; every other covered cell shows how
    likely it is a mine, as a letter for ten percent where the board is too wide for more.
    What is not certain never shows as 0% or 100%.

    If a limit ends the count, the verdicts found before are shown, and the exit code is 3.

    For example:
      sapper analyze examples/expert.txt
      sapper analyze board.txt --mines 99 --topology torus
      sapper analyze board.txt --json | jq .best
      sapper analyze board.txt --svg board.svg
    """
    puzzle = task.puzzle
    centre = None if around is None else _centre(task, around)
    with Patience("analysing") as patience:
        found = analysis.analyze(puzzle, method=task.solver(patience), limits=task.limits)
        scene = Scene(puzzle, found)
        known = scene.known
        assert known is not None
        known.ask(exact=exact)
    if svg is not None:
        save(found, svg)
    if task.json:
        emit(answers.analysis(known, seconds=patience.seconds, exact=exact))
    else:
        _show(task, scene, centre)
        if exact:
            _fractions(task, known)
    if known.limit is not None:
        raise known.limit


def _centre(task: Task, around: str) -> int:
    """Return the index of the cell to show."""
    puzzle = task.puzzle
    if not isinstance(puzzle, Position) or not has_rows(puzzle):
        raise UsageError("--around: only boards with rows have parts to choose from")
    try:
        return puzzle.topology.index(answers.cell_named(puzzle, around))
    except SapperError as error:
        raise UsageError(f"--around: {error}") from None


def _show(task: Task, scene: Scene, centre: int | None) -> None:
    screen = task.screen
    screen.say(f"{task.source}: {scene.title}", "bold")
    if not has_rows(scene.puzzle):
        cells(screen, scene)
        _summary(task, scene)
        return
    # A pipe gets the whole board, unless a part is asked for.
    part = screen.is_terminal or centre is not None
    board = Board(
        scene,
        width=screen.console.width if part else None,
        rows=max(_LEAST_ROWS, screen.console.height - 8) if part else None,
        colour=screen.has_colour,
        glyphs=screen.glyphs,
        around=centre,
    )
    screen.draw(board.lines())
    if board.cropped:
        rows, columns = board.rows, board.columns
        screen.say(
            f"rows {rows[0]}–{rows[-1]} and columns {columns[0]}–{columns[-1]} of"
            f" {board.height:,} × {board.width:,}; --around ROW,COL shows another part",
            "dim",
        )
    screen.say()
    if legend := board.legend():
        screen.draw(screen.folded(legend))
    _summary(task, scene)


def _summary(task: Task, scene: Scene) -> None:
    screen, known = task.screen, scene.known
    assert known is not None
    if scene.consistent is False:
        screen.say(scene.finding, BAD)
        problems(task)
        return
    screen.say(scene.finding)
    if known.missing:
        missing = " or ".join(name for name in known.missing if name not in ("consistent", "exact"))
        why = f"the method {known.analysis.method!r} gives none"
        if known.limit is not None:
            why = "the limit was hit before; allow more, or ask 'sapper estimate' what it takes"
        elif too_wide := [e for e in known.missing.values() if isinstance(e, TooWide)]:
            why = str(too_wide[0])
        screen.say(f"no {missing}: {why}", "dim", hang=2)
    safe = [cell for cell, verdict in scene.verdicts.items() if verdict == "safe"]
    if safe:
        screen.say(f"safe to dig: {_some(safe)}", "bold", hang=13)
    elif scene.best:
        chance = precise(scene.chances[scene.best[0]])
        words = f"nothing is safe; best guess, a mine with {chance}: {_some(scene.best)}"
        screen.say(words, "bold", hang=2)


def _some(shown: tuple[Cell, ...] | list[Cell]) -> str:
    names = "  ".join(answers.cell_name(cell) for cell in shown[:_LISTED])
    more = len(shown) - _LISTED
    return f"{names}  and {more:,} more" if more > 0 else names


def _fractions(task: Task, known: answers.Known) -> None:
    """Print the exact probabilities, those of equal cells in one line."""
    by_chance: dict[Fraction, list[str]] = {}
    for cell, verdict in known.verdicts.items():
        if verdict == "unknown" and cell in known.fractions:
            by_chance.setdefault(known.fractions[cell], []).append(answers.cell_name(cell))
    screen = task.screen
    chances = sorted(by_chance)
    shown = chances[:_FRACTIONS] if screen.is_terminal else chances
    for chance in shown:
        screen.say(f"{chance}: {'  '.join(by_chance[chance])}", hang=2)
    if len(shown) < len(chances):
        screen.say(f"… and {len(chances) - len(shown)} more fractions; --json lists all", "dim")
