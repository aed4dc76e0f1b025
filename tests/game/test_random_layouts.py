"""Random layouts are uniform under their rule, and follow from their seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import networkx
import pytest

from sapper.errors import GameError, UnknownCellError
from sapper.field import Graph, Grid, Hex, Topology, Torus
from sapper.game import START_RULES, Board, StartRule, random_layout, seed_of

# The 99.99 % points of chi-square, by degrees of freedom: Wilson and Hilferty's formula.
CASES: tuple[tuple[Topology, int, object], ...] = (
    (Grid(2, 4), 2, (0, 0)),
    (Grid(3, 3), 4, (0, 1)),
    (Torus(3, 4), 2, (1, 1)),
    (Hex(3, 3), 5, (0, 0)),
    (Graph(networkx.star_graph(5)), 3, 3),
)


@pytest.mark.parametrize("rule", START_RULES)
@pytest.mark.parametrize(("field", "mines", "start"), CASES, ids=str)
def test_uniform(field: Topology, mines: int, start: object, rule: StartRule) -> None:
    kept: set[object] = {"any": set(), "safe": {start}, "zero": {start, *field.neighbours(start)}}[
        rule
    ]
    allowed = list(map(frozenset, combinations([c for c in field if c not in kept], mines)))
    if not allowed:
        with pytest.raises(GameError, match="leaves room"):
            random_layout(Board(field, mines), start=start, rule=rule, seed=1)
        return
    draws = 60 * len(allowed)
    found = Counter(
        random_layout(
            Board(field, mines),
            start=start,
            rule=rule,
            seed=seed_of("uniform", draw),
        ).mines
        for draw in range(draws)
    )
    assert set(found) <= set(allowed)
    square = sum((found[mines] - 60) ** 2 / 60 for mines in allowed)
    free = max(1, len(allowed) - 1)
    assert square < free * (1 - 2 / (9 * free) + 3.72 * (2 / (9 * free)) ** 0.5) ** 3


def splitmix_xoshiro(seed: int) -> Iterator[int]:
    """The documented generator, written from its description."""
    full = (1 << 64) - 1
    state = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & full
        z = seed
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & full
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & full
        state.append(z ^ (z >> 31))

    def turned(x: int, k: int) -> int:
        return (x << k | x >> (64 - k)) & full

    while True:
        yield turned(state[1] * 5 & full, 7) * 9 & full
        t = state[1] << 17 & full
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= t
        state[3] = turned(state[3], 45)


def drawn(cells: int, mines: int, kept: set[int], seed: int) -> set[int]:
    numbers = splitmix_xoshiro(seed)
    room = cells - len(kept)
    inverted = mines > room // 2
    chosen: set[int] = set()
    while len(chosen) < (room - mines if inverted else mines):
        place = next(numbers) & ((1 << (cells - 1).bit_length()) - 1)
        if place < cells and place not in kept:
            chosen.add(place)
    return set(range(cells)) - kept - chosen if inverted else chosen


@pytest.mark.parametrize("mines", [0, 1, 9, 40, 59, 80])
@pytest.mark.parametrize("seed", [0, 1, 7, 2**64 - 1, -1, 2**64 + 7])
def test_anybody_can_repeat_it(mines: int, seed: int) -> None:
    field = Grid(9, 9)
    layout = random_layout(Board(field, mines), start=(4, 4), rule="safe", seed=seed)
    expected = drawn(81, mines, {40}, seed % 2**64)
    assert {field.index(cell) for cell in layout.mines} == expected


def test_seeds_and_defaults() -> None:
    board = Board(Grid(16, 30), 99)
    assert random_layout("expert", seed=3) == random_layout(board, seed=3, rule="any")
    assert random_layout("expert", seed=3) != random_layout("expert", seed=4)
    assert random_layout("expert") != random_layout("expert")
    given = random_layout("expert", start=(0, 0), seed=3)
    assert given == random_layout("expert", start=(0, 0), rule="safe", seed=3)
    assert (0, 0) not in given.mines


def test_wrong_wishes() -> None:
    with pytest.raises(GameError, match="needs the start"):
        random_layout("expert", rule="zero")
    with pytest.raises(GameError, match="any, safe, zero"):
        random_layout("expert", rule="soft")  # type: ignore[arg-type]
    with pytest.raises(UnknownCellError):
        random_layout("expert", start=(16, 0))
    with pytest.raises(GameError, match="seed is a whole number"):
        random_layout("expert", seed="x")  # type: ignore[arg-type]
    with pytest.raises(GameError, match=r"keeps 9 cells free at .* leaves room for 0"):
        random_layout(Board(Grid(3, 3), 1), start=(1, 1), rule="zero")
