"""Directories of runs that were damaged: the right answers, or an error that names the file."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from sapper.lab import KSets, Run, RunError
from sapper.lab.experiment import Row
from sapper.lab.store import FILE, Store
from tests.lab.test_runs import Inline

EXPERIMENT = KSets(sizes=(6,), densities=(0.1, 0.2), games=6, ks=(1,))

Damage = Callable[[bytearray, Random], None]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Row]]:
    """A finished run, in one file: nothing waits in the write-ahead log."""
    directory = tmp_path_factory.mktemp("whole") / "run"
    run = Run(EXPERIMENT, directory)
    run.execute(Inline())
    with sqlite3.connect(directory / FILE) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    database.close()
    return directory, run.rows()


def truncate(data: bytearray, random: Random) -> None:
    del data[random.randrange(len(data)) :]


def scribble(data: bytearray, random: Random) -> None:
    start = random.randrange(len(data))
    length = random.choice([1, 16, 500, 5000])
    data[start : start + length] = random.randbytes(min(length, len(data) - start))


def flip(data: bytearray, random: Random) -> None:
    for _ in range(random.choice([1, 1, 1, 20])):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def replace(data: bytearray, random: Random) -> None:
    data[:] = random.randbytes(random.choice([0, 1, 100, 5000]))


@pytest.mark.parametrize("damage", [truncate, scribble, flip, replace], ids=lambda d: d.__name__)
def test_damaged_results(damage: Damage, whole: tuple[Path, list[Row]], tmp_path: Path) -> None:
    source, expected = whole
    refused = 0
    for seed in range(60):
        directory = tmp_path / str(seed)
        shutil.copytree(source, directory)
        data = bytearray((directory / FILE).read_bytes())
        damage(data, Random(f"{damage.__name__} {seed}"))
        (directory / FILE).write_bytes(data)
        run = Run(EXPERIMENT, directory, resume=True)
        error: RunError | None = None
        try:
            run.execute(Inline())
            rows = run.rows()
        except RunError as found:
            error = found
            refused += 1
        assert str(directory / FILE) in str(error) or answers(rows) == answers(expected), seed
    assert refused > 10


def answers(rows: list[Row]) -> list[object]:
    return [(row.key, row.payload, row.result["answer"]) for row in rows]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("payload", "{"),
        ("payload", "[]"),
        ("result", "{"),
        ("result", "null"),
        ("result", '{"answer": {}}'),
        ("result", "[" * 100_000),
        ("result", b"\xff\xfe"),
        ("key", "another"),
    ],
)
@pytest.mark.parametrize("digest", [True, False])
def test_a_broken_row(
    column: str, value: str, digest: bool, whole: tuple[Path, list[Row]], tmp_path: Path
) -> None:
    directory = tmp_path / "run"
    shutil.copytree(whole[0], directory)
    with sqlite3.connect(directory / FILE) as database:
        if not digest:
            database.execute("UPDATE results SET digest = NULL")
        key = whole[1][0].key
        database.execute(f"UPDATE results SET {column} = ? WHERE key = ?", (value, key))
    database.close()
    run = Run(EXPERIMENT, directory, resume=True)
    if column == "key" and not digest:
        run.execute(Inline())  # nobody asked for such a job, and the one that is lost is done again
        assert answers(run.rows()) == answers(whole[1])
        return
    with pytest.raises(RunError, match="is damaged: row"):
        run.execute(Inline())
    with pytest.raises(RunError, match=FILE):
        run.report()


def test_a_run_of_an_earlier_version_goes_on(whole: tuple[Path, list[Row]], tmp_path: Path) -> None:
    directory = tmp_path / "run"
    shutil.copytree(whole[0], directory)
    with sqlite3.connect(directory / FILE) as database:
        database.execute("ALTER TABLE results DROP COLUMN digest")
        database.execute("DELETE FROM results WHERE key = ?", (whole[1][0].key,))
    database.close()
    run = Run(EXPERIMENT, directory, resume=True)
    run.execute(Inline())
    assert answers(run.rows()) == answers(whole[1])


@pytest.mark.parametrize(
    "text", ["[]", "", "{", "null", "3", "\x00", "[" * 100_000, '{"experiment": []}', "9" * 5000]
)
def test_a_broken_configuration(text: str, tmp_path: Path) -> None:
    Run(EXPERIMENT, tmp_path / "run")
    (tmp_path / "run" / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=r"config\.json cannot be read|other experiment"):
        Run(EXPERIMENT, tmp_path / "run", resume=True)


def test_a_directory_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="file"):
        Run(EXPERIMENT, tmp_path / "file" / "run")
    (tmp_path / "run" / FILE).mkdir(parents=True)
    with pytest.raises(RunError, match=FILE):
        Store(tmp_path / "run")
    config = json.dumps({"experiment": "k-set"})
    (tmp_path / "run" / "config.json").write_text(config)
    with pytest.raises(RunError, match="other parameters"):
        Run(EXPERIMENT, tmp_path / "run", resume=True)
