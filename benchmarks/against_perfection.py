"""By how much the strategies lose to perfect play: every layout of small boards, played natively.

``python -m benchmarks.against_perfection`` takes the optima that benchmarks/perfect_play.py found
and writes a table into docs/play/optimal.md, between two marks.
"""

from __future__ import annotations

import json
import re
from itertools import combinations

from benchmarks.perfect_play import BOARDS, KEPT, PAGE
from sapper import play

STRATEGIES = ("safest", "lookahead", "champion")
WANTED = {
    "4 × 4": (2, 3, 4),
    "5 × 5": (3,),
    "4 × 4 torus": (3, 4),
    "4 × 4 hexagons": (3, 4),
}
BEGIN, END = "<!-- begin against perfection -->", "<!-- end against perfection -->"


def main() -> None:
    """Play all layouts, and write the table."""
    rows = json.loads(KEPT.read_text(encoding="utf-8"))["rows"]
    optima = {(row["board"], row["mines"]): row for row in rows if row["rule"] == "any"}
    lines = [
        f"| board | mines | perfect | {' | '.join(f'`{name}`' for name in STRATEGIES)} |",
        "|---" * (3 + len(STRATEGIES)) + "|",
    ]
    for name, some in WANTED.items():
        for mines in some:
            best = optima.get((name, mines), {})
            if "wins" not in best:
                continue
            field = BOARDS[name]
            layouts = [play.Layout(field, places) for places in combinations(field.cells, mines)]
            start = next(cell for cell in field.cells if str(cell) == best["start"])
            cells = []
            for strategy in STRATEGIES:
                wins = play.tournament(strategy, layouts=layouts, start=start).wins
                assert wins <= best["wins"], (name, mines, strategy, wins)
                missing = 100 * (best["wins"] - wins) / best["layouts"]
                cells.append(f"{wins:,} (−{missing:.2f})" if missing else f"{wins:,} (0)")
            share = 100 * best["wins"] / best["layouts"]
            first = f"| {name} | {mines} | {best['wins']:,} of {best['layouts']:,} ({share:.2f} %)"
            lines.append(f"{first} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    page = PAGE.read_text(encoding="utf-8")
    made = "\n".join([BEGIN, *lines, END])
    pattern = re.escape(BEGIN) + ".*" + re.escape(END)
    PAGE.write_text(re.sub(pattern, lambda _: made, page, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
