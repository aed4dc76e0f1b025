"""Change the rooms that decide answers, one place at a time, and see which tests notice.

``make mutants`` goes on where it stopped; ``ARGS="--room clues"`` for some rooms, ``--again`` to
try the survivors once more, ``--report`` to print the table alone. What was found is in
``build/mutants``, and what is known to make no difference in ``tests/mutation/explained.txt``.
"""

from __future__ import annotations

import argparse
import ast
import gc
import hashlib
import json
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any, Final

import pytest

from tests.mutation import server
from tests.mutation.operators import Mutant, mutants

ROOT: Final = Path(__file__).parents[2]
WORK: Final = ROOT / "build" / "mutants"
EXPLAINED: Final = Path(__file__).parent / "explained.txt"
SLOWEST: Final = 0.1
"""Seconds of the processor; slower tests are asked about survivors only (``--again``)."""
MOST: Final = 0.8
"""Seconds of the processor that the tests of one mutant may take together, fastest first."""
STARTING: Final = 20.0
"""Seconds of the processor that a process of its own may take before its first test."""
PATIENT: Final = 12.0
"""How much longer both may be for survivors, unless ``--patience`` says otherwise."""
ROOMS: Final = {
    "clues": ["tests/clues", "tests/analysis/test_analysis.py", "tests/analysis/test_session.py"],
    "game": ["tests/game", "tests/formats/test_replays.py"],
    "engine": ["tests/engine", "tests/analysis/test_analysis.py"],
    "analysis": [
        "tests/analysis",
        "tests/inference",
        "tests/answers",
        "tests/engine/test_session.py",
    ],
}
# Tests that start processes, build programs or send signals, or are slow and about other rooms.
LEFT_OUT: Final = (
    "core_programs",
    "interrupt",
    "signal",
    "sapper.lab",
    "sapper.play",
    "test_limits",
)


def tests_of(room: str) -> list[str]:
    """Return the files whose tests are asked about a room: its doctests, and those listed."""
    shared = ["tests/test_copies.py"]
    files = [ROOT / "src" / "sapper" / room]
    for name in (*ROOMS[room], *shared):
        path = ROOT / name
        files += sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
    return [str(file.relative_to(ROOT)) for file in files]


def sources(room: str) -> list[Path]:
    """Return the files of a room."""
    return sorted((ROOT / "src" / "sapper" / room).rglob("*.py"))


def measure(room: str) -> None:
    """Write which tests reach which lines of a room, and how long each takes.

    Tests whose file was measured with the same code are not measured again.
    """
    import coverage

    old, files = read_map(room), test_digests(room)
    if old.get("digests") != source_digests(room):
        old = {}
    same = {file for file, state in old.get("tests", {}).items() if files.get(file) == state}
    if old:
        same |= {tests_of(room)[0], *(str(path.relative_to(ROOT)) for path in sources(room))}

    def measured(name: str) -> bool:
        return name.partition("::")[0] in same

    seconds = {name: spent for name, spent in old.get("seconds", {}).items() if measured(name)}
    since = {name: old["since"].get(name, 0.0) for name in seconds}
    watch = coverage.Coverage(
        data_file=None, include=[str(p) for p in sources(room)], config_file=False
    )

    def work(items: dict[str, pytest.Item]) -> None:
        for name, item in items.items():
            if measured(name) or any(part in name for part in LEFT_OUT):
                continue
            watch.switch_context(name)
            started = time.process_time()
            if server.failing([item]) is None:
                seconds[name], since[name] = time.process_time() - started, time.time()
            watch.switch_context("")

    watch.start()
    server.collect([file for file in tests_of(room) if file not in same], work)
    watch.stop()
    data, lines = watch.get_data(), {}
    for path in sources(room):
        found: dict[str, set[str]] = {}
        before = old.get("lines", {}).get(path.name, {})
        for line, names in [*before.items(), *data.contexts_by_lineno(str(path)).items()]:
            found.setdefault(str(line), set()).update(name for name in names if name in seconds)
        lines[path.name] = {line: sorted(names) for line, names in found.items()}
    document = {"seconds": seconds, "since": since, "lines": lines}
    document |= {"digests": source_digests(room), "tests": files}
    (WORK / f"{room}-lines.json").write_text(json.dumps(document), encoding="utf-8")


def read_map(room: str) -> dict[str, Any]:
    """Return what was measured last."""
    path = WORK / f"{room}-lines.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


class Map:
    """Which tests to ask about a line."""

    def __init__(self, room: str) -> None:
        document = read_map(room)
        self.holds = (
            document.get("digests") == source_digests(room)
            and document.get("tests") == test_digests(room)
        )  # fmt: skip
        if not self.holds:
            return
        self.seconds: dict[str, float] = document["seconds"]
        self._since: dict[str, float] = document["since"]
        self._lines: dict[str, dict[str, list[str]]] = document["lines"]

    def asked(self, path: Path, mutant: Mutant, row: Mapping[str, Any]) -> set[str]:
        """Return the tests that a mutant has survived, by its last row."""
        names = self.tests(path, mutant, row.get("patience", 0))
        return {name for name in names if self._since[name] < row.get("time", 1.0)}

    def tests(self, path: Path, mutant: Mutant, patience: float) -> list[str]:
        """Return the names of tests that reach a mutant, the fastest first, within the time."""
        if not patience:
            return []
        lines = self._lines.get(path.name, {})
        if mutant.top is None:  # it acts while the module is imported: all that use the file
            names = {name for line in lines.values() for name in line} or set(self.seconds)
        else:
            names = set(lines.get(str(mutant.line), ()))
        chosen: list[str] = []
        spent = 0.0
        for name in sorted(names, key=lambda name: self.seconds[name]):
            spent += self.seconds[name]
            slowest = (SLOWEST if chosen else MOST) * patience
            if self.seconds[name] > slowest or spent > MOST * patience:
                break
            chosen.append(name)
        return chosen


class Alone:
    """A process that tries what acts while a module is imported: `tests.mutation.alone`."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[str] | None = None

    def ask(self, path: Path, tree: ast.Module, names: list[str], seconds: float) -> str:
        """Run tests in a process that imports a changed module from the start."""
        if self._server is None:
            command = [sys.executable, "-m", "tests.mutation.alone"]
            self._server = subprocess.Popen(
                command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            ours = ("sapper", "tests", "conftest", "__main__")
            self._send([name for name in list(sys.modules) if not name.startswith(ours)])
        self._send([str(path), ast.unparse(tree), names, seconds + STARTING])
        assert self._server.stdout is not None
        status: str = json.loads(self._server.stdout.readline())[0]
        return status

    def _send(self, request: list[Any]) -> None:
        assert self._server is not None
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()


def every(room: str) -> Iterator[tuple[str, Path, Mutant]]:
    """Yield the mutants of a room, each with its own name."""
    for path in sources(room):
        text = path.read_text(encoding="utf-8")
        seen: Counter[str] = Counter()
        for mutant in mutants(text):
            seen[mutant.key] += 1
            number = f" ({seen[mutant.key]})" if seen[mutant.key] > 1 else ""
            yield f"{room}/{path.name}: {mutant.key}{number}", path, mutant


def digest(path: Path) -> str:
    """Return what tells whether a file is still the one that was tried."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def source_digests(room: str) -> dict[str, str]:
    """Return what tells whether the lines that tests reach may be others now."""
    return {path.name: digest(path) for path in sources(room)}


def test_digests(room: str) -> dict[str, str]:
    """Return what tells whether tests are those that were measured."""
    files = [ROOT / file for file in tests_of(room)]
    return {str(file.relative_to(ROOT)): digest(file) for file in files if file.is_file()}


def results(room: str) -> dict[str, dict[str, Any]]:
    """Return what is known of the mutants of files as they are now."""
    log, known = WORK / f"{room}.jsonl", {}
    digests = {path.name: digest(path) for path in sources(room)}
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        row = json.loads(line)
        if digests.get(row["file"]) == row["digest"]:
            known[row["name"]] = row
    return known


def explained() -> dict[str, str]:
    """Return the mutants that make no difference to an answer, each with the reason."""
    reasons: dict[str, str] = {}
    reason = ""
    for line in EXPLAINED.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line.strip():
            reasons[line] = reason
    return reasons


def gone(reasons: Mapping[str, str]) -> Iterator[str]:
    """Yield what is explained and no longer exists."""
    names = {name for room in ROOMS for name, _, _ in every(room)}
    return (name for name in reasons if name not in names)


def untried(room: str) -> bool:
    """Tell whether a room has mutants that were not tried."""
    known = results(room)
    return any(name not in known for name, _, _ in every(room))


def run(
    room: str,
    again: bool = False,
    most: int | None = None,
    only: Sequence[str] = (),
    patience: float = 1.0,
    share: tuple[int, int] = (0, 1),
) -> None:
    """Try the mutants of a room that were not tried, or survived less patience."""
    known, reasons = results(room), explained()
    digests = {path.name: digest(path) for path in sources(room)}
    todo = [
        one
        for one in every(room)
        if (one[0] not in known and not only)
        or (
            again
            and one[0] not in reasons
            and known.get(one[0], {}).get("status") in ("survived", "no test")
        )
    ]
    # In an order that is the same every time: those tried so far are a sample of all.
    Random(1).shuffle(todo)
    todo.sort(key=lambda one: one[2].top is None)  # those that need a process of their own last
    todo = todo[:most][share[0] :: share[1]]
    if not todo:
        return
    if not only and not Map(room).holds:
        # In a process of its own: no test may have run before the mutants are made.
        command = [sys.executable, "-m", "tests.mutation", "--measure", room]
        subprocess.run(command, cwd=ROOT, check=True)
    tests = None if only else Map(room)
    alone, started = Alone(), time.time()
    killers: defaultdict[object, Counter[str]] = defaultdict(Counter)

    @cache
    def notices(path: Path, names: tuple[str, ...]) -> bool:
        """Tell whether tests that pass with the module do not if it cannot be imported."""
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if alone.ask(path, tree, list(names), 60.0) != "survived":
            raise SystemExit(f"{path.name} fails in a process of its own, and is unchanged")
        tree.body.append(ast.Raise(ast.Name("ImportError", ast.Load())))
        return alone.ask(path, ast.fix_missing_locations(tree), list(names), 60.0) != "survived"

    def work(items: dict[str, pytest.Item]) -> None:
        living = server.functions_of(sources(room))
        gc.freeze()
        with (WORK / f"{room}.jsonl").open("a", encoding="utf-8") as log:
            for number, (name, path, mutant) in enumerate(todo, 1):
                if tests is None:
                    names, seconds = list(items), 60.0
                else:
                    passed = tests.asked(path, mutant, known.get(name, {}))
                    asked = tests.tests(path, mutant, patience)
                    names = [one for one in asked if one in items and one not in passed]
                    seconds = 3 + 3 * sum(tests.seconds[one] for one in names)
                functions = living.get((str(path), *mutant.top), []) if mutant.top else []
                code = server.new_code(mutant, path, functions) if functions and names else None
                chosen = [items[one] for one in names]
                if not names or (code is None and not notices(path, tuple(names))):
                    status = known.get(name, {}).get("status", "no test")
                elif code is None:
                    status = alone.ask(path, mutant.tree(), names, seconds)
                else:
                    # What killed another of this function is asked first.
                    kills = killers[path, mutant.top]
                    chosen.sort(key=partial(_kills, kills), reverse=True)
                    trial = partial(_try, functions, code, chosen)
                    status, killer = server.forked(trial, seconds)
                    kills[killer] += 1
                row = {"name": name, "file": path.name, "line": mutant.line, "status": status}
                row |= {"tests": len(names), "digest": digests[path.name]}
                row |= {"patience": patience, "time": started}
                if only:
                    row |= {key: known[name].get(key, 0) for key in ("patience", "time")}
                log.write(json.dumps(row, ensure_ascii=False) + "\n")
                log.flush()
                if status in ("survived", "no test") and name not in reasons:
                    print(f"{number}/{len(todo)} {status}: {name} (line {mutant.line})", flush=True)

    server.collect(only or tests_of(room), work)


def _kills(kills: Counter[str], item: pytest.Item) -> int:
    return kills[item.nodeid]


def _try(functions: list[FunctionType], code: CodeType, items: list[pytest.Item]) -> str | None:
    for function in functions:
        function.__code__ = code
    return server.failing(items)


def report() -> int:
    """Print the table of docs/mutants.md and the survivors without a reason; return how many."""
    reasons, open_ones = explained(), []
    print("| room | mutants | tried | killed | of these by time | survived, explained | open |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for room in ROOMS:
        names = {name: mutant.line for name, _, mutant in every(room)}
        known = {name: row for name, row in results(room).items() if name in names}
        count = Counter(row["status"] for row in known.values())
        alive = [n for n, row in known.items() if row["status"] in ("survived", "no test")]
        left = [name for name in alive if name not in reasons]
        killed = count["killed"] + count["timeout"]
        print(
            f"| `{room}` | {len(names):,} | {len(known):,} | {killed:,} | {count['timeout']:,} "
            f"| {len(alive) - len(left):,} | {len(left):,} |"
        )
        open_ones += [f"{name} (line {names[name]})" for name in left]
    for name in open_ones:
        print("open:", name)
    for name in gone(reasons):
        print("explained, but no longer there:", name)
    return len(open_ones)


def main() -> int:
    """Try mutants until all were tried or Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--room", action="append", choices=list(ROOMS))
    parser.add_argument("--again", action="store_true", help="try the survivors once more")
    parser.add_argument("--only", action="append", help="with --again: ask these tests alone")
    parser.add_argument("--patience", type=float, help="ask tests that are so much slower too")
    parser.add_argument("--most", type=int, help="stop after so many")
    parser.add_argument("--share", default="1/1", help="2/3: the second of three processes")
    parser.add_argument("--report", action="store_true", help="print the table alone")
    parser.add_argument("--measure", metavar="ROOM", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    if arguments.measure:
        measure(arguments.measure)
        return 0
    if arguments.room and len(arguments.room) == 1:
        patience = arguments.patience or (PATIENT if arguments.again else 1.0)
        part, of = map(int, arguments.share.split("/"))
        only = arguments.only or ()
        run(arguments.room[0], arguments.again, arguments.most, only, patience, (part - 1, of))
        return 0
    while not arguments.report and any(untried(room) for room in arguments.room or ROOMS):
        for room in arguments.room or ROOMS:
            # One process a room: the tests of one are not collected with those of another.
            command = [sys.executable, "-m", "tests.mutation", "--room", room, "--most", "100"]
            subprocess.run(command, cwd=ROOT, check=True)
    return 1 if report() else 0


if __name__ == "__main__":
    sys.exit(main())
