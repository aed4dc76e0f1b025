"""Means with standard errors, and tables of them."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sapper.lab.experiment import Row

__all__ = [
    "GeometricMean",
    "Mean",
    "geometric_mean",
    "grouped",
    "markdown",
    "mean_of",
    "page",
    "with_errors",
    "write_table",
]


class Mean(NamedTuple):
    """A mean over independent games, with its standard error (0 if there is but one)."""

    value: float
    error: float
    samples: int

    def __str__(self) -> str:
        return f"{self.value:.4f} ± {self.error:.4f}" if self.samples else "–"


def mean_of(values: Iterable[float]) -> Mean:
    """Return the mean with its standard error.

    Examples
    --------
    >>> mean_of([1, 2, 3, 4])
    Mean(value=2.5, error=0.6454972243679028, samples=4)
    """
    data = list(values)
    if not data:
        return Mean(math.nan, math.nan, 0)
    middle = math.fsum(data) / len(data)
    if len(data) == 1:
        return Mean(middle, 0.0, 1)
    variance = math.fsum((value - middle) ** 2 for value in data) / (len(data) - 1)
    return Mean(middle, math.sqrt(variance / len(data)), len(data))


class GeometricMean(NamedTuple):
    """A geometric mean, and the factor of its standard error (1 if there is but one value)."""

    value: float
    factor: float

    def shown(self, form: str) -> str:
        """Return it with its error.

        Examples
        --------
        >>> geometric_mean([1, 4]).shown(".1f")
        '2.0 ×/÷ 2.00'
        """
        return f"{self.value:{form}} ×/÷ {self.factor:.2f}"


def geometric_mean(values: Iterable[float]) -> GeometricMean:
    """Return the geometric mean of positive values, with the factor of its standard error."""
    mean = mean_of(map(math.log, values))
    return GeometricMean(math.exp(mean.value), math.exp(mean.error))


def grouped(
    rows: Iterable[Row], names: Sequence[str]
) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    """Return the answers of all jobs that came to an end, by some fields of their payloads."""
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        if row.result["answer"]:
            key = tuple(row.payload[name] for name in names)
            groups.setdefault(key, []).append(row.result["answer"])
    return groups


def failures(rows: Iterable[Row]) -> list[str]:
    """Return a line for each job that did not come to an end, for the report."""
    return [
        f"- **{row.key}: {row.result['measured']['failure']}**"
        for row in rows
        if "failure" in row.result["measured"]
    ]


def page(*blocks: str | Sequence[str]) -> str:
    r"""Return blocks of text, each a line or several, as Markdown; those with none are left out.

    Examples
    --------
    >>> page("# Title", [], ["- one", "- two"])
    '# Title\n\n- one\n- two\n'
    """
    texts = (block if isinstance(block, str) else "\n".join(block) for block in blocks)
    return "\n\n".join(filter(None, texts)) + "\n"


def with_errors(means: Mapping[str, Mean]) -> dict[str, float]:
    """Return means for a table of numbers, each followed by its standard error."""
    return {
        name + part: number
        for name, mean in means.items()
        for part, number in (("", mean.value), ("_se", mean.error))
    }


def write_table(lines: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write a tidy table as CSV."""
    columns = list(dict.fromkeys(name for line in lines for name in line))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(lines)


def markdown(lines: Sequence[Mapping[str, Any]], shown: Callable[[Any], str] = str) -> list[str]:
    """Return a table in Markdown."""
    if not lines:
        return ["There are no results yet."]
    columns = list(dict.fromkeys(name for line in lines for name in line))
    body = [[shown(line[name]) if name in line else "–" for name in columns] for line in lines]
    return [
        "| " + " | ".join(columns) + " |",
        "|---" * len(columns) + "|",
        *("| " + " | ".join(cells) + " |" for cells in body),
    ]
