"""Runs that are stopped, killed, resumed and repeated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sapper.errors import MethodError
from sapper.lab import Generation, LimitedPool, Run, RunError
from sapper.lab.instances import generation_clues, generation_position
from sapper.lab.published import SUZUKI

SMALL = Generation(
    methods=("subgraph", "engine"), boards=2, mines=(10, 20), visible=(40,), side=8, repeats=1
)


def answers(run: Run) -> dict[str, Any]:
    return {row.key: row.result["answer"] for row in run.rows()}


def completed(directory: Path, workers: int, *, resume: bool = False) -> Run:
    run = Run(SMALL, directory, resume=resume)
    with LimitedPool(workers, seconds=60) as pool:
        run.execute(pool, ahead=2 * workers)
    return run


def test_any_number_of_workers_gives_the_same_answers(tmp_path: Path) -> None:
    one, two = completed(tmp_path / "1", 1), completed(tmp_path / "2", 2)
    assert answers(one) == answers(two)
    assert len(answers(one)) == len(list(SMALL.jobs())) == 16
    text = one.report()
    assert "All methods count the same on each of 8 boards." in text
    assert "79.872" not in text  # that cell is not part of this run
    names = {path.name for path in (tmp_path / "1").iterdir()}
    assert {"config.json", "results.csv", "report.md", "generation.png"} <= names
    config = json.loads((tmp_path / "1" / "config.json").read_text(encoding="utf-8"))
    assert config["parameters"]["seed"] == 1
    assert "python" in config["versions"]


def test_a_directory_in_use_is_refused(tmp_path: Path) -> None:
    Run(SMALL, tmp_path)
    with pytest.raises(RunError, match="holds a run already"):
        Run(SMALL, tmp_path)
    Run(SMALL, tmp_path, resume=True)
    with pytest.raises(RunError, match="other parameters"):
        Run(Generation(seed=2), tmp_path, resume=True)
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(RunError, match="cannot be read"):
        Run(SMALL, tmp_path, resume=True)


def test_a_job_beyond_its_limit_is_a_result(tmp_path: Path) -> None:
    experiment = Generation(methods=("brute",), boards=1, mines=(10,), visible=(40,), side=8)
    run = Run(experiment, tmp_path)
    with LimitedPool(1) as pool:
        run.execute(pool)
    failures = [row.result["measured"].get("failure") for row in run.rows()]
    assert all(failures)
    assert "failed" in run.report()


def test_boards_follow_from_their_seed() -> None:
    for table in ("grid", "graph"):
        first = generation_position(table, mines=20, visible=40, seed="1")
        again = generation_position(table, mines=20, visible=40, seed="1")
        other = generation_position(table, mines=20, visible=40, seed="2")
        assert first == again != other
    clues = generation_clues("grid", mines=30, visible=40, seed="1")
    assert len(clues.clues) == 252
    assert not clues.untouched


def test_methods_are_checked_before_anything_runs() -> None:
    with pytest.raises(MethodError, match="no method 'magic'"):
        Generation(methods=("magic",))
    with pytest.raises(MethodError, match="option=value"):
        Generation(methods=("subgraph:row-major",))
    experiment = Generation(methods=("engine:grouping=false", "engine"), tables=("grid",), side=6)
    first, second, *_ = (job.payload for job in experiment.jobs())
    assert first["method"] != second["method"]
    assert experiment.work(first)["answer"] == experiment.work(second)["answer"] != {}


def test_published_numbers() -> None:
    assert SUZUKI["grid"][30, 40] == (36.521, 79.872)
    assert SUZUKI["graph"][10, 80] == (0.203, 0.005)
    assert all(len(table) == 12 for table in SUZUKI.values())
