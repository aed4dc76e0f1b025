"""`sapper generate`: boards made to order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sapper.cli.failures import complain, guarded
from sapper.cli.options import BoardName, Json, RuleName
from sapper.cli.screen import Screen, emit
from sapper.cli.task import Task, UsageError, start_cell
from sapper.errors import quoted

if TYPE_CHECKING:
    from sapper.formats import Format
    from sapper.game import Layout
    from sapper.play import Generated, Grade


def _formats() -> list[str]:
    from sapper.formats import FORMATS, WRITABLE

    return [name for name in WRITABLE if {"position", "layout"} & {*FORMATS[name].holds}]


def generate(
    board: BoardName = "beginner",
    rule: RuleName = "zero",
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="R,C", help="The first dig; a good one if not given."),
    ] = None,
    no_guess: Annotated[
        bool, typer.Option("--no-guess", help="Only boards that certainty alone finishes.")
    ] = False,
    total: Annotated[
        bool,
        typer.Option("--total/--no-total", help="Whether certainty may use the number of mines."),
    ] = True,
    grade: Annotated[
        str | None,
        typer.Option(
            "--grade",
            metavar="G",
            help="trivial, easy, tricky, hard or fiendish; such boards need no guess.",
        ),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", metavar="NAME", help="auto, uniform or walk.")
    ] = "auto",
    number: Annotated[
        int | None, typer.Option("-n", metavar="N", min=0, help="How many boards to make.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="The same seed, the same boards.")
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=1, help="Threads that work.")
    ] = 1,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="How to write them.", autocompletion=_formats),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="PATH", help="A file; with -n a directory, a file a board."
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Time to spend on a board at most.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory to use at most: 500M, 2G, …")
    ] = None,
    json: Json = False,
) -> None:
    """Make boards, if wanted such that never need a guess.

    Every board that qualifies is equally likely, unless a line on standard error says how else
    it was made. In a pipe each board is a line; on a terminal a single board is drawn. With -n
    the seeds of the boards follow from --seed; --json tells them, and each makes its board again.

    For example:
      sapper generate --board expert --no-guess
      sapper generate --board expert --no-guess -n 1000 --seed 7 > boards.txt
      sapper generate --board intermediate --grade hard
      sapper generate --board torus:20x20/60 --no-guess --to json
    """
    from sapper import answers, play
    from sapper.game import START_RULES, board_named

    with guarded():
        chosen = board_named(board)
        if rule not in START_RULES:
            raise UsageError(f"--rule: {', '.join(START_RULES)}, not {quoted(rule)}")
        if to is not None and to not in _formats():
            raise UsageError(f"--to: {', '.join(_formats())}, not {quoted(to)}")
        wishes: Any = {
            "start": None if start is None else start_cell(chosen, start),
            "rule": rule,
            "no_guess": no_guess or grade is not None,
            "grade": grade,
            "method": method,
            "use_total": total,
            "limits": Task(seconds=seconds, memory=memory).limits,
        }
        if number is None:
            made = iter([play.generate(chosen, seed=seed, **wishes)])
        else:
            made = play.generate_many(chosen, number, seed=seed, workers=workers, **wishes)
        made = _announced(made)
        if json:
            emit(answers.boards((layout, _graded(layout)) for layout in made))
        elif number is None and to is None and output is None and Screen().is_terminal:
            _show(next(made))
        else:
            _write(made, to, output, many=number is not None)


def _announced(made: Iterator[Generated]) -> Iterator[Generated]:
    """Say it once if boards are not as likely as each other."""
    said = False
    for layout in made:
        if layout.method != "uniform" and not said:
            said = True
            complain(
                "not drawn uniformly: mines were moved about until a board qualified, so some are"
                " likelier than others"
            )
        yield layout


def _graded(layout: Generated) -> Grade | None:
    from sapper import play

    return None if layout.start in layout.mines else play.grade(layout)


def _show(layout: Generated) -> None:
    """Draw a board for somebody who looks at it."""
    from sapper.answers import cell_name
    from sapper.cli.commands.grade import describe
    from sapper.cli.show import cells
    from sapper.render import Board, Scene, has_rows

    screen, position = Screen(), layout.position()
    scene = Scene(position, None)
    screen.say(str(layout.board), "bold")
    if has_rows(position):
        drawn = Board(scene, width=screen.width, colour=screen.has_colour, glyphs=screen.glyphs)
        screen.draw(drawn.lines())
    else:
        cells(screen, scene)
    found = _graded(layout)
    words = "the start is a mine" if found is None else describe(found)
    screen.say(f"{words}; start {cell_name(layout.start)}, seed {layout.seed}", "dim", hang=2)


def _write(made: Iterator[Generated], to: str | None, output: Path | None, *, many: bool) -> None:
    from sapper.formats import FORMATS, dump, encode, write

    if output is not None and not many:
        fitting = (row for row in FORMATS.values() if output.suffix.lower() in row.endings)
        row = next(fitting, None) if to is None else FORMATS[to]
        for layout in made:
            write(layout.position(), output, format=to, **_options(layout, row))
        return
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
    for place, layout in enumerate(made):
        form = _form(layout, to) if output is None else to or "text"
        row = FORMATS[form]
        options = _options(layout, row)
        if output is not None:
            ending = (*row.endings, ".txt")[0]
            data = encode(layout.position(), form, **options)
            (output / f"{place + 1:05}{ending}").write_bytes(data)
            continue
        text = dump(layout.position(), form, **options)
        # Boards of several lines need something between them.
        if place and text.count("\n") > 1:
            sys.stdout.write("\n")
        sys.stdout.write(text)
    sys.stdout.flush()


def _options(layout: Generated, row: Format | None) -> dict[str, Any]:
    return {"start": layout.start} if row is not None and "start" in row.options else {}


def _form(layout: Layout, to: str | None) -> str:
    return to or ("line" if len(layout.topology.shape) in (2, 3) else "json")
