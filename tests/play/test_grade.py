"""Grades: the hardest deduction that is needed, against a slow player that looks for easy ones."""

from __future__ import annotations

import pytest

import sapper
from sapper import Grid, Hex, Limits, Torus, lab, play
from sapper.errors import GameError, LimitExceeded
from sapper.field import Cell, Position, Topology
from sapper.game import Game


def by_easiest_moves(layout: play.Layout, start: Cell) -> tuple[int, bool, int]:
    """Return the largest core of a path of easiest moves, whether the total helped, and guesses."""
    game, flagged = Game(layout), set[Cell]()
    game.dig(start)
    hardest, total, guesses = 1, False, 0
    while game.status == "playing":
        position: Position = game.position
        for cell in flagged:
            position = position.with_label(cell, "*")
        easiest = sapper.analyze(position.with_mines(None)).difficulty
        if easiest is not None:
            hardest = max(hardest, easiest.size)
            if easiest.verdict == "mine":
                flagged.add(easiest.cell)
            else:
                game.dig(easiest.cell)
            continue
        known = sapper.analyze(position)
        if known.safe:
            total = True
            sizes = [
                len(sapper.explain(position, cell, smallest=True).clues) for cell in known.safe
            ]
            hardest = max(hardest, min(sizes))
            for cell in known.safe:
                if game.status == "playing":
                    game.dig(cell)
            continue
        guesses += 1
        chances = known.exact_probabilities
        free = [cell for cell in chances if cell not in layout.mines]
        game.dig(min(free, key=lambda cell: (chances[cell], layout.topology.index(cell))))
    return hardest, total, guesses


@pytest.mark.parametrize(
    ("topology", "mines"), [(Grid(6, 7), 9), (Torus(6, 6), 8), (Hex(6, 6), 9)], ids=str
)
def test_against_a_player_of_easiest_moves(topology: Topology, mines: int) -> None:
    start, seen = topology.cells[8], set[int]()
    for seed in range(25):
        layout = play.random_layout(
            play.Board(topology, mines), start=start, rule="zero", seed=seed
        )
        found = play.grade(layout, start)
        hardest, total, guesses = by_easiest_moves(layout, start)
        assert (found.hardest_core, found.uses_total) == (hardest, total), seed
        assert found.guesses == guesses == len(found.guessed)
        seen.add(hardest)
    assert len(seen) >= 3


def test_k_is_the_least_that_gets_as_far() -> None:
    least = set()
    for seed in range(40):
        layout = play.generate("expert", start=(3, 3), seed=seed, use_total=False)
        found = play.grade(layout, (3, 3))
        assert not found.uses_total
        for k in range(1, 5):
            run = lab.play_by_inference(
                layout.topology, mines=layout.mines, start=(3, 3), method="kset", k=k
            )
            assert run.finished == (found.k is not None and found.k <= k)
        least.add(found.k)
    assert {2, 3} <= least


def test_levels_are_monotone() -> None:
    reached: dict[tuple[int, bool], set[str]] = {}
    for board in ("beginner", "intermediate", "expert"):
        for seed in range(60):
            layout = play.random_layout(board, start=(3, 3), rule="zero", seed=seed)
            found = play.grade(layout, (3, 3))
            reached.setdefault((found.hardest_core, found.uses_total), set()).add(found.level)
            assert sum(found.steps.values()) > 0 or found.hardest_core == 1
    assert all(len(levels) == 1 for levels in reached.values())
    ranks = {key: play.LEVELS.index(min(levels)) for key, levels in reached.items()}
    for (core, total), rank in ranks.items():
        for (other, needed), higher in ranks.items():
            if core <= other and total <= needed:
                assert rank <= higher


def test_more_mines_are_harder() -> None:
    means = []
    for mines in (40, 70, 99, 115):
        made = play.generate_many(play.Board(Grid(16, 30), mines), 60, seed=1)
        means.append(sum(play.grade(layout).hardest_core for layout in made) / 60)
    assert means == sorted(means)


def test_where_it_begins() -> None:
    layout = play.Layout(Grid(4, 6), mines=[(0, 1), (0, 2), (3, 0)])
    assert play.usual_start(layout) == (2, 3) or layout.numbers[play.usual_start(layout)] == 0
    assert play.grade(layout) == play.grade(layout, play.usual_start(layout))
    made = play.generate("beginner", start=(7, 1), seed=1)
    assert play.usual_start(made) == (7, 1)
    with pytest.raises(GameError, match="is a mine"):
        play.grade(layout, (0, 1))
    with pytest.raises(GameError, match="every cell is a mine"):
        play.grade(play.Layout(Grid(1, 2), [(0, 0), (0, 1)]))
    with pytest.raises(GameError, match="of a Layout"):
        play.grade("expert")  # type: ignore[arg-type]
    board = play.Board(Grid(200, 200), 8000)
    big = play.random_layout(board, start=(9, 9), rule="zero", seed=1)
    with pytest.raises(LimitExceeded):
        play.grade(big, (9, 9), limits=Limits(seconds=1e-6))


def test_a_field_without_mines_is_trivial() -> None:
    found = play.grade(play.Layout(Grid(3, 3), []))
    assert (found.guesses, found.hardest_core, found.k, found.level) == (0, 1, 1, "trivial")
