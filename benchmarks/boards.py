"""Boards to order: how fast they are made, graded and measured."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from typing import Any

import ms_toollib

from benchmarks.harness import Options, Report
from sapper import play

SGT = shutil.which("sgt-mines", path=f"/usr/games:{os.environ.get('PATH', '')}")


def run(options: Options) -> Report:
    """Expert boards a second on one core, beside the programs that do the same."""
    number = 100 if options.quick else 2000
    rows: list[list[str]] = []
    raw: list[dict[str, Any]] = []

    def note(what: str, by: str, each: int, seconds: float, remark: str = "") -> None:
        rows.append([what, by, f"{each:,}", f"{each / seconds:,.0f}", remark])
        raw.append({"what": what, "by": by, "boards": each, "seconds": seconds})

    layouts = list(play.generate_many("expert", number, start=(3, 3), seed=1))
    wish: dict[str, Any] = {"start": (3, 3), "rule": "zero", "seed": 1}
    note("no guess", "`play.generate_many`", number, spent(play.generate_many, number, **wish))
    rows[-1][-1] = f"uniform; {sum(board.tries for board in layouts) / number:.1f} layouts drawn"
    without = {**wish, "use_total": False}
    note(
        "no guess, without the total",
        "`play.generate_many`",
        number,
        spent(play.generate_many, number, **without),
        "uniform",
    )
    if SGT is not None:
        made = 30 if options.quick else 500
        note("no guess", "sgt-mines", made, sgt(made), "not uniform; without the total")
    any_boards = [
        play.random_layout("expert", start=(3, 3), rule="zero", seed=seed) for seed in range(number)
    ]
    note("grade, with guesses", "`play.grade`", number, each(any_boards, graded), "any boards")
    note("grade, no guess", "`play.grade`", number, each(layouts, graded))
    grids = [rows_of(layout) for layout in any_boards]
    repeated = 1 if options.quick else 5
    note("3BV", "`play.three_bv`", number * repeated, each(any_boards * repeated, play.three_bv))
    note("3BV", "ms_toollib", number * repeated, each(grids * repeated, ms_toollib.cal_bbbv))
    note("3BV, islands, ZiNi", "`play.metrics`", number, each(any_boards, play.metrics))
    note("3BV, islands, ZiNi", "ms_toollib", number, each(grids, measured))
    return Report(
        name="boards",
        title="Boards: made, graded, measured",
        text="Expert boards (16×30, 99 mines, zero start at (3, 3)), seed 1, one core, CPU time: "
        "boards a second. "
        "`play.generate` draws until a layout can be finished without a guess, by complete logic "
        "with the number of mines, so that all of them are equally likely; sgt-mines (Debian's "
        "sgt-puzzles) moves mines about until its own solver is content. ms_toollib is given a "
        "list of lists, as it wants it, and `play` a `Layout`.",
        columns=["what", "by", "boards", "a second", "remark"],
        rows=rows,
        raw=raw,
        packages=["ms_toollib"],
        remarks=[f"sgt-puzzles {debian()}." if SGT else "sgt-mines is not installed here."],
    )


def graded(layout: play.Layout) -> object:
    return play.grade(layout, (3, 3))


def rows_of(layout: play.Layout) -> list[list[int]]:
    numbers = layout.numbers
    return [[numbers.get((r, c), -1) for c in range(30)] for r in range(16)]


def measured(rows: list[list[int]]) -> tuple[int, ...]:
    board = ms_toollib.Board(rows)
    return board.bbbv, board.op, board.isl, board.zini, board.hzini


def each(things: Iterable[Any], work: Callable[[Any], object]) -> float:
    began = time.process_time()
    for thing in things:
        work(thing)
    return time.process_time() - began


def spent(make: Callable[..., Iterable[object]], number: int, **wish: Any) -> float:
    return each(make("expert", number, **wish), id)


def sgt(number: int) -> float:
    """Return the CPU seconds of the program."""
    assert SGT is not None
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [SGT, "--generate", str(number), "30x16n99"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def debian() -> str:
    query = ["dpkg-query", "-W", "-f=${Version}", "sgt-puzzles"]
    try:
        return subprocess.run(query, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "of unknown version"
