"""What all commands share: the input, the method, the limits and the output."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sapper.cli.failures import complain
from sapper.cli.options import Json, taking
from sapper.cli.patience import Patience
from sapper.cli.screen import Screen
from sapper.errors import SapperError, quoted
from sapper.limits import Limits

if TYPE_CHECKING:
    from sapper.clues import Puzzle
    from sapper.field import Cell
    from sapper.formats import Reading
    from sapper.game import Board
    from sapper.questions import Method, Solutions

__all__ = ["Task", "UsageError", "counter", "is_keyboard", "memory_size", "question", "start_cell"]

_input = partial(typer.Option, rich_help_panel="Input")
_cost = partial(typer.Option, rich_help_panel="Limits")
_SIZE: Final = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(i?)b?\s*", re.IGNORECASE)
_UNITS: Final = " kmgt"


class UsageError(SapperError, ValueError):
    """An option that makes no sense."""


def _topologies() -> list[str]:
    from sapper.field import topology_names

    return topology_names()


def _formats() -> list[str]:
    from sapper.formats import READABLE

    return list(READABLE)


def _methods() -> list[str]:
    from sapper.analysis import names

    return list(names())


@dataclass(frozen=True, kw_only=True)
class Task:
    """A question put on the command line."""

    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            allow_dash=True,
            show_default=False,
            help="The puzzle; - for standard input, which a pipe is by itself.",
        ),
    ] = None
    mines: Annotated[
        int | None, _input(metavar="N", help="Number of mines in all, known ones included.")
    ] = None
    topology: Annotated[
        str | None,
        _input(
            metavar="NAME",
            help="grid, torus, hex, knight, box, or offsets such as '(1,2) (-1,-2)'.",
            autocompletion=_topologies,
        ),
    ] = None
    format: Annotated[
        str | None,
        _input(
            metavar="NAME",
            help="text, json, tatham, mine, …; recognised if not given.",
            autocompletion=_formats,
        ),
    ] = None
    method: Annotated[
        str,
        _cost(
            metavar="NAME",
            help="The algorithm, with its options if it has any: NAME:key=value,…",
            autocompletion=_methods,
        ),
    ] = "auto"
    seconds: Annotated[float | None, _cost(metavar="S", help="Time to spend at most.")] = None
    nodes: Annotated[int | None, _cost(metavar="N", help="Diagram nodes to make at most.")] = None
    memory: Annotated[
        str | None, _cost(metavar="SIZE", help="Memory to use at most: 500M, 2G, …")
    ] = None
    threads: Annotated[
        int, _cost(metavar="N", help="Threads of the engine, for boards that take long.")
    ] = 1
    json: Json = False

    @cached_property
    def path(self) -> str:
        """The file to read: what was named, or ``-`` if a pipe brings something."""
        if self.file is not None:
            return str(self.file)
        if is_keyboard():
            raise UsageError("FILE is missing: name a file, or - for standard input")
        return "-"

    @property
    def source(self) -> str:
        """The name of the input."""
        return "standard input" if self.path == "-" else self.path

    @cached_property
    def reading(self) -> Reading:
        """What was read; how, if people should know, is said on standard error."""
        from sapper.formats import examine_file

        return self._read(examine_file)[0]

    @cached_property
    def readings(self) -> list[Reading]:
        """The same of a file that may have a board in each line."""
        from sapper.formats import examine_boards

        return self._read(examine_boards)

    def _read(self, examine: Callable[..., Reading | list[Reading]]) -> list[Reading]:
        if self.path == "-" and is_keyboard():
            complain("reading the puzzle from the keyboard; Ctrl-D on a new line ends it")
        found = examine(self.path, format=self.format, mines=self.mines, topology=self.topology)
        every = found if isinstance(found, list) else [found]
        for note in dict.fromkeys(note for one in every for note in one.notes):
            complain(f"{self.source}: {note}")
        return every

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle that was read."""
        from sapper.clues import Clues
        from sapper.field import Position

        if not isinstance(self.reading.value, Position | Clues):
            complain(
                f"{self.source}: {self.reading.format} gives the full board: nothing is covered"
            )
        return self.reading.puzzle

    @cached_property
    def limits(self) -> Limits:
        """What the answer may cost."""
        size = None if self.memory is None else memory_size(self.memory)
        return Limits(seconds=self.seconds, nodes=self.nodes, bytes=size)

    @cached_property
    def screen(self) -> Screen:
        """Where the answer goes."""
        return Screen()

    def solver(self, patience: Patience) -> Method:
        """Return the method that was asked for; it reports to those who wait."""
        from sapper.analysis import named

        told = self.method.partition(":")[0] in ("auto", "engine")
        more: dict[str, Any] = {"progress": patience.report} if told else {}
        if self.threads != 1:
            more["threads"] = self.threads
        return named(self.method, **more)

    def solutions(self, solver: Method) -> Solutions:
        """Return the view of all legal assignments."""
        from sapper.analysis import solutions

        return solutions(self.puzzle, method=solver, limits=self.limits)


def is_keyboard() -> bool:
    """Tell whether standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def question(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the input, method, limits and output that all have, as a `Task`.

    The command takes the task first, and its own options after it. Errors become one line and an
    exit code.
    """
    return taking(Task, command)


def start_cell(board: Board, text: str) -> Cell:
    """Return the cell of a board that ``--start`` names."""
    from sapper.answers import cell_named
    from sapper.field import Position

    covered = Position.from_codes(board.topology, b"\xff\xff\xff\xff" * len(board.topology), None)
    try:
        return cell_named(covered, text)
    except SapperError as error:
        raise UsageError(f"--start: {error}") from None


def counter(solver: Method) -> str:
    """Return the name of the method that counts and lists: nothing but the engine does for auto."""
    return "engine" if solver.name == "auto" else solver.name


def memory_size(text: str) -> int:
    """Return a size in bytes: 500M, 2G, 1.5GiB.

    For example:
    >>> memory_size("2G"), memory_size("1.5kB"), memory_size("1KiB")
    (2000000000, 1500, 1024)
    """
    found = _SIZE.fullmatch(text)
    if found is None:
        raise UsageError(f"--memory: {quoted(text)} is not a size such as 500M or 2G")
    amount, unit, binary = found.groups()
    base = 1024 if binary else 1000
    return int(float(amount) * base ** _UNITS.index(unit.lower() or " "))
