"""A new kind of field is one class and one row: the rest of the package takes it as it is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import sapper
from sapper import render
from sapper.field import TOPOLOGIES, Kind, Position, Rows
from sapper.formats import dump
from tests.support.naive import legal


class Triangles(Rows):
    """Triangles in rows, pointing up and down in turn; those that share a side touch."""

    kind = "triangles"

    def neighbours_at(self, index: int) -> Sequence[int]:
        row, column = divmod(index, self.width)
        other = row + 1 if (row + column) % 2 == 0 else row - 1
        around = [(row, column - 1), (row, column + 1), (other, column)]
        return sorted(
            y * self.width + x for y, x in around if 0 <= y < self.height and 0 <= x < self.width
        )


@pytest.fixture
def position(monkeypatch: pytest.MonkeyPatch) -> Position:
    monkeypatch.setitem(TOPOLOGIES, "triangles", Kind(Triangles))
    return Position(Triangles(3, 4), ["?1??", "2?1?", "?1??"], mines=3)


def test_it_is_read_and_written(position: Position) -> None:
    assert "topology: triangles" in dump(position)
    for name in ("text", "json"):
        assert sapper.parse(dump(position, name)) == position
    assert sapper.parse("?1??\n2?1?\n?1??", topology="triangles", mines=3) == position
    with pytest.raises(sapper.FormatError, match="line 2, column 1: the number 4 has only 1"):
        sapper.parse("topology: triangles\n4?")


def test_it_is_drawn(position: Position) -> None:
    assert render.svg(position, sapper.analyze(position)).startswith("<svg")
    assert render.text(position).splitlines()[1].split() == ["0", "?", "1", "?", "?"]


def test_it_is_solved(position: Position) -> None:
    count = len(legal(position))
    assert count > 1
    for method in ("engine", "brute", "zdd", "treewidth"):
        assert sapper.count(position, method=method) == count
