"""Played games with hindsight: exact luck, guesses, mistakes."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

import sapper
from sapper import Grid, Limits, Torus, play
from sapper.errors import GameError, LimitExceeded
from sapper.field import Cell
from sapper.game import Game


def test_luck_is_the_share_of_worlds_that_survive() -> None:
    # The product of the chances telescopes: of all layouts, those that fit what was seen, weighed
    # by the chance of the numbers shown. Here each dig is checked against a list of worlds.
    topology, mines = Torus(3, 4), 3
    worlds = [frozenset(world) for world in combinations(topology.cells, mines)]

    def shown(cell: Cell, world: frozenset[Cell]) -> int:
        return sum(other in world for other in topology.neighbours(cell))

    for seed in range(12):
        layout = play.random_layout(play.Board(topology, mines), seed=seed)
        game, possible = Game(layout), worlds
        expected = []
        for cell in (topology.cells[(7 * i + seed) % 12] for i in range(12)):
            if game.status != "playing" or cell in game.uncovered:
                continue
            alive = [world for world in possible if cell not in world]
            expected.append(Fraction(len(alive), len(possible)))
            for opened in game.dig(cell) - game.exploded:
                number = layout.numbers[opened]
                possible = [w for w in possible if opened not in w and shown(opened, w) == number]
        found = play.review(game)
        assert [move.survival for move in found.moves] == expected
        assert found.luck == Fraction(1) * _product(expected)
        assert found.status == game.status
        assert 0 <= found.regret < len(expected)


def _product(factors: list[Fraction]) -> Fraction:
    result = Fraction(1)
    for factor in factors:
        result *= factor
    return result


def test_judgements() -> None:
    game = Game(play.Layout(Grid(2, 5), mines=[(0, 3), (1, 3)]))
    game.dig((0, 2))  # nothing is known: a guess
    game.flag((0, 3))
    game.dig((0, 0))  # both mines are beside the first dig; now they are certain
    game.flag((1, 3))
    game.flag((0, 4))
    game.flag((0, 4))
    game.dig((0, 4))
    game.chord((0, 4))
    found = play.review(json.loads(json.dumps(game.record)))
    assert [(move.move.kind, move.judgement) for move in found.moves] == [
        ("dig", "guess"),
        ("flag", "doubtful flag"),
        ("dig", "safe"),
        ("flag", "flag"),
        ("flag", "wrong flag"),
        ("flag", "flag"),
        ("dig", "safe"),
        ("chord", "safe"),
    ]
    assert found.moves[0].survival == Fraction(8, 10)
    assert found.status == "won"
    assert (found.guesses, found.mistakes) == (1, 0)
    assert found.metrics is not None
    assert found.solved == found.metrics.three_bv == 3
    assert found.efficiency == 3 / 8


def test_mistakes_are_guesses_where_a_cell_was_safe() -> None:
    seen = set()
    for seed in range(6):
        rng, game = Random(seed), play.new_game("beginner", rule="zero", seed=seed)
        game.dig((4, 4))
        while game.status == "playing":
            game.dig(rng.choice(game.position.covered))
        for move in play.review(game).moves[1:]:
            safe = sapper.analyze(move.before).safe
            assert move.judgement == (
                "safe" if move.dug <= safe else "mistake" if safe else "guess"
            )
            assert move.regret == (
                1 - move.survival if safe else move.best_survival - move.survival
            )
            seen.add(move.judgement)
    assert seen == {"safe", "mistake"}


def test_a_chord_risks_all_that_it_digs() -> None:
    # The flag is wrong: the chord digs two cells of which one is the mine.
    game = Game(play.Layout(Grid(1, 3), mines=[(0, 2)]))
    game.dig((0, 1))
    game.flag((0, 0))
    game.chord((0, 1))
    found = play.review(game)
    assert found.moves[-1].dug == {(0, 2)}
    assert found.moves[-1].survival == Fraction(1, 2)
    assert found.status == "lost"
    wide = Game(play.Layout(Grid(2, 3), mines=[(0, 2)]))
    wide.dig((0, 1))
    wide.flag((0, 0))
    wide.chord((0, 1))
    chord = play.review(wide).moves[-1]
    assert len(chord.dug) == 4
    assert chord.survival == Fraction(1, 5)  # only if the flag was right


@pytest.mark.parametrize("rule", ["safe", "zero"])
def test_the_start_rule_makes_the_first_dig_certain(rule: play.StartRule) -> None:
    game = play.new_game("beginner", rule=rule, seed=4)
    game.dig((4, 4))
    assert play.review(game).luck == 1
    given = Game(game.layout) if game.layout is not None else None
    assert given is not None
    given.dig((4, 4))
    assert play.review(given).luck == Fraction(71, 81)
    assert play.review(given, rule=rule).luck == 1


def test_whole_games_of_the_champion() -> None:
    champion = play.BuiltIn("champion")
    for seed in range(3):
        game = play.new_game("intermediate", rule="safe", seed=seed)
        game.dig((0, 0))
        view = play.View(game.position, Random(seed))
        while game.status == "playing":
            view.position = game.position
            cells = champion.choose(view)
            for cell in cells:
                if game.status == "playing":
                    game.dig(cell)
        found = play.review(game)
        assert found.mistakes == 0
        assert found.clicks == len(game.moves)
        assert 0 < found.luck <= 1


def test_games_that_are_none_and_limits() -> None:
    with pytest.raises(GameError, match="a Game or its record"):
        play.review(3)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="no record"):
        play.review({})
    game = play.new_game("expert", rule="any", seed=1)
    assert play.review(game).moves == ()
    game.flag((0, 0))
    assert play.review(game).moves[0].judgement == "flag"
    game.dig((3, 3))
    with pytest.raises(LimitExceeded):
        play.review(game, limits=Limits(seconds=1e-9))
