"""What a tournament looks like on paper."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sapper.errors import pip_install
from sapper.lab.plots import COLOURS, MARKERS, figure
from sapper.lab.tables import markdown, page, write_table

if TYPE_CHECKING:
    from sapper.lab.tournament import Meeting, Tournament
    from sapper.play import Difference, Result

__all__ = ["played", "report", "sentences", "summary"]

_MOST_FAILURES = 10


def report(contest: Tournament, meeting: Meeting, directory: Path) -> str:
    """Write ``summary.csv``, ``games.csv`` and the figures; return the text of the report."""
    lines = [summary(result) for result in meeting.results]
    write_table(lines, directory / "summary.csv")
    _write_games(meeting.results, directory / "games.csv")
    results = meeting.results
    if not results[0].games:
        picture = "There are no games yet."
    elif find_spec("matplotlib") is None:
        picture = f"Figures need matplotlib: {pip_install('sapper[lab]')}."
    else:
        _draw(meeting, directory)
        picture = "![figure](tournament.png)"
    return page(
        "# Tournament",
        f"{played(contest, meeting)} Intervals are of 95 %, by Wilson's score. Luck is the product"
        " of the chances that each guess of a game was safe, here its mean over the games won."
        " Time is that of the strategy, by the clock.",
        markdown([_shown(line) for line in lines]),
        "## Who is ahead",
        [f"- {sentence}" for sentence in sentences(meeting)] or "There is nobody to compare with.",
        picture,
        _failures(results),
    )


def played(contest: Tournament, meeting: Meeting) -> str:
    """Return which boards were played, in a sentence: whoever reads it can play them again."""
    source = contest.source
    suite = "Boards" if source.suite is None else f"Suite {source.suite.name}"
    seed = f", seed {source.seed}" if source.suite is None else ""
    boards = meeting.results[0].games
    return (
        f"{suite}: {source.board}, rule {source.rule}, first dig {source.start}{seed};"
        f" {boards:,} boards, the same for all."
    )


def summary(result: Result) -> dict[str, Any]:
    """Return one line about the games of a strategy."""
    low, high = result.interval
    won = [luck for luck, won in zip(result.luck, result.won, strict=True) if won]
    luck = [value for value in won if not math.isnan(value)]
    return {
        "strategy": result.strategy,
        "games": result.games,
        "wins": result.wins,
        "rate": result.rate,
        "low": low,
        "high": high,
        "guesses_per_game": result.guesses / max(1, result.games),
        "luck_of_wins": math.fsum(luck) / len(luck) if luck else None,
        "failures": len(result.failures),
        "milliseconds_per_game": 1000 * result.seconds / max(1, result.games),
    }


def _shown(line: dict[str, Any]) -> dict[str, str]:
    luck = line["luck_of_wins"]
    return {
        "strategy": line["strategy"],
        "won": f"{line['wins']:,}",
        "rate": f"{100 * line['rate']:.2f} %",
        "95 % interval": f"{100 * line['low']:.2f} to {100 * line['high']:.2f}",
        "guesses a game": f"{line['guesses_per_game']:.2f}",
        "luck of a win": "–" if luck is None else f"{luck:.3f}",
        "failures": str(line["failures"]),
        "ms a game": f"{line['milliseconds_per_game']:.3g}",
    }


def sentences(meeting: Meeting) -> list[str]:
    """Return who is ahead of whom, by how much, and where nobody can say."""
    return [_pair(*pair) for pair in meeting.differences] + [
        _verdict(meeting, name) for name in meeting.tests
    ]


def _pair(one: Result, two: Result, ahead: Difference) -> str:
    if ahead.value < 0 or (ahead.value == 0 and not ahead.is_clear and ahead.worse > ahead.better):
        one, two, ahead = two, one, two.minus(one)
    low, high = (100 * end for end in ahead.interval)
    apart = f"{100 * ahead.value:.2f} ± {100 * ahead.error:.2f} points"
    details = (
        f"(95 %: {low:.2f} to {high:.2f}; {ahead.better:,} boards only {one.strategy} won,"
        f" {ahead.worse:,} only {two.strategy})"
    )
    if ahead.is_clear:
        return f"{one.strategy} is ahead of {two.strategy} by {apart} {details}."
    if ahead.better == ahead.worse == 0:
        return f"{one.strategy} and {two.strategy} won and lost the same boards: nobody is ahead."
    return f"Nobody can say whether {one.strategy} is ahead of {two.strategy}: {apart} {details}."


def _verdict(meeting: Meeting, name: str) -> str:
    test, first = meeting.tests[name], meeting.results[0].strategy
    points = f"{100 * test.margin:g} points"
    said = {
        "first": f"{first} is ahead of {name}",
        "second": f"{name} is ahead of {first}",
        "neither": f"neither {first} nor {name} is ahead by {points}",
        None: f"it cannot be said yet whether {first} or {name} is ahead",
    }[test.standing]
    low, high = test.bounds
    up, down = test.ratios
    return (
        f"Sequential test after {test.games:,} boards: {said} (margin {points}; error rates"
        f" {test.alpha:g} and {test.beta:g}; log likelihood ratios {up:.2f} and {down:.2f},"
        f" bounds {low:.2f} and {high:.2f})."
    )


def _failures(results: Sequence[Result]) -> list[str]:
    lines = []
    for result in results:
        if not result.failures:
            continue
        lines.append(f"{result.strategy} lost {len(result.failures):,} games by errors:\n")
        reasons = Counter(result.failures.values()).most_common(_MOST_FAILURES)
        first = {why: n for n, why in reversed(result.failures.items())}
        lines += [f"- {count:,} × {why} (first in game {first[why]})" for why, count in reasons]
        lines.append("")
    return ["## Failures", "", *lines] if lines else []


def _write_games(results: Sequence[Result], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["strategy", "game", "won", "guesses", "luck", "failure"])
        for result in results:
            games = zip(result.won, result.guessed, result.luck, strict=True)
            for number, (won, guessed, luck) in enumerate(games):
                known = "" if math.isnan(luck) else luck
                why = result.failures.get(number, "")
                writer.writerow([result.strategy, number, int(won), guessed, known, why])


def _draw(meeting: Meeting, directory: Path) -> None:
    results = meeting.results
    with figure(directory, "tournament", columns=2, rows=2) as axes:
        _rates(axes[0], results)
        _leads(axes[1], meeting)
        _guesses(axes[2], results)
        _lucks(axes[3], results)


def _rates(axis: Any, results: Sequence[Result]) -> None:
    for place, result in enumerate(results):
        low, high = result.interval
        axis.errorbar(
            [100 * result.rate],
            [place],
            xerr=[[100 * (result.rate - low)], [100 * (high - result.rate)]],
            color=COLOURS[place % len(COLOURS)],
            marker=MARKERS[place % len(MARKERS)],
        )
    times = (1000 * result.seconds / result.games for result in results)
    names = [f"{r.strategy[:30]}\n{ms:.3g} ms" for r, ms in zip(results, times, strict=True)]
    axis.set_yticks(range(len(results)), names)
    axis.set_ylim(len(results) - 0.5, -0.5)
    axis.set(xlabel="games won, %")
    axis.set_title("win rate, and time a game")


def _leads(axis: Any, meeting: Meeting) -> None:
    """Draw how the first strategy's lead over the others went, with its standard error."""
    first, *others = meeting.results
    step = max(1, first.games // 400)
    for number, other in enumerate(others, start=1):
        pairs = zip(first.won, other.won, strict=True)
        apart = [int(a) - int(b) for a, b in pairs]
        sums, squares = list(accumulate(apart)), list(accumulate(d * d for d in apart))
        # The first games say nothing and would need all the room.
        places = range(max(step, first.games // 20), first.games + 1, step)
        means = [100 * sums[n - 1] / n for n in places]
        errors = [
            100 * math.sqrt(max(squares[n - 1] - sums[n - 1] ** 2 / n, 0)) / n for n in places
        ]
        colour = COLOURS[number % len(COLOURS)]
        axis.plot(places, means, color=colour, label=f"over {other.strategy[:30]}")
        bands = zip(means, errors, strict=True)
        low, high = zip(*((m - 2 * e, m + 2 * e) for m, e in bands), strict=True)
        axis.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set(xlabel="boards", ylabel="points")
    axis.set_title(f"lead of {first.strategy[:30]}, ± two errors")
    if others:
        axis.legend()
        axis.locator_params(axis="x", nbins=5)


def _guesses(axis: Any, results: Sequence[Result]) -> None:
    most = sorted(n for result in results for n in result.guessed)
    top = max(1, most[int(0.99 * (len(most) - 1))])
    for number, result in enumerate(results):
        counts = Counter(min(n, top) for n in result.guessed)
        shares = [100 * counts[n] / result.games for n in range(top + 1)]
        style = {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}
        axis.plot(range(top + 1), shares, label=result.strategy[:30], **style)
    axis.set(xlabel=f"guesses in a game ({top} or more at the end)", ylabel="games, %")
    axis.set_title("guesses")
    axis.legend()


def _lucks(axis: Any, results: Sequence[Result]) -> None:
    for number, result in enumerate(results):
        pairs = zip(result.luck, result.won, strict=True)
        lucks = sorted(luck for luck, won in pairs if won and not math.isnan(luck))
        shares = [100 * (place + 1) / len(lucks) for place in range(len(lucks))]
        colour = COLOURS[number % len(COLOURS)]
        axis.step(lucks, shares, where="post", color=colour, label=result.strategy[:30])
    axis.set(xlabel="luck: chance of surviving all guesses", ylabel="games won with less, %")
    axis.set_title("luck of the games won")
    axis.set_xlim(-0.02, 1.02)
    axis.legend()
