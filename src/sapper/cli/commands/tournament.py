"""`sapper tournament`: strategies side by side on the same boards."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from sapper import answers
from sapper.cli.experiments import hands, say_where
from sapper.cli.failures import complain, guarded
from sapper.cli.options import Json
from sapper.cli.patience import counted
from sapper.cli.screen import Screen, emit
from sapper.cli.task import UsageError, memory_size, start_cell
from sapper.limits import Limits

if TYPE_CHECKING:
    from sapper.lab import Meeting, Row, Tournament

_boards = partial(typer.Option, rich_help_panel="Boards")
_work = partial(typer.Option, rich_help_panel="Work")


def tournament(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY… [DIR]",
            show_default=False,
            help="Who plays; and where the games are kept: with a slash, or a directory.",
        ),
    ],
    board: Annotated[
        str,
        _boards(
            metavar="B", help="beginner, intermediate, expert or [TOPOLOGY:]HEIGHTxWIDTH/MINES."
        ),
    ] = "expert",
    rule: Annotated[str, _boards(metavar="R", help="Start rule: any, safe or zero.")] = "safe",
    start: Annotated[
        str | None,
        _boards(
            metavar="CELL",
            help="The first dig, such as 0,0; where the built-in strategies begin if not given.",
        ),
    ] = None,
    suite: Annotated[
        str | None,
        _boards(
            metavar="NAME",
            help="Boards of a suite, such as expert-1, instead of board, rule, start and seed.",
        ),
    ] = None,
    games: Annotated[int, _boards(metavar="N", help="How many boards, at most.")] = 1000,
    seed: Annotated[int, _boards(metavar="S", help="The same seed, the same boards.")] = 0,
    until_clear: Annotated[
        bool,
        typer.Option(
            "--until-clear",
            help="Stop when a sequential test says who is ahead: the first, or another.",
        ),
    ] = False,
    margin: Annotated[
        float, typer.Option(metavar="POINTS", help="The difference that matters to it, in percent.")
    ] = 0.5,
    move_seconds: Annotated[float, _work(metavar="S", help="What a move may take.")] = 10.0,
    workers: Annotated[int, _work(metavar="N", min=1, help="Processes.")] = 1,
    scheduler: Annotated[
        str | None, _work(metavar="ADDRESS", help="A Dask scheduler, tcp://host:port, instead.")
    ] = None,
    seconds: Annotated[float | None, _work(metavar="S", help="Time to spend at most.")] = None,
    memory: Annotated[
        str | None, _work(metavar="SIZE", help="Memory of a process at most: 500M, 2G, …")
    ] = None,
    json: Json = False,
    table: Annotated[
        bool, typer.Option("--csv", help="Print a table with a line for each strategy.")
    ] = False,
) -> None:
    """Let strategies play the same boards, and say who is ahead.

    A strategy is random, certain, safest, safest-ties, lookahead, champion or optimal, with
    options as in champion:effort=10; one that another package offers; or exec:COMMAND, a program
    that speaks lines of JSON. What a strategy does wrong loses the game and is reported.

    With DIR every game is kept there, with a report and figures. The same command goes on where
    it was stopped, and with more --games it plays more.

    For example:
      sapper tournament champion --games 1000 --seed 7
      sapper tournament champion safest --until-clear --games 100000 --workers 2
      sapper tournament champion 'exec:./my-bot' --suite expert-1 --games 10000 runs/mine
    """
    with guarded():
        from sapper.game import board_named
        from sapper.lab import Run, Tournament

        if suite is not None:
            _refuse_beside_suite(context)
        strategies, kept = _split(words)
        contest = Tournament(
            tuple(strategies),
            board=board,
            rule=rule,
            start=None if start is None else start_cell(board_named(board), start),
            games=games,
            seed=seed,
            suite=suite,
            seconds=move_seconds,
            until_clear=until_clear,
            margin=margin / 100,
        )
        limits = Limits(seconds=seconds)
        size = None if memory is None else memory_size(memory)
        team = hands(workers, scheduler, 3, memory=size)
        place = nullcontext(str(kept)) if kept else TemporaryDirectory(prefix="sapper-")
        # The programs that play on a cluster may be on its machines only.
        prepare = contest.require if scheduler is None else None
        with place as directory:
            if prepare is not None and not Run.is_in(directory):
                prepare(list(contest.jobs()))
            run = Run(contest, directory, resume=True)
            try:
                with team as (pool, ahead), _watching(contest) as enough:
                    run.execute(
                        pool, ahead=ahead, retries=2, enough=enough, prepare=prepare, limits=limits
                    )
            except KeyboardInterrupt:
                if kept:
                    complain(f"stopped; the games so far are in {kept}, the same command goes on")
                raise
            meeting = contest.meeting(run.rows())
            if kept:
                run.report()
        if json:
            emit(answers.tournament(contest, meeting, str(kept) if kept else None))
        elif table:
            _write_csv(meeting)
        else:
            _show(contest, meeting, kept)


def _refuse_beside_suite(context: typer.Context) -> None:
    """Refuse what a suite decides: it would be ignored."""
    for name in ("board", "rule", "start", "seed"):
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise UsageError(f"--{name}: a suite has its own; leave out --{name} or --suite")


def _split(words: list[str]) -> tuple[list[str], Path | None]:
    """Return strategies and the directory, which is the last word if it looks like one."""
    from sapper.play import strategies

    *rest, last = words
    is_player = last.partition(":")[0] in ("exec", *strategies())
    if rest and not is_player and ("/" in last or last in (".", "..") or Path(last).is_dir()):
        return rest, Path(last)
    return words, None


@contextmanager
def _watching(contest: Tournament) -> Iterator[Callable[[Row], bool]]:
    """Yield who is shown every result: the referee, and a bar with the rates for those who wait."""
    from sapper.lab import Referee

    referee = Referee(contest)

    def standings() -> str:
        return " · ".join(
            f"{name[:24]} {100 * won / games:.2f} %"
            for name, (won, games) in referee.rates.items()
            if games
        )

    with counted(standings) as bar:
        row = bar.add_task("games", total=contest.games * len(contest.strategies))

        def enough(result: Row) -> bool:
            clear = referee.see(result)
            bar.update(row, completed=sum(games for _, games in referee.rates.values()))
            return clear

        yield enough


def _write_csv(meeting: Meeting) -> None:
    from sapper.lab import summary

    lines = [summary(result) for result in meeting.results]
    writer = csv.DictWriter(sys.stdout, list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)


def _show(contest: Tournament, meeting: Meeting, kept: Path | None) -> None:
    from sapper.lab import played, sentences, summary

    screen = Screen()
    if screen.is_terminal:
        rows = []
        for line in map(summary, meeting.results):
            luck = line["luck_of_wins"]
            rows.append(
                (
                    line["strategy"],
                    f"{line['wins']:,} of {line['games']:,}",
                    f"{100 * line['rate']:.2f} %",
                    f"{100 * line['low']:.2f} – {100 * line['high']:.2f}",
                    f"{line['guesses_per_game']:.2f}",
                    "–" if luck is None else f"{luck:.3f}",
                    f"{line['milliseconds_per_game']:.3g}",
                )
            )
        headings = ("strategy", "won", "rate", "95 %", "guesses", "luck", "ms a game")
        screen.table(headings, rows, right=headings[1:])
    else:
        for result in meeting.results:
            screen.say(str(result))
    for sentence in sentences(meeting):
        screen.say(sentence)
    for result in meeting.results:
        for number, why in list(result.failures.items())[:3]:
            screen.say(f"{result.strategy} lost game {number} by an error: {why}")
        if len(result.failures) > 3:
            screen.say(f"… and {len(result.failures) - 3:,} more games of {result.strategy}")
    screen.say(played(contest, meeting), "dim")
    if kept:
        say_where(screen, kept)
