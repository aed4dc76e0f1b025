"""What can be asked for a game: its mines, what a strategy would dig, and how it was played."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from math import nextafter
from random import Random
from secrets import randbits
from typing import Any, Final

from sapper import answers, play
from sapper.answers import digits
from sapper.errors import GameError, quoted
from sapper.field import COVERED, FREE, cell_to_json
from sapper.limits import Budget, Limits
from sapper.web.reading import Request

__all__ = ["digs", "generate", "move", "new", "openings", "review"]

_MOST_BOARDS: Final = 100
_MOST_DIGS: Final = 1000


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


def generate(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Make boards to order, as `sapper generate --json` prints them."""
    wishes: Any = {
        "start": None if request.get("start") is None else request.cell("start"),
        "rule": request.get("rule", "zero"),
        "no_guess": request.get("no_guess", False) or request.get("grade") is not None,
        "grade": request.get("grade"),
        "method": request.get("method", "auto"),
        "use_total": request.get("total", True),
    }
    board, number, seed = request.board, request.get("n"), request.get("seed")
    if number is not None and not 0 <= number <= _MOST_BOARDS:
        raise GameError(f"n is 0 to {_MOST_BOARDS}, not {quoted(number)}")
    if number is None:
        made = iter([play.generate(board, seed=seed, limits=limits, **wishes)])
    else:
        made = play.generate_many(board, number, seed=seed, limits=limits, **wishes)
    budget = Budget(limits)
    boards: list[dict[str, Any]] = []
    for layout in made:
        lost = layout.start in layout.mines
        graded = None if lost else play.grade(layout, limits=budget.left())
        (told,) = answers.boards([(layout, graded)])["boards"]
        boards.append({**told, "seed_text": digits(told["seed"])})
    return {"boards": boards}


def digs(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Compare digs: by survival, by what they tell, and by the chance to win where it is known."""
    position, number = request.position, request.get("n", 3)
    cells = None
    if request.get("cells") is not None:
        given = enumerate(request.value["cells"])
        cells = [request.document.cell(cell, ("cells", at)) for at, cell in given]
        number = len(cells)
    if not 0 <= number <= _MOST_DIGS:
        raise GameError(f"{_MOST_DIGS} digs at most are compared, not {quoted(number)}")
    budget = Budget(limits)
    found = play.compare_digs(position, cells, number=number, limits=limits)
    budget.spend()
    chosen = None
    codes = memoryview(position.codes).cast("i")
    if position.mines is not None and FREE not in codes and COVERED in codes:
        chosen = next(iter(play.BuiltIn("champion").choose(play.View(position, Random(0)))), None)
    chance = answers.chance
    return {
        "digs": [
            {
                "cell": cell_to_json(dig.cell),
                "survival": chance(dig.survival),
                "progress": chance(dig.progress),
                "wins": None if dig.wins is None else chance(dig.wins),
                "numbers": {number: chance(share) for number, share in dig.numbers.items()},
            }
            for dig in found
        ],
        "champion": None if chosen is None else cell_to_json(chosen),
    }


def openings(request: Request, limits: Limits) -> Mapping[str, Any]:
    """Tell for each covered cell how likely it shows a zero, so that all around it opens."""
    found = play.opening_chances(request.position, limits=limits)
    return {
        "openings": [
            {"cell": cell_to_json(cell), "probability": _float(chance)}
            for cell, chance in found.items()
        ]
    }


def _float(chance: Fraction) -> float:
    """Return the nearest float that is 0 or 1 only if the chance is."""
    if chance in (0, 1):
        return float(chance)
    return min(max(float(chance), nextafter(0.0, 1.0)), nextafter(1.0, 0.0))


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
    rule, form = request.get("rule"), "record"
    if request.value.keys() & {"text", "data"}:
        keys = request.value.keys() & {"text", "data", "name", "format"}
        reading = request.examined({key: request.value[key] for key in keys}, ())
        game, form = reading.game, reading.format
        rule = rule or game.rule or (None if form == "json" else "safe")
        found = play.review(game, rule=rule, limits=limits)
        seconds = time.perf_counter() - begin
        return answers.review(found, format=form, rule=rule, seconds=seconds)
    for key in ("board", "layout", "moves"):
        if key not in request.value:
            request.document.fail((), f"the key {key!r} is missing; a replay is 'text' or 'data'")
    board = request.board
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
    return answers.review(found, format=form, rule=rule, seconds=seconds)
