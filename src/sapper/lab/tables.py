"""Results by their parameters, as tables and as the text of a report."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sapper.lab.experiment import Row
from sapper.lab.statistics import Mean

__all__ = ["failures", "grouped", "markdown", "page", "rows_by", "with_errors", "write_table"]


def grouped(
    rows: Iterable[Row], names: Sequence[str]
) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    """Return the answers of all jobs that came to an end, by some fields of their payloads."""
    done = rows_by((row for row in rows if row.result["answer"]), names)
    return {key: [row.result["answer"] for row in group] for key, group in done.items()}


def rows_by(rows: Iterable[Row], names: Sequence[str]) -> dict[tuple[Any, ...], list[Row]]:
    """Return rows by some fields of their payloads."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row.payload[name] for name in names), []).append(row)
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
