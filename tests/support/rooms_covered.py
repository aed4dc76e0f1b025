"""Print how much of each room the tests reach: ``make coverage``.

The tests run in parts, a folder each. What a part reached is kept in ``build/coverage`` until the
code or its tests change, so the work can be stopped and goes on with the next part. Tests that
watch the clock may fail while they are traced; what they reach counts all the same, and they are
named.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
# They build and try the C++ core and the wheel, and run none of the package's Python here.
NOT_PYTHON: Final = ("tests/engine/test_core_programs.py", "tests/test_wheel.py")


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


def parts(root: Path) -> dict[str, list[str]]:
    """Return the tests in parts: a folder each, the files beside them, and the doctests."""
    tests = root / "tests"
    folders = sorted({path.parent.name for path in tests.glob("*/test_*.py")})
    beside = sorted(f"tests/{path.name}" for path in tests.glob("test_*.py"))
    found = {folder: [f"tests/{folder}"] for folder in folders}
    return {**found, "beside": beside, "doctests": ["src/sapper"]}


def digest(root: Path, paths: list[str]) -> str:
    """Return what tells whether a part was measured with the code and the tests of now."""
    state = hashlib.sha256()
    for path in sorted({root / "src" / "sapper", *(root / path for path in paths)}):
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            state.update(file.read_bytes())
    return state.hexdigest()


def measure(root: Path, work: Path, name: str, paths: list[str], options: list[str]) -> None:
    """Run a part of the tests and keep which statements and branches they reach."""
    now, mark, kept = digest(root, paths), work / f"{name}.digest", work / f"{name}.reached"
    if mark.exists() and mark.read_text(encoding="utf-8") == now and kept.exists():
        return
    raw = work / name
    shutil.rmtree(raw, ignore_errors=True)
    raw.mkdir(parents=True)
    coverage = [sys.executable, "-m", "coverage"]
    started, used = time.monotonic(), os.times()
    command = [*coverage, "run", f"--data-file={raw / kept.name}", "-m", "pytest", "-q", "-rN"]
    command += ["-p", "no:cacheprovider", "--tb=line", "--hypothesis-profile=ci"]
    command += [f"--ignore={path}" for path in NOT_PYTHON]
    done = subprocess.run(
        [*command, *options, *paths], cwd=root, capture_output=True, text=True, check=False
    )
    said = done.stdout.strip().splitlines() or done.stderr.strip().splitlines()
    if done.returncode not in (0, 1):
        raise SystemExit(f"{name}: pytest ended with {done.returncode}\n" + "\n".join(said))
    combine = ["combine", "--quiet", f"--data-file={kept}", str(raw)]
    subprocess.run([*coverage, *combine], cwd=root, check=True)
    shutil.rmtree(raw)
    mark.write_text(now, encoding="utf-8")
    now_used = os.times()
    spent = sum(now_used[2:4]) - sum(used[2:4])
    clock = time.monotonic() - started
    print(f"{name}: {said[-1].strip('= ')}; {spent:.0f} s of the processor in {clock:.0f} s")
    for line in said if done.returncode else ():
        if line.startswith(("E ", "FAILED", str(root))):
            print("  ", line[:160])
    sys.stdout.flush()


def main() -> None:
    """Measure what was not measured since it changed, and print the table of all parts."""
    parser = argparse.ArgumentParser(prog="make coverage", description=__doc__)
    parser.add_argument("--part", action="append", help="only these: clues, beside, doctests, …")
    parser.add_argument("--table", action="store_true", help="measure nothing, print what there is")
    arguments, options = parser.parse_known_args()
    work = ROOT / "build" / "coverage"
    work.mkdir(parents=True, exist_ok=True)
    every = parts(ROOT)
    chosen = {name: every[name] for name in arguments.part or every}
    for name, paths in chosen.items() if not arguments.table else ():
        measure(ROOT, work, name, paths, options or ["-n", "auto"])
    kept = [str(work / f"{name}.reached") for name in every if (work / f"{name}.digest").exists()]
    coverage, data = [sys.executable, "-m", "coverage"], f"--data-file={work / 'all'}"
    report = work / "report.json"
    for command in (
        ["combine", "--keep", "--quiet", *kept],
        ["json", "--quiet", "-o", str(report)],
    ):
        subprocess.run([*coverage, command[0], data, *command[1:]], cwd=ROOT, check=True)
    missing = [name for name in every if str(work / f"{name}.reached") not in kept]
    print(table(rooms(report)))
    if missing:
        print(f"\nnot measured: {', '.join(missing)}")


if __name__ == "__main__":
    main()
