"""The rules between rooms that import-linter does not know; `make lint` runs this file.

Which room stands where is read from the contract in pyproject.toml, so it is said once.

- A room is entered by its door: `from sapper.field import Position`, no submodule of it.
- A private name (`_x`) is used in its own room only, as an import or as an attribute.
- `sapper._core` is imported by `sapper._native` only, and the root by no room.
- A module named in a string, for import on first use, counts as an import.
- A folder of the core includes from itself and those above it in core/README.md, and only the
  bindings know Python.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
_MODULE: Final = re.compile(r"sapper(\.\w+)+")
_INCLUDE: Final = re.compile(r'^\s*#\s*include\s*(?:"(\w+)/[^"]+"|<((?:nanobind/|Python)[^>]*)>)')


def layers(pyproject: Path = ROOT / "pyproject.toml") -> list[list[str]]:
    """Return the rooms from right to left; rooms of one layer do not know each other."""
    contracts = tomllib.loads(pyproject.read_text())["tool"]["importlinter"]["contracts"]
    return [re.findall(r"\w+", layer) for layer in contracts[0]["layers"]]


def hooks(pyproject: Path = ROOT / "pyproject.toml") -> frozenset[str]:
    """Return the imports to the right that the contract lists: how objects show themselves."""
    contracts = tomllib.loads(pyproject.read_text())["tool"]["importlinter"]["contracts"]
    return frozenset(contracts[0]["ignore_imports"])


class Violation(NamedTuple):
    """An import or a name that a rule forbids."""

    path: Path
    line: int
    importer: str
    imported: str
    rule: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.importer} -> {self.imported}: {self.rule}"


class _Name(NamedTuple):
    """A module, or a name in one, that is imported."""

    line: int
    module: str
    name: str = ""


def _module(path: Path, source: Path) -> str:
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _docstrings(tree: ast.Module) -> set[int]:
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _imports(tree: ast.Module, module: str, is_package: bool) -> Iterator[_Name]:
    skipped = _docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield _Name(node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            home = node.module or ""
            if node.level:
                parts = module.split(".")
                kept = len(parts) - node.level + is_package
                home = ".".join([*parts[:kept], *([home] if home else [])])
            for alias in node.names:
                yield _Name(node.lineno, home, alias.name)
        elif isinstance(node, ast.Constant) and id(node) not in skipped:
            home, _, name = str(node.value).partition(":")
            if _MODULE.fullmatch(home):
                yield _Name(node.lineno, home, name)


def _private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _defined(tree: ast.Module) -> Iterator[str]:
    """Walk over the private names that a file gives a meaning."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.Name(id=name, ctx=ast.Store())
            ):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.Constant(value=str(name)):  # __slots__, and what is set through a dictionary
                yield name


def _broken(room: str, home: str, name: str, rank: dict[str, int]) -> str | None:
    """Return the rule that an import breaks, if it breaks one."""
    target = _room(home)
    if target == "_core":
        return None if room == "_native" else "only _native knows the compiled core"
    if not target:
        return "no room knows the root"
    if target == room:
        return None
    if not {room, target} <= rank.keys():
        return "the contract knows no such room"
    if rank[target] <= rank[room]:
        return f"{target} is not left of {room}"
    if home.count(".") > 1:
        return f"{target} is entered by its door"
    if _private(name):
        return f"{name} is private to {target}"
    return None


def violations(source: Path = ROOT / "src") -> list[Violation]:
    """Return everything that breaks a rule, in the order of the files."""
    rank = {room: place for place, layer in enumerate(layers()) for room in layer}
    allowed = hooks()
    trees = {path: ast.parse(path.read_text()) for path in sorted(source.rglob("*.py"))}
    private: dict[str, set[str]] = defaultdict(set)
    for path, tree in trees.items():
        private[_room(_module(path, source))].update(filter(_private, _defined(tree)))
    found: dict[Violation, None] = {}
    for path, tree in trees.items():
        module = _module(path, source)
        room = _room(module)
        if not room:  # the root gives a name to what the rooms have
            continue
        for line, home, name in _imports(tree, module, path.stem == "__init__"):
            if home.partition(".")[0] != "sapper":
                continue
            if home == "sapper" and (name in rank or name == "_core"):
                home, name = f"sapper.{name}", ""
            rule = _broken(room, home, name, rank)
            if rule and f"{module} -> {home}" not in allowed:
                found[Violation(path, line, module, home, rule)] = None
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and _private(node.attr):
                owners = sorted(other for other in private if node.attr in private[other])
                if owners and room not in owners:
                    rule = f"{node.attr} is private to {' and '.join(owners)}"
                    found[Violation(path, node.lineno, module, node.attr, rule)] = None
    return list(found)


def folders(readme: Path = ROOT / "core" / "README.md") -> list[str]:
    """Return the folders of the core, as its map has them from the top."""
    return re.findall(r"^\| `(\w+)/` \|", readme.read_text(), re.MULTILINE)


def core_violations(core: Path = ROOT / "core") -> list[Violation]:
    """Return what a file of the core includes from below it, or of Python."""
    rank = {folder: place for place, folder in enumerate(folders())}
    found: list[Violation] = []
    for path in sorted(core.glob("*/*.?pp")):
        folder = path.parent.name
        importer = f"{folder}/{path.name}"
        if folder not in rank:
            found.append(Violation(path, 1, importer, folder, "the map knows no such folder"))
            continue
        for line, text in enumerate(path.read_text().splitlines(), start=1):
            if not (match := _INCLUDE.match(text)):
                continue
            target, foreign = match.groups()
            if foreign and folder != "bindings":
                rule = "only the bindings know Python"
                found.append(Violation(path, line, importer, foreign, rule))
            elif target and rank.get(target, len(rank)) > rank[folder]:
                rule = f"{target}/ is not above {folder}/"
                found.append(Violation(path, line, importer, target, rule))
    return found


if __name__ == "__main__":
    broken = violations() + core_violations()
    for violation in broken:
        print(violation)
    sys.exit(bool(broken))
