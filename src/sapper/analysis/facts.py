"""Derive a verdict from a core by arguments about sets of cells, as a player would.

A fact bounds the mines in a set of cells. Two facts about sets that overlap bound the common part
and both rests; a fact that leaves its set no choice decides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sapper.clues import Clue
from sapper.field import Cell

__all__ = ["Fact", "derive"]

# The search gives up after so many facts: what needs more is not an argument that one follows.
_MAX_FACTS: Final = 90


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """Between `least` and `most` of `cells` are mines.

    It follows from a clue, or from two facts: from `first` about a set and `second` about another,
    for the part ``"common"`` to both or the part ``"rest"`` of the first outside the second.
    """

    cells: frozenset[Cell]
    least: int
    most: int
    clue: Clue | None = None
    first: Fact | None = None
    second: Fact | None = None
    part: str = ""

    @property
    def decides(self) -> bool:
        """Whether it leaves no choice in its set."""
        return self.most == 0 or self.least == len(self.cells)

    @property
    def is_impossible(self) -> bool:
        """Whether its set cannot hold what it says: then the clues contradict each other."""
        return self.most < self.least or self.most < 0 or self.least > len(self.cells)

    def history(self) -> Iterator[Fact]:
        """Yield all that it rests on, and itself, each once and after what it rests on."""
        seen: set[int] = set()
        pending: list[tuple[Fact, bool]] = [(self, False)]
        while pending:
            fact, ready = pending.pop()
            if ready:
                yield fact
            elif id(fact) not in seen:
                seen.add(id(fact))
                pending.append((fact, True))
                pending += [(f, False) for f in (fact.second, fact.first) if f is not None]


def derive(clues: Sequence[Clue], cell: Cell | None, mine: bool) -> Fact | None:
    """Return a fact that decides a cell the right way, with its history; None if none is found.

    Without a cell, a fact that is impossible.

    Examples
    --------
    >>> fact = derive([Clue(1, "ab"), Clue(2, "abc")], "c", True)
    >>> fact.cells == {"c"}, fact.least
    (True, 1)
    >>> fact = derive([Clue(1, "ab"), Clue(3, "abc")], None, False)
    >>> fact.cells == {"c"}, fact.least
    (True, 2)
    """
    if any(clue.weights is not None for clue in clues):
        return None
    best: dict[frozenset[Cell], tuple[int, int]] = {}
    facts: list[Fact] = []
    fresh: list[Fact] = []

    def known(fact: Fact) -> bool:
        least, most = best.get(fact.cells, (0, len(fact.cells)))
        return fact.least <= least and fact.most >= most

    def add(fact: Fact) -> bool:
        if fact.is_impossible:
            return cell is None
        if not fact.cells or known(fact):
            return False
        least, most = best.get(fact.cells, (0, len(fact.cells)))
        best[fact.cells] = (max(least, fact.least), min(most, fact.most))
        facts.append(fact)
        fresh.append(fact)
        return cell in fact.cells and fact.decides and (fact.least > 0) is mine

    for clue in clues:
        fact = Fact(frozenset(clue.cells), clue.count, clue.count, clue=clue)
        if add(fact):
            return fact
    while fresh and len(facts) < _MAX_FACTS:
        # A generation at a time, so that short arguments are found before long ones; small sets
        # first, because what is decided makes everything else smaller.
        generation = sorted(fresh, key=lambda fact: (not fact.decides, len(fact.cells)))
        fresh = []
        for fact in generation:
            for other in facts[:]:
                if other is fact or fact.cells.isdisjoint(other.cells):
                    continue
                for made in _combined(fact, other):
                    if add(made):
                        return made
            if len(facts) >= _MAX_FACTS:
                break
    return None


def _combined(first: Fact, second: Fact) -> Iterator[Fact]:
    common = first.cells & second.cells
    for one, other in ((first, second), (second, first)):
        rest = one.cells - common
        aside = len(other.cells) - len(common)
        # What the other set says about the common part bounds what is left for the rest.
        least = max(0, one.least - min(other.most, len(common)))
        most = min(len(rest), one.most - max(0, other.least - aside))
        if least > len(rest) or most < 0 or (rest and (least > 0 or most < len(rest))):
            yield Fact(rest, least, most, first=one, second=other, part="rest")
    rests = len(first.cells) - len(common), len(second.cells) - len(common)
    if min(rests) == 0:
        return
    least = max(0, first.least - rests[0], second.least - rests[1])
    most = min(len(common), first.most, second.most)
    if least > 0 or most < len(common):
        yield Fact(common, least, most, first=first, second=second, part="common")
