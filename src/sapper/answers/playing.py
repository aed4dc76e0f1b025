"""The documents of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.answers.documents import LeadAnswer, StrategyAnswer, TestAnswer, TournamentAnswer
from sapper.field import cell_to_json

if TYPE_CHECKING:
    from sapper.lab import Meeting, Tournament
    from sapper.play import Difference, Result, SequentialTest

__all__ = ["tournament"]


def tournament(
    contest: Tournament, meeting: Meeting, directory: str | None = None
) -> TournamentAnswer:
    """Return the document of a tournament; `directory` is where it is kept, if anywhere."""
    from sapper.lab import sentences

    source = contest.source
    first = meeting.results[0].strategy
    return {
        "board": str(source.board),
        "rule": str(source.rule),
        "start": cell_to_json(source.start),
        "seed": contest.seed if source.seed is None else source.seed,
        "suite": None if source.suite is None else source.suite.name,
        "results": [_strategy(result) for result in meeting.results],
        "differences": [_lead(*pair) for pair in meeting.differences],
        "tests": [_test(first, name, test) for name, test in meeting.tests.items()],
        "verdicts": sentences(meeting),
        "directory": directory,
    }


def _strategy(result: Result) -> StrategyAnswer:
    from sapper.lab import summary

    return {
        "strategy": result.strategy,
        "games": result.games,
        "wins": result.wins,
        "rate": result.rate,
        "interval": list(result.interval),
        "guesses": result.guesses,
        "luck": summary(result)["luck_of_wins"],
        "failures": {str(number): why for number, why in result.failures.items()},
        "seconds": result.seconds,
        "games_per_second": result.games_per_second if result.seconds > 0 else None,
    }


def _lead(one: Result, two: Result, ahead: Difference) -> LeadAnswer:
    return {
        "first": one.strategy,
        "second": two.strategy,
        "value": ahead.value,
        "error": ahead.error,
        "interval": list(ahead.interval),
        "better": ahead.better,
        "worse": ahead.worse,
        "is_clear": ahead.is_clear,
    }


def _test(first: str, second: str, test: SequentialTest) -> TestAnswer:
    return {
        "first": first,
        "second": second,
        "standing": test.standing,
        "games": test.games,
        "margin": test.margin,
        "alpha": test.alpha,
        "beta": test.beta,
        "ratios": list(test.ratios),
        "bounds": list(test.bounds),
    }
