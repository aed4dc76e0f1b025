"""3BV, openings, islands and ZiNi, against ms_toollib and by definition."""

from __future__ import annotations

import networkx
import pytest

from sapper import Grid, Hex, Torus, play
from sapper.errors import GameError
from sapper.field import Graph, Topology


def test_a_thousand_boards_against_ms_toollib() -> None:
    toollib = pytest.importorskip("ms_toollib")
    boards = [
        *(play.random_layout("expert", seed=seed) for seed in range(500)),
        *(play.random_layout("intermediate", seed=seed) for seed in range(200)),
        *(play.random_layout("beginner", seed=seed) for seed in range(200)),
        *(play.random_layout(f"12x17/{seed}", seed=seed) for seed in range(100)),
    ]
    for layout in boards:
        numbers = layout.numbers
        height, width = layout.topology.shape
        other = toollib.Board(
            [[numbers.get((r, c), -1) for c in range(width)] for r in range(height)]
        )
        found = play.metrics(layout)
        ours = (found.three_bv, found.openings, found.islands, found.zini, found.human_zini)
        assert ours == (other.bbbv, other.op, other.isl, other.zini, other.hzini), layout
        assert play.three_bv(layout) == other.bbbv


@pytest.mark.parametrize(
    "topology",
    [Torus(7, 8), Hex(6, 9), Graph(networkx.random_regular_graph(4, 40, seed=1))],
    ids=["torus", "hex", "graph"],
)
def test_other_fields_by_definition(topology: Topology) -> None:
    for seed in range(20):
        layout = play.random_layout(play.Board(topology, 3 + seed % 8), seed=seed)
        numbers, found = layout.numbers, play.metrics(layout)
        graph = networkx.Graph()
        graph.add_nodes_from(numbers)
        graph.add_edges_from(
            (a, b) for a in numbers for b in topology.neighbours(a) if b in numbers
        )
        zeros = [cell for cell, number in numbers.items() if number == 0]
        alone = [
            cell
            for cell, number in numbers.items()
            if number and all(numbers.get(other, 9) for other in topology.neighbours(cell))
        ]
        openings = networkx.number_connected_components(graph.subgraph(zeros))
        assert found.openings == openings
        assert found.three_bv == openings + len(alone)
        assert found.islands == networkx.number_connected_components(graph.subgraph(alone))
        assert openings <= found.zini <= found.three_bv
        assert openings <= found.human_zini <= found.three_bv


def test_the_click_count_of_zini_is_played_out() -> None:
    # One mine in a corner: a click on the opening does it all.
    assert play.metrics(play.Layout(Grid(5, 5), [(0, 0)])).zini == 1
    # A full ring around a mine-free centre: each number is a click of its own.
    ring = play.Layout(Grid(3, 3), [c for c in Grid(3, 3).cells if c != (1, 1)])
    assert play.metrics(ring).three_bv == play.metrics(ring).zini == 1


def test_what_is_done_of_a_position() -> None:
    layout = play.random_layout("expert", seed=3)
    found = play.metrics(layout)
    assert found.solved(layout.position()) == found.three_bv
    assert found.solved(layout.position([])) == 0
    with pytest.raises(GameError, match="another board"):
        found.solved(play.random_layout("beginner", seed=1).position())
    with pytest.raises(GameError, match="a Layout"):
        play.metrics("expert")  # type: ignore[arg-type]
    with pytest.raises(GameError, match="a Layout"):
        play.three_bv(None)  # type: ignore[arg-type]


def test_fields_without_numbers() -> None:
    empty = play.metrics(play.Layout(Grid(2, 2), Grid(2, 2).cells))
    assert (empty.three_bv, empty.openings, empty.islands, empty.zini) == (0, 0, 0, 0)
