"""Results on disk, one row per finished job.

SQLite in write-ahead mode: a row is there entirely or not at all, whenever the process is killed,
and a reader can look on while a run goes on. Parquet parts would need a file per commit for that.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NoReturn

from sapper.errors import SapperError
from sapper.lab.experiment import Record, Row
from sapper.lab.tables import write_table

FILE = "results.sqlite"
_PATIENCE = 5.0


class RunError(SapperError, ValueError):
    """A run that cannot begin or go on in this directory."""


class Store:
    """The results of a run.

    A row carries a digest of itself: a damaged file gives a `RunError`, never another result.
    A store belongs to the thread that opened it and does not pickle; open another.

    Raises
    ------
    RunError
        By every method, if the file cannot be used.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Store(Path(folder)) as store:
    ...     store.add("a", {"seed": 1}, {"answer": {"count": 2}, "measured": {}})
    ...     store.keys(), [row.result["answer"]["count"] for row in store.rows()]
    ({'a'}, [2])
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE
        with self._readable():
            self._database = sqlite3.connect(self._path, isolation_level=None)
        try:
            with self._readable():
                self._prepare()
        except RunError:
            self.close()
            raise

    def _prepare(self) -> None:
        self._write_ahead()
        self._database.execute("PRAGMA synchronous = NORMAL")
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS results"
            " (key TEXT PRIMARY KEY, payload TEXT NOT NULL, result TEXT NOT NULL, digest TEXT)"
        )
        with closing(self._database.execute("PRAGMA table_info(results)")) as cursor:
            columns = {column for _, column, *_ in cursor}
        if "digest" not in columns:  # a run of an earlier version
            self._database.execute("ALTER TABLE results ADD COLUMN digest TEXT")

    def _write_ahead(self) -> None:
        """Take the mode; SQLite itself does not wait here while another process does the same."""
        deadline = monotonic() + _PATIENCE
        while True:
            try:
                self._database.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > deadline:
                    raise
                sleep(0.01)
            else:
                return

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeError) as error:
            raise RunError(f"{self._path} cannot be used: {error!s:.200}") from None

    def add(self, key: str, payload: Record, result: Record) -> None:
        """Write one result; a key that is there already stays as it is."""
        row = (key, json.dumps(payload, sort_keys=True), json.dumps(result, sort_keys=True))
        with self._readable():
            self._database.execute(
                "INSERT OR IGNORE INTO results (key, payload, result, digest) VALUES (?, ?, ?, ?)",
                (*row, _digest(row)),
            )

    def keys(self) -> set[str]:
        """Return the keys of all finished jobs."""
        return {row.key for row in self.rows()}

    def rows(self) -> Iterator[Row]:
        """Yield all results in order of their keys."""
        query = "SELECT key, payload, result, digest FROM results ORDER BY key"
        with self._readable(), closing(self._database.execute(query)) as cursor:
            for *row, digest in cursor:
                yield self._checked(tuple(row), digest)

    def _checked(self, row: tuple[Any, ...], digest: str | None) -> Row:
        try:
            if digest not in (None, _digest(row)):
                raise ValueError("its digest is another")
            key, payload, result = row[0], json.loads(row[1]), json.loads(row[2])
            if not (isinstance(key, str) and isinstance(payload, dict)):
                raise ValueError("it has no key or no payload")
            if not all(isinstance(result[part], dict) for part in ("answer", "measured")):
                raise ValueError("it has no result")
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise RunError(f"{self._path} is damaged: row {row[0]!r:.60}: {error!s:.60}") from None
        return Row(key, payload, result)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a store holds a file and neither pickles nor copies: open another")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _digest(row: tuple[Any, ...]) -> str:
    return blake2b(repr(row).encode(), digest_size=8).hexdigest()


def write_csv(rows: Iterable[Row], path: Path) -> None:
    """Write results as one tidy table: a line per job, a column per field."""
    write_table([_flat(row) for row in rows], path)


def write_parquet(rows: Iterable[Row], path: Path) -> bool:
    """Write the same table as Parquet, if pyarrow is installed; say whether it was.

    A column is of integers, floats, booleans or text; lists and mappings are text in JSON, and a
    column that mixes kinds is text.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return False
    flat = [_flat(row) for row in rows]
    columns: dict[str, Any] = {}
    for name in dict.fromkeys(name for line in flat for name in line):
        values = [line.get(name) for line in flat]
        kinds = {type(value) for value in values if value is not None}
        if kinds == {int, float}:
            values = [None if value is None else float(value) for value in values]
        elif len(kinds) > 1 or any(isinstance(v, int) and abs(v) >= 1 << 63 for v in values):
            values = [None if value is None else str(value) for value in values]
        columns[name] = values
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    return True


def _flat(row: Row) -> dict[str, Any]:
    fields: dict[str, Any] = {"key": row.key, **row.payload}
    for part in row.result.values():
        fields.update(part)
    return {
        name: json.dumps(value) if isinstance(value, list | dict) else value
        for name, value in fields.items()
    }
