"""Options change the cost of an answer, never the answer."""

from __future__ import annotations

from itertools import islice
from typing import Final

import pytest
from hypothesis import given, settings

from sapper.clues import Clues, Puzzle
from sapper.engine import EngineMethod
from sapper.field import Grid, Hex, Torus
from sapper.methods.brute import Brute
from tests.engine.boards import minefield, random_graph
from tests.support.agreement import assert_agree
from tests.support.strategies import puzzles

METHODS: Final = (
    EngineMethod(certainty=False),
    EngineMethod(grouping=False),
    EngineMethod(look_ahead=False),
    EngineMethod(order="path"),
    EngineMethod(order="tree"),
    EngineMethod(order="given"),
    EngineMethod(certainty=False, grouping=False, look_ahead=False, order="path"),
    EngineMethod(certainty=False, grouping=False, look_ahead=False, order="tree"),
    EngineMethod(certainty=False, grouping=False, look_ahead=False, order="given"),
)
every_option = pytest.mark.parametrize("method", METHODS, ids=repr)

BOARDS: Final = {
    "grid": minefield(Grid(16, 20), mines=0.25, visible=0.35, seed=3, total=True),
    "narrow grid": minefield(Grid(6, 40), mines=0.3, visible=0.4, seed=4),
    "torus": minefield(Torus(10, 12), mines=0.2, visible=0.3, seed=5, total=True),
    "hex": minefield(Hex(14, 14), mines=0.3, visible=0.4, seed=6),
    "graph": random_graph(150, 220, seed=7, total=True),
}


@every_option
@given(puzzle=puzzles())
@settings(max_examples=25, deadline=None)
def test_small_puzzles(method: EngineMethod, puzzle: Puzzle) -> None:
    assert_agree(method, Brute(), puzzle)


@every_option
@pytest.mark.parametrize("name", BOARDS)
def test_boards_beyond_brute_force(method: EngineMethod, name: str) -> None:
    """Large enough for search, look-ahead and joins to take part."""
    position, engine = BOARDS[name], EngineMethod()
    assert method.findings(position).by_mines == engine.findings(position).by_mines
    found, expected = method.findings(position), engine.findings(position)
    assert found.verdict_codes == expected.verdict_codes
    assert found.count == expected.count
    assert found.exact_probabilities == expected.exact_probabilities
    assert found.probabilities == pytest.approx(expected.probabilities, abs=1e-12)
    costs = {cell: (7 * place) % 11 - 4 for place, cell in enumerate(found.cells)}
    view, other = method.solutions(position), engine.solutions(position)
    assert view.cheapest(costs).cost == other.cheapest(costs).cost
    clues = Clues.of(position)
    drawn = [*islice(view, 20), *view.sample(20, seed=1)]
    assert all(clues.is_solution(solution) for solution in drawn)


@pytest.mark.parametrize("order", ["auto", "path", "tree", "given"])
@pytest.mark.parametrize("name", ["narrow grid", "graph"])
def test_diagram_in_every_order(order: str, name: str) -> None:
    position = BOARDS[name]
    method = EngineMethod(order=order)  # type: ignore[arg-type]
    assert method.solutions(position).zdd().count() == EngineMethod().findings(position).count


def test_options_are_named_in_the_repr() -> None:
    assert repr(EngineMethod(grouping=False, order="tree")) == (
        "EngineMethod(grouping=False, order='tree')"
    )
