"""The mutants themselves: what is changed, and that a change is noticed."""

from __future__ import annotations

import ast
import textwrap

from tests.mutation.__main__ import EXPLAINED, every, explained, gone, sources
from tests.mutation.operators import mutants

SOURCE = textwrap.dedent(
    """
    from typing import Final
    LIMIT: Final = 3

    def first(cells, *, limits=None):
        \"\"\"Return the first.\"\"\"
        if not cells:
            raise ValueError("there is no cell")
        for cell in cells:
            if cell < LIMIT and look(cell, limits=limits):
                break
        return cell + 1
    """
)


def test_each_change_is_small_and_different() -> None:
    found = [(mutant.function, mutant.old, mutant.new) for mutant in mutants(SOURCE)]
    assert found == [
        ("", "3", "4"),
        ("first", "not cells", "cells"),
        ("first", "raise ValueError('there is no cell')", "pass"),
        ("first", "if cell < LIMIT and look(cell, limits=limits)", FOUND_TURNED),
        ("first", FOUND, FOUND.replace("and", "or")),
        ("first", "cell < LIMIT", "cell <= LIMIT"),
        ("first", "look(cell, limits=limits)", "look(cell)"),
        ("first", "break", "pass"),
        ("first", "return cell + 1", "return None"),
        ("first", "cell + 1", "cell - 1"),
        ("first", "1", "2"),
    ]


FOUND = "cell < LIMIT and look(cell, limits=limits)"
FOUND_TURNED = f"if not ({FOUND})"


def test_a_mutant_is_the_module_with_one_change() -> None:
    before = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in mutants(SOURCE):
        after = ast.unparse(mutant.tree()).splitlines()
        assert sum(one != two for one, two in zip(before, after, strict=True)) == 1
        assert (mutant.top is None) == (mutant.function == "")


def test_every_explanation_has_a_reason_and_a_file() -> None:
    """Whether the line is still there is told by the report: code may change without it."""
    assert len(explained()) > 50, EXPLAINED.name
    assert all(explained().values())
    for name in explained():
        room, _, rest = name.partition("/")
        file, _, change = rest.partition(": ")
        assert file in {path.name for path in sources(room)}
        assert " → " in change


def test_an_explanation_of_a_line_that_is_gone_is_told() -> None:
    one = next(name for name, _, _ in every("clues"))
    assert list(gone({one: "reason", "clues/clue.py: gone: 1 → 2": "reason"})) == [
        "clues/clue.py: gone: 1 → 2"
    ]
