"""Wrong values get a `TypeError` or a `SapperError` with a sentence that is not long."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from tests.support.wrong_types import NOT_CALLED, ROOMS, Call, calls, faults, judged

CALLS = list(calls())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("asked", CALLS, ids=lambda asked: asked.name)
def test_wrong_values(asked: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some of them write files
    assert faults(asked) == []


def test_every_room_is_met_and_what_is_left_out_is_there() -> None:
    names = {asked.name for asked in CALLS}
    assert len(names) > 300
    assert all(any(name.startswith(f"{room}.") for name in names) for room in ROOMS)
    for name in NOT_CALLED:
        room, _, attribute = name.partition(" ")[0].rpartition(".")
        assert hasattr(import_module(room), attribute), name


@pytest.mark.parametrize(
    "error",
    [
        AttributeError("'NoneType' object has no attribute 'codes'"),
        KeyError("x"),
        IndexError("list index out of range"),
        ValueError("invalid literal for int() with base 10: 'x'"),
        ZeroDivisionError("division by zero"),
        TypeError("y" * 61),
        TypeError(""),
    ],
    ids=repr,
)
def test_errors_from_inside_are_found(error: Exception) -> None:
    assert judged(error) is not None
    assert judged(TypeError("a sentence")) is None
