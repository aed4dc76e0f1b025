"""What type checkers believe of the compiled core is what the core has."""

from __future__ import annotations

import ast
from pathlib import Path

from nanobind.stubgen import StubGen

import sapper
from sapper import _core

HOW = "python -m nanobind.stubgen -m sapper._core -o src/sapper/_core.pyi"


def names(text: str) -> dict[str, list[str]]:
    """Return everything that a stub defines, each with its parameters and decorators.

    How types are written differs from one nanobind to the next.
    """
    found: dict[str, list[str]] = {}

    def look(node: ast.Module | ast.ClassDef, before: str) -> None:
        for child in node.body:
            if isinstance(child, ast.ClassDef):
                found[before + child.name] = [ast.unparse(base) for base in child.bases]
                look(child, f"{before}{child.name}.")
            elif isinstance(child, ast.FunctionDef):
                every = ast.walk(child.args)
                takes = [one.arg for one in every if isinstance(one, ast.arg)]
                takes += [ast.unparse(one) for one in child.decorator_list]
                found.setdefault(before + child.name, []).append(" ".join(takes))
            elif isinstance(child, ast.AnnAssign):
                found[before + ast.unparse(child.target)] = []

    look(ast.parse(text), "")
    return found


def test_the_stub_is_what_nanobind_makes_of_the_core() -> None:
    generator = StubGen(_core)
    generator.put(_core)
    made = names(generator.get())
    written = names(Path(sapper.__file__).with_name("_core.pyi").read_text(encoding="utf-8"))
    assert len(made) > 100
    assert written == made, HOW


def test_a_parameter_more_is_noticed() -> None:
    before = "class A:\n    def f(self, one: int) -> int: ...\ndef g() -> None: ...\n"
    assert set(names(before)) == {"A", "A.f", "g"}
    assert names(before) != names(before.replace("one: int", "one: int, two: int = 0"))
    assert names(before) != names(before.replace("def g", "def h"))
