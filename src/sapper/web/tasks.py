"""What can be asked about a position, and the table of all that can be asked."""

from __future__ import annotations

import json
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sapper import analysis, answers
from sapper.clues import Clues
from sapper.errors import FormatError, LimitExceeded, MethodError, PositionError, quoted
from sapper.field import COVERED, Position, cell_to_json
from sapper.formats import FORMATS, WRITABLE, dump, encode
from sapper.game import Game, Layout
from sapper.limits import Limits
from sapper.web import games, replies, requests
from sapper.web.reading import Request

__all__ = ["PICTURES", "TASKS", "Partial", "Task"]

PICTURES: Final = ("svg", "html")
_MOST_DRAWN: Final = 1000


class Partial(Exception):  # noqa: N818 - an answer, though not all of it
    """A limit was hit, but not before something was known."""

    def __init__(self, limit: LimitExceeded, document: Mapping[str, Any]) -> None:
        super().__init__(str(limit))
        self.limit = limit
        self.document = document


@dataclass(frozen=True, slots=True)
class Task:
    """A row of the table: the types of request and answer, and who does it.

    The docstring of the function describes the address.
    """

    request: Any
    reply: Any
    do: Callable[[Request, Limits], Mapping[str, Any]]


def analyze(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Tell what is certain, what is likely and where to dig."""
    start = time.perf_counter()
    exact = request.get("exact", False)
    found = analysis.analyze(request.puzzle, method=_method(request), limits=limits)
    known = answers.Known(found)
    known.ask(exact=exact)
    document: dict[str, Any] = {
        **answers.analysis(known, seconds=time.perf_counter() - start, exact=exact),
        "count_text": None if known.count is None else answers.digits(known.count),
    }
    if known.limit is not None:
        raise Partial(known.limit, document)
    return document


def explain(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Tell why a cell is safe or a mine; if it is neither, show two worlds that differ there."""
    start = time.perf_counter()
    found = analysis.explain(
        request.puzzle,
        request.cell("cell"),
        method=_method(request),
        smallest=request.get("smallest", False),
        limits=limits,
    )
    return answers.explanation(found, seconds=time.perf_counter() - start)


def check(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Tell whether there is a legal assignment; if not, which clues contradict each other."""
    start = time.perf_counter()
    puzzle, method = request.puzzle, _method(request)
    found = analysis.analyze(puzzle, method=method, limits=limits)
    consistent, contradiction = found.consistent, None
    if not consistent and (cell := _covered(puzzle)) is not None:
        reasons = analysis.explain(puzzle, cell, method=method, limits=limits)
        document = answers.explanation(reasons, seconds=0)
        contradiction = {key: document[key] for key in ("clues", "text", "steps")}
    seconds = time.perf_counter() - start
    made = answers.check(puzzle, consistent, method=found.method, seconds=seconds)
    return {**made, "contradiction": contradiction}


def _covered(puzzle: Any) -> Any:
    """Return a cell that can be asked about, or None."""
    if not isinstance(puzzle, Position):
        return next(iter(puzzle.cells), None)
    codes = memoryview(puzzle.codes).cast("i").tolist()
    return puzzle.topology.cells[codes.index(COVERED)] if COVERED in codes else None


def count(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Count the legal assignments, all of them and those with each number of mines."""
    start = time.perf_counter()
    puzzle, method = request.puzzle, _method(request)
    number = analysis.count(puzzle, method=method, limits=limits)
    by_mines = None
    if request.get("by_mines", True):
        by_mines = analysis.count_by_mines(puzzle, method=method, limits=limits)
    name = "engine" if method.name == "auto" else method.name
    seconds = time.perf_counter() - start
    digits = answers.digits
    return {
        **answers.count(number, by_mines, method=name, seconds=seconds),
        "count_text": digits(number),
        "by_mines_text": by_mines and {mines: digits(n) for mines, n in by_mines.items()},
    }


def sample(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Draw legal assignments, all of which are equally likely."""
    start = time.perf_counter()
    puzzle, method, n = request.puzzle, _method(request), request.get("n", 1)
    if not 0 <= n <= _MOST_DRAWN:
        raise PositionError(f"n is 0 to {_MOST_DRAWN:,}, not {quoted(n)}")
    worlds = analysis.solutions(puzzle, method=method, limits=limits)
    drawn = worlds.sample(n, seed=request.get("seed"))
    name = "engine" if method.name == "auto" else method.name
    return answers.sample(puzzle, drawn, method=name, seconds=time.perf_counter() - start)


def estimate(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Tell what an analysis would cost, before it is paid."""
    start = time.perf_counter()
    method = _method(request)
    found = analysis.estimate(request.puzzle, method=method, limits=limits)
    return answers.estimate(found, method=method.name, seconds=time.perf_counter() - start)


def convert(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Write a position in another format, or draw it."""
    puzzle, to = request.puzzle, request.value["to"]
    if to in PICTURES:
        from sapper import render

        drawn = (render.svg if to == "svg" else render.html)(puzzle)
        return {**answers.conversion(to, drawn), "data": None}
    if to not in WRITABLE:
        known = ", ".join((*WRITABLE, *PICTURES))
        raise FormatError(f"cannot write the format {quoted(to)}: use {known}")
    made = encode(puzzle, to, total=request.get("total", True))
    if FORMATS[to].binary:
        # Bytes, which JSON cannot hold.
        return {**answers.conversion(to, ""), "data": b64encode(made).decode()}
    return {**answers.conversion(to, made.decode("utf-8")), "data": None}


def read(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Tell what a text or a file holds: a position, clues, a full board or a played game."""
    found = request.reading
    value, layout = found.value, found.board
    if isinstance(value, Layout | Game) and layout is None:
        layout = value if isinstance(value, Layout) else value.layout
    shown = layout.position() if layout is not None else found.puzzle
    visible = value if isinstance(value, Position | Clues) else shown
    moves = value.record["moves"] if isinstance(value, Game) else None
    holds = {Position: "position", Clues: "clues", Game: "replay"}.get(type(value), "layout")
    return {
        "format": found.format,
        "holds": holds,
        "notes": list(found.notes),
        "position": json.loads(dump(visible, "json")),
        "layout": None if layout is None else _cells(layout),
        "start": None if found.start is None else cell_to_json(found.start),
        "moves": moves,
    }


def _cells(layout: Layout) -> list[Any]:
    return [cell_to_json(cell) for cell in sorted(layout.mines, key=layout.topology.index)]


def _method(request: Request) -> Any:
    try:
        return analysis.named(request.get("method", "auto"))
    except MethodError as error:
        request.document.fail(("method",), str(error))


TASKS: Final[dict[str, Task]] = {
    "analyze": Task(requests.AnalyzeRequest, replies.AnalysisReply, analyze),
    "explain": Task(requests.ExplainRequest, answers.ExplanationAnswer, explain),
    "check": Task(requests.CheckRequest, replies.CheckReply, check),
    "count": Task(requests.CountRequest, replies.CountReply, count),
    "sample": Task(requests.SampleRequest, answers.SampleAnswer, sample),
    "estimate": Task(requests.EstimateRequest, answers.EstimateAnswer, estimate),
    "convert": Task(requests.ConvertRequest, replies.ConversionReply, convert),
    "read": Task(requests.ReadRequest, replies.ReadReply, read),
    "digs": Task(requests.DigsRequest, replies.DigsReply, games.digs),
    "openings": Task(requests.OpeningsRequest, replies.OpeningsReply, games.openings),
    "generate": Task(requests.GenerateRequest, replies.GenerateReply, games.generate),
    "new": Task(requests.NewRequest, replies.NewReply, games.new),
    "move": Task(requests.MoveRequest, replies.MoveReply, games.move),
    "review": Task(requests.ReviewRequest, answers.ReviewAnswer, games.review),
}
"""All that is asked by ``POST``, each at ``/api/`` and its name."""
