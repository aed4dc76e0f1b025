"""Environments for learning agents: digs a second on one core, beside others that install."""

from __future__ import annotations

import importlib
import importlib.metadata
import random
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import sapper.play.gym
from benchmarks.harness import Options, Report

BOARDS = 256

Timed = tuple[int, float]
"""Digs, and the seconds that the environment took for them: choosing the digs does not count."""


class Clock:
    """Adds up processor time, of all threads."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, work: Callable[..., Any], *arguments: Any) -> Any:
        began = time.process_time()
        done = work(*arguments)
        self.seconds += time.process_time() - began
        return done


def ours(rounds: int) -> Timed:
    """All boards in one native step, zero cascades and new games included."""
    env = gymnasium.make_vec(sapper.play.gym.ID, num_envs=BOARDS, board="beginner")
    rng, clock = np.random.default_rng(1), Clock()
    _, info = env.reset(seed=1)
    digs, begun = 0, BOARDS
    for _ in range(rounds):
        mask = info["action_mask"]
        chosen = (rng.random(mask.shape, dtype=np.float32) * mask).argmax(1)
        _, _, over, _, info = clock(env.step, chosen)
        # A game that is over begins anew with the next step, which is no dig.
        digs, begun = digs + begun, BOARDS - int(over.sum())
    return digs, clock.seconds


def ours_single(rounds: int) -> Timed:
    """One board after the other, a call for each dig."""
    env = gymnasium.make(sapper.play.gym.ID, board="beginner", disable_env_checker=True)
    rng, clock = random.Random(1), Clock()
    _, info = env.reset(seed=1)
    for _ in range(rounds * 4):
        chosen = rng.choice(np.flatnonzero(info["action_mask"]))
        _, _, over, _, info = clock(env.step, chosen)
        if over:
            _, info = clock(env.reset)
    return rounds * 4, clock.seconds


def gym_minesweeper(rounds: int) -> Timed:
    module = importlib.import_module("gym_minesweeper.envs.minesweeper")
    env = module.MinesweeperEnv(height=9, width=9, num_mines=10)
    rng, clock, over = random.Random(1), Clock(), True
    seen = env.reset()
    for _ in range(rounds):
        row, column = rng.choice(np.argwhere(seen == -1))
        seen, _, over, _ = clock(env.step, (int(row), int(column)))
        if over:
            seen = clock(env.reset)
    return rounds, clock.seconds


def popgym(rounds: int) -> Timed:
    module = importlib.import_module("popgym.envs.minesweeper")
    env = module.MineSweeperHard()
    clock, over = Clock(), True
    env.reset(seed=1)
    waiting = random.Random(1)
    left: list[tuple[int, int]] = []
    for _ in range(rounds):
        if over or not left:
            clock(env.reset)
            left = [(r, c) for r in range(8) for c in range(8)]
            waiting.shuffle(left)
        _, _, over, _, _ = clock(env.step, left.pop())
    return rounds, clock.seconds


def jumanji(rounds: int) -> Timed:
    jax = importlib.import_module("jax")
    module = importlib.import_module("jumanji.environments.logic.minesweeper")
    generator = importlib.import_module("jumanji.environments.logic.minesweeper.generator")
    wrappers = importlib.import_module("jumanji.wrappers")
    made = generator.UniformSamplingGenerator(num_rows=9, num_cols=9, num_mines=10)
    env = wrappers.AutoResetWrapper(module.Minesweeper(generator=made))
    step, reset = jax.jit(jax.vmap(env.step)), jax.jit(jax.vmap(env.reset))
    state, seen = reset(jax.random.split(jax.random.PRNGKey(1), BOARDS))
    rng, clock = np.random.default_rng(1), Clock()
    for number in range(rounds + 1):
        mask = np.asarray(seen.observation.action_mask).reshape(BOARDS, -1)
        places = (rng.random(mask.shape) * mask).argmax(1)
        chosen = np.stack(np.divmod(places, 9), 1).astype(np.int32)
        if number == 0:  # compiled here
            state, seen = jax.block_until_ready(step(state, chosen))
            continue
        state, seen = clock(lambda s, c: jax.block_until_ready(step(s, c)), state, chosen)
    return rounds * BOARDS, clock.seconds


# Package (None: this one), what is stepped, who does it, how many rounds.
CANDIDATES: tuple[tuple[str | None, str, Callable[[int], Timed], int], ...] = (
    (None, f"`make_vec`, {BOARDS} boards of 9×9 with 10 mines; zero cascades", ours, 4000),
    (None, "`make`, one such board; zero cascades", ours_single, 4000),
    ("gym_minesweeper", "one board of 9×9 with 10 mines; zero cascades", gym_minesweeper, 2000),
    ("popgym", "one board of 8×8 with 10 mines; no cascade, shows one number", popgym, 20000),
    ("jumanji", f"{BOARDS} boards of 9×9 with 10 mines, JAX on one CPU; no cascade", jumanji, 400),
)  # fmt: skip


def run(options: Options) -> Report:
    """Digs a second at random covered cells."""
    rows, raw, missing = [], [], []
    for package, what, work, full in CANDIDATES:
        name = f"sapper {sapper.__version__}"
        if package is not None:
            try:
                name = f"{package} {importlib.metadata.version(package)}"
            except importlib.metadata.PackageNotFoundError:
                missing.append(package)
                continue
        digs, seconds = work(max(20, full // 20) if options.quick else full)
        rows.append([name, what, f"{digs:,}", f"{digs / seconds:,.0f}"])
        raw.append({"by": name, "what": what, "digs": digs, "seconds": seconds})
    return Report(
        name="gym",
        title="Environments for learning agents",
        text="Digs a second at random covered cells, new games included, seed 1; CPU time of the "
        "environment with all its threads, without choosing the digs. Where there is no zero "
        "cascade a dig uncovers one cell, and a game takes many more of them.",
        columns=["environment", "boards", "digs", "digs a second"],
        rows=rows,
        raw=raw,
        packages=["gymnasium", "numpy"],
        remarks=[f"Not installed here: {', '.join(missing)}."] if missing else [],
    )
