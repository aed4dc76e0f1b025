"""How a game may begin, and random layouts that keep to it."""

from __future__ import annotations

import secrets
from hashlib import blake2b
from operator import index as as_int
from typing import Final, Literal, TypeAlias

from sapper._native import random_mines
from sapper.errors import GameError, expect, quoted
from sapper.field import Cell, Topology
from sapper.game.board import Board, board_named
from sapper.game.layout import Layout

__all__ = [
    "START_RULES",
    "StartRule",
    "checked_rule",
    "checked_seed",
    "kept_free",
    "random_layout",
    "seed_of",
]

StartRule: TypeAlias = Literal["any", "safe", "zero"]
"""Where the mines may be, once the first dig is chosen.

``"any"``: anywhere. ``"safe"``: anywhere but there. ``"zero"``: neither there nor next to it.
"""

START_RULES: Final[tuple[StartRule, ...]] = ("any", "safe", "zero")


def seed_of(*parts: object) -> int:
    """Return 64 bits that follow from the parts, the same on every machine.

    They are the first 8 bytes, big end first, of BLAKE2b with a digest of that length, of the
    parts as text with a slash between them.

    Examples
    --------
    >>> seed_of(1, "torus", 40) == seed_of(1, "torus", 40) != seed_of(1, "torus", 41)
    True
    """
    try:
        text = "/".join(map(str, parts))
    except ValueError:  # Python writes no integers of more than 4,300 digits
        raise GameError("a seed has too many digits") from None
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def checked_seed(seed: int | None) -> int:
    """Return a seed as 64 bits: the number modulo 2⁶⁴, or fresh ones if there is none."""
    if seed is None:
        return secrets.randbits(64)
    try:
        return as_int(seed) % (1 << 64)
    except TypeError:
        raise GameError(f"a seed is a whole number, not {quoted(seed)}") from None


def checked_rule(rule: StartRule) -> StartRule:
    """Return a start rule, or raise GameError if it is none."""
    if rule not in START_RULES:
        raise GameError(f"a start rule is {', '.join(START_RULES)}, not {quoted(rule)}")
    return rule


def kept_free(topology: Topology, start: Cell, rule: StartRule) -> list[int]:
    """Return the indices of the cells that a rule keeps free of mines.

    Raises
    ------
    GameError
        If there is no such rule.
    UnknownCellError
        If the field has no such cell.

    Examples
    --------
    >>> from sapper.field import Grid
    >>> kept_free(Grid(9, 9), (0, 0), "zero")
    [0, 1, 9, 10]
    """
    expect(topology, Topology, "a field is a Topology")
    place = topology.index(start)
    around = topology.neighbours_at(place) if checked_rule(rule) == "zero" else ()
    return [] if rule == "any" else [place, *around]


def random_layout(
    board: str | Board,
    *,
    start: Cell | None = None,
    rule: StartRule | None = None,
    seed: int | None = None,
) -> Layout:
    """Draw a layout, uniformly among all that keep to the start rule.

    Parameters
    ----------
    board : str or Board
        The field and the number of mines.
    start : cell, optional
        The first dig; needed by the rules ``"safe"`` and ``"zero"``.
    rule : str, optional
        ``"any"``, ``"safe"`` or ``"zero"``; see `StartRule`. With a start ``"safe"``, else
        ``"any"``.
    seed : int, optional
        Decides the layout, on every machine; modulo 2⁶⁴. A fresh one if not given.

    Raises
    ------
    GameError
        If the rule leaves too little room for the mines, or lacks its start.
    UnknownCellError
        If the field has no such start.

    Notes
    -----
    The generator is xoshiro256**, its four words filled from the seed by splitmix64. A number
    below n is drawn by taking the lowest ⌈log₂ n⌉ bits until they are below n. Numbers below the
    number of cells are drawn, each an index of `Topology.cells`; those that are kept free or were
    drawn before are passed over, until there are as many as there are mines. If the mines are more
    than half of the cells that may have one, rounded down, the cells without a mine are drawn
    instead.

    Examples
    --------
    >>> layout = random_layout("expert", start=(0, 0), rule="zero", seed=7)
    >>> len(layout.mines), layout.numbers[0, 0]
    (99, 0)
    """
    topology, mines = (wanted := board_named(board)).topology, wanted.mines
    if rule is None:
        rule = "any" if start is None else "safe"
    if start is None and checked_rule(rule) != "any":
        raise GameError(f"the rule {rule!r} needs the start, the cell that is dug first")
    free = [] if start is None else kept_free(topology, start, rule)
    room = len(topology) - len(free)
    if mines > room:
        raise GameError(
            f"{wanted}: the rule {rule!r} keeps {len(free)} cells free at {quoted(start)} and"
            f" leaves room for {room}"
        )
    mined = random_mines(len(topology), mines, free, checked_seed(seed))
    return Layout.from_bytes(topology, mined)
