"""What the fuzzer tries: cases made from a seed, and a judge that says what is wrong with one.

A judge returns how many faults were injected and took effect (refused files, limits, interrupts),
and raises whatever is wrong.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, Final, NamedTuple

from sapper.analysis import get
from sapper.clues import Clues
from sapper.errors import FormatError, PositionError
from sapper.formats import parse
from tests.fuzz import damaged, injected
from tests.fuzz.cases import random_document, smaller
from tests.support.agreement import assert_agree

MOST_CELLS: Final = 12
"""For enumeration, again and again."""


class Part(NamedTuple):
    """A kind of cases."""

    make: Callable[[int], Any]
    """Returns the case of a seed, as a JSON document."""
    judge: Callable[[Any], int]
    smaller: Callable[[Any], Iterator[Any]] | None = None
    """Yields cases with one thing less; without it a case is kept by its seed."""


def _document(seed: int) -> Any:
    return random_document(Random(seed))


def judge_puzzle(document: Any) -> int:
    """Hold the engine to enumeration on every question."""
    try:
        puzzle = parse(json.dumps(document))
    except (FormatError, PositionError):
        return 0
    assert_agree(get("engine"), get("brute"), puzzle)
    return 0


def judge_faults(seed: int) -> int:
    """Inject limits and interrupts into questions to some method."""
    rng = Random(seed)
    puzzle = parse(json.dumps(random_document(rng)))
    while len(Clues.of(puzzle).cells) > MOST_CELLS:
        puzzle = parse(json.dumps(random_document(rng)))
    return injected.judge(puzzle, rng)


@cache
def _whole_run() -> tuple[Path, list[object]]:
    """Return the directory of a finished run, and its answers."""
    import atexit

    from sapper.lab import Run
    from tests.lab.test_damage import EXPERIMENT, answers
    from tests.lab.test_runs import Inline

    home = Path(mkdtemp())
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    run = Run(EXPERIMENT, home / "run")
    run.execute(Inline())
    return home / "run", answers(run.rows())


def judge_store(seed: int) -> int:
    """Damage the directory of a laboratory run: the right answers, or a `RunError`."""
    from sapper.lab import Run, RunError
    from tests.lab.test_damage import EXPERIMENT, answers, flip, replace, scribble, truncate
    from tests.lab.test_runs import Inline

    rng = Random(seed)
    source, expected = _whole_run()
    with TemporaryDirectory() as home:
        directory = Path(home) / "run"
        shutil.copytree(source, directory)
        files = sorted(path for path in directory.rglob("*") if path.is_file())
        path = rng.choice(files)
        data = bytearray(path.read_bytes())
        if data:
            rng.choice((truncate, scribble, flip, replace))(data, rng)
        path.write_bytes(data)
        if rng.random() < 0.1:
            path.unlink()
        try:
            run = Run(EXPERIMENT, directory, resume=True)
            run.execute(Inline())
            found = answers(run.rows())
        except RunError:
            return 1
        assert found == expected, f"other answers after damage to {path.name}"
    return 0


PARTS: Final[dict[str, Part]] = {
    "puzzles": Part(_document, judge_puzzle, smaller),
    "limits and interrupts": Part(int, judge_faults),
    "damaged files": Part(int, damaged.judge),
    "damaged runs": Part(int, judge_store),
}


def verdict(name: str, case: Any) -> tuple[str, int]:
    """Return ``"ok"`` or what is wrong, and how many faults took effect."""
    try:
        return "ok", PARTS[name].judge(case)
    except Exception as error:  # whatever goes wrong here is a finding
        return f"wrong: {type(error).__name__}: {error}", 0
