"""The sequential test: its ratio against plain search, its error rates against simulation."""

from __future__ import annotations

import math
from random import Random

import pytest

from sapper import play
from sapper.errors import GameError
from sapper.play.sequential import likelihood_ratio


def plain_ratio(better: int, worse: int, games: int, margin: float) -> float:
    """The same as `likelihood_ratio`, by trying many chances."""
    up, down, same = better + 0.5, worse + 0.5, games - better - worse + 1

    def best(ahead: float) -> float:
        found = -math.inf
        low, high = 0.0, (1 - ahead) / 2
        for _ in range(6):
            step = (high - low) / 400
            tried = [low + step * i for i in range(1, 400)]
            values = [
                up * math.log(x + ahead) + down * math.log(x) + same * math.log(1 - ahead - 2 * x)
                for x in tried
            ]
            found = max(values)
            at = tried[values.index(found)]
            low, high = at - step, at + step
        return found

    return best(margin) - best(0.0)


@pytest.mark.parametrize(
    ("better", "worse", "games"),
    [(0, 0, 64), (3, 5, 64), (50, 20, 400), (700, 650, 9000), (9, 0, 9)],
)
def test_the_ratio_is_that_of_the_best_guesses(better: int, worse: int, games: int) -> None:
    for margin in (0.002, 0.02, 0.2):
        expected = plain_ratio(better, worse, games, margin)
        assert likelihood_ratio(better, worse, games, margin) == pytest.approx(expected, abs=1e-6)


def test_the_ratio_is_nearly_that_of_a_normal_distribution() -> None:
    # As fishtest approximates it: (t1 - t0) (2 n mean - n (t0 + t1)) / (2 variance).
    better, worse, games, margin = 5200, 5000, 100_000, 0.005
    mean = (better - worse) / games
    variance = (better + worse) / games - mean**2
    normal = margin * games * (2 * mean - margin) / (2 * variance)
    assert likelihood_ratio(better, worse, games, margin) == pytest.approx(normal, rel=0.02)


def ended(chances: tuple[float, float], seed: int, margin: float) -> play.SequentialTest:
    """Return the test of two players that only differ by chance."""
    draw, test = Random(seed), play.SequentialTest(margin=margin)
    while test.standing is None:
        drawn = [draw.random() for _ in range(64)]
        better = sum(x < chances[0] for x in drawn)
        worse = sum(x > 1 - chances[1] for x in drawn)
        test.add(better=better, worse=worse, games=64)
        assert test.games < 10**6
    return test


def test_error_rates() -> None:
    runs = 200
    equal = [ended((0.1, 0.1), seed, 0.03).standing for seed in range(runs)]
    wrong = sum(standing != "neither" for standing in equal)
    # At most 5 in 100, and four standard deviations.
    assert wrong <= runs * 0.05 + 4 * math.sqrt(runs * 0.05 * 0.95)
    assert wrong >= 1, "it is no test if it is never wrong"
    ahead = [ended((0.13, 0.1), seed, 0.03).standing for seed in range(runs)]
    missed = sum(standing != "first" for standing in ahead)
    assert missed <= runs * 0.05 + 4 * math.sqrt(runs * 0.05 * 0.95)
    assert sum(standing == "second" for standing in ahead) == 0
    behind = ended((0.1, 0.2), 1, 0.03)
    assert behind.standing == "second"


def test_large_leads_are_clear_sooner() -> None:
    games = [
        sum(ended((0.1 + lead, 0.1), seed, 0.03).games for seed in range(30))
        for lead in (0.03, 0.06, 0.2)
    ]
    assert games[0] > games[1] > games[2]


def test_nothing_changes_after_the_end() -> None:
    test = ended((0.3, 0.1), 1, 0.03)
    games = test.games
    assert test.add(better=0, worse=640, games=640) == "first"
    assert test.games == games


def test_looks_after_every_batch() -> None:
    test = play.SequentialTest(margin=0.1)
    assert test.follow([(True, False)] * 640, batch=64) == "first"
    assert test.games % 64 == 0
    assert test.games < 640
    again = play.SequentialTest(margin=0.1)
    assert again.follow(iter([(True, True)] * 3)) is None
    assert again.games == 3


@pytest.mark.parametrize("wrong", [{"margin": 0}, {"margin": 0.7}, {"alpha": 1}, {"beta": "x"}])
def test_numbers_that_make_no_sense(wrong: dict[str, float]) -> None:
    with pytest.raises(GameError):
        play.SequentialTest(**wrong)
