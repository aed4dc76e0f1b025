"""What the workers do: from the body of a request to a status and a document."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sapper import analysis, answers
from sapper.errors import InconsistentError, LimitExceeded, MethodError, SapperError
from sapper.limits import Limits
from sapper.web.requests import AnalyzeRequest, ExplainRequest, Request, TooLarge

__all__ = ["STATUS", "TASKS", "Job", "Task", "answer", "failure", "report"]

STATUS: Final = {"input": 400, "large": 413, "no": 422, "busy": 503, "limit": 504, "internal": 503}
"""The status of an answer by the kind of its error."""

_DIGITS: Final = sys.int_info.default_max_str_digits


@dataclass(frozen=True, slots=True)
class Job:
    """A request, and what it may cost in this lane; `last` if no lane comes after."""

    task: str
    body: bytes
    limits: Limits
    last: bool
    cells: int


@dataclass(frozen=True, slots=True)
class Task:
    """Something that can be asked for: the types of request and answer, and who does it."""

    request: Any
    do: Callable[[Request, Limits], Mapping[str, Any]]


class Partial(Exception):  # noqa: N818 - an answer, though not all of it
    """A limit was hit, but not before something was known."""

    def __init__(self, limit: LimitExceeded, document: Mapping[str, Any]) -> None:
        super().__init__(str(limit))
        self.limit = limit
        self.document = document


def _analyze(request: Request, limits: Limits) -> Mapping[str, Any]:
    start = time.perf_counter()
    exact = request.get("exact", False)
    found = analysis.analyze(request.puzzle, method=_method(request), limits=limits)
    known = answers.Known(found)
    known.ask(exact=exact)
    document = answers.analysis(known, seconds=time.perf_counter() - start, exact=exact)
    if known.limit is not None:
        raise Partial(known.limit, document)
    return document


def _explain(request: Request, limits: Limits) -> Mapping[str, Any]:
    start = time.perf_counter()
    found = analysis.explain(
        request.puzzle,
        request.cell("cell"),
        method=_method(request),
        smallest=request.get("smallest", False),
        limits=limits,
    )
    return answers.explanation(found, seconds=time.perf_counter() - start)


def _method(request: Request) -> Any:
    return analysis.named(request.get("method", "auto"))


TASKS: Final[dict[str, Task]] = {
    "analyze": Task(AnalyzeRequest, _analyze),
    "explain": Task(ExplainRequest, _explain),
}


def answer(job: Job) -> tuple[int, bytes]:
    """Return the status and the document of a request; 0 if a limit of this lane was in the way."""
    wanted = job.limits
    try:
        # Numbers that come in must be short; those that go out have as many digits as they have.
        sys.set_int_max_str_digits(_DIGITS)
        request = Request(job.body, TASKS[job.task].request, job.cells)
        sys.set_int_max_str_digits(0)
        wanted = Limits(**request.get("limits", {}))
        return 200, _written(TASKS[job.task].do(request, _smaller(wanted, job.limits)))
    except (LimitExceeded, MemoryError, Partial) as error:
        hit = error.limit if isinstance(error, Partial) else error
        if not job.last and not _own(hit, wanted):
            return 0, b""
        status, document = report(hit)
        if isinstance(error, Partial):
            document["partial"] = error.document
        return status, _written(document)
    except Exception as error:
        status, document = report(error)
        return status, _written(document)


def _smaller(one: Limits, other: Limits) -> Limits:
    def least(name: str) -> Any:
        given = [value for limits in (one, other) if (value := getattr(limits, name)) is not None]
        return min(given, default=None)

    return Limits(seconds=least("seconds"), nodes=least("nodes"), bytes=least("bytes"))


def _own(hit: BaseException, wanted: Limits) -> bool:
    """Tell whether a limit is one that the request set itself, or more time would not help."""
    if not isinstance(hit, LimitExceeded):
        return False
    own = getattr(wanted, hit.limit)
    return own is not None and hit.allowed >= own


def report(problem: BaseException) -> tuple[int, dict[str, Any]]:
    """Return the status and the document of something that went wrong."""
    document: dict[str, Any] = dict(answers.error(problem))
    kind = document["error"]["kind"]
    if isinstance(problem, TooLarge):
        kind = document["error"]["kind"] = "large"
    status = STATUS[kind]
    if isinstance(problem, MethodError | InconsistentError):
        status = 422
    if isinstance(problem, MemoryError):
        document["error"]["message"] = "out of memory: the board is too hard for this server"
    elif isinstance(problem, SapperError) and not isinstance(problem, LimitExceeded):
        document["error"]["message"] = " ".join(document["error"]["message"].split())
    return status, document


def failure(kind: str, message: str) -> bytes:
    """Return the document of an error that no worker had a part in."""
    return json.dumps({"error": {"kind": kind, "message": message, "place": None}}).encode()


def _written(document: Mapping[str, Any]) -> bytes:
    return "".join(answers.written(dict(document))).encode()
