"""Perfect play on small boards, as far as this machine goes: writes docs/play/optimal.md.

``python -m benchmarks.perfect_play [SECONDS [GIGABYTES [BOARD …]]]`` searches each board and start
rule with few mines, then more, until a search hits the limit, and the same with nearly all mines,
then less.
The rule ``safe`` needs no search: a layout in which the first dig is a mine is lost under ``any``,
so the layouts won are the same.
What was found before is kept in benchmarks/results/optimal.json, so it can be stopped and go on;
what hit a limit is searched again with higher limits.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from math import comb
from pathlib import Path
from typing import Any

import networkx

from sapper import Graph, Grid, Hex, Limits, Torus, play
from sapper.errors import GameError, LimitExceeded
from sapper.field import Topology

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "benchmarks" / "results" / "optimal.json"
PAGE = ROOT / "docs" / "play" / "optimal.md"
MARK = "<!-- made by benchmarks/perfect_play.py -->"

BOARDS: dict[str, Topology] = {
    "3 × 3": Grid(3, 3),
    "4 × 4": Grid(4, 4),
    "5 × 5": Grid(5, 5),
    "6 × 6": Grid(6, 6),
    "4 × 4 torus": Torus(4, 4),
    "5 × 5 torus": Torus(5, 5),
    "4 × 4 hexagons": Hex(4, 4),
    "5 × 5 hexagons": Hex(5, 5),
    "Petersen graph": Graph(networkx.petersen_graph()),
    "cube, 8 corners": Graph(networkx.cubical_graph()),
    "icosahedron, 12 corners": Graph(networkx.icosahedral_graph()),
    "dodecahedron, 20 corners": Graph(networkx.dodecahedral_graph()),
    "ring of 20": Graph(networkx.cycle_graph(20)),
}

RULES: tuple[play.StartRule, ...] = ("any", "zero")

Key = tuple[str, int, str]


def main() -> None:
    """Search what is missing, and write the page."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    gigabytes = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0
    limits = Limits(seconds=seconds, bytes=int(gigabytes * 1e9))
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {"rows": []}
    found: dict[Key, dict[str, Any]] = {
        (row["board"], row["mines"], row["rule"]): row for row in kept["rows"]
    }
    for name in sys.argv[3:] or BOARDS:
        topology = BOARDS[name]
        for rule in RULES:
            for way in (range(1, len(topology)), range(len(topology) - 1, 0, -1)):
                for mines in way:
                    key = name, mines, str(rule)
                    if is_missing(found.get(key), limits):
                        found[key] = {
                            "board": name,
                            "mines": mines,
                            "rule": rule,
                            **searched(topology, mines, rule, limits),
                        }
                        rows = sorted(found.values(), key=order)
                        kept = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "rows": rows}
                        kept |= {"seconds": seconds, "gigabytes": gigabytes}
                        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
                        print(*key, found[key], flush=True)
                    if "limit" in found[key]:
                        break
    write_page(kept)


def is_missing(row: dict[str, Any] | None, limits: Limits) -> bool:
    """Whether to search: for the first time, or with more than was too little before."""
    if row is None:
        return True
    seconds, size = row.get("allowed", (0, 0))
    return "limit" in row and (limits.seconds or 0) > seconds and (limits.bytes or 0) >= size


def order(row: dict[str, Any]) -> tuple[int, int, int]:
    return list(BOARDS).index(row["board"]), row["mines"], RULES.index(row["rule"])


def searched(
    topology: Topology, mines: int, rule: play.StartRule, limits: Limits
) -> dict[str, Any]:
    """Return one search: what was found, or which limit was hit; nothing if there is no room."""
    began = time.process_time()
    try:
        best = play.optimal_play(topology, mines, rule=rule, limits=limits)
    except LimitExceeded as error:
        return {"limit": str(error), "allowed": [limits.seconds, limits.bytes]}
    except GameError:
        return {"room": False}
    return {
        "wins": best.wins,
        "layouts": best.layouts,
        "start": str(best.start),
        "sets": best.sets,
        "seconds": round(time.process_time() - began, 2),
    }


def write_page(kept: dict[str, Any]) -> None:
    """Put the tables behind the mark."""
    text = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    PAGE.write_text(text + "\n".join([MARK, "", *tables(kept)]), encoding="utf-8")


def tables(kept: dict[str, Any]) -> Iterator[str]:
    yield (
        f"Last search: {kept['date']}. Seconds are of processor time, on one core of a machine that"
        " did other things too."
    )
    yield ""
    for name, topology in BOARDS.items():
        rows = [row for row in kept["rows"] if row["board"] == name]
        yield f"### {name}"
        yield ""
        yield (
            "| mines | won, `any` and `safe` | share, `any` | share, `safe` | dig | sets | s"
            " | won, `zero` | share | dig | sets | s |"
        )
        yield "|---" * 12 + "|"
        for mines in sorted({row["mines"] for row in rows if "wins" in row}):
            cells = {row["rule"]: row for row in rows if row["mines"] == mines}
            room = comb(len(topology) - 1, mines)
            yield f"| {mines} | {shown(cells, 'any', room)} | {shown(cells, 'zero')} |"
        missing = sorted(
            {row["mines"] for row in rows if "limit" in row and row["mines"] < len(topology)}
        )
        if missing:
            most = max(comb(len(topology), mines) for mines in missing)
            yield ""
            yield (
                f"Searches with {', '.join(map(str, missing))} mines hit a limit (time, memory or"
                f" the ten million layouts that are listed); there are up to {most:,} layouts."
            )
        yield ""


def shown(cells: dict[str, dict[str, Any]], rule: str, room: int | None = None) -> str:
    """Return the part of a line about a rule; with room for the layouts of ``safe`` too."""
    row = cells.get(rule, {})
    shares = 1 if room is None else 2
    if "wins" not in row:
        return " | ".join(["no room" if "room" in row else "?", *["–"] * (3 + shares)])
    totals = [row["layouts"]] if room is None else [row["layouts"], room]
    words = [f"{row['wins']:,} of {row['layouts']:,}", *(share(row["wins"], n) for n in totals)]
    return " | ".join([*words, row["start"], f"{row['sets']:,}", f"{row['seconds']:g}"])


def share(wins: int, layouts: int) -> str:
    if layouts == 0:
        return "–"
    return "all" if wins == layouts else f"{100 * wins / layouts:.1f} %"


if __name__ == "__main__":
    main()
