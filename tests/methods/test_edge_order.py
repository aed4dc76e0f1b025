"""The order over edges, cell by cell, against a formulation that keeps nothing between steps."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp2, inf, log2

import pytest

from sapper.clues import Clues
from sapper.lab.instances import generation_clues
from sapper.limits import Budget
from sapper.methods.orders import TRIES, ordered

WORD = (1 << 64) - 1


def jitter() -> Iterator[float]:
    state = 0
    while True:
        state = z = (state + 0x9E3779B97F4A7C15) & WORD
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
        yield ((z ^ z >> 31) >> 11) * 2.0**-53


class Plain:
    def __init__(self, clues: Clues) -> None:
        self.members = [[clues.index[cell] for cell in clue.cells] for clue in clues.clues]
        self.targets = [clue.count for clue in clues.clues]
        self.of: dict[int, list[int]] = {}
        for hint, cells in enumerate(self.members):
            for cell in cells:
                self.of.setdefault(cell, []).append(hint)

    def spread(self, hint: int, done: int) -> float:
        size, target = len(self.members[hint]), self.targets[hint]
        if done in (0, size):
            return 0.0
        most, least = min(target, done), max(0, target - (size - done))
        return 0.0 if most <= least else log2(most - least + 1)

    def gain(self, cell: int, done: list[int]) -> float:
        total = 0.0
        for hint in self.of[cell]:
            total += self.spread(hint, done[hint] + 1) - self.spread(hint, done[hint])
        return total

    def left(self, hint: int, decided: set[int]) -> list[int]:
        return [cell for cell in self.members[hint] if cell not in decided]

    def trial(self, hint: int, decided: set[int], done: list[int]) -> float:
        done, change = done.copy(), 0.0
        for cell in self.left(hint, decided):
            change += self.gain(cell, done)
            for other in self.of[cell]:
                done[other] += 1
        return change

    def attempt(
        self, start: int, give_up: float, random: Iterator[float], shaken: bool
    ) -> tuple[float, list[int]]:
        order: list[int] = []
        decided: set[int] = set()
        done = [0] * len(self.members)
        cost = width = 0.0
        chosen = start
        while chosen >= 0:
            while left := self.left(chosen, decided):
                widened, _, cell = min(
                    (self.gain(cell, done), at, cell) for at, cell in enumerate(left)
                )
                width += widened
                decided.add(cell)
                order.append(cell)
                for hint in self.of[cell]:
                    done[hint] += 1
                cost += exp2(min(width, 1000.0)) * len(self.of[cell])
            if cost >= give_up:
                break
            chosen, least = -1, inf
            for hint, cells in enumerate(self.members):
                if not 0 < done[hint] < len(cells):
                    continue
                more = next(random)
                change = self.trial(hint, decided, done) + (more if shaken else 0)
                if change < least:
                    least, chosen = change, hint
        return cost, order

    def parts(self) -> Iterator[list[int]]:
        seen: set[int] = set()
        for first in range(len(self.members)):
            if first in seen:
                continue
            found = [first]
            seen.add(first)
            for hint in found:
                for cell in self.members[hint]:
                    found += [other for other in self.of[cell] if other not in seen]
                    seen.update(self.of[cell])
            yield sorted(found)

    def order(self) -> list[int]:
        order: list[int] = []
        for part in self.parts():
            random, least = jitter(), inf
            best: list[int] = []
            for t in range(1 if len(part) < 3 else TRIES):
                start = t * 7919 % len(part) if t < 16 else int(next(random) * len(part))
                cost, found = self.attempt(part[start], least, random, t >= 16)
                if t == 0 or cost < least:
                    least, best = cost, found
            order += best
        return order


# In one word of hints, in two, in many parts, and on a graph.
@pytest.mark.parametrize(
    "clues",
    [
        generation_clues("grid", mines=30, visible=40, seed="1", side=8),
        generation_clues("grid", mines=30, visible=40, seed="2", side=12),
        generation_clues("grid", mines=30, visible=40, seed="3", side=18),
        generation_clues("grid", mines=20, visible=10, seed="4", side=24),
        generation_clues("graph", mines=30, visible=40, seed="5"),
    ],
    ids=["8", "12", "18", "sparse", "graph"],
)
def test_the_order_is_that_of_the_plain_formulation(clues: Clues) -> None:
    order = ordered(clues, "frontier", Budget())
    assert [clues.index[cell] for cell in order] == Plain(clues).order()
