"""Run benchmarks and write them down: ``python -m benchmarks [NAME …] [--quick]``.

Each section of ``docs/benchmarks.md`` stands between two marker comments and is replaced when its
benchmark has run; the raw numbers go to ``benchmarks/results/NAME.json``.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import sapper
from benchmarks import (
    all_solutions,
    area,
    boards,
    browser,
    chart,
    environments,
    generation,
    growth,
    inference,
    laboratory,
    large_boards,
    large_grids,
    probabilities,
    scripts,
    serving,
    threads,
    totals,
    trees,
    treewidth,
)
from benchmarks.harness import ROOT, MissingDataError, Options, Report

BENCHMARKS: dict[str, Callable[[Options], Report]] = {
    "expert": probabilities.run_expert,
    "scattered": probabilities.run_scattered,
    "many": probabilities.run_many,
    "large": large_boards.run,
    "generation": generation.run,
    "solutions": all_solutions.run_counts,
    "diagrams": all_solutions.run_diagrams,
    "grids": large_grids.run,
    "totals": totals.run,
    "threads": threads.run,
    "scripts": scripts.run,
    "growth": growth.run,
    "area": area.run,
    "verdicts": inference.run_verdicts,
    "torus": inference.run_torus,
    "explain": inference.run_explain,
    "trees": trees.run_consistency,
    "tree-verdicts": trees.run_verdicts,
    "tree-counts": trees.run_counts,
    "tree-polynomials": trees.run_polynomials,
    "treewidth": treewidth.run_paper,
    "k-trees": treewidth.run_engine,
    "hubs": treewidth.run_hubs,
    "play": laboratory.run_play,
    "figures": laboratory.run_figures,
    "serving": serving.run,
    "boards": boards.run,
    "gym": environments.run,
    "page": browser.run,
}
PAGE = ROOT / "docs" / "benchmarks.md"
RESULTS = ROOT / "benchmarks" / "results"


def markdown(report: Report, stamp: str) -> str:
    """Return the section's text."""
    lines = [f"## {report.title}", "", report.text, ""]
    lines.append("| " + " | ".join(report.columns) + " |")
    lines.append("|---" * len(report.columns) + "|")
    lines.extend("| " + " | ".join(row) + " |" for row in report.rows)
    lines += ["", " ".join(report.remarks), "", f"*{stamp}*"]
    return "\n".join(lines)


def replace_section(page: str, name: str, section: str) -> str:
    """Return `page` with the text between the markers of `name` replaced.

    >>> replace_section("<!-- begin a -->old<!-- end a -->", "a", "new")
    '<!-- begin a -->\\nnew\\n<!-- end a -->'
    """
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"{PAGE.name} has no section between {begin!r} and {end!r}")
    return pattern.sub(lambda _: f"{begin}\n{section}\n{end}", page)


def stamp(report: Report) -> str:
    """Return when and with what the report was made."""
    versions = [f"sapper {sapper.__version__}"]
    versions += [f"{name} {importlib.metadata.version(name)}" for name in report.packages]
    day = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    python = f"Python {platform.python_version()}"
    where = f"{_processor()}, {os.cpu_count()} cores"
    return f"{day}, commit {commit()}: {', '.join(versions)}, {python}, {where}"


@functools.cache
def commit() -> str:
    """Return the commit that is measured, and whether the code has changed since."""
    written = [f":!{path.relative_to(ROOT)}" for path in (PAGE, RESULTS)]
    try:
        head = _git("rev-parse", "--short", "HEAD").strip()
        changed = _git("status", "--porcelain", "--", ".", *written)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head} with changes" if changed else head


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def measured(name: str) -> bool:
    """Tell whether a section was measured at this commit already."""
    try:
        raw = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(raw, dict) and raw.get("commit") == commit()


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.machine()
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found.group(1) if found else platform.machine()


def main() -> int:
    """Run the benchmarks named on the command line, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(BENCHMARKS)}")
    parser.add_argument("--quick", action="store_true", help="few instances, nothing written down")
    parser.add_argument(
        "--resume", action="store_true", help="leave out what was measured at this commit"
    )
    parser.add_argument("--seconds", type=float, default=120.0, help="limit per instance")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - BENCHMARKS.keys()
    if unknown:
        parser.error(
            f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}"
        )
    options = Options(seconds=arguments.seconds, quick=arguments.quick)
    for name in arguments.names or BENCHMARKS:
        if arguments.resume and measured(name):
            print(f"{name}: measured at {commit()} already", file=sys.stderr)
            continue
        print(f"{name}: running", file=sys.stderr, flush=True)
        try:
            report = BENCHMARKS[name](options)
        except MissingDataError as missing:
            print(f"{name}: left out, {missing}", file=sys.stderr)
            continue
        made = stamp(report)
        section = markdown(report, made)
        print(section + "\n", flush=True)
        if not options.quick:
            page = PAGE.read_text(encoding="utf-8")
            PAGE.write_text(replace_section(page, name, section), encoding="utf-8")
            RESULTS.mkdir(exist_ok=True)
            raw = {"made": made, "commit": commit(), "results": report.raw}
            text = json.dumps(raw, indent=1, ensure_ascii=False)
            (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    if not options.quick:
        chart.draw(chart.comparisons())
    return 0


if __name__ == "__main__":
    sys.exit(main())
