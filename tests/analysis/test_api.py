"""The package as people import it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sapper
from sapper.errors import MethodError
from sapper.methods.brute import Brute
from sapper.questions import Method

POSITION = sapper.Position(sapper.Grid(3, 3), ["1??", "12?", "_1?"], mines=2)
HEAVY = ("numpy", "networkx", "flint", "rich", "typer", "sapper.engine", "sapper.field")


def run(code: str) -> str:
    source = Path(sapper.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(source)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout


def test_importing_is_light() -> None:
    loaded = run("import sapper; print(*sys.modules)").split()
    assert "sapper" in loaded
    assert not set(HEAVY) & set(loaded)


def test_brute_force_imports_nothing_heavy() -> None:
    loaded = run(
        "import sapper; sapper.count(sapper.Clues([sapper.Clue(1, 'ab')]), method='brute');"
        "print(*sys.modules)"
    ).split()
    assert not {"numpy", "networkx", "flint", "rich", "typer", "sapper.engine"} & set(loaded)


def test_every_public_name_is_there() -> None:
    for name in sapper.__all__:
        assert getattr(sapper, name) is not None
        assert name in dir(sapper)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'anlayze'"):
        _ = sapper.anlayze  # type: ignore[attr-defined]


@pytest.mark.parametrize("method", [None, 3, ["engine"], object(), Brute])
def test_what_is_no_method_is_refused(method: Any) -> None:
    with pytest.raises(MethodError, match="by its name or as an object"):
        sapper.count(POSITION, method=method)


@pytest.mark.parametrize("method", ["auto", "engine", "brute", Brute()])
def test_every_question_by_every_kind_of_method(method: str | Method) -> None:
    assert sapper.is_consistent(POSITION, method=method) is True
    assert sapper.count(POSITION, method=method) == 2
    assert sapper.count_by_mines(POSITION, method=method) == {2: 2}
    assert sapper.analyze(POSITION, method=method).best == ((0, 2),)
    assert sapper.solutions(POSITION, method=method).count() == 2


def test_an_inconsistent_position_is_an_answer() -> None:
    wrong = POSITION.with_mines(7)
    assert not sapper.is_consistent(wrong)
    assert sapper.count(wrong) == 0
    assert not sapper.analyze(wrong).consistent
    assert not sapper.solutions(wrong)
    assert sapper.count_by_mines(wrong) == {2: 2}


def test_estimates_come_before_the_cost() -> None:
    assert sapper.estimate(POSITION).components >= 0
    with pytest.raises(sapper.MethodError, match="'engine' can"):
        sapper.estimate(POSITION, method="brute")


def test_options_go_to_the_method() -> None:
    with pytest.raises(sapper.MethodError, match="'brute' does not take the option 'k'"):
        sapper.count(POSITION, method="brute", k=2)
    with pytest.raises(sapper.MethodError, match="options go with the name"):
        sapper.count(POSITION, method=Brute(), k=2)


def test_limits_reach_the_method() -> None:
    with pytest.raises(sapper.LimitExceeded, match="nodes"):
        sapper.count(POSITION, method="brute", limits=sapper.Limits(nodes=1))


def test_what_is_neither_position_nor_clues_is_refused() -> None:
    for method in ("auto", "brute"):
        with pytest.raises(TypeError, match="expected a Position or Clues, not str"):
            sapper.count("1??", method=method)  # type: ignore[arg-type]


def test_dir_shows_no_tools() -> None:
    assert {"Final", "TYPE_CHECKING", "annotations"}.isdisjoint(dir(sapper))
    assert {"analyze", "play", "__version__"} <= set(dir(sapper))
