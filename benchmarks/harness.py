"""What every benchmark shares: data, isolated workers with limits, statistics, reports."""

from __future__ import annotations

import json
import math
import os
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.worker import answered
from sapper.lab import JobCrashed, JobTimeout, LimitedPool

ROOT = Path(__file__).resolve().parent.parent
GIB = 1 << 30
MEMORY = 4 * GIB


class MissingDataError(FileNotFoundError):
    """The shared data files are not where they are looked for."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How thorough a run should be."""

    seconds: float = 120.0
    quick: bool = False

    def seeds(self, full: int) -> range:
        """Return the seeds 1 to `full`, or only the first in a quick run."""
        return range(1, (1 if self.quick else full) + 1)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What one request gave: CPU seconds and the answer, or why there is none."""

    seconds: float | None
    answer: dict[str, Any] = field(default_factory=dict)
    failure: str | None = None


@dataclass(frozen=True, kw_only=True)
class Report:
    """One section of ``docs/benchmarks.md`` and its raw numbers."""

    name: str
    title: str
    text: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    raw: Sequence[dict[str, Any]]
    packages: Sequence[str] = ()
    remarks: Sequence[str] = ()


def load(filename: str) -> list[dict[str, Any]]:
    """Return the records of one shared data file.

    The folder is ``../shared/data`` next to the repository, or what ``SAPPER_DATA`` says.
    """
    folder = Path(os.environ.get("SAPPER_DATA", ROOT.parent / "shared" / "data"))
    path = folder / filename
    if not path.is_file():
        raise MissingDataError(f"no {filename} in {folder}; set SAPPER_DATA to its folder")
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


class Worker:
    """A process that answers requests, stopped when one takes too long.

    Parameters
    ----------
    fresh : bool
        Start a new process for every request, so that peak memory is that of one request.
    memory : int
        Address space the process may use, in bytes.
    """

    def __init__(self, *, fresh: bool = False, memory: int = MEMORY) -> None:
        # Threads that wait for linear algebra spin, which would count as CPU time.
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        self._pool = LimitedPool(1, memory=memory, fresh=fresh)

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def ask(self, task: str, payload: dict[str, Any], *, seconds: float) -> Outcome:
        """Return the outcome of one task, waiting for at most `seconds` by the clock."""
        try:
            answer = self._pool.submit_within(seconds, answered, task, payload).result()
        except JobTimeout:
            return Outcome(seconds=None, failure=f"> {seconds:g} s")
        except JobCrashed:
            return Outcome(seconds=None, failure="crashed")
        if "error" in answer:
            return Outcome(seconds=None, answer=answer, failure=answer["error"])
        return Outcome(seconds=answer["seconds"], answer=answer)


def busy() -> str:
    """Return a sentence about what else the machine did: times by the clock depend on it."""
    return f"Load average of the machine meanwhile: {os.getloadavg()[0]:.1f}."


def quantile(values: Iterable[float], share: float) -> float:
    """Return the smallest value with at least `share` of all values at or below it.

    >>> quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9)
    9
    """
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the slope of the least-squares line through the logarithms: cost ~ size ** slope.

    >>> round(exponent([10, 100, 1000], [2, 20, 200]), 6)
    1.0
    """
    slope, _ = statistics.linear_regression(
        [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    )
    return slope


def duration(seconds: float | None, failure: str | None = None) -> str:
    """Return seconds as people read them, with three digits.

    >>> duration(0.01234), duration(2.5), duration(0.000045)
    ('12.3 ms', '2.50 s', '45.0 µs')
    """
    if seconds is None:
        return failure or "–"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            return f"{_three_digits(seconds / size)} {unit}"
    raise AssertionError(seconds)


def times(ratio: float | None) -> str:
    """Return a ratio as people read it.

    >>> times(12.345), times(None)
    ('12.3×', '–')
    """
    return "–" if ratio is None else f"{_three_digits(ratio)}×"


def _three_digits(value: float) -> str:
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
