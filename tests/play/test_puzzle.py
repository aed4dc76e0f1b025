"""Puzzles of one position: the answer is the only one, and the proof a smallest one."""

from __future__ import annotations

from importlib import import_module

import pytest

import sapper
from sapper import Limits, play
from sapper.errors import GameError, LimitExceeded
from sapper.play.grade import level_of


@pytest.mark.parametrize(
    ("board", "use_total"),
    [("7x7/8", False), ("7x7/8", True), ("torus:7x7/8", False), ("hex:7x7/12", True)],
)
def test_one_cell_is_safe_and_the_proof_holds(board: str, use_total: bool) -> None:
    for seed in range(2):
        made = play.puzzle(board, use_total=use_total, seed=seed)
        found = sapper.analyze(made.position)
        assert found.safe == {made.cell}
        assert found.mines == frozenset()  # all that are certain are marked
        assert made.cell not in made.layout.mines
        assert (made.position.mines is not None) == use_total
        numbers = made.layout.numbers
        for cell in made.position.topology.cells:
            assert made.position[cell] in ("?", numbers.get(cell, "*"))
        assert made.proof.verdict == "safe"
        assert made.proof.is_smallest
        easiest = found.difficulty
        assert easiest is not None
        assert made.size == easiest.size
        assert made.level == level_of(made.size, uses_total=made.proof.total is not None)
        assert made == play.puzzle(board, use_total=use_total, seed=seed)


@pytest.mark.parametrize("level", ["trivial", "easy", "tricky"])
def test_by_level(level: play.Level) -> None:
    made = play.puzzle("expert", level=level, seed=1)
    assert made.level == level
    assert made.size == play.LEVELS.index(level) + 1


def test_levels_are_those_of_grades() -> None:
    for seed in range(100):
        layout = play.random_layout("expert", start=(3, 3), rule="zero", seed=seed)
        found = play.grade(layout, (3, 3))
        assert found.level == level_of(found.hardest_core, uses_total=found.uses_total)


def test_wishes_that_cannot_be_met_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("sapper.play.puzzle"), "_MOST", 300)
    with pytest.raises(play.UnmetWish, match=r"no hard position .* looked at: 300; that is hop"):
        play.puzzle("3x3/1", level="hard", seed=1)
    with pytest.raises(LimitExceeded, match=r"looked at: \d+; limit reached"):
        play.puzzle("expert", level="fiendish", seed=1, limits=Limits(seconds=0.01))
    with pytest.raises(GameError, match="a grade is"):
        play.puzzle(level="easier")  # type: ignore[arg-type]
    with pytest.raises(GameError, match="nothing to dig"):
        play.puzzle("2x2/4")
    with pytest.raises(GameError):
        play.puzzle("nowhere")
