"""What can be asked for a game: its mines, what a strategy would dig, and how it was played."""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random
from secrets import randbits
from typing import Any

from sapper import answers, play
from sapper.answers import digits
from sapper.errors import GameError, quoted
from sapper.field import COVERED, cell_to_json
from sapper.limits import Limits
from sapper.web.reading import Request

__all__ = ["move", "new", "review"]


def new(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Lay the mines of a game, once its first dig is chosen; every layout is equally likely.

    With `no_guess` or a `grade` they are drawn from those that certainty alone finishes.
    """
    board = request.board
    start = None if request.get("start") is None else request.cell("start")
    rule = request.get("rule", "any" if start is None else "safe")
    # A fresh one is short enough for a browser to say it again.
    seed = request.get("seed", randbits(52))
    layout: play.Layout
    if request.get("no_guess", False) or request.get("grade") is not None:
        grade = request.get("grade")
        layout = play.generate(board, start=start, rule=rule, grade=grade, seed=seed, limits=limits)
    else:
        layout = play.random_layout(board, start=start, rule=rule, seed=seed)
    return {
        "topology": board.topology.spec(),
        "mines": board.mines,
        "layout": [cell_to_json(cell) for cell in sorted(layout.mines, key=board.topology.index)],
        "start": None if start is None else cell_to_json(start),
        "rule": rule,
        "seed": seed,
        "seed_text": digits(seed),
    }


def move(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Tell what a strategy would dig next."""
    position, name = request.position, request.get("strategy", "champion")
    # Not any that `named` takes: a page must not start programs.
    if name not in play.strategies():
        names = ", ".join(play.strategies())
        raise GameError(f"there is no strategy {quoted(name)}: use {names}")
    codes = memoryview(position.codes).cast("i").tolist()
    if COVERED not in codes:
        raise GameError("nothing is covered: the game is over")
    if position.mines is not None and codes.count(COVERED) == len(codes):
        board = play.Board(position.topology, position.mines)
        chosen: Any = play.first_dig(board, request.get("rule", "safe"))
        cells = [chosen]
    else:
        view = play.View(position, Random(request.get("seed", 0)))
        chosen = play.named(name).choose(view)
        cells = [chosen] if chosen in position.topology else list(chosen)
    return {"strategy": name, "cells": [cell_to_json(cell) for cell in cells]}


def review(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Go through a played game: what was certain at each move, what was risked, and the luck."""
    begin = time.perf_counter()
    board, rule = request.board, request.get("rule")
    record = {
        "topology": board.topology.spec(),
        "mines": board.mines,
        "layout": request.value["layout"],
        "rule": None,
        "seed": None,
        "moves": request.value["moves"],
    }
    found = play.review(record, rule=rule, limits=limits)
    seconds = time.perf_counter() - begin
    return answers.review(found, format="record", rule=rule, seconds=seconds)
