"""`sapper analyze`: the board with verdicts and probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from sapper import answers
from sapper.cli.patience import Patience
from sapper.cli.screen import emit
from sapper.cli.task import Task, UsageError, question
from sapper.clues import Clues
from sapper.errors import SapperError

if TYPE_CHECKING:
    from sapper.render.scene import Scene

_LISTED: Final = 8
_LEAST_ROWS: Final = 50


@question
def analyze(
    task: Task,
    exact: Annotated[
        bool, typer.Option("--exact", help="With --json: also exact fractions as text.")
    ] = False,
    around: Annotated[
        str | None,
        typer.Option(metavar="ROW,COL", help="Which part of a large board to show."),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the board as an SVG picture.")
    ] = None,
) -> None:
    """Show what is certain, what is likely, and where to dig.

    A tick marks a safe cell and a cross a mine; every other covered cell shows how
    likely it is a mine. What is not certain never shows as 0% or 100%.

    For example:
      sapper analyze examples/expert.txt
      sapper analyze board.txt --mines 99 --topology torus
      sapper analyze board.txt --json | jq .best
      sapper analyze board.txt --svg board.svg
    """
    from sapper.analysis import Analysis
    from sapper.render.scene import Scene

    puzzle = task.puzzle
    with Patience("analysing") as patience:
        solver = task.solver(patience)
        scene = Scene(puzzle, Analysis(puzzle, solver.analyze(puzzle, task.limits), solver.name))
        known = scene.known
        assert known is not None
        known.ask(exact=exact)
    if svg is not None:
        from sapper.render.picture import draw

        svg.write_text(draw(scene), encoding="utf-8")
    if task.json:
        emit(answers.analysis(known, seconds=patience.seconds, exact=exact))
    else:
        _show(task, scene, around)
    if known.limit is not None:
        raise known.limit


def _show(task: Task, scene: Scene, around: str | None) -> None:
    from sapper.render.terminal import Board, has_rows

    screen, source = task.screen, task.source
    centre = None
    if around is not None:
        if not has_rows(scene.puzzle) or isinstance(scene.puzzle, Clues):
            raise UsageError("--around: only boards with rows have parts to choose from")
        try:
            centre = scene.puzzle.topology.index(answers.cell_named(scene.puzzle, around))
        except SapperError as error:
            raise UsageError(f"--around: {error}") from None
    screen.say(f"{source}: {scene.title}", "bold")
    if has_rows(scene.puzzle):
        board = Board(
            scene,
            width=screen.console.width if screen.is_terminal else None,
            rows=max(_LEAST_ROWS, screen.console.height - 8) if screen.is_terminal else None,
            colour=screen.has_colour,
            glyphs=screen.glyphs,
            around=centre,
        )
        screen.draw(board.lines())
        legend = board.legend()
        if board.cropped:
            rows, columns = board.rows, board.columns
            screen.say(
                f"rows {rows[0]}–{rows[-1]} and columns {columns[0]}–{columns[-1]} of"
                f" {board.height:,} × {board.width:,}; --around ROW,COL shows another part",
                "dim",
            )
        screen.say()
        if legend:
            screen.draw([legend])
    else:
        from sapper.cli.show import cells

        cells(screen, scene)
    _summary(task, scene)


def _summary(task: Task, scene: Scene) -> None:
    from sapper.render.palette import MINE, WHITE
    from sapper.render.wording import cell_name, precise

    screen = task.screen
    if scene.consistent is False:
        screen.say(scene.finding, f"bold {WHITE} on {MINE}")
        from sapper.cli.show import problems

        problems(task)
        return
    screen.say(scene.finding)
    safe = [cell for cell, verdict in scene.verdicts.items() if verdict == "safe"]
    if safe:
        screen.say(f"safe to dig: {_some([cell_name(cell) for cell in safe])}", "bold")
    elif scene.best:
        chance = precise(scene.chances[scene.best[0]])
        names = _some([cell_name(cell) for cell in scene.best])
        screen.say(f"nothing is safe; best guess, a mine with {chance}: {names}", "bold")


def _some(names: list[str]) -> str:
    more = len(names) - _LISTED
    shown = "  ".join(names[:_LISTED])
    return f"{shown}  and {more:,} more" if more > 0 else shown
