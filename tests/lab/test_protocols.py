"""Which inferences are measured, and how large their cores are."""

from __future__ import annotations

from typing import Any

import pytest

import sapper
from sapper import Position, Torus
from sapper._native import Run, play, play_measured
from sapper.field import Cell
from sapper.lab import TorusGame
from sapper.lab.games import seed_of

SIZE = 9
PROTOCOLS = ("sequential", "hybrid", "batch")


def measured(game: TorusGame, protocol: str) -> tuple[bytes, list[tuple[int, int, int]], bool]:
    status, packed, singles = play_measured(*game, protocol, True, Run())
    flat = memoryview(packed).cast("i").tolist()
    return status, list(zip(flat[::3], flat[1::3], flat[2::3], strict=True)), singles


class Table:
    """A slow player that follows the protocols by the book."""

    def __init__(self, game: TorusGame) -> None:
        self.field = Torus(SIZE, SIZE)
        self.mines = {self.field.cells[i] for i, mine in enumerate(game.mines) if mine}
        self.labels: dict[Any, Any] = {}
        self.singles = False
        self.reveal(self.field.cells[game.start])

    def reveal(self, cell: Cell) -> None:
        if cell in self.labels:
            return
        around = self.field.neighbours(cell)
        self.labels[cell] = sum(other in self.mines for other in around)
        if not self.labels[cell]:
            for other in around:
                self.reveal(other)

    def apply(self, cell: Cell) -> None:
        if cell in self.mines:
            self.labels[cell] = "*"
        else:
            self.reveal(cell)

    def settle(self) -> None:
        while told := sorted(self.single_points()):
            self.singles = True
            for cell in told:
                self.apply(cell)

    def single_points(self) -> set[Any]:
        verdicts = sapper.analysis.get("kset", k=1).verdicts(self.position)
        return {cell for cell, verdict in verdicts.items() if verdict != "unknown"}

    @property
    def position(self) -> Position:
        return Position(self.field, self.labels)

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
            cores += [(self.field.index(cell), self.smallest(cell)) for cell in found]
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
    flags = {cell for cell, label in table.labels.items() if label == "*"}
    assert flags == {table.field.cells[i] for i, s in enumerate(status) if s == 2}


@pytest.mark.parametrize("density", [0.15, 0.22, 0.27])
def test_protocols_end_alike_and_cores_are_in_bounds(density: float) -> None:
    for seed in range(5):
        game = TorusGame.drawn(20, density, seed_of("alike", density, seed))
        expected = play(*game, Run())
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
        play_measured(*game, "parallel", False, Run())
