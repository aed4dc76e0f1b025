"""Which inferences are measured, and how large their cores are."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import pytest

import sapper
from sapper import Position
from sapper._native import Run, play, play_measured
from sapper.field import COVERED, MINE, Cell
from sapper.game import seed_of, uncover
from sapper.lab import TorusGame

SIZE = 9
PROTOCOLS = ("sequential", "hybrid", "batch")


def measured(game: TorusGame, protocol: str) -> tuple[bytes, list[tuple[int, int, int]], bool]:
    status, packed, _, singles = play_measured(
        *game.native, protocol, "rings", True, False, False, Run()
    )
    flat = memoryview(packed).cast("i").tolist()
    return status, list(zip(flat[::4], flat[1::4], flat[2::4], strict=True)), singles


class Table:
    """A slow player that follows the protocols by the book."""

    def __init__(self, game: TorusGame) -> None:
        self.layout = game.layout
        self.seen = array("i", [COVERED]) * len(self.layout.mined)
        self.singles = False
        self.apply(game.start)

    def apply(self, cell: Cell) -> None:
        place = self.layout.topology.index(cell)
        if self.layout.mined[place]:
            self.seen[place] = MINE
        else:
            uncover(self.layout, self.seen, [place])

    def settle(self) -> None:
        while told := sorted(self.single_points()):
            self.singles = True
            for cell in told:
                self.apply(cell)

    def single_points(self) -> set[Any]:
        verdicts = sapper.analysis.get("kset", k=1).findings(self.position).verdicts
        return {cell for cell, verdict in verdicts.items() if verdict != "unknown"}

    @property
    def position(self) -> Position:
        return Position.from_array(np.array(self.seen).reshape(SIZE, SIZE), topology="torus")

    def inferences(self) -> list[Any]:
        verdicts = sapper.analyze(self.position).verdicts
        return sorted(cell for cell, verdict in verdicts.items() if verdict != "unknown")

    def smallest(self, cell: Cell) -> int:
        return len(sapper.explain(self.position, cell, smallest=True).clues)

    def play(self, protocol: str) -> list[tuple[int, int]]:
        cores: list[tuple[int, int]] = []
        while True:
            if protocol != "batch":
                self.settle()
            found = self.inferences()
            if not found:
                return cores
            if protocol == "sequential":
                found = found[:1]
            cores += [(self.layout.topology.index(cell), self.smallest(cell)) for cell in found]
            for cell in found:
                self.apply(cell)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("seed", range(3))
def test_the_same_inferences_in_the_same_order_with_the_same_smallest_cores(
    protocol: str, seed: int
) -> None:
    game = TorusGame.drawn(SIZE, 0.22, seed_of("protocol", seed))
    status, cores, singles = measured(game, protocol)
    table = Table(game)
    assert table.play(protocol) == [(cell, smallest) for cell, _, smallest in cores]
    if protocol != "batch":
        assert singles == table.singles
    assert [code == MINE for code in table.seen] == [s == 2 for s in status]


@pytest.mark.parametrize("density", [0.15, 0.22, 0.27])
def test_protocols_end_alike_and_cores_are_in_bounds(density: float) -> None:
    for seed in range(5):
        game = TorusGame.drawn(20, density, seed_of("alike", density, seed))
        expected = play(*game.native, Run())
        for protocol in PROTOCOLS:
            status, cores, _ = measured(game, protocol)
            assert status == expected
            assert all(1 <= smallest <= minimal for _, minimal, smallest in cores)
            if protocol != "batch":
                # What single points give was done before.
                assert all(smallest > 1 for _, _, smallest in cores)


def test_unknown_protocols_are_refused() -> None:
    game = TorusGame.drawn(8, 0.1, 1)
    with pytest.raises(ValueError, match="no such protocol: parallel"):
        play_measured(*game.native, "parallel", "rings", False, False, False, Run())
    with pytest.raises(ValueError, match="no such extraction: luck"):
        play_measured(*game.native, "batch", "luck", False, False, False, Run())
