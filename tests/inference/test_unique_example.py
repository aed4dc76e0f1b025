"""The 5×5 example: eleven numbers, fourteen covered cells, one solution, five mines."""

from __future__ import annotations

from pathlib import Path

import highspy
import pytest

import sapper
from sapper import formats
from sapper.clues import Clue, Clues
from sapper.errors import InconsistentError, UnknownCellError
from sapper.field import Position
from sapper.methods.cpsat import CpSat, status

EXAMPLE = Path(__file__).parents[2] / "examples" / "unique.txt"


def example() -> Position:
    position = sapper.read(EXAMPLE)
    assert isinstance(position, Position)
    return position


MINES = frozenset({(0, 0), (0, 2), (1, 3), (2, 0), (3, 2)})


def test_what_is_said_of_it() -> None:
    position = example()
    assert len(position.numbers) == 11
    assert len(position.covered) == 14
    assert position.mines is None
    assert list(sapper.solutions(position)) == [MINES]


@pytest.mark.parametrize("solver", ["cpsat", "highs"])
def test_layout_uniqueness_and_status(solver: str) -> None:
    position = example()
    method = CpSat(solver=solver)
    assert method.layout(position) == MINES
    assert method.uniqueness(position).is_unique
    for cell in position.covered:
        assert status(position, cell, solver=solver) == ("mine" if cell in MINES else "safe")


@pytest.mark.parametrize("solver", ["cpsat", "highs"])
def test_a_second_layout_is_shown(solver: str) -> None:
    position = example().with_label((1, 0), "_")
    found = CpSat(solver=solver).uniqueness(position)
    assert found.second is not None
    assert found.second != found.layout
    for layout in (found.layout, found.second):
        assert layout in sapper.solutions(position)


@pytest.mark.parametrize("solver", ["cpsat", "highs"])
def test_no_layout(solver: str) -> None:
    method = CpSat(solver=solver)
    clues = Clues([Clue(1, "ab"), Clue(2, "ab")])
    assert method.layout(clues) is None
    with pytest.raises(InconsistentError):
        method.uniqueness(clues)
    with pytest.raises(InconsistentError):
        method.status(clues, "a")
    with pytest.raises(UnknownCellError):
        method.status(clues, "z")


@pytest.mark.parametrize("kind", ["lp", "mps"])
def test_the_exported_model_solves_in_highs(kind: str, tmp_path: Path) -> None:
    position = example()
    path = tmp_path / f"unique.{kind}"
    formats.write(position, path)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.readModel(str(path))
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    names = [f"x{number}" for number in range(1, 15)]
    columns = [solver.getColByName(name) for name in names]
    values = solver.getSolution().col_value
    mines = {
        cell
        for cell, (_, column) in zip(position.covered, columns, strict=True)
        if round(values[column])
    }
    assert mines == MINES


def test_mps_with_a_total_and_weights(tmp_path: Path) -> None:
    clues = Clues([Clue(-1, "abc", weights=[2, -3, 1])], "abcd", mines=2)
    path = tmp_path / "weighted.mps"
    formats.write(clues, path)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.readModel(str(path))
    solver.run()
    values = [round(value) for value in solver.getSolution().col_value]
    assert clues.is_solution({cell for cell, value in zip("abcd", values, strict=True) if value})
