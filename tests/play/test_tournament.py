"""Tournaments: repeatable, paired, and not to be stopped by a strategy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import networkx
import numpy
import pytest

import sapper
from sapper import play
from sapper.errors import GameError, LimitExceeded
from sapper.field import Cell
from sapper.game import seed_of
from sapper.limits import Limits
from sapper.play.results import wilson_interval


def test_the_same_wins_on_every_run_and_with_any_number_of_workers() -> None:
    results = [
        play.tournament("champion", games=150, seed=7, workers=workers) for workers in (1, 1, 3)
    ]
    assert len({result.won for result in results}) == 1
    assert results[0].won != play.tournament("champion", games=150, seed=8).won
    longer = play.tournament("champion", games=200, seed=7)
    assert longer.won[:150] == results[0].won


@pytest.mark.parametrize("rule", ["any", "safe", "zero"])
def test_native_games_are_those_of_the_rules(rule: play.StartRule) -> None:
    board = play.Board(sapper.Grid(7, 9), mines=11)
    start = (2, 2)
    native = play.tournament("safest", board=board, rule=rule, start=start, games=60, seed=3)
    python = play.tournament(
        play.named("safest").choose, board=board, rule=rule, start=start, games=60, seed=3
    )
    assert native.won == python.won
    assert python.failures == {}
    layouts = [
        play.random_layout(board, start=start, rule=rule, seed=seed_of(3, i)) for i in range(60)
    ]
    given = play.tournament("safest", layouts=layouts, start=start)
    assert given.won == native.won


def test_strategies_that_fail_lose_and_are_reported() -> None:
    board = play.Board(sapper.Grid(5, 5), mines=5)

    def crash(view: play.View) -> tuple[int, int]:
        raise ZeroDivisionError("oh")

    def cheat(view: play.View) -> tuple[int, int]:
        return (0, 0)

    def confused(view: play.View) -> list[tuple[int, int]]:
        return [(9, 9)]

    def mute(view: play.View) -> None:
        return None

    def silent(view: play.View) -> list[tuple[int, int]]:
        return []

    for strategy, word in (
        (crash, "ZeroDivisionError"),
        (cheat, "uncovered already"),
        (confused, "(9, 9)"),
        (mute, "None"),
        (silent, "needs a cell"),
    ):
        result = play.tournament(strategy, board=board, games=20, seed=1, start=(0, 0))
        assert result.games == 20
        assert result.failures
        assert all(word in why for why in result.failures.values())
        assert not any(result.won[game] for game in result.failures)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((99, 99), "no cell (99, 99) in a 5×5 grid"),
        ([99, 99], "no cell (99, 99) in a 5×5 grid"),
        (numpy.array([99, 99]), "no cell (99, 99) in a 5×5 grid"),
        ([7], "a cell is a tuple such as (0, 0), not [7]"),
        ((1, 2, 3), "a cell is a tuple such as (0, 0), not (1, 2, 3)"),
        ([(0, 0), "z"], "a cell is a tuple such as (0, 0), not 'z'"),
    ],
)
@pytest.mark.parametrize("isolated", [False, True])
def test_an_answer_that_is_no_cell_is_named_as_a_whole(
    answer: Any, why: str, isolated: bool
) -> None:
    board = play.Board(sapper.Grid(5, 5), mines=5)
    result = play.tournament(lambda view: answer, board=board, games=1, isolated=isolated)
    assert result.failures == {0: why}


@pytest.mark.parametrize("form", [list, numpy.array, lambda cell: numpy.array([cell])])
def test_a_cell_may_be_a_list_or_an_array(form: Callable[[Any], Any]) -> None:
    def plain(view: play.View) -> Any:
        return view.session.analyze().best[0]

    def other(view: play.View) -> Any:
        return form(plain(view))

    one, two = (
        play.tournament(who, board="beginner", games=3, seed=1, start=(0, 0))
        for who in (plain, other)
    )
    assert (two.won, two.failures) == (one.won, {})


def test_a_strategy_may_choose_the_first_dig() -> None:
    seen = []

    def corner(view: play.View) -> Cell:
        covered = view.position.covered
        seen.append(len(covered))
        return covered[-1]

    result = play.tournament(corner, board="beginner", rule="safe", games=5, seed=1)
    assert 81 in seen
    assert result.start is None


def test_paired_differences() -> None:
    results = [
        play.tournament(name, board="beginner", games=300, seed=2)
        for name in ("certain", "champion")
    ]
    ahead = results[1].minus(results[0])
    assert ahead.value == pytest.approx(results[1].rate - results[0].rate)
    assert ahead.better - ahead.worse == results[1].wins - results[0].wins
    assert ahead.is_clear
    assert ahead.interval[0] > 0
    nobody = results[1].minus(results[1])
    assert (nobody.value, nobody.error, nobody.is_clear) == (0, 0, False)
    with pytest.raises(GameError, match="same games"):
        results[0].minus(play.tournament("certain", board="beginner", games=300, seed=3))


def test_results_on_different_given_layouts_are_not_paired() -> None:
    first, second = (
        play.tournament("safest", layouts=[play.random_layout("beginner", seed=seed)])
        for seed in (1, 2)
    )
    assert first.minus(first).value == 0
    with pytest.raises(GameError, match="same games"):
        first.minus(second)


def test_a_few_games_are_no_proof() -> None:
    assert not play.Difference(1.0, 0.0, better=1, worse=0, games=1).is_clear
    assert not play.Difference(0.004, 0.002, better=4, worse=0, games=1000).is_clear
    assert play.Difference(0.04, 0.0062, better=40, worse=0, games=1000).is_clear
    low, high = play.Difference(0.0, 0.0, better=0, worse=0, games=0).interval
    assert -1 <= low < 0 < high <= 1


def test_a_board_of_nothing_but_mines_is_won_whoever_plays() -> None:
    board = play.Board(sapper.Grid(2, 2), mines=4)
    for strategy in ("safest", lambda view: view.position.covered[0]):
        result = play.tournament(strategy, board=board, rule="any", start=(0, 0), games=2)
        assert (result.won, result.failures) == ((True, True), {})


def test_wilson_interval() -> None:
    # Its ends are the rates from which the one seen is 1.96 standard deviations away.
    for wins, games in ((0, 10), (10, 10), (1, 3), (40, 100), (824_000, 2_000_000)):
        for end in wilson_interval(wins, games):
            deviation = math.sqrt(end * (1 - end) / games)
            assert abs(wins / games - end) == pytest.approx(1.959964 * deviation, abs=1e-7)
    assert wilson_interval(0, 10)[0] == 0
    assert wilson_interval(0, 10)[1] > 0.2
    assert wilson_interval(0, 0) == (0, 1)


def test_what_can_not_be_played() -> None:
    for wrong in (
        {"board": "huge"},
        {"rule": "never"},
        {"games": -1},
        {"workers": 0},
        {"board": play.Board(sapper.Grid(2, 2), mines=4)},
        {"board": play.Board(sapper.Graph(networkx.Graph()), mines=0)},
        {"efort": 2},
        {"effort": "much"},
    ):
        with pytest.raises(GameError):
            play.tournament("safest", **{"games": 2, "seed": 1} | wrong)


def test_a_start_that_is_false_is_a_start() -> None:
    # Cell 0 has one neighbour, the first cell has two: only one of them leaves room for the mines.
    field = sapper.Graph(networkx.Graph([(1, 2), (1, 3), (2, 3), (3, 4), (4, 0)]))
    board = play.Board(field, mines=3)
    result = play.tournament("safest", board=board, rule="zero", start=0, games=2)
    assert result.games == 2


def test_progress() -> None:
    seen: list[int] = []
    play.tournament("safest", board="beginner", games=130, seed=1, progress=seen.append)
    assert seen[-1] == 130
    assert seen == sorted(seen)


@pytest.mark.parametrize("limits", [Limits(nodes=70), Limits(seconds=0.05)], ids=str)
def test_several_workers_end_at_a_limit(limits: Limits) -> None:
    """A worker that met the limit before its first game kept the player, and the others waited."""
    with pytest.raises(LimitExceeded):
        play.tournament("champion", games=20_000, seed=1, workers=2, limits=limits)
