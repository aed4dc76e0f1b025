"""Boards as text: aligned, unambiguous, cropped to what fits."""

from __future__ import annotations

import re

import pytest

import sapper
from sapper import render
from sapper.clues import Puzzle
from sapper.render.scene import Explained, Scene, World
from sapper.render.tables import table
from sapper.render.terminal import ASCII, Board, joined


def board(text: str, width: int | None = None, **options: object) -> list[str]:
    return board_of(sapper.parse(text), width, **options)


def board_of(position: Puzzle, width: int | None = None, **options: object) -> list[str]:
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


@pytest.mark.parametrize("colour", [False, True])
def test_narrow_boards_have_letters_for_chances(colour: bool) -> None:
    position = sapper.parse("\n".join(["1" + "?" * 29] * 3))
    shown = Board(Scene(position, sapper.analyze(position)), width=64, colour=colour)
    lines = list(joined(shown.lines()))
    assert re.fullmatch(r"0  1 [✗✓]( [a-j])+", lines[1])
    (legend,) = joined([shown.legend()])
    assert "40–50%" in legend or "50–60%" in legend


def test_a_chance_of_one_digit_does_not_look_like_a_number() -> None:
    position = sapper.Position(sapper.Grid(3, 20), {(0, 0): 1}, mines=3)
    lines = board_of(position, 70)
    assert " 4% 4%" in lines[2]


def test_explanations_are_marked_on_the_board() -> None:
    explanation = sapper.explain(sapper.parse("1??\n12?\n_1?"), (0, 2))
    shown = Board(Explained(explanation), marked=True)
    assert list(joined(shown.lines())) == [
        "    0   1   2",
        "0   1² (?) [✓]",
        "1   1   2¹ (?)",
        "2   _   1⁴ (?)",
    ]


def test_large_boards_show_the_surroundings_of_the_reasons() -> None:
    position = sapper.Position(sapper.Grid(40, 50), {(20, 30): 0})
    shown = Board(Explained(sapper.explain(position, (19, 29))), marked=True, width=80)
    assert (shown.rows, shown.columns) == (range(18, 23), range(28, 33))
    box = sapper.Position(sapper.Box(5, 3, 3), {(2, 1, 1): 0})
    layers = Board(Explained(sapper.explain(box, (1, 1, 1))), marked=True).layers
    assert layers == range(1, 4)


def test_worlds_have_a_sign_of_their_own_for_free_cells() -> None:
    position = sapper.parse("0?\n1?\n??")
    (first, *_) = sapper.solutions(position)
    shown = Board(World(position, first), axes=False)
    assert "·" in next(joined(shown.lines()))
    (legend,) = joined([shown.legend()])
    assert "○  covered, no mine" in legend
    assert "·  number 0" in legend


def test_an_analysis_prints_its_board() -> None:
    position = sapper.parse("1??\n12?\n_1?", mines=2)
    assert str(sapper.analyze(position)) == render.text(position, sapper.analyze(position))


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
