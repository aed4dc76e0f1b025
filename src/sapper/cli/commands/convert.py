"""`sapper convert`: the same puzzle in another format."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sapper.cli.failures import complain
from sapper.cli.screen import emit
from sapper.cli.task import Task, UsageError, question
from sapper.errors import quoted

if TYPE_CHECKING:
    from sapper.clues import Clues
    from sapper.field import Position

_PICTURES: Final = ("svg", "html")


def _formats() -> list[str]:
    from sapper.formats import WRITABLE

    return [*WRITABLE, *_PICTURES]


def _format(to: str | None, output: Path | None) -> str | None:
    """Return the name of the format that was asked for, if it is one of the table."""
    from sapper.formats import FORMATS

    if to is not None or output is None:
        return to
    ending = output.suffix.lower()
    return next((name for name, row in FORMATS.items() if ending in row.endings), None)


def _say_what_is_lost(puzzle: Position | Clues, *, total: bool) -> None:
    """Say on standard error what it takes to read a numpy file, which holds labels only."""
    from sapper.field import Position

    options = []
    if total and puzzle.mines is not None:
        options.append(f"--mines {puzzle.mines}")
    if isinstance(puzzle, Position) and puzzle.topology.name != "grid":
        options.append(f"--topology '{puzzle.topology.name}'")
    if options:
        complain(f"a numpy file holds labels only: read it with {' '.join(options)}")


@question
def convert(
    task: Task,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="text, json, tatham, mbf, dimacs, svg, …: any in the list of formats.",
            autocompletion=_formats,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Where to write; its name can tell the format."
        ),
    ] = None,
    total: Annotated[
        bool, typer.Option("--total/--no-total", help="Write the mine total, if there is one.")
    ] = True,
    encoding: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="For dimacs: auto, direct, counter or adder."),
    ] = None,
) -> None:
    """Write the same puzzle in another format.

    A file with a full board or a played game gives the full board where positions are written;
    formats of full boards take a position in which nothing is covered. A first dig is kept where
    the format has one.

    For example:
      sapper convert board.txt --to json
      sapper convert board.txt --to line
      sapper convert replay.avf --to tatham
      sapper convert board.txt --to dimacs --encoding adder > board.cnf
      sapper convert board.txt -o board.opb
      sapper convert board.txt --to svg > board.svg
    """
    from sapper.formats import FORMATS, dump, encode, write

    found = task.reading
    chosen = to
    options: dict[str, Any] = {} if encoding is None else {"encoding": encoding}
    row = FORMATS.get(_format(to, output) or "")
    if found.start is not None and row is not None and "start" in row.options:
        options["start"] = found.start
    if chosen is None and output is not None:
        suffix = output.suffix.lower().lstrip(".")
        chosen = suffix if suffix in _PICTURES else None
        if chosen is None:
            write(found.value, output, total=total, **options)
            if suffix == "npy":
                _say_what_is_lost(found.puzzle, total=total)
            return
    if chosen is None:
        if not task.json:
            raise UsageError(f"--to: say which format: {', '.join(_formats())}")
        chosen = "json"
    if chosen not in _formats():
        raise UsageError(f"--to: unknown format {quoted(chosen)}: use {', '.join(_formats())}")
    binary = chosen not in _PICTURES and FORMATS[chosen].binary
    if chosen in _PICTURES:
        from sapper import render

        draw = render.svg if chosen == "svg" else render.html
        data = (draw(found.puzzle) + "\n").encode("utf-8")
    else:
        data = encode(found.value, chosen, total=total, **options)
        if chosen == "numpy":
            _say_what_is_lost(found.puzzle, total=total)
    if output is not None:
        output.write_bytes(data)
    elif task.json and chosen != "json":
        from sapper import answers

        if chosen == "numpy":
            raise UsageError("a .npy file is bytes, not text: write it with -o FILE")
        text = dump(found.value, chosen, total=total) if binary else data.decode("utf-8")
        emit(answers.conversion(chosen, text))
    elif binary and sys.stdout.isatty():
        ending = FORMATS[chosen].endings[0]
        raise UsageError(f"a {ending} file is bytes, not text: write it with -o FILE, or to a pipe")
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
