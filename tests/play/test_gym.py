"""The environment of Gymnasium, one board and many."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import sapper
from sapper import play
from sapper.errors import GameError

gymnasium = pytest.importorskip("gymnasium")
gym = pytest.importorskip("sapper.play.gym")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"board": "torus:6x7/8", "rule": "zero", "no_guess": True},
        {"board": "hex:5x5/4", "start": (2, 2), "probabilities": True, "render_mode": "ansi"},
    ],
)
def test_the_checker_is_content(options: dict[str, Any]) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(gymnasium.make(gym.ID, **options).unwrapped)


def dug(env: Any, seed: int) -> list[list[int]]:
    """Return what is seen of some games dug at random."""
    seen, info = env.reset(seed=seed)
    rng, shown = np.random.default_rng(seed), [seen.tolist()]
    for _ in range(40):
        cells = np.flatnonzero(info["action_mask"])
        seen, _, over, _, info = env.step(rng.choice(cells))
        shown.append(seen.tolist())
        if over:
            seen, info = env.reset()
    return shown


def test_a_seed_decides_everything() -> None:
    env = gymnasium.make(gym.ID, board="beginner")
    first, other = dug(env, 5), dug(env, 6)
    assert first == dug(env, 5) == dug(gymnasium.make(gym.ID, board="beginner"), 5)
    assert first != other


def test_games_are_those_of_the_rules() -> None:
    made = gymnasium.make(gym.ID, board="intermediate", rule="zero", no_guess=True)
    env: Any = made.unwrapped
    seen, info = env.reset(seed=3)
    assert env.layout is None
    seen, reward, over, _, info = env.step(3 * 16 + 3)
    assert reward == gym.REWARDS["dig"]
    layout: Any = env.layout
    game = play.Game(layout)
    game.dig((3, 3))
    while not over:
        assert env.position == game.position
        assert (info["action_mask"] == (seen.ravel() == -1)).all()
        cell: Any = next(iter(sapper.analyze(game.position).safe))
        game.dig(cell)
        seen, reward, over, _, info = env.step(cell[0] * 16 + cell[1])
    assert (reward, info["won"], game.status) == (gym.REWARDS["win"], True, "won")
    with pytest.raises(GameError, match="reset"):
        env.step(0)


def test_a_mine_and_a_useless_dig() -> None:
    rewards = {"lose": -5.0, "nothing": -2.0}
    env = gymnasium.make(gym.ID, start=(0, 0), rewards=rewards, probabilities=True).unwrapped
    _, info = env.reset(seed=1)
    assert not info["action_mask"][0]
    assert info["probabilities"][0, 0] == 0
    assert env.step(0)[1] == -2.0
    mine = env.layout.topology.index(min(env.layout.mines))
    seen, reward, over, _, info = env.step(mine)
    assert (reward, over, info["won"], seen.ravel()[mine]) == (-5.0, True, False, -2)


def test_many_boards_step_as_one_does() -> None:
    number = 5
    many = gymnasium.make_vec(gym.ID, num_envs=number, vectorization_mode="vector_entry_point")
    assert isinstance(many.unwrapped, gym.MinesweeperVector)
    seeds = [11, 12, 13, 14, 15]
    ones = [gym._Field(1, "beginner", "safe", None, False, None, False) for _ in seeds]
    for one, seed in zip(ones, seeds, strict=True):
        one.begin([0], [seed])
    seen, info = many.reset(seed=seeds)
    rng, over = np.random.default_rng(1), np.zeros(number, bool)
    games = 0
    for _ in range(300):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        again = over
        seen, reward, over, cut, info = many.step(actions)
        assert not cut.any()
        for i, one in enumerate(ones):
            earned, outcome = np.zeros(1), np.zeros(1, np.uint8)
            one.arena.step(actions[i : i + 1], one.seen, earned, outcome, gym.NO_LIMITS)
            assert (seen[i].ravel() == one.seen[0]).all()
            assert (reward[i], over[i]) == (earned[0], outcome[0] != 0)
            if again[i]:  # begun anew, and nothing dug
                assert reward[i] == 0
                assert (seen[i] == -1).all()
        games += int(over.sum())
    assert games > 20
    assert many.unwrapped.position(0) == ones[0].position(0)


def test_wrong_options() -> None:
    with pytest.raises(GameError, match="rewards are for"):
        gym.Minesweeper(rewards={"prize": 1})
    with pytest.raises(GameError, match="leaves room"):
        gym.Minesweeper(board="3x3/3", rule="zero")
    with pytest.raises(GameError, match="a board is"):
        gym.MinesweeperVector(2, board="huge")
    with pytest.raises(GameError, match="nothing to dig"):
        gym.Minesweeper(board="2x2/4", rule="any")
    env = gym.Minesweeper()
    env.reset(seed=1)
    with pytest.raises(GameError, match="below 81"):
        env.step(81)
    with pytest.raises(GameError, match="2 seeds"):
        gym.MinesweeperVector(2).reset(seed=[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gym.register()
