"""What an experiment is: jobs that stand for themselves, and a report of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import wraps
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple, Protocol, TypeAlias

Record: TypeAlias = dict[str, Any]
"""Something that JSON can hold."""


class Job(NamedTuple):
    """One piece of work: a key that is unique in its run, and all that doing it takes.

    Frozen: threads can share one.
    """

    key: str
    payload: Record


@dataclass(frozen=True, slots=True)
class Row:
    """A finished job: its payload and its result.

    Frozen: threads can share one.

    A result has two parts. ``result["answer"]`` depends on the payload alone, so a repeated or
    resumed run gives it again, bit by bit; ``result["measured"]`` is what was measured on the way.
    """

    key: str
    payload: Record
    result: Record


class BaseExperiment:
    """What the experiments have in common; each is a dataclass of its parameters."""

    @property
    def parameters(self) -> Record:
        """What the experiment is run with."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]

    def failed(self, payload: Record, reason: str) -> Record:
        """Return the result of a job that was stopped or crashed."""
        return {"answer": {}, "measured": {"failure": reason}}


def timed(answer: Callable[[Any, Record], Record]) -> Callable[[Any, Record], Record]:
    """Make of a method that finds the answer of a job one that also tells its CPU seconds."""

    @wraps(answer)
    def work(experiment: Any, payload: Record) -> Record:
        began = process_time()
        found = answer(experiment, payload)
        return {"answer": found, "measured": {"seconds": round(process_time() - began, 6)}}

    return work


class Experiment(Protocol):
    """Jobs, work and report of an experiment.

    Frozen values: threads and processes can share them.

    Everything about a board must follow from its job's payload, seed included: then it does not
    matter which worker does it, or when.
    """

    @property
    def name(self) -> str:
        """The name of the command."""

    @property
    def parameters(self) -> Record:
        """What the experiment is run with; two runs with equal parameters have equal jobs."""

    def jobs(self) -> Iterator[Job]:
        """Yield all jobs, always in the same order."""

    def work(self, payload: Record) -> Record:
        """Do one job; called in a worker process."""

    def failed(self, payload: Record, reason: str) -> Record:
        """Return the result of a job that was stopped or crashed."""

    def report(self, rows: Sequence[Row], directory: Path) -> str:
        """Write pictures into a directory and return the text of ``report.md``."""
