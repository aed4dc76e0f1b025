"""Pictures are well-formed, complete and of bounded size, for every kind of field."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import networkx
import pytest

import sapper
from sapper import render
from sapper.render.overview import png
from sapper.render.placing import _lying, place
from sapper.render.scene import Scene

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = sorted(
    path
    for path in (Path(__file__).parents[2] / "examples").iterdir()
    if path.suffix in (".json", ".txt") and path.name not in ("costs.json", "expert.txt")
)


def parsed(picture: str) -> ElementTree.Element:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox")
    return root


def titles(root: ElementTree.Element) -> list[str]:
    return [
        node.text or "" for path in root.iter(f"{SVG}path") for node in path.iter(f"{SVG}title")
    ]


def words(root: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_is_drawn(path: Path) -> None:
    puzzle = sapper.read(path)
    analysis = sapper.analyze(puzzle)
    for picture in (render.svg(puzzle), render.svg(puzzle, analysis)):
        root = parsed(picture)
        cells = puzzle.cells if isinstance(puzzle, sapper.Clues) else puzzle.topology.cells
        assert len(titles(root)) == len(cells)
    for page in (render.html(puzzle), render.html(puzzle, analysis)):
        ElementTree.fromstring(page.replace("&nbsp;", " "))
    assert render.text(puzzle, analysis)


def test_verdicts_and_chances_are_said() -> None:
    position = sapper.parse("1??\n12?\n_1?", mines=2)
    root = parsed(render.svg(position, sapper.analyze(position)))
    said = titles(root)
    assert "0,1: mine" in said
    assert "0,2: safe" in said
    assert "1,2: a mine with 50%" in said
    assert "2,0: free, number not known" in said
    assert words(root).count("50%") == 2


def test_uncertain_cells_never_look_certain() -> None:
    # One mine in a thousand cells: every covered cell is below one percent, and none is safe.
    position = sapper.Position(sapper.Grid(10, 100), ["?" * 100] * 10, mines=1)
    analysis = sapper.analyze(position)
    for picture in (render.svg(position, analysis), render.text(position, analysis)):
        assert "<1%" in picture.replace("&lt;", "<")
        assert not re.search(r"(?<![0-9.])(0|100)%", picture)


@pytest.mark.parametrize("method", ["engine", "brute"])
def test_inconsistent_positions_are_drawn_and_say_so(method: str) -> None:
    position = sapper.parse("3?*\n2**")
    picture = render.svg(position, sapper.analyze(position, method=method))
    assert "inconsistent" in picture
    assert "#d55e00" in picture  # the number that is plainly wrong has a frame


def test_notebooks_get_pictures() -> None:
    position = sapper.Position(sapper.Grid(2, 2), ["1?", "??"])
    analysis = sapper.analyze(position)
    assert position.svg() == position._repr_svg_()
    assert analysis.svg() == analysis._repr_svg_()
    assert analysis.svg().startswith("<svg")
    assert "best guess" in analysis._repr_html_()


def test_explanations_are_drawn_with_their_steps() -> None:
    explanation = sapper.explain(sapper.parse("1??\n12?\n_1?"), (0, 2))
    parsed(explanation.svg())
    page = explanation._repr_html_()
    ElementTree.fromstring(page.replace("&nbsp;", " "))
    assert page.count("<li>") == len(explanation.steps)
    assert ">4</text>" in explanation.svg()  # the clue of step 4


def test_both_worlds_of_an_undecided_cell_are_drawn() -> None:
    explanation = sapper.explain(sapper.parse("1??\n12?\n_1?"), (1, 2))
    root = parsed(explanation.svg())
    assert {"if 1,2 is a mine", "if 1,2 is free"} <= set(words(root))
    said = titles(root)
    assert len(said) == 2 * 9
    assert {"1,2: mine", "1,2: no mine here"} <= set(said)


def test_solutions_and_clues_are_drawn() -> None:
    clues = sapper.Clues([sapper.Clue(1, "uv"), sapper.Clue(2, "vwx")])
    parsed(clues.svg())
    for puzzle in (clues, sapper.parse("1??\n???")):
        view = sapper.solutions(puzzle)
        assert f"{view.count()} solutions" in render.svg(view)
        assert render.html(view).startswith("<div")


def test_pictures_are_saved(tmp_path: Path) -> None:
    position = sapper.parse("1?\n??")
    for shown in (position, sapper.analyze(position), sapper.explain(position, (0, 1))):
        shown.save(tmp_path / "a.svg")
        parsed((tmp_path / "a.svg").read_text(encoding="utf-8"))
        shown.save(tmp_path / "a.html")
    with pytest.raises(sapper.FormatError, match=r"'a.png'"):
        position.save(tmp_path / "a.png")
    with pytest.raises(sapper.FormatError, match="no picture of 7"):
        render.svg(7)
    with pytest.raises(TypeError, match="can be drawn, not 7"):
        render.text(7)  # type: ignore[arg-type]


def test_sessions_show_what_they_know() -> None:
    session = sapper.Session(sapper.Position(sapper.Grid(2, 2), {}, mines=1))
    session.reveal((0, 0), 1)
    assert "33%" in session.svg()


def test_vertices_stand_where_they_are_put() -> None:
    graph = sapper.Position(sapper.Graph.from_edges([("a", "b"), ("b", "c")]), {"b": 1})
    root = parsed(graph.svg(places={"a": (0, 0), "b": (3, 0), "c": (3, 9)}))
    at = {
        node.text: (float(node.get("x", "")), float(node.get("y", "")))
        for node in root.iter(f"{SVG}text")
    }
    assert at["a"][1] == at["b"][1]
    assert at["b"][0] == at["c"][0]
    assert at["c"][1] - at["b"][1] == pytest.approx(3 * (at["b"][0] - at["a"][0]))
    for wrong in ({"a": (0, 0)}, {"a": 1, "b": 2, "c": 3}, dict.fromkeys("abc", (0, float("nan")))):
        with pytest.raises(sapper.PositionError, match="place"):
            graph.svg(places=wrong)  # type: ignore[arg-type]


def test_names_of_many_vertices_do_not_overlap() -> None:
    graph = sapper.Position(sapper.Graph(networkx.les_miserables_graph()), {})
    root = parsed(graph.svg())
    boxes = [
        (float(node.get("x", "")), float(node.get("y", "")), 5.2 * len(node.text or ""))
        for node in root.iter(f"{SVG}text")
        if node.text in graph.topology.cells
    ]
    assert len(boxes) == 76  # one name is shortened
    for at, (x, y, wide) in enumerate(boxes):
        for u, v, other in boxes[:at]:
            assert abs(x - u) > (wide + other) / 2 or abs(y - v) > 10


def test_names_are_escaped() -> None:
    graph = sapper.Graph.from_edges([("<script>", "a&b"), ("a&b", "\x00\x1b")])
    root = parsed(render.svg(sapper.Position(graph, {"a&b": 1})))
    assert {"<script>", "a&b"} <= set(words(root))


def test_long_names_are_shortened() -> None:
    graph = sapper.Graph.from_edges([("x" * 500, "y")])
    assert max(map(len, words(parsed(render.svg(sapper.Position(graph, {})))))) < 30


def test_huge_boards_become_dots() -> None:
    position = sapper.Position(sapper.Grid(300, 300), {(0, 0): 0})
    picture = render.svg(position, sapper.analyze(position))
    parsed(picture)
    assert len(picture) < 100_000
    assert "data:image/png" in picture


@pytest.mark.parametrize(
    "topology", [sapper.Torus(110, 100), sapper.Hex(110, 100), sapper.Box(7, 40, 41)], ids=str
)
def test_huge_fields_of_other_kinds_too(topology: sapper.Topology) -> None:
    assert "data:image/png" in render.svg(sapper.Position(topology, {}))


def test_huge_graphs_are_not_drawn_but_say_so() -> None:
    position = sapper.Position(sapper.Graph(networkx.empty_graph(30_000)), {})
    assert "too large to draw" in render.svg(position)


def test_a_graph_of_thousands_is_drawn_quickly() -> None:
    tree = networkx.random_labeled_tree(3_000, seed=1)
    parsed(render.svg(sapper.Position(sapper.Graph(tree), {})))


@pytest.mark.parametrize(
    "graph",
    [
        networkx.path_graph(12),
        networkx.complete_graph(7),
        networkx.star_graph(9),
        networkx.grid_2d_graph(4, 5),
        networkx.empty_graph(5),
        networkx.disjoint_union(networkx.cycle_graph(6), networkx.petersen_graph()),
        networkx.empty_graph(0),
    ],
    ids=str,
)
def test_nodes_do_not_cover_each_other(graph: networkx.Graph) -> None:
    field = sapper.Graph(graph)
    places = place([field.neighbours_at(index) for index in range(len(field))])
    assert len(places) == len(field)
    for one, (x, y) in enumerate(places):
        for u, v in places[:one]:
            assert (x - u) ** 2 + (y - v) ** 2 > 0.5**2


def test_layouts_are_deterministic() -> None:
    rows = [[1, 2], [0, 2], [0, 1, 3], [2]]
    assert place(rows) == place(rows)


def test_png_has_its_chunks() -> None:
    data = png([b"\x00\x01", b"\x01\x00"], ["#ffffff", "#000000"])
    assert [data.count(name) for name in (b"IHDR", b"PLTE", b"IDAT", b"IEND")] == [1, 1, 1, 1]


def test_best_guesses_are_all_equals() -> None:
    position = sapper.parse("1?\n??")
    scene = Scene(position, sapper.analyze(position))
    assert scene.best == ((0, 1), (1, 0), (1, 1))


def test_rounding_turns_no_picture() -> None:
    """Nor does it mirror one whose first node lies in the middle."""
    import numpy

    plain = numpy.array([0, 3 + 1j, -3 + 1j, 2 - 1j, -2 - 1j])
    drawn = _lying(plain)
    for noise in (1e-15, -1e-15, 1e-15j, -1e-15j):
        moved = plain.copy()
        moved[0] += noise
        assert abs(_lying(moved) - drawn).max() < 1e-9
