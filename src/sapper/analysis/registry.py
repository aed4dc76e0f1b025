"""The table of methods: where each lives and what it answers.

The table is data, so that asking for one method, or naming those that can answer a question,
imports no other.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple, cast

from sapper.errors import MethodError
from sapper.questions import QUESTIONS, Method, Question


class _Row(NamedTuple):
    home: str
    answers: frozenset[Question]


_COUNTING: Final[frozenset[Question]] = frozenset(QUESTIONS) - {"solutions", "estimate"}

_TABLE: Final[dict[str, _Row]] = {
    "engine": _Row("sapper.engine:EngineMethod", frozenset(QUESTIONS)),
    "sat": _Row("sapper.methods:Sat", frozenset({"consistent", "solutions", "verdicts"})),
    "cpsat": _Row("sapper.methods:CpSat", frozenset({"consistent", "solutions", "verdicts"})),
    "kset": _Row("sapper.methods:KSet", frozenset({"verdicts"})),
    "zdd": _Row("sapper.methods:ZddMethod", frozenset(QUESTIONS) - {"estimate"}),
    "subgraph": _Row("sapper.methods:SubgraphMethod", frozenset(QUESTIONS) - {"estimate"}),
    "tree": _Row("sapper.methods:Tree", _COUNTING),
    "treewidth": _Row("sapper.methods:Treewidth", _COUNTING),
    "brute": _Row("sapper.methods:Brute", frozenset(QUESTIONS) - {"estimate"}),
}


def names() -> tuple[str, ...]:
    """Return the names of all methods.

    Examples
    --------
    >>> "brute" in names()
    True
    """
    return tuple(_TABLE)


def names_answering(question: Question) -> tuple[str, ...]:
    """Return the names of the methods that answer `question`.

    Examples
    --------
    >>> names_answering("estimate")
    ('engine',)
    """
    return tuple(name for name, row in _TABLE.items() if question in row.answers)


def get(name: str, **options: Any) -> Method:
    """Return the method called `name`, importing it on first use.

    Parameters
    ----------
    name : str
        One of `names()`.
    **options
        What the method itself takes.

    Raises
    ------
    MethodError
        If there is no such method, or it does not take these options.

    Examples
    --------
    >>> get("brute").name
    'brute'
    >>> get("oracle")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    sapper.errors.MethodError: there is no method 'oracle'; there are 'engine', ...
    """
    if not options:
        return _plain(name)
    factory = _factory(name)
    try:
        return cast("Method", factory(**options))
    except TypeError:
        given = ", ".join(repr(option) for option in options)
        raise MethodError(f"the method {name!r} does not take the option {given}") from None


@cache
def _plain(name: str) -> Method:
    return cast("Method", _factory(name)())


def _factory(name: str) -> Any:
    row = _TABLE.get(name)
    if row is None:
        known = ", ".join(map(repr, _TABLE))
        raise MethodError(f"there is no method {name!r}; there are {known}")
    module, _, attribute = row.home.partition(":")
    return getattr(import_module(module), attribute)
