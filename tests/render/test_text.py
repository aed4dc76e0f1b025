"""Boards as text: aligned, unambiguous, cropped to what fits."""

from __future__ import annotations

import pytest

import sapper
from sapper import render
from sapper.render.scene import Scene
from sapper.render.tables import table
from sapper.render.terminal import ASCII, Board, joined


def board(text: str, width: int | None = None, **options: object) -> list[str]:
    position = sapper.parse(text)
    scene = Scene(position, sapper.analyze(position))
    made = Board(scene, width=width, **options)  # type: ignore[arg-type]
    return list(joined(made.lines()))


def test_layers_of_a_box_stand_side_by_side_while_they_fit() -> None:
    text = "topology: box\n??\n??\n\n1?\n??\n"
    assert any("layer 0" in line and "layer 1" in line for line in board(text, 80))
    assert not any("layer 0" in line and "layer 1" in line for line in board(text, 20))


def test_rows_of_hexes_are_shifted() -> None:
    first, second, third = board("topology: hex\n1?\n??\n?1")[1:]
    indent = [len(line) - len(line.lstrip()) for line in (first, second, third)]
    assert indent[0] < indent[1] < indent[2]


@pytest.mark.parametrize("width", [30, 60, 80, 130, 200])
@pytest.mark.parametrize("colour", [False, True])
def test_no_line_is_wider_than_the_terminal(width: int, colour: bool) -> None:
    lines = board("\n".join(["1" + "?" * 29] * 3 + ["?" * 30]), width, colour=colour)
    assert max(map(len, lines)) <= width


def test_percentages_without_colour_cannot_be_taken_for_numbers() -> None:
    assert all("%" in line or "?" in line for line in board("1???\n????\n????")[2:])


def test_large_boards_are_cropped_around_a_cell() -> None:
    position = sapper.Position(sapper.Grid(500, 400), {(300, 200): 0})
    scene = Scene(position, sapper.analyze(position))
    shown = Board(scene, width=80, rows=40)
    assert shown.cropped
    assert 299 in shown.rows  # the first safe cell
    assert 199 in shown.columns
    assert len(list(shown.lines())) == 41
    corner = Board(scene, width=80, rows=40, around=0)
    assert (corner.rows[0], corner.columns[0]) == (0, 0)


def test_ascii_will_do() -> None:
    lines = board("1??\n12?\n_1?", None, glyphs=ASCII)
    assert all(line.isascii() for line in lines)


def test_two_digit_numbers_have_room() -> None:
    position = sapper.Position(sapper.Box(3, 3, 3), {(1, 1, 1): 26})
    assert " 26 " in render.text(position)


def test_graphs_become_tables() -> None:
    graph = sapper.Graph.from_edges([("a", "b"), ("b", "c")])
    position = sapper.Position(graph, {"b": 1})
    assert render.text(position, sapper.analyze(position)).splitlines() == [
        "cell  label  verdict  chance  neighbours",
        "a     ?      unknown  50%     b",
        "b     1                       a c",
        "c     ?      unknown  50%     b",
    ]


def test_long_tables_show_covered_cells_first() -> None:
    graph = sapper.Graph.from_edges([(i, i + 1) for i in range(99)])
    position = sapper.Position(graph, dict.fromkeys(range(90), 0))
    made = table(Scene(position, sapper.analyze(position)), limit=10)
    assert made.hidden == 90
    assert [row[0] for row in made.rows] == [str(i) for i in range(90, 100)]
