"""Every public callable with wrong values: what it raises must be meant for people.

Functions, classes and the methods of one object of each class are called with right arguments,
taken by the names of parameters from `RIGHT`; one at a time is replaced by each of `WRONG`.
"""

from __future__ import annotations

import inspect
import linecache
import os
import signal
from collections.abc import Callable, Iterator
from enum import Enum
from importlib import import_module
from random import Random
from typing import Any, Final, NamedTuple

import networkx

import sapper
from sapper import decomposition, game, play, puzzles
from sapper.errors import SapperError, quoted
from sapper.limits import Limits

ROOMS: Final = (
    "sapper",
    "sapper.analysis",
    "sapper.clues",
    "sapper.decomposition",
    "sapper.field",
    "sapper.formats",
    "sapper.game",
    "sapper.lab",
    "sapper.limits",
    "sapper.methods",
    "sapper.play",
    "sapper.play.gym",
    "sapper.puzzles",
    "sapper.render",
    "sapper.web",
    "sapper.zdd",
)

LONG: Final = "y" * 5000
WRONG: Final[tuple[object, ...]] = (
    None,
    5,
    -1,
    True,
    float("nan"),
    10**30,
    10**5000,
    "x",
    LONG,
    b"x",
    [],
    [LONG],
    {},
    (1, 2, 3),
    object(),
)

SMALL: Final = Limits(seconds=0.5, nodes=2000, bytes=50_000_000)
"""For questions that wrong numbers make long."""
PATIENCE: Final = 1.0
"""Seconds after which a call is ended: to work for long is no wrong error."""

NOT_CALLED: Final = {
    # They open sockets or start processes.
    "sapper.lab.LimitedPool",
    "sapper.lab.Run",
    "sapper.lab.connected",
    "sapper.play.tournament workers",
    "sapper.play.generate_many workers",
    "sapper.web.serve",
    "sapper.web.application",
    # What rooms hand each other, in inner loops or in a form that nobody else has: their arguments
    # were checked where they came in.
    "sapper.clues.refuse_repeats",
    "sapper.field.encode_plain",
    "sapper.field.encode_row",
    "sapper.field.neighbourhood",
    "sapper.field.whole",
    "sapper.lab.Referee",
    "sapper.lab.inferred",
    "sapper.lab.played",
    "sapper.lab.sentences",
    "sapper.lab.spaced",
    "sapper.lab.summary",
    "sapper.limits.begin",
    "sapper.limits.foreign",
    "sapper.limits.in_order",
    "sapper.limits.load",
    "sapper.methods.minimal_core",
    "sapper.render.Board",
    "sapper.render.Explained",
    "sapper.render.amount",
    "sapper.render.beside",
    "sapper.render.plural",
    "sapper.render.precise",
    "sapper.render.ramp",
    "sapper.render.short",
    "sapper.render.table",
    "sapper.render.worlds_of",
}
INDICES: Final = ("index", "indices", "places")
"""Parameters for whose values an IndexError says all."""


def position() -> sapper.Position:
    return sapper.Position.from_array([list("1??"), list("12?"), list("???")])


def clues() -> sapper.Clues:
    return sapper.Clues([sapper.Clue(1, "ab"), sapper.Clue(2, "abc")])


def layout() -> game.Layout:
    return game.Layout(sapper.Grid(3, 3), mines={(0, 1), (2, 2)})


def dug() -> game.Game:
    made = game.Game(layout())
    made.dig((0, 0))
    return made


def tree() -> decomposition.TreeDecomposition:
    return decomposition.decompose(networkx.path_graph(4))


# What the parameters of these names take, made anew for every call.
RIGHT: Final[dict[str, Callable[[], Any]]] = {
    "analysis": lambda: sapper.analyze(position()),
    "array": lambda: [["1", "?"], ["?", "?"]],
    "bags": lambda: [{0, 1}, {1, 2}],
    "board": lambda: "beginner",
    "cell": lambda: (0, 1),
    "cells": lambda: "ab",
    "clue": lambda: sapper.Clue(1, "ab"),
    "clues": lambda: [sapper.Clue(1, "ab")],
    "codes": lambda: bytes(9),
    "costs": lambda: {"a": 1},
    "count": lambda: 1,
    "decomposition": tree,
    "depth": lambda: 2,
    "dump": lambda: "B\n",
    "edges": lambda: [(0, 1)],
    "findings": lambda: sapper.analyze(position()).findings,
    "format": lambda: "text",
    "game": dug,
    "games": lambda: 3,
    "graph": lambda: networkx.path_graph(4),
    "height": lambda: 3,
    "index": lambda: 0,
    "indices": lambda: [0, 1],
    "k": lambda: 2,
    "label": lambda: 1,
    "labels": lambda: {(0, 0): 1},
    "layout": layout,
    "layouts": lambda: [layout()],
    "limits": lambda: SMALL,
    "mines": lambda: {(0, 1)},
    "n": lambda: 4,
    "name": lambda: "safest",
    "nodes": lambda: 5,
    "number": lambda: 0,
    "offsets": lambda: [(0, 1), (0, -1)],
    "order": lambda: [0, 1, 2, 3],
    "path": lambda: "picture.svg",
    "places": lambda: None,
    "position": position,
    "puzzle": position,
    "record": lambda: dug().record,
    "rule": lambda: "safe",
    "seed": lambda: 1,
    "sets": lambda: [{"a"}, {"b"}],
    "shown": position,
    "size": lambda: 3,
    "solution": lambda: frozenset({"a"}),
    "start": lambda: (0, 0),
    "strategy": lambda: "safest",
    "text": lambda: "1?\n??",
    "topology": lambda: sapper.Grid(3, 3),
    "width": lambda: 3,
}

OBJECTS: Final[dict[str, Callable[[], Any]]] = {
    "Analysis": lambda: sapper.analyze(position(), limits=SMALL),
    "Board": lambda: game.Board(sapper.Grid(3, 3), mines=2),
    "Box": lambda: sapper.Box(2, 2, 2),
    "Clue": lambda: sapper.Clue(1, "ab"),
    "Clues": clues,
    "EqualMoments": lambda: puzzles.EqualMoments(8, 2),
    "Explanation": lambda: sapper.explain(position(), (0, 1)),
    "Game": dug,
    "Graph": lambda: sapper.Graph(networkx.path_graph(4)),
    "Grid": lambda: sapper.Grid(3, 3),
    "Hex": lambda: sapper.Hex(3, 3),
    "Layout": layout,
    "NiceDecomposition": lambda: tree().nice(),
    "Offsets": lambda: sapper.Offsets(3, 3, [(0, 1), (0, -1)]),
    "Position": position,
    "Random": lambda: Random(1),
    "SequentialTest": lambda: play.SequentialTest(),
    "Session": lambda: sapper.Session(position(), limits=SMALL),
    "SetView": lambda: sapper.solutions(clues(), limits=SMALL),
    "Torus": lambda: sapper.Torus(3, 3),
    "TreeDecomposition": tree,
    "Zdd": lambda: sapper.solutions(clues()).zdd(),
}
UNCHECKED: Final = ("pick_packed", "too_large")
"""Methods that are given what was checked or comes from the core, a board at a time."""
OPERATORS: Final = ("__contains__", "__getitem__", "__and__", "__or__", "__sub__", "__eq__")


class Call(NamedTuple):
    """A public callable."""

    name: str
    call: Callable[..., Any]
    made: Callable[[], Any] | None
    """The object whose method it is."""


def calls() -> Iterator[Call]:
    """Yield all public functions and classes, and the methods of classes that `OBJECTS` has."""
    seen: set[int] = set()
    for room in ROOMS:
        door = import_module(room)
        for name in door.__all__:
            value = getattr(door, name)
            full = f"{room}.{name}"
            if not callable(value) or id(value) in seen or full in NOT_CALLED:
                continue
            seen.add(id(value))
            if not inspect.isclass(value):
                yield Call(full, value, None)
            elif value.__module__.startswith("sapper") and not issubclass(value, Exception | Enum):
                if not is_record(value):
                    yield Call(full, value, None)
                if name in OBJECTS:
                    for method in dir(value):
                        if is_public(method) and callable(inspect.getattr_static(value, method)):
                            yield Call(f"{full}.{method}", getattr(value, method), OBJECTS[name])


def is_public(method: str) -> bool:
    """Tell whether people call a method of this name, or an operator that stands for it."""
    return method not in UNCHECKED and (not method.startswith("_") or method in OPERATORS)


def is_record(value: type) -> bool:
    """Tell whether a class only holds what an answer is made of: nobody makes one by hand."""
    return issubclass(value, tuple) or getattr(value, "_is_protocol", False)


def faults(asked: Call) -> list[str]:
    """Return what is wrong with the errors of one callable."""
    try:
        parameters = list(inspect.signature(asked.call).parameters.values())
    except ValueError:
        return []
    if asked.made is not None:
        parameters = parameters[1:]
    wanted = [
        p
        for p in parameters
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    found: dict[str, str] = {}
    for replaced in wanted:
        if f"{asked.name} {replaced.name}" in NOT_CALLED:
            continue
        for wrong in WRONG:
            what = complaint(asked, wanted, replaced, wrong)
            if what is not None and not (replaced.name in INDICES and "IndexError" in what):
                found.setdefault(what, f"{asked.name}({replaced.name}={quoted(wrong):.20}): {what}")
    return list(found.values())


def complaint(
    asked: Call, wanted: list[inspect.Parameter], replaced: inspect.Parameter, wrong: object
) -> str | None:
    """Call with one wrong argument; return what is wrong with what it raises, if anything is."""
    positional: list[Any] = [] if asked.made is None else [asked.made()]
    named: dict[str, Any] = {}
    for parameter in wanted:
        if parameter is replaced:
            value = wrong
        elif parameter.default is not parameter.empty:
            if parameter.name != "limits":
                continue
            value = SMALL
        else:
            value = RIGHT.get(parameter.name, lambda: wrong)()
        if parameter.kind is parameter.POSITIONAL_ONLY:
            positional.append(value)
        else:
            named[parameter.name] = value
    try:
        result = call_for_a_while(lambda: asked.call(*positional, **named))
        if inspect.isgenerator(result):
            call_for_a_while(lambda: next(result, None))
    except BaseException as error:  # whatever it is
        return judged(error)
    return None


class TooLong(BaseException):
    """It works and works."""


def call_for_a_while(call: Callable[[], Any]) -> Any:
    """Call, for at most `PATIENCE` seconds."""

    def give_up(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, give_up)
    # Again and again, as an error raised in a finalizer is lost.
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)
    try:
        return call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def judged(error: BaseException) -> str | None:
    """Return what is wrong with an error, or None."""
    if isinstance(error, TooLong):
        return None
    try:
        text = str(error)
    except Exception as told:
        return f"{type(error).__name__} cannot tell what is wrong: {told}"
    # What the system says about a file is its own.
    if ("y" * 61 in text or len(text) > 400) and not isinstance(error, OSError):
        return f"{type(error).__name__} repeats {len(text):,} characters ({place(error)})"
    if isinstance(error, SapperError | TypeError):
        return None if text else f"{type(error).__name__} without a sentence"
    if isinstance(error, ValueError | OSError) and raised_on_purpose(error):
        return None
    return f"{type(error).__name__}: {text:.100} ({place(error)})"


def raised_on_purpose(error: BaseException) -> bool:
    """Tell whether `sapper` itself raised it, or the system did for a file."""
    if isinstance(error, OSError):
        return True
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return False
    frame = trace.tb_frame
    line = linecache.getline(frame.f_code.co_filename, trace.tb_lineno).strip()
    around = [
        linecache.getline(frame.f_code.co_filename, trace.tb_lineno - back) for back in range(6)
    ]
    inside = "sapper" in frame.f_code.co_filename
    return inside and (line.startswith("raise") or any("raise " in one for one in around))


def place(error: BaseException) -> str:
    """Return where it was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "?"
    return f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
