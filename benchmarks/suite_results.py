"""Play the suites with all built-in strategies: fills the table of docs/play/results.md.

``python -m benchmarks.suite_results [STRATEGY …]`` plays the first 10,000 boards of every suite
with these strategies, or all, and replaces their lines; lines of others stay.
"""

from __future__ import annotations

import re
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import sapper
from sapper import play

PAGE = Path(__file__).resolve().parent.parent / "docs" / "play" / "results.md"
LADDER = ("random", "certain", "safest", "safest-ties", "lookahead", "champion")
BOARDS = 10_000
HEAD = "|---|"


def main() -> None:
    """Play, and write the page."""
    for strategy in sys.argv[1:] or LADDER:
        for suite in play.SUITES:
            began = time.process_time()
            result = play.tournament(strategy, suite=suite, games=BOARDS)
            low, high = result.interval
            line = (
                f"| `{suite}` | {result.strategy}, sapper {sapper.__version__} | {result.wins:,} |"
                f" {result.rate:.2%} ({low:.2%} to {high:.2%}) |"
                f" {BOARDS / (time.process_time() - began):,.0f} | {datetime.now(UTC):%Y-%m-%d} |"
            )
            print(line, flush=True)
            PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), line), encoding="utf-8")


def put(page: str, line: str) -> str:
    """Return the page with a line in its place: by suite, then by wins."""
    before, rule, table = page.partition(HEAD)
    columns, _, lines = table.partition("\n")
    suite, who = _key(line)
    rows = [row for row in lines.splitlines() if row.startswith("|") and _key(row) != (suite, who)]
    rows.append(line)
    order = list(play.SUITES)
    rows.sort(key=lambda row: (order.index(_key(row)[0]), -_wins(row)))
    return f"{before}{rule}{columns}\n" + "\n".join(rows) + "\n"


def _key(row: str) -> tuple[str, str]:
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    return cells[0].strip("`"), re.sub(r"[ ,].*", "", cells[1])


def _wins(row: str) -> int:
    return int(row.strip("|").split("|")[2].replace(",", ""))


if __name__ == "__main__":
    main()
