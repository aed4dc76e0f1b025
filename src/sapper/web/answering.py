"""From the body of a request to a status and a document; the worker's side of the server."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from sapper import answers
from sapper.errors import LimitExceeded, MethodError
from sapper.limits import Limits
from sapper.play import UnmetWish
from sapper.web.reading import Request, TooLarge
from sapper.web.tasks import TASKS, Partial

__all__ = ["STATUS", "Job", "answer", "failure", "report"]

STATUS: Final = {"input": 400, "large": 413, "no": 422, "busy": 503, "limit": 504, "internal": 503}
"""The status of an answer by the kind of its error."""

_DIGITS: Final = sys.int_info.default_max_str_digits


@dataclass(frozen=True, slots=True)
class Job:
    """A request, and what it may cost.

    Parameters
    ----------
    task, body
        What is asked.
    limits
        What it may cost in this lane, from now on.
    cells
        How many cells a board may have.
    whole
        How many seconds it may take in all, waiting for a worker among them.
    last
        Whether no lane comes after this one.
    """

    task: str
    body: bytes
    limits: Limits
    cells: int
    whole: float = inf
    last: bool = True


def answer(job: Job) -> tuple[int, bytes]:
    """Return the status and the document of a request; 0 if a limit of this lane was in the way.

    Examples
    --------
    >>> answer(Job("count", b'{"labels": ["1??"]}', Limits(), cells=9))[0]
    200
    """
    wanted = Limits()
    before = sys.get_int_max_str_digits()
    try:
        # Numbers that come in must be short; those that go out have as many digits as they have.
        sys.set_int_max_str_digits(_DIGITS)
        request = Request(job.body, TASKS[job.task].request, job.cells)
        sys.set_int_max_str_digits(0)
        given = request.get("limits", {})
        wanted = Limits(**{key: given[key] for key in given.keys() & {"seconds", "nodes", "bytes"}})
        return 200, _written(TASKS[job.task].do(request, _smaller(wanted, job.limits)))
    except (LimitExceeded, MemoryError, Partial) as error:
        hit = error.limit if isinstance(error, Partial) else error
        if isinstance(hit, LimitExceeded) and not _own(hit, wanted):
            if not job.last:
                return 0, b""
            # A wish that was not met tells what was tried.
            if hit.limit == "seconds" and not isinstance(hit, UnmetWish):
                late = hit.spent - hit.allowed
                hit = LimitExceeded("seconds", allowed=job.whole, spent=job.whole + late)
        status, document = report(hit)
        if isinstance(error, Partial):
            document["partial"] = error.document
        return status, _written(document)
    except Exception as error:
        status, document = report(error)
        return status, _written(document)
    finally:
        sys.set_int_max_str_digits(before)


def _smaller(one: Limits, other: Limits) -> Limits:
    def least(name: str) -> Any:
        given = [value for limits in (one, other) if (value := getattr(limits, name)) is not None]
        return min(given, default=None)

    return Limits(seconds=least("seconds"), nodes=least("nodes"), bytes=least("bytes"))


def _own(hit: LimitExceeded, wanted: Limits) -> bool:
    """Tell whether a limit is one that the request set itself: more will not be given."""
    if not hasattr(wanted, hit.limit):
        return True  # a bound of the question itself: no lane has more of it
    own = getattr(wanted, hit.limit)
    return own is not None and hit.allowed >= own


def report(problem: BaseException) -> tuple[int, dict[str, Any]]:
    """Return the status and the document of something that went wrong."""
    document: dict[str, Any] = dict(answers.error(problem))
    told = document["error"]
    if isinstance(problem, TooLarge):
        told["kind"] = "large"
    elif isinstance(problem, MemoryError):
        told["message"] = "out of memory: this is more than the server allows"
    status = 422 if isinstance(problem, MethodError) else STATUS[told["kind"]]
    return status, document


def failure(kind: str, message: str) -> bytes:
    """Return the document of an error that no worker had a part in."""
    return json.dumps({"error": {"kind": kind, "message": message, "place": None}}).encode()


def _written(document: Mapping[str, Any]) -> bytes:
    return "".join(answers.written(dict(document))).encode()
