"""Print how much of each room the tests reach: the last step of ``make coverage``."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path


def rooms(report: Path) -> dict[str, Counter[str]]:
    """Return what coverage.py counted, added up by room."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for name, file in json.loads(report.read_text(encoding="utf-8"))["files"].items():
        inside = name.partition("sapper/")[2]
        room = inside.partition("/")[0].removesuffix(".py") if "/" in inside else inside[:-3]
        found["root" if room == "__init__" else room].update(file["summary"])
    return dict(sorted(found.items()))


def table(found: dict[str, Counter[str]]) -> str:
    """Return the table of docs/trust.md."""
    total: Counter[str] = Counter()
    for counts in found.values():
        total.update(counts)
    lines = ["| room | statements | reached | branches | taken |", "|---|--:|--:|--:|--:|"]
    for room, c in [*((f"`{room}`", c) for room, c in found.items()), ("all", total)]:
        reached = c["covered_lines"] / c["num_statements"] if c["num_statements"] else 1
        taken = c["covered_branches"] / c["num_branches"] if c["num_branches"] else 1
        statements, branches = c["num_statements"], c["num_branches"]
        lines.append(f"| {room} | {statements:,} | {reached:.1%} | {branches:,} | {taken:.1%} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(rooms(Path(sys.argv[1]))))
