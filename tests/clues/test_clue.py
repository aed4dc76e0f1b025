"""Clues one by one."""

from __future__ import annotations

from typing import Any

import pytest

from sapper.clues import Clue
from sapper.errors import PositionError, SapperError


def test_a_clue_is_a_frozen_value() -> None:
    clue = Clue(1, ["a", "b"], cell=(0, 0))
    assert clue == Clue(1, ("a", "b"), cell=(0, 0))
    assert hash(clue) == hash(Clue(1, ("a", "b"), cell=(0, 0)))
    assert clue != Clue(1, ("a", "b"))
    with pytest.raises(AttributeError):
        clue.count = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    "clue",
    [
        Clue(1, "ab"),
        Clue(-3, [(0, 1), (2, 2)], weights=[-3, 10**30]),
        Clue(0, [], cell=(1, 2)),
        Clue(2, "abc", weights=[1, 0, 2], cell="n"),
    ],
)
def test_repr_round_trips(clue: Clue) -> None:
    assert eval(repr(clue)) == clue


def test_weights_of_one_are_no_weights() -> None:
    assert Clue(1, "ab", weights=[1, 1]) == Clue(1, "ab")
    assert Clue(1, "ab", weights=[1, 1]).weights is None


def test_numbers_become_plain_integers() -> None:
    import numpy

    count: Any = numpy.int64(2)
    clue = Clue(count, "ab", weights=numpy.array([1, 2]))
    assert type(clue.count) is int
    assert clue.weights is not None
    assert {type(weight) for weight in clue.weights} == {int}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"count": 1, "cells": "abca"}, "names the cell 'a' twice"),
        ({"count": 1, "cells": [["a"]]}, "cannot be hashed"),
        ({"count": 1.0, "cells": "ab"}, "must be a whole number, not 1.0"),
        ({"count": True, "cells": "ab"}, "must be a whole number, not True"),
        ({"count": "1", "cells": "ab"}, "must be a whole number, not '1'"),
        ({"count": 1, "cells": "ab", "weights": [1]}, "2 cells has 1 weights"),
        ({"count": 1, "cells": "ab", "weights": [1, 0.5]}, "a weight must be a whole number"),
    ],
)
def test_bad_clues_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError, match=message) as caught:
        Clue(**arguments)
    assert isinstance(caught.value, SapperError)
    assert "\n" not in str(caught.value)


def test_satisfaction() -> None:
    clue = Clue(1, "abc", weights=[2, -1, 0])
    assert clue.is_satisfied_by("ab")
    assert clue.is_satisfied_by("abc")
    assert not clue.is_satisfied_by("a")
    assert not clue.is_satisfied_by("")
    assert Clue(0, []).is_satisfied_by("xyz")
    assert not Clue(1, []).is_satisfied_by("xyz")
