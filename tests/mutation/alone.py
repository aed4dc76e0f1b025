"""Run tests against a package with one module changed: what acts while it is imported."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

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


def main() -> int:
    """Return 0 if all tests passed."""
    work = Path(sys.argv[1])
    file, names = json.loads((work / "changed.json").read_text(encoding="utf-8"))
    source = (work / "changed.txt").read_text(encoding="utf-8")
    sys.meta_path.insert(0, Changed(Path(file), source))
    passed = []
    server.collect(names, lambda items: passed.append(server.passes(items.values())))
    return 0 if passed == [True] else 1


if __name__ == "__main__":
    sys.exit(main())
