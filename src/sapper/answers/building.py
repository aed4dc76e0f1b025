"""Build the documents from what the package returned."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sapper.answers.documents import (
    AnalysisAnswer,
    CellAnswer,
    CheapestAnswer,
    CheckAnswer,
    ClueAnswer,
    ConversionAnswer,
    CountAnswer,
    DecompositionAnswer,
    ErrorAnswer,
    EstimateAnswer,
    ExplanationAnswer,
    Name,
    PolynomialAnswer,
    Problem,
    SampleAnswer,
    SolutionsAnswer,
    UniqueAnswer,
)
from sapper.answers.known import Known
from sapper.answers.names import cell_name
from sapper.clues import Clues
from sapper.errors import (
    FormatError,
    InconsistentError,
    LimitExceeded,
    SapperError,
    UnknownCellError,
)
from sapper.field import Position, cell_to_json

if TYPE_CHECKING:
    from typing import Literal

    from sapper.analysis import Explanation
    from sapper.clues import Cheapest, Clue, Puzzle, Solution
    from sapper.decomposition import TreeDecomposition
    from sapper.methods import Row
    from sapper.questions import Estimate, Uniqueness


def analysis(found: Known, *, seconds: float, exact: bool = False) -> AnalysisAnswer:
    """Return the document of an analysis; with exact fractions too if they are wanted."""
    found.ask(exact=exact)
    chances, fractions = found.chances, found.fractions if exact else {}

    def cells() -> Iterator[CellAnswer]:
        for cell, verdict in found.verdicts.items():
            entry: CellAnswer = {
                "cell": cell_to_json(cell),
                "verdict": verdict,
                "probability": chances.get(cell),
            }
            if cell in fractions:
                entry["exact"] = str(fractions[cell])
            yield entry

    best = found.analysis.best if chances else found.analysis.safe
    return {
        "consistent": found.consistent,
        "count": found.count,
        "mines": found.puzzle.mines,
        "cells": cells(),
        "best": map(cell_to_json, best),
        "problems": problems(found.puzzle) if found.consistent is False else [],
        "missing": list(found.missing),
        "method": found.analysis.method,
        "seconds": _rounded(seconds),
    }


def check(puzzle: Puzzle, consistent: bool, *, method: str, seconds: float) -> CheckAnswer:
    """Return the document of a check."""
    return {
        "consistent": consistent,
        "problems": [] if consistent else problems(puzzle),
        "method": method,
        "seconds": _rounded(seconds),
    }


def problems(puzzle: Puzzle) -> list[str]:
    """Return what is visibly wrong with a puzzle, each with its place."""
    if not isinstance(puzzle, Position):
        return []
    return [
        problem.message if problem.cell is None else f"{cell_name(problem.cell)}: {problem.message}"
        for problem in puzzle.status()
    ]


def count(
    number: int, by_mines: dict[int, int] | None, *, method: str, seconds: float
) -> CountAnswer:
    """Return the document of a count."""
    return {
        "count": number,
        "by_mines": by_mines,
        "method": method,
        "seconds": _rounded(seconds),
    }


def solutions(
    puzzle: Puzzle, found: Iterable[Solution], number: int | None, *, method: str, seconds: float
) -> SolutionsAnswer:
    """Return the document of some solutions, of which there are `number` in all."""
    return {
        "count": number,
        "solutions": _named(puzzle, found),
        "method": method,
        "seconds": _rounded(seconds),
    }


def unique(puzzle: Puzzle, found: Uniqueness, *, method: str, seconds: float) -> UniqueAnswer:
    """Return the document of one legal assignment, or of two."""
    first, differing = _named(puzzle, [found.layout, found.differing])
    second = None if found.second is None else next(_named(puzzle, [found.second]))
    return {
        "unique": found.is_unique,
        "layout": first,
        "second": second,
        "differing": differing,
        "method": method,
        "seconds": _rounded(seconds),
    }


def sample(
    puzzle: Puzzle, drawn: Iterable[Solution], *, method: str, seconds: float
) -> SampleAnswer:
    """Return the document of a sample."""
    return {
        "solutions": _named(puzzle, drawn),
        "method": method,
        "seconds": _rounded(seconds),
    }


def cheapest(
    puzzle: Puzzle, found: Cheapest | None, *, method: str, seconds: float
) -> CheapestAnswer:
    """Return the document of a cheapest solution, or of none."""
    cost: Any = None if found is None else found.cost
    return {
        "cost": cost if cost is None or isinstance(cost, int) else float(cost),
        "solution": None if found is None else next(_named(puzzle, [found.solution])),
        "method": method,
        "seconds": _rounded(seconds),
    }


def _named(puzzle: Puzzle, found: Iterable[Solution]) -> Iterator[list[Name]]:
    rank = puzzle.index.__getitem__ if isinstance(puzzle, Clues) else puzzle.topology.index
    return ([cell_to_json(cell) for cell in sorted(solution, key=rank)] for solution in found)


def explanation(found: Explanation, *, seconds: float) -> ExplanationAnswer:
    """Return the document of an explanation."""

    def clue(one: Clue) -> ClueAnswer:
        made: ClueAnswer = {
            "cell": None if one.cell is None else cell_to_json(one.cell),
            "count": one.count,
            "cells": [cell_to_json(cell) for cell in one.cells],
            "total": one is found.total,
        }
        if one.weights is not None:
            made["weights"] = list(one.weights)
        return made

    chance = found.probability
    return {
        "cell": cell_to_json(found.cell),
        "verdict": found.verdict,
        "clues": [clue(one) for one in found.clues],
        "text": found.text,
        "steps": [step.text for step in found.steps],
        "smallest": found.is_smallest,
        "probability": None if chance is None else float(chance),
        "exact": None if chance is None else str(chance),
        "solutions": list(_named(found.puzzle, found.solutions)),
        "method": found.method,
        "seconds": _rounded(seconds),
    }


def estimate(found: Estimate, *, method: str, seconds: float) -> EstimateAnswer:
    """Return the document of an estimate."""
    document: EstimateAnswer = {
        "components": found.components,
        "width": found.width,
        "nodes": _whole(found.nodes),
        "bytes": _whole(found.bytes),
        "parts": [
            asdict(part) | {"nodes": _whole(part.nodes)} for part in getattr(found, "parts", ())
        ],
        "method": method,
        "seconds": _rounded(seconds),
    }
    for name in ("forced", "free"):
        if hasattr(found, name):
            document[name] = getattr(found, name)
    return document


def decomposition(
    made: TreeDecomposition, rows: Iterable[Row] | None, *, seconds: float
) -> DecompositionAnswer:
    """Return the document of a tree decomposition, and of its polynomials if there are any."""
    return {
        "width": made.width,
        "bags": [sorted((cell_to_json(cell) for cell in bag), key=str) for bag in made.bags],
        "edges": [list(edge) for edge in made.edges],
        "table": None if rows is None else polynomials(rows),
        "seconds": _rounded(seconds),
    }


def polynomials(rows: Iterable[Row]) -> list[PolynomialAnswer]:
    """Return the document of the polynomials of a decomposition."""
    return [
        {"node": row.node, "assignment": row.assignment_text, "polynomial": row.text}
        for row in rows
    ]


def conversion(format: str, text: str) -> ConversionAnswer:  # noqa: A002 - the word users know
    """Return the document of a puzzle in another format."""
    return {"format": format, "text": text}


def error(problem: BaseException, source: str | None = None) -> ErrorAnswer:
    r"""Return the document of something that went wrong.

    Parameters
    ----------
    problem
        What was raised.
    source
        What was being read, to name it where the error does not.

    Examples
    --------
    >>> error(FormatError("unknown character 'x'", line=3, column=7))["error"]["place"]
    {'line': 3, 'column': 7}
    """
    kind, message = kind_of(problem), str(problem)
    place: dict[str, Any] | None = None
    if isinstance(problem, OSError):
        message = (problem.strerror or message).lower()
        source = problem.filename if isinstance(problem.filename, str) else source
    elif isinstance(problem, MemoryError):
        message = "out of memory; --memory stops earlier, and 'sapper estimate' tells the cost"
    elif kind == "internal":
        message = f"internal error, please report it: {type(problem).__name__}: {message}"
        message += " (SAPPER_TRACEBACK=1 shows where)"
    elif isinstance(problem, FormatError) and problem.line is not None:
        place = {"line": problem.line, "column": problem.column}
    elif isinstance(problem, UnknownCellError):
        place = {"cell": cell_name(problem.cell)}
    if source is not None and kind == "input" and not message.startswith(source):
        message = f"{source}: {message}"
    made: Problem = {"kind": kind, "message": message, "place": place}
    return {"error": made}


def kind_of(problem: BaseException) -> Literal["input", "no", "limit", "internal"]:
    """Tell what kind of error it is: wrong input, the answer no, a limit, or a fault of ours."""
    if isinstance(problem, LimitExceeded | MemoryError):
        return "limit"
    if isinstance(problem, InconsistentError):
        return "no"
    return "input" if isinstance(problem, SapperError | OSError) else "internal"


def _rounded(seconds: float) -> float:
    return round(seconds, 6)


def _whole(number: float) -> int | float | None:
    """Return a bound as a whole number, while it is one that people would write out."""
    if not math.isfinite(number):
        return None
    return math.ceil(number) if number < 1e15 else float(number)
