"""Print how much of each folder of the core its own programs reach: ``make coverage-core``."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
LEFT_OUT: Final = ("core/tests/", "core/bindings/")


def reports(build: Path) -> list[dict[str, Any]]:
    """Return what gcov says of every object file that was run."""
    found = []
    for data in sorted(build.rglob("*.gcda")):
        command = ["gcov", "--json-format", "--stdout", "--branch-probabilities", str(data)]
        said = subprocess.run(command, cwd=build, capture_output=True, text=True, check=True)
        found += [json.loads(line) for line in said.stdout.splitlines()]
    return found


def lines_of(report: list[dict[str, Any]], root: Path) -> dict[str, dict[int, bool]]:
    """Return, for each file of the core, whether each line with code was reached.

    A header is compiled into many object files, and a template for many types: a line counts once,
    and as reached if one of them reaches it.
    """
    found: dict[str, dict[int, bool]] = defaultdict(dict)
    for unit in report:
        for file in unit["files"]:
            path = (Path(unit["current_working_directory"]) / file["file"]).resolve()
            if not path.is_relative_to(root / "core"):
                continue
            name = str(path.relative_to(root))
            if name.startswith(LEFT_OUT):
                continue
            lines = found[name]
            for line in file["lines"]:
                number = line["line_number"]
                lines[number] = lines.get(number, False) or line["count"] > 0
    return dict(found)


def table(found: dict[str, dict[int, bool]]) -> str:
    """Return the table of docs/trust.md."""
    folders: dict[str, list[bool]] = defaultdict(list)
    for name, lines in sorted(found.items()):
        folders[f"`{name.rpartition('/')[0]}`"] += lines.values()
    folders["all"] = [reached for lines in found.values() for reached in lines.values()]
    rows = ["| folder | lines with code | reached |", "|---|--:|--:|"]
    for folder, every in folders.items():
        rows.append(f"| {folder} | {len(every):,} | {sum(every) / len(every):.1%} |")
    return "\n".join(rows)


def worst(found: dict[str, dict[int, bool]], most: int = 10) -> list[str]:
    """Return the files with the most lines that nothing reaches, and how many."""
    missed = {name: list(lines.values()).count(False) for name, lines in found.items()}
    names = sorted(missed, key=lambda name: (-missed[name], name))
    return [f"{name}: {missed[name]} of {len(found[name])}" for name in names[:most]]


def main() -> None:
    """Read the counts that the programs left in a build, and print the table."""
    found = lines_of(reports(Path(sys.argv[1]).resolve()), ROOT)
    if not found:
        raise SystemExit(f"{sys.argv[1]} has no counts: nothing was run")
    print(table(found))
    print("\nmost lines that nothing reaches:", *worst(found), sep="\n  ")


if __name__ == "__main__":
    main()
