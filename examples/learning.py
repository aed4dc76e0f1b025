"""An agent that learns to dig: MaskablePPO of sb3-contrib on the environment of sapper.

It needs ``pip install 'sapper[gym]' sb3-contrib``. ``python examples/learning.py 60000`` took it
from 9.4 % of the games, at random, to 53.8 % in some minutes on one core (sb3-contrib 2.9.2); the
best possible player wins 88.8 %.
"""

import sys

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

import sapper.play.gym

SIZE, MINES, GAMES = 5, 3, 500


class OneHot(gymnasium.ObservationWrapper):
    """The board as planes: one for covered cells and one for each number."""

    def __init__(self, env):
        super().__init__(env)
        self.observation_space = gymnasium.spaces.Box(0, 1, (10, SIZE, SIZE), np.float32)

    def observation(self, seen):
        """Return the planes."""
        return (seen[None] == np.arange(-1, 9)[:, None, None]).astype(np.float32)

    def action_masks(self):
        """Return which digs are legal; MaskablePPO asks for it."""
        return self.env.unwrapped.action_masks()


class Convolutions(BaseFeaturesExtractor):
    """What a cell means depends on its neighbours."""

    def __init__(self, space):
        super().__init__(space, features_dim=32 * SIZE * SIZE)
        self.layers = torch.nn.Sequential(
            torch.nn.Conv2d(10, 64, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.Conv2d(64, 64, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.Conv2d(64, 32, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.Flatten(),
        )

    def forward(self, planes):
        """Return the features."""
        return self.layers(planes)


def make():
    """Return a small board."""
    board = f"{SIZE}x{SIZE}/{MINES}"
    rewards = {"win": 1.0, "lose": -1.0, "dig": 0.1}
    return OneHot(gymnasium.make(sapper.play.gym.ID, board=board, rewards=rewards))


def wins(choose):
    """Return the share of games won by a player that is shown planes and a mask."""
    env, won = make(), 0
    for game in range(GAMES):
        seen, info = env.reset(seed=game)
        over = False
        while not over:
            seen, _, over, _, info = env.step(choose(seen, info["action_mask"].astype(bool)))
        won += info["won"]
    return won / GAMES


def main():
    """Play at random, learn, play again."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    rng = np.random.default_rng(1)
    by_chance = wins(lambda seen, mask: rng.choice(np.flatnonzero(mask)))
    print(f"at random: {by_chance:.1%} of {GAMES} games won on {SIZE}x{SIZE} with {MINES} mines")
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy",
        make(),
        n_steps=2048,
        batch_size=256,
        gamma=0.9,
        ent_coef=0.01,
        seed=1,
        policy_kwargs={"features_extractor_class": Convolutions, "net_arch": []},
    )
    model.learn(steps)

    def best(seen, mask):
        return model.predict(seen, action_masks=mask, deterministic=True)[0]

    print(f"after {model.num_timesteps:,} digs: {wins(best):.1%}")


if __name__ == "__main__":
    main()
