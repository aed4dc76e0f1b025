"""`sapper lab …` on tiny runs."""

from __future__ import annotations

import json
import sys

import pytest

from sapper.errors import pip_install
from tests.cli.support import Shell

TINY = {
    name: options.split()
    for name, options in {
        "factors": "--boards 2 --mines 20 --visible 40 --side 7 --tables grid",
        "online": "--boards 2 --mines 20 --visible 40 --side 7 --tables grid",
        "phase-transition": "--sizes 8,10 --densities 0.1:0.3:3 --games 2",
        "k-set": "--sizes 10 --densities 0.2 -k 1,2 --games 2",
        "scaling": "--sizes 6,8 --densities 0.1:0.3:3 --games 2",
        "percolation": "--side 20 --densities 0.1 --probabilities 0.6 --samples 2",
        "hypergraph": "--vertices 40 --edges 3,4 --densities 0.3,0.6 --samples 2",
    }.items()
}


@pytest.mark.parametrize("name", TINY)
def test_commands_run_resume_and_print(name: str, shell: Shell) -> None:
    folder = shell.folder / "run"
    done = shell("lab", name, folder, *TINY[name])
    assert done.code == 0, done.err
    assert done.out.startswith("# ")
    assert f"{folder}: config.json, " in done.err
    assert "report.md" in done.err
    assert (folder / f"{name}.svg").exists()
    again = shell("lab", name, folder, *TINY[name], "--resume", "--json")
    assert again.code == 0, again.err
    results = again.json["results"]
    config = json.loads((folder / "config.json").read_text())
    assert config["experiment"] == name
    assert config["parameters"]["seed"] == 1
    assert len(results) == len({row["key"] for row in results}) > 0
    # The report printed the first time is the report of the resumed run.
    assert done.out == (folder / "report.md").read_text()


@pytest.mark.parametrize("name", [*TINY, "generation"])
def test_a_missing_library_is_missed_before_the_work(
    name: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = shell("lab", name, shell.folder / "run", *TINY.get(name, []))
    assert done.code == 2
    assert done.err == f"sapper: figures need matplotlib: {pip_install('sapper[lab]')}\n"
    assert not (shell.folder / "run").exists()


def test_the_protocol_is_printed(shell: Shell) -> None:
    options = ["--sizes", "8", "--densities", "0.2", "--games", "1"]
    names = ["--protocol", "hybrid,batch", "--cores", "smallest", "--start", "zero"]
    done = shell("lab", "phase-transition", shell.folder / "run", *options, *names)
    assert "*hybrid*: single points first" in done.out
    assert "*batch*: every inference of every state" in done.out
    assert "smallest core hybrid" in done.out
    assert "start rule *zero*" in done.out
    plain = shell("lab", "phase-transition", shell.folder / "a", *options, "--protocol", "none")
    assert "core hybrid" not in plain.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["phase-transition", "DIR", "--sizes", "two"], "--sizes: 'two' is not a list"),
        (["phase-transition", "DIR", "--densities", "0.1:0.2"], "FIRST:LAST:COUNT"),
        (["phase-transition", "DIR", "--densities", "0.1:0.2:0"], "FIRST:LAST:COUNT"),
        (["phase-transition", "DIR", "--densities", "2"], "between 0 and 1"),
        (
            ["phase-transition", "DIR", "--protocol", "parallel"],
            "'parallel' is none of sequential,",
        ),
        (
            ["phase-transition", "DIR", "--cores", "large"],
            "--cores: 'large' is none of",
        ),
        (
            ["phase-transition", "DIR", "--start", "corner"],
            "--start: 'corner' is none of",
        ),
        (["phase-transition", "DIR", "--games", "0"], "at least one game"),
        (["phase-transition"], "DIR is missing"),
        (["k-set", "DIR", "-k", "0"], "k must ascend"),
        (["hypergraph", "DIR", "--edges", "3:half"], "--edges: '3:half'"),
        (["hypergraph", "DIR", "--labels", "wild"], "--labels: 'wild' is none of"),
        (["percolation", "DIR", "--side", "2"], "at least 4"),
        (["scaling", "DIR", "--densities", "0.2"], "three densities"),
    ],
)
def test_wrong_options(arguments: list[str], message: str, shell: Shell) -> None:
    given = [str(shell.folder / "run") if part == "DIR" else part for part in arguments]
    done = shell("lab", *given)
    assert done.code == 2
    assert message in done.err
    assert not (shell.folder / "run").exists()


def test_a_scheduler_that_is_not_there(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from sapper.lab import cluster

    monkeypatch.setattr(cluster, "_PATIENCE", 0.5)
    done = shell(
        "lab", "k-set", shell.folder / "run", *TINY["k-set"], "--scheduler", "tcp://127.0.0.1:9"
    )
    assert done.code == 2
    assert "no scheduler answers at tcp://127.0.0.1:9" in done.err
    assert not (shell.folder / "run").exists()
