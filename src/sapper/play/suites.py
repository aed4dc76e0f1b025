"""Boards for comparing strategies, made by a recipe that any language can repeat.

The recipe is part of the name: what `expert-1` means never changes. Board i of a suite begins
with a 64-bit state, the suite's seed times 2³² plus i, that splitmix64 turns into numbers. The
cells that may have a mine stand in row-major order; for k = 0, 1, …, mines - 1, entry k is
exchanged with entry k + r, where r is a number below (entries - k). The first entries are the
mines. A number below n is the next 64-bit number modulo n, but numbers that are at least
n·⌊2⁶⁴/n⌋ are passed over.

G. L. Steele, D. Lea & C. H. Flood, *Fast splittable pseudorandom number generators* (2014), for
splitmix64; R. A. Fisher & F. Yates (1938) and R. Durstenfeld (1964) for the exchanges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sapper.errors import GameError, quoted
from sapper.field import Cell, Grid, Hex, Torus
from sapper.game import BOARDS, Board, Layout, StartRule, kept_free

__all__ = ["SUITES", "Suite", "suite_named"]

_WORD: Final = 1 << 64


@dataclass(frozen=True, slots=True)
class Suite:
    """As many boards as one likes, numbered from 0, the same for everybody and for ever.

    Frozen: threads can share one.

    Attributes
    ----------
    name : str
        What results are published under; it ends with a version.
    board : Board
        The field and the number of mines.
    rule, start
        What the mines keep to, and the first dig of every game.
    seed : int
        What tells the boards of one suite from those of another.

    Examples
    --------
    >>> sorted(SUITES["beginner-1"].layout(0).mines)[:4]
    [(0, 1), (1, 2), (1, 7), (2, 0)]
    """

    name: str
    board: Board
    rule: StartRule
    start: Cell
    seed: int

    def layout(self, number: int) -> Layout:
        """Return a board of the suite."""
        topology, mines = self.board.topology, self.board.mines
        kept = set(kept_free(topology, self.start, self.rule))
        places = [place for place in range(len(topology)) if place not in kept]
        random = _SplitMix(self.seed * 2**32 + number)
        for k in range(mines):
            other = k + random.below(len(places) - k)
            places[k], places[other] = places[other], places[k]
        mined = bytearray(len(topology))
        for place in places[:mines]:
            mined[place] = 1
        return Layout.from_bytes(topology, bytes(mined))


class _SplitMix:
    """Numbers from splitmix64."""

    def __init__(self, state: int) -> None:
        self._state = state % _WORD

    def below(self, n: int) -> int:
        most = _WORD - _WORD % n
        while (number := self._next()) >= most:
            pass
        return number % n

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) % _WORD
        z = self._state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % _WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB % _WORD
        return z ^ z >> 31


def _suites() -> dict[str, Suite]:
    classic = Board(Grid(8, 8), mines=10)
    rows: list[tuple[str, Board, StartRule, Cell]] = [
        ("expert-1", BOARDS["expert"], "safe", (0, 0)),
        ("expert-zero-1", BOARDS["expert"], "zero", (3, 3)),
        ("intermediate-1", BOARDS["intermediate"], "safe", (0, 0)),
        ("intermediate-zero-1", BOARDS["intermediate"], "zero", (2, 2)),
        ("beginner-1", BOARDS["beginner"], "safe", (0, 0)),
        ("beginner-zero-1", BOARDS["beginner"], "zero", (2, 2)),
        ("classic-1", classic, "safe", (0, 0)),
        ("classic-zero-1", classic, "zero", (2, 2)),
        ("torus-1", Board(Torus(16, 16), mines=40), "safe", (0, 0)),
        ("hex-1", Board(Hex(16, 16), mines=50), "safe", (0, 0)),
    ]
    return {
        name: Suite(name, board, rule, start, seed)
        for seed, (name, board, rule, start) in enumerate(rows, start=1)
    }


SUITES: Final[Mapping[str, Suite]] = MappingProxyType(_suites())
"""The suites there are, by name."""


def suite_named(suite: str | Suite) -> Suite:
    """Return a suite, given as such or by name.

    Raises
    ------
    GameError
        If there is none of that name.
    """
    if isinstance(suite, Suite):
        return suite
    found = SUITES.get(suite) if isinstance(suite, str) else None
    if found is None:
        raise GameError(f"a suite is one of {', '.join(SUITES)}, not {quoted(suite)}")
    return found
