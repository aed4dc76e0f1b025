"""Layered drawings: edges pass no node, crossings are few, the order of a row leaves room."""

from __future__ import annotations

import random

import pytest

import sapper
from sapper.render.diagram import diagram
from sapper.render.layered import layered
from sapper.zdd import Zdd


def test_a_crossing_that_can_be_avoided_is_avoided() -> None:
    # Two chains side by side, given crosswise.
    made = layered([0, 0, 1, 1], [10] * 4, [(0, 3, 0), (1, 2, 0)], 5)
    assert (made.across[0] < made.across[1]) == (made.across[3] < made.across[2])


@pytest.mark.parametrize("seed", range(5))
def test_rows_have_room_and_edges_pass_no_node(seed: int) -> None:
    draw = random.Random(seed)
    layers = [at // 5 for at in range(40)]
    edges = [
        (at, draw.choice([b for b in range(40) if layers[b] > layers[at]]), kind)
        for at in range(35)
        for kind in (0, 1)
    ]
    made = layered(layers, [30] * 40, edges, 10)
    for one in range(40):
        for other in range(one):
            if layers[one] == layers[other]:
                assert abs(made.across[one] - made.across[other]) >= 40 - 0.1
    for (start, end, _), route in zip(edges, made.routes, strict=True):
        assert (route[0][1], route[-1][1]) == (layers[start], layers[end])
        for x, layer in route[1:-1]:
            on_layer = [made.across[node] for node in range(40) if layers[node] == layer]
            assert all(abs(x - place) >= 15 + 10 - 0.1 for place in on_layer)


def test_long_edges_are_straight_where_nothing_is_in_the_way() -> None:
    made = layered([0, 1, 5], [30] * 3, [(0, 2, 1), (0, 1, 0), (1, 2, 0)], 10)
    inner = [x for x, _ in made.routes[0][1:-1]]
    assert max(inner) - min(inner) < 5


def drawn(text: str) -> Zdd:
    made = sapper.solutions(sapper.parse(text)).zdd()
    assert isinstance(made, Zdd)
    return made


def test_diagrams_are_drawn() -> None:
    zdd = drawn("1??1\n????\n?2??\n????")
    picture = zdd.svg()
    assert picture == diagram(zdd)
    assert picture.count("<rect") == len(zdd) + 2
    assert "⊥" in diagram(drawn("2?\n_1"))
    assert "400 nodes" in drawn("?" * 400)._repr_html_()
