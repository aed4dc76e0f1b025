"""Strategies in Python that hang, crash or end their process: they lose, that is all."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
import time

import pytest

import sapper
from sapper import play
from sapper.errors import GameError, LimitExceeded
from sapper.field import Cell
from tests.support.processes import soon, started

BOARD = play.Board(sapper.Grid(5, 5), mines=5)
ODD = play.Board(sapper.Grid(5, 7), mines=6)


def first(view: play.View) -> Cell:
    return view.position.covered[0]


def hang(view: play.View) -> Cell:
    while True:
        pass


def sleep(view: play.View) -> Cell:
    time.sleep(100)
    return first(view)


def stubborn(view: play.View) -> Cell:
    try:
        time.sleep(100)
    except Exception:
        time.sleep(100)
    return first(view)


def leave(view: play.View) -> Cell:
    os._exit(7)


def stop(view: play.View) -> Cell:
    sys.exit("enough")


def crash(view: play.View) -> Cell:
    os.kill(os.getpid(), signal.SIGKILL)
    return first(view)


def search(view: play.View) -> Cell:
    """Look for the layout wherever one could be."""
    import gc

    found = [thing for thing in gc.get_objects() if isinstance(thing, play.Game) and thing.layout]
    raise ValueError(f"{sum(game.board == ODD for game in found)} layouts")


@pytest.mark.parametrize("isolated", [False, True])
@pytest.mark.parametrize("strategy", [hang, sleep, stubborn])
def test_those_that_hang_lose(strategy: play.Strategy, isolated: bool) -> None:
    began = time.monotonic()
    result = play.tournament(
        strategy, board=BOARD, games=2, seed=1, start=(0, 0), seconds=0.3, isolated=isolated
    )
    assert time.monotonic() - began < 60
    assert result.won == (False, False)
    assert "no answer in 0.3 seconds" in result.failures[0]
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


@pytest.mark.parametrize(
    ("strategy", "word"), [(leave, "code 7"), (stop, "ended"), (crash, "signal 9")]
)
def test_those_that_end_their_process_lose(strategy: play.Strategy, word: str) -> None:
    result = play.tournament(
        strategy, board=BOARD, games=2, seed=1, start=(0, 0), isolated=True, workers=2
    )
    assert result.won == (False, False)
    assert all(word in why for why in result.failures.values())
    assert len(result.failures) == 2


def test_a_copy_holds_no_layout() -> None:
    result = play.tournament(search, board=ODD, games=2, seed=1, start=(0, 0), isolated=True)
    assert set(result.failures.values()) == {"ValueError('0 layouts')"}
    here = play.tournament(search, board=ODD, games=2, seed=1, start=(0, 0))
    assert set(here.failures.values()) == {"ValueError('1 layouts')"}, "so it can be found at all"


def test_a_copy_plays_the_same_games() -> None:
    def drawn(view: play.View) -> Cell:
        return view.rng.choice(view.position.covered)

    here, there, both = (
        play.tournament(drawn, board=BOARD, games=70, seed=3, start=(0, 0), **how)
        for how in ({}, {"isolated": True}, {"workers": 2})
    )
    assert here.won == there.won == both.won
    assert here.luck == there.luck == both.luck
    assert here.guessed == both.guessed
    assert here.guesses > 0
    assert here.strategy == there.strategy == "drawn"


def test_in_another_thread() -> None:
    results = []
    thread = threading.Thread(
        target=lambda: results.append(
            play.tournament(hang, board=BOARD, games=1, start=(0, 0), seconds=0.2)
        )
    )
    thread.start()
    thread.join(30)
    assert "no answer" in results[0].failures[0]


def test_luck_and_guesses_of_a_strategy_in_python() -> None:
    # One mine in four cells. The first dig is a guess, for nothing protects it; then its number
    # tells where the mine is, but this strategy does not care.
    layouts = [play.Layout(sapper.Grid(1, 4), [(0, place)]) for place in range(4)]
    result = play.tournament(first, layouts=layouts)
    assert result.won == (False, False, False, True)
    assert result.guessed == (1, 2, 2, 1)
    assert result.luck == pytest.approx((3 / 4, 0, 0, 3 / 4))
    certain = play.tournament(
        lambda view: view.session.analyze().safe or view.position.covered[-1],
        board="beginner",
        rule="zero",
        start=(2, 2),
        games=30,
        seed=4,
    )
    for won, guessed, luck in zip(certain.won, certain.guessed, certain.luck, strict=True):
        assert (luck == 1) == (guessed == 0)
        assert 0 <= luck <= 1
        assert won or guessed, "certainty alone does not lose"


def test_limits() -> None:
    deaf = "exec:" + shlex.join([sys.executable, "-S", "-c", "import time; time.sleep(1000)"])
    for strategy, how in (
        ("champion", {}),
        ("champion", {"workers": 2}),
        (first, {}),
        (hang, {}),
        (sleep, {"isolated": True}),
        (sleep, {"workers": 2}),
        (deaf, {}),
    ):
        began = time.monotonic()
        with pytest.raises(LimitExceeded):
            play.tournament(
                strategy, games=10**6, seconds=500, limits=sapper.Limits(seconds=0.4), **how
            )
        assert time.monotonic() - began < 60


@pytest.mark.parametrize("who", ["'champion'", "'optimal', board='5x5/6'", "slow"])
def test_an_interrupt_ends_all_workers_at_once(who: str) -> None:
    code = f"""
import time
from sapper import play
def slow(view):
    time.sleep(1000)
def go(strategy, workers=2, **more):
    print("go", flush=True)
    try:
        play.tournament(strategy, games=10**6, seconds=500, workers=workers, **more)
    except KeyboardInterrupt:
        print("stopped")
go({who})
"""
    with started([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "go\n"
        time.sleep(1.5)
        program.send_signal(signal.SIGINT)
        out, _ = program.communicate(timeout=soon(20))  # alone they would go on for many minutes
    assert out == "stopped\n"


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": "many"},
        {"games": 1.5},
        {"workers": None},
        {"seed": "x"},
        {"seed": True},
        {"seconds": 0},
        {"seconds": "x"},
        {"layouts": 7},
        {"layouts": ["x"]},
        {"suite": 7},
        {"board": 7},
        {"rule": None},
    ],
)
def test_wrong_types_get_a_sentence(wrong: dict[str, object]) -> None:
    with pytest.raises(GameError, match=r"not|with no"):
        play.tournament("safest", **{"games": 1, **wrong})  # type: ignore[arg-type]


def test_wrong_callables_get_a_sentence() -> None:
    with pytest.raises(TypeError, match="progress is a callable"):
        play.tournament("safest", games=1, progress=7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Limits"):
        play.tournament("safest", games=1, limits=7)  # type: ignore[arg-type]
