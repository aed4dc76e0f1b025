"""Wide boards: what is forced on them is found in time that grows with their area."""

from __future__ import annotations

from time import process_time

import pytest

import sapper
from sapper.clues import Clue, Clues
from sapper.engine import EngineMethod
from sapper.errors import LimitExceeded
from sapper.field import Grid, Position, Torus
from sapper.limits import Limits
from sapper.methods.sat import Sat
from tests.engine.boards import minefield


def board(side: int, *, mines: float = 0.2, visible: float = 0.4, seed: int = 1) -> Position:
    return minefield(Grid(side, side), mines=mines, visible=visible, seed=seed)


@pytest.mark.parametrize(
    ("mines", "visible"), [(0.15, 0.3), (0.2, 0.4), (0.25, 0.3), (0.25, 0.5), (0.4, 0.6)]
)
def test_forced_cells_are_those_of_sat(mines: float, visible: float) -> None:
    for seed in range(2):
        position = minefield(Torus(40, 40), mines=mines, visible=visible, seed=seed)
        found = sapper.analyze(position).verdicts
        assert found == Sat().findings(position).verdicts, f"seed {seed}"


def test_one_lie_is_found() -> None:
    """Two clues that differ by one about the same cells, far from where the search begins."""
    clues = Clues.of(board(100))
    lie = next(clue for clue in clues.clues[::-1] if 0 < clue.count < len(clue.cells) - 1)
    wrong = Clues([*clues.clues, Clue(lie.count + 1, lie.cells)])
    assert sapper.analyze(clues).consistent
    assert not sapper.analyze(wrong).consistent


def test_cost_follows_the_area() -> None:
    """Nine times the area may cost no more than some twenty times; once it was two hundred."""

    def seconds(side: int) -> float:
        position = board(side)
        spent = []
        for _ in range(3):
            start = process_time()
            findings = EngineMethod().findings(position)
            assert findings.verdict_codes
            assert findings.count > 0
            spent.append(process_time() - start)
        return min(spent)

    assert seconds(300) < 20 * seconds(100)


def test_a_limit_in_the_middle_changes_nothing() -> None:
    position = board(150)
    expected = EngineMethod().findings(position).verdict_codes
    findings = EngineMethod().findings(position, Limits(nodes=300))
    with pytest.raises(LimitExceeded):
        _ = findings.verdict_codes
    findings.limits = Limits()
    assert findings.verdict_codes == expected
