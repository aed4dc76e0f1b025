"""Errors are what callers expect, say what is wrong in one line, and survive pickling."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from sapper import errors
from sapper.errors import FormatError, LimitExceeded, SapperError, UnknownCellError
from sapper.limits import Limits, LimitsError


@pytest.mark.parametrize(
    ("name", "builtin"),
    [
        ("FormatError", ValueError),
        ("PositionError", ValueError),
        ("UnknownCellError", KeyError),
        ("InconsistentError", ValueError),
        ("MethodError", ValueError),
        ("CostError", ValueError),
        ("LimitExceeded", RuntimeError),
    ],
)
def test_each_error_is_also_a_builtin(name: str, builtin: type[Exception]) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, SapperError)
    assert issubclass(kind, builtin)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (FormatError("bad"), "bad"),
        (FormatError("bad", line=2), "line 2: bad"),
        (FormatError("bad", line=2, column=3), "line 2, column 3: bad"),
        (FormatError("bad", line=2, column=3, source="f"), "f: line 2, column 3: bad"),
        (FormatError("bad", source="f"), "f: bad"),
        (UnknownCellError("x"), "no cell 'x'"),
        (UnknownCellError((1, 2), "a graph"), "no cell (1, 2) in a graph"),
        (
            LimitExceeded("seconds", allowed=0.5, spent=0.625),
            "limit reached: 0.625 seconds spent of 0.5 allowed",
        ),
        (
            LimitExceeded("bytes", allowed=10**6, spent=1_048_576),
            "limit reached: 1,048,576 bytes spent of 1,000,000 allowed",
        ),
    ],
)
def test_messages(error: SapperError, text: str) -> None:
    assert str(error) == text
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == text
    assert vars(again) == vars(error)


def test_limits_are_values() -> None:
    limits = Limits(seconds=1, nodes=10, bytes=10**20)
    assert limits == Limits(seconds=1.0, nodes=10, bytes=10**20)
    assert hash(limits) == hash(pickle.loads(pickle.dumps(limits)))
    assert Limits() == Limits(seconds=None, nodes=None, bytes=None)


@pytest.mark.parametrize(
    "given",
    [
        {"seconds": 0},
        {"seconds": -1.0},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"seconds": "1"},
        {"seconds": True},
        {"nodes": 0},
        {"nodes": 1.5},
        {"nodes": False},
        {"bytes": -(10**30)},
        {"bytes": "1 GB"},
    ],
)
def test_impossible_limits(given: dict[str, Any]) -> None:
    with pytest.raises(LimitsError, match=next(iter(given))) as caught:
        Limits(**given)
    assert isinstance(caught.value, ValueError)
