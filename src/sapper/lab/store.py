"""Results on disk, one row per finished job.

SQLite in write-ahead mode: a row is there entirely or not at all, whenever the process is killed,
and a reader can look on while a run goes on. Parquet parts would need a file per commit for that.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sapper.lab.experiment import Record, Row

FILE = "results.sqlite"


class Store:
    """The results of a run.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Store(Path(folder)) as store:
    ...     store.add("a", {"seed": 1}, {"answer": {"count": 2}})
    ...     store.keys(), [row.result["answer"]["count"] for row in store.rows()]
    ({'a'}, [2])
    """

    def __init__(self, directory: Path) -> None:
        self._database = sqlite3.connect(directory / FILE, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = NORMAL")
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS results"
            " (key TEXT PRIMARY KEY, payload TEXT NOT NULL, result TEXT NOT NULL)"
        )

    def add(self, key: str, payload: Record, result: Record) -> None:
        """Write one result; a key that is there already stays as it is."""
        self._database.execute(
            "INSERT OR IGNORE INTO results VALUES (?, ?, ?)",
            (key, json.dumps(payload, sort_keys=True), json.dumps(result, sort_keys=True)),
        )

    def keys(self) -> set[str]:
        """Return the keys of all finished jobs."""
        with closing(self._database.execute("SELECT key FROM results")) as cursor:
            return {key for (key,) in cursor}

    def rows(self) -> Iterator[Row]:
        """Yield all results in order of their keys."""
        query = "SELECT key, payload, result FROM results ORDER BY key"
        with closing(self._database.execute(query)) as cursor:
            for key, payload, result in cursor:
                yield Row(key, json.loads(payload), json.loads(result))

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write_csv(rows: Iterable[Row], path: Path) -> None:
    """Write results as one tidy table: a line per job, a column per field."""
    flat = [_flat(row) for row in rows]
    columns = list(dict.fromkeys(name for line in flat for name in line))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(flat)


def _flat(row: Row) -> dict[str, Any]:
    fields: dict[str, Any] = {"key": row.key, **row.payload}
    for part in row.result.values():
        fields.update(part)
    return {
        name: json.dumps(value) if isinstance(value, list | dict) else value
        for name, value in fields.items()
    }
