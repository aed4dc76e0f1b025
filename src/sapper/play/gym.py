"""Minesweeper for Gymnasium: one board, or many that step natively.

Importing this module registers ``sapper/Minesweeper-v0``. It needs ``sapper[gym]``.

Examples
--------
>>> import gymnasium
>>> import sapper.play.gym
>>> env = gymnasium.make("sapper/Minesweeper-v0", board="beginner", rule="zero")
>>> seen, info = env.reset(seed=7)
>>> seen.shape, int(info["action_mask"].sum())
((9, 9), 81)
>>> seen, reward, terminated, truncated, info = env.step(40)
>>> int(seen[4, 4]), terminated
(0, False)
>>> many = gymnasium.make_vec("sapper/Minesweeper-v0", num_envs=3, board="expert")
>>> many.reset(seed=1)[0].shape
(3, 16, 30)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Final

from sapper._native import NO_LIMITS, Arena, run_under
from sapper.analysis import analyze
from sapper.errors import GameError, LimitExceeded, pip_install, quoted
from sapper.field import Cell, Position
from sapper.game import Board, Layout, StartRule, board_named, random_layout
from sapper.limits import Budget, Limits, load, machine_limits

# Ctrl-C must not leave half of them behind.
load("numpy")
try:
    load("gymnasium.vector")
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray
except ImportError:
    raise ImportError(f"this needs Gymnasium: {pip_install('sapper[gym]')}") from None

__all__ = ["ID", "REWARDS", "Minesweeper", "MinesweeperVector", "register"]

ID: Final = "sapper/Minesweeper-v0"
"""The name under which the environment is registered."""

REWARDS: Final[Mapping[str, float]] = {"win": 1.0, "lose": -1.0, "dig": 0.1, "nothing": -0.1}
"""What a dig earns: that wins, that loses, any other, and one at an uncovered cell."""

# Layouts drawn for one that needs no guess.
_TRIES: Final = 1_000_000


class _Field:
    """What both environments share: the board, its spaces and its native games."""

    def __init__(
        self,
        number: int,
        board: str | Board,
        rule: StartRule,
        start: Cell | None,
        no_guess: bool,
        rewards: Mapping[str, float] | None,
        probabilities: bool,
        limits: Limits | None = None,
    ) -> None:
        if limits is not None:
            machine_limits(limits)  # says what limits are, if these are none
        self.limits = limits
        self.board = wanted = board_named(board)
        topology = wanted.topology
        places = range(len(topology))
        if not places:
            raise GameError("there is nothing to dig on a field without cells")
        worst = max(places, key=lambda place: len(topology.neighbours_at(place)))
        # Fails early, with its own words, if the mines have no room wherever one digs first.
        first = topology.cells[worst] if start is None else start
        random_layout(wanted, start=first, rule=rule, seed=0)
        unknown = set(rewards or ()) - set(REWARDS)
        if unknown:
            raise GameError(f"rewards are for {', '.join(REWARDS)}, not {quoted(min(unknown))}")
        earned = {**REWARDS, **(rewards or {})}
        self.probabilities = probabilities
        if wanted.mines == len(topology):
            raise GameError(f"{wanted}: there is nothing to dig but mines")
        self.arena = Arena(
            topology.adjacency,
            number,
            wanted.mines,
            rule,
            -1 if start is None else topology.index(start),
            no_guess,
            _TRIES,
            (earned["win"], earned["lose"], earned["dig"], earned["nothing"]),
        )
        self.seen: NDArray[np.int8] = np.full((number, len(topology)), -1, np.int8)
        most = len(topology.neighbours_at(worst))
        shape = topology.shape if len(topology.shape) > 1 else (len(topology),)
        self.shown = spaces.Box(-2, most, shape, np.int8)
        self.actions = spaces.Discrete(len(topology))

    def begin(
        self, numbers: Sequence[int], seeds: Sequence[int] | None, budget: Budget | None = None
    ) -> None:
        for place, number in enumerate(numbers):
            if seeds is not None:
                self.arena.seed(number, seeds[place] % (1 << 64))
            self.call(self.arena.reset, number, self.seen, budget=budget)

    def budget(self) -> Budget | None:
        """Return what one call may cost."""
        return None if self.limits is None else Budget(self.limits)

    def call(self, method: Any, *arguments: Any, budget: Budget | None) -> None:
        try:
            if budget is None:
                method(*arguments, NO_LIMITS)
            else:
                with budget.step() as left:
                    method(*arguments, run_under(left))
        except LimitExceeded:
            raise
        except RuntimeError as error:
            raise GameError(f"{self.board}: {error}") from None

    def position(self, number: int) -> Position:
        codes = self.seen[number].astype(np.int32)
        return Position.from_codes(self.board.topology, codes.tobytes(), self.board.mines)

    def layout(self, number: int) -> Layout | None:
        mined = self.arena.mines(number)
        return Layout.from_bytes(self.board.topology, mined) if mined else None

    def chances(self, number: int, budget: Budget | None) -> NDArray[np.float64]:
        position = self.position(number)
        chances = (self.seen[number] == -2).astype(np.float64)
        if budget is not None:
            budget.look()
        with nullcontext() if budget is None else budget.step() as left:
            found = analyze(position, limits=left).probabilities
        for cell, chance in found.items():
            chances[position.topology.index(cell)] = chance
        shaped: NDArray[np.float64] = chances.reshape(self.shown.shape)
        return shaped

    def masks(self) -> NDArray[np.bool_]:
        covered: NDArray[np.bool_] = self.seen == -1
        return covered


class Minesweeper(gymnasium.Env[NDArray[np.int8], np.int64]):
    """One board: dig until it is won or lost.

    An action is the index of a cell in canonical order, on a grid ``row * width + column``. An
    observation is the board as int8: -1 covered, 0 to 8 a number, -2 the mine that was dug. The
    mines are placed at the first dig. ``info["action_mask"]`` has a 1 for each covered cell,
    `action_masks` the same as booleans, for MaskablePPO. One thread at a time may step it.

    Parameters
    ----------
    board : str or Board
        The field and the number of mines.
    rule : str
        ``"any"``, ``"safe"`` or ``"zero"``; see `sapper.game.StartRule`.
    start : cell, optional
        If given, this cell is dug whenever a game begins; games that are over with that are not
        played.
    no_guess : bool
        Only layouts that certainty alone finishes, from wherever is dug first.
    rewards : mapping, optional
        Instead of those in `REWARDS`.
    probabilities : bool
        Whether ``info["probabilities"]`` has the chance of a mine for each cell.
    render_mode : str, optional
        ``"ansi"``: `render` returns the board as text.
    limits : Limits, optional
        What each `reset` and each `step` may cost.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        board: str | Board = "beginner",
        rule: StartRule = "safe",
        start: Cell | None = None,
        no_guess: bool = False,
        rewards: Mapping[str, float] | None = None,
        probabilities: bool = False,
        render_mode: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._field = _Field(1, board, rule, start, no_guess, rewards, probabilities, limits)
        self._earned, self._outcome = np.zeros(1), np.zeros(1, np.uint8)
        self.observation_space = self._field.shown
        self.action_space = self._field.actions
        self.render_mode = render_mode
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin a new game; the seed decides this one and all that follow."""
        super().reset(seed=seed)
        fresh = seed is not None or not self._begun
        self._begun = True
        seeds = [int(self.np_random.integers(1 << 63))] if fresh else None
        budget = self._field.budget()
        self._field.begin([0], seeds, budget)
        self._outcome[0] = 0
        return self._shown(), self._info(budget)

    def step(self, action: np.int64) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Dig a cell."""
        if self._outcome[0]:
            raise GameError("the game is over: reset begins another")
        field = self._field
        if not self.action_space.contains(action) and not 0 <= int(action) < len(field.seen[0]):
            raise GameError(f"an action is a cell's index below {len(field.seen[0])}, not {action}")
        cells = np.array([action], np.int64)
        budget = field.budget()
        field.call(field.arena.step, cells, field.seen, self._earned, self._outcome, budget=budget)
        over = bool(self._outcome[0])
        return self._shown(), float(self._earned[0]), over, False, self._info(budget)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return for each cell whether it is covered."""
        mask: NDArray[np.bool_] = self._field.masks()[0]
        return mask

    def render(self) -> Any:
        """Return the board as text, if the mode is ``"ansi"``."""
        return str(self.position) if self.render_mode == "ansi" else None

    @property
    def position(self) -> Position:
        """What is visible, for `sapper.analyze` and all others."""
        return self._field.position(0)

    @property
    def layout(self) -> Layout | None:
        """Where the mines are; None before the first dig."""
        return self._field.layout(0)

    def _shown(self) -> NDArray[np.int8]:
        shown: NDArray[np.int8] = self._field.seen[0].reshape(self._field.shown.shape).copy()
        return shown

    def _info(self, budget: Budget | None) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self.action_masks().astype(np.int8),
            "won": bool(self._outcome[0] == 1),
        }
        if self._field.probabilities:
            info["probabilities"] = self._field.chances(0, budget)
        return info


class MinesweeperVector(VectorEnv[NDArray[np.int8], NDArray[np.int64], NDArray[Any]]):
    """Many boards that step natively in one call, from one thread at a time.

    The parameters are those of `Minesweeper`, and ``num_envs``. A game that is over begins anew
    with the next step, whose action for that board is ignored (Gymnasium's ``NEXT_STEP``). In
    ``info`` stand ``"action_mask"``, a row for each board, and ``"won"``.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class has it
        "render_modes": ["ansi"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        board: str | Board = "beginner",
        rule: StartRule = "safe",
        start: Cell | None = None,
        no_guess: bool = False,
        rewards: Mapping[str, float] | None = None,
        probabilities: bool = False,
        render_mode: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._field = _Field(num_envs, board, rule, start, no_guess, rewards, probabilities, limits)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space = self._field.shown
        self.single_action_space = self._field.actions
        self.observation_space = batch_space(self._field.shown, num_envs)
        self.action_space = batch_space(self._field.actions, num_envs)
        self._earned, self._outcome = np.zeros(num_envs), np.zeros(num_envs, np.uint8)
        self._begun = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin all games anew; a seed decides all of them, several one each."""
        if seed is None or isinstance(seed, int):
            super().reset(seed=seed)
            fresh = seed is not None or not self._begun
            drawn = self.np_random.integers(1 << 63, size=self.num_envs) if fresh else None
            seeds = None if drawn is None else [int(one) for one in drawn]
        else:
            seeds = [int(self.np_random.integers(1 << 63)) if s is None else s for s in seed]
            if len(seeds) != self.num_envs:
                raise GameError(f"{self.num_envs} seeds are needed, not {len(seeds)}")
        self._begun = True
        budget = self._field.budget()
        self._field.begin(range(self.num_envs), seeds, budget)
        self._outcome[:] = 0
        return self._shown(), self._info(budget)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Dig a cell of each board."""
        field, cells = self._field, np.ascontiguousarray(actions, np.int64)
        budget = field.budget()
        field.call(field.arena.step, cells, field.seen, self._earned, self._outcome, budget=budget)
        over = self._outcome != 0
        return self._shown(), self._earned.copy(), over, np.zeros_like(over), self._info(budget)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return for each board and cell whether it is covered."""
        return self._field.masks()

    def position(self, number: int) -> Position:
        """Return what is visible of a board."""
        return self._field.position(number)

    def layout(self, number: int) -> Layout | None:
        """Return where the mines of a board are; None before its first dig."""
        return self._field.layout(number)

    def render(self) -> Any:
        """Return the boards as text, if the mode is ``"ansi"``."""
        if self.render_mode != "ansi":
            return None
        return tuple(str(self.position(number)) for number in range(self.num_envs))

    def _shown(self) -> NDArray[np.int8]:
        return self._field.seen.reshape(self.num_envs, *self._field.shown.shape).copy()

    def _info(self, budget: Budget | None) -> dict[str, Any]:
        every = np.ones(self.num_envs, bool)
        info: dict[str, Any] = {
            "action_mask": self.action_masks().view(np.int8),
            "_action_mask": every,
            "won": self._outcome == 1,
            "_won": every,
        }
        if self._field.probabilities:
            info["probabilities"] = np.stack(
                [self._field.chances(number, budget) for number in range(self.num_envs)]
            )
            info["_probabilities"] = every
        return info


def register() -> None:
    """Register the environment, if it is not yet."""
    if ID not in gymnasium.registry:
        gymnasium.register(
            id=ID,
            entry_point="sapper.play.gym:Minesweeper",
            vector_entry_point="sapper.play.gym:MinesweeperVector",
        )


register()
