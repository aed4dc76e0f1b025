"""Run tests against a package with one module changed: what acts while it is imported.

A server: it imports what the package and the tests need from elsewhere once, and forks.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import json
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutation import server


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module, with other source."""

    def __init__(self, path: Path, source: str) -> None:
        parts = path.with_suffix("").parts
        package = parts[parts.index("sapper") :]
        self._is_package = package[-1] == "__init__"
        self._name = ".".join(package[:-1] if self._is_package else package)
        self._path, self._source = path, source

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the changed module if it is asked for."""
        if name != self._name:
            return None
        return importlib.util.spec_from_file_location(
            name,
            self._path,
            loader=self,
            submodule_search_locations=[str(self._path.parent)] if self._is_package else None,
        )

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source as the module."""
        exec(compile(self._source, str(self._path), "exec", dont_inherit=True), module.__dict__)


def _run(path: Path, source: str, names: list[str]) -> str | None:
    """Import the package with a changed module and return the first test that fails."""
    sys.meta_path.insert(0, Changed(path, source))
    found: list[str | None] = []

    def work(items: dict[str, pytest.Item]) -> None:
        found.append(server.failing(items[name] for name in names if name in items))

    server.collect(names, work)
    return found[0] if found else "nothing was collected"


def main() -> None:
    """Answer requests, one a line, each from a fork that has nothing of the package yet."""
    for name in json.loads(sys.stdin.readline()):
        with contextlib.suppress(Exception):
            import_module(name)
    gc.freeze()
    for line in sys.stdin:
        path, source, names, seconds = json.loads(line)
        status, killer = server.forked(partial(_run, Path(path), source, names), seconds)
        print(json.dumps([status, killer]), flush=True)


if __name__ == "__main__":
    main()
