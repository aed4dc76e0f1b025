"""Cores with their clues, k-set search on them, and games in turns."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import sapper
from sapper import Clues, Grid, Limits, MethodError, Torus
from sapper._native import NO_LIMITS, play_turns
from sapper.errors import LimitExceeded
from sapper.field import Cell
from sapper.game import seed_of
from sapper.lab import Cores, TorusGame, Turns, play_by_inference
from sapper.lab.experiment import Row
from sapper.lab.turns import survival


def forces(clues: tuple[Any, ...], cell: Cell, mine: bool) -> bool:
    verdicts = sapper.analyze(Clues(clues, {cell, *(c for clue in clues for c in clue.cells)}))
    return verdicts.verdicts[cell] == ("mine" if mine else "safe")


@pytest.mark.parametrize("extraction", ["rings", "deletion"])
@pytest.mark.parametrize("protocol", ["sequential", "hybrid", "batch"])
def test_every_core_forces_its_cell_and_has_no_clue_to_spare(
    protocol: Any, extraction: Any
) -> None:
    met = 0
    for number in range(4):
        game = TorusGame.drawn(9, 0.2, seed_of("cores", number))
        run = play_by_inference(
            Torus(9, 9),
            game.layout.mines,
            game.start,
            cores=protocol,
            smallest=True,
            extraction=extraction,
        )
        assert run.status == play_by_inference(Torus(9, 9), game.layout.mines, game.start).status
        assert run.cores is not None
        for core in run.cores[:40]:
            assert core.mine == (core.cell in game.layout.mines)
            assert core.smallest is not None
            assert len(core.smallest) <= len(core.clues)
            for clues in (core.clues, core.smallest):
                assert forces(clues, core.cell, core.mine)
                for rest in combinations(clues, len(clues) - 1):
                    assert not forces(rest, core.cell, core.mine)
                for clue in clues:
                    # A number counts the mines around it that were not flagged then.
                    assert clue.cell in run.revealed
                    assert set(clue.cells) <= set(Torus(9, 9).neighbours(clue.cell))
                    assert clue.is_satisfied_by(game.layout.mines)
            met += len(core.clues) > 1
    assert met > 4


def test_cores_are_measured_where_they_can_be() -> None:
    field, mines = Grid(3, 4), {(1, 2)}
    assert play_by_inference(field, mines, (0, 0)).cores is None
    for options, message in (
        ({"cores": "parallel"}, "sequential, hybrid, batch"),
        ({"cores": "batch", "method": "kset"}, "without the mine total"),
        ({"cores": "batch", "use_total": True}, "without the mine total"),
        ({"cores": "batch", "extraction": "luck"}, "by rings, deletion"),
        ({"smallest": True}, "need a protocol"),
    ):
        wrong: Any = options
        with pytest.raises(MethodError, match=message):
            play_by_inference(field, mines, (0, 0), **wrong)
    with pytest.raises(sapper.PositionError, match="is a mine"):
        play_by_inference(field, mines, (1, 2), cores="batch")
    game = TorusGame.drawn(200, 0.2, 1)
    with pytest.raises(LimitExceeded):
        play_by_inference(
            Torus(200, 200),
            game.layout.mines,
            game.start,
            cores="batch",
            limits=Limits(seconds=0.01),
        )


def rows_of(experiment: Any) -> list[Row]:
    return [Row(j.key, j.payload, experiment.work(j.payload)) for j in experiment.jobs()]


def test_k_set_search_on_cores(tmp_path: Path) -> None:
    experiment = Cores(sizes=(40,), densities=(0.24,), games=12)
    rows = rows_of(experiment)
    text = experiment.report(rows, tmp_path)
    total = sum(n for row in rows for n in row.result["answer"]["cores"].values())
    assert total > 300
    assert f"{total} cores of 12 games" in text
    # What two clues force, a difference of the two gives: that is a theorem.
    assert all("2" not in row.result["answer"][part] for row in rows for part in ("later", "never"))


def test_turns_by_the_book() -> None:
    for number in range(6):
        game = TorusGame.drawn(9, 0.2, seed_of("turns", number))
        status, turns, stuck, all_turns, hints = play_turns(*game.native, 5, NO_LIMITS)
        run = play_by_inference(Torus(9, 9), game.layout.mines, game.start)
        assert status == run.status
        assert stuck == (not run.finished) == (hints > 0)
        known = uncovered(game, {game.start})
        count = 0
        while True:
            position = game.layout.position(known - game.layout.mines, total=False)
            verdicts = sapper.analyze(position).verdicts
            told = {cell for cell, verdict in verdicts.items() if verdict != "unknown"} - known
            if not told:
                break
            count += 1
            known |= uncovered(game, told - game.layout.mines) | told
        assert turns == count <= all_turns


def uncovered(game: TorusGame, cells: set[Cell]) -> set[Cell]:
    """Some safe cells, and what zeros among them uncover."""
    found, queue = set(cells), list(cells)
    while queue:
        cell = queue.pop()
        if game.layout.numbers[cell] == 0:
            new = set(game.layout.topology.neighbours(cell)) - found
            found |= new
            queue += new
    return found


def test_alpha_from_turns(tmp_path: Path) -> None:
    assert survival(0.25, 1) == (0.75, 0.75)
    # The mean of min(n, 3) over the geometric n, by hand.
    stuck = 0.3
    by_hand = sum(min(n, 3) * (1 - stuck) ** n * stuck for n in range(200)) / 3
    assert survival(stuck, 3)[1] == pytest.approx(by_hand)
    experiment = Turns(sizes=(16,), densities=(0.1, 0.24), games=40)
    rows = rows_of(experiment)
    text = experiment.report(rows, tmp_path)
    answers = [row.result["answer"] for row in rows if row.payload["density"] == 0.24]
    stuck_games = sum(answer["stuck"] for answer in answers)
    tried = sum(answer["turns"] + answer["stuck"] for answer in answers)
    assert f"{stuck_games / tried:.2g} ±" in text
    assert (tmp_path / "turns.svg").exists()
