"""The table of methods: where each lives and what it answers.

The table is data, so that asking for one method, or naming those that can answer a question,
imports no other.
"""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple, cast

from sapper.errors import MethodError, expect
from sapper.questions import QUESTIONS, Method, Question, Unanswered

__all__ = ["chosen", "get", "named", "names", "names_answering", "required"]


class _Row(NamedTuple):
    home: str
    answers: frozenset[Question]


_ALL: Final[frozenset[Question]] = frozenset(QUESTIONS)
_COUNTING: Final[frozenset[Question]] = _ALL - {"solutions", "estimate"}
_SOLVING: Final[frozenset[Question]] = frozenset({"consistent", "solutions", "verdicts"})

_TABLE: Final[dict[str, _Row]] = {
    "auto": _Row("sapper.analysis.auto:Auto", _ALL),
    "engine": _Row("sapper.engine:EngineMethod", _ALL),
    "sat": _Row("sapper.methods:Sat", _SOLVING),
    "cpsat": _Row("sapper.methods:CpSat", _SOLVING),
    "kset": _Row("sapper.methods:KSet", frozenset({"verdicts"})),
    "zdd": _Row("sapper.methods:ZddMethod", _ALL - {"estimate"}),
    "subgraph": _Row("sapper.methods:SubgraphMethod", _ALL - {"estimate"}),
    "tree": _Row("sapper.methods:Tree", _COUNTING),
    "treewidth": _Row("sapper.methods:Treewidth", _COUNTING),
    "brute": _Row("sapper.methods:Brute", _ALL - {"estimate"}),
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
    ('auto', 'engine')
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
    sapper.errors.MethodError: there is no method 'oracle'; there are 'auto', ...
    >>> get("kset", size=2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    sapper.errors.MethodError: ... does not take the option 'size'; it takes 'k', ...
    """
    if not options:
        return _plain(name)
    factory = _factory(name)
    taken = list(inspect.signature(factory).parameters)
    for option in options:
        if option not in taken:
            raise MethodError(
                f"the method {name!r} does not take the option {option!r:.60}; "
                f"it takes {_listed(taken) if taken else 'none'}"
            )
    return cast("Method", factory(**options))


@cache
def _plain(name: str) -> Method:
    return cast("Method", _factory(name)())


def _factory(name: str) -> Any:
    row = _TABLE.get(name)
    if row is None:
        known = ", ".join(map(repr, _TABLE))
        raise MethodError(f"there is no method {name[:40]!r}; there are {known}")
    module, _, attribute = row.home.partition(":")
    return getattr(import_module(module), attribute)


def _listed(values: list[str]) -> str:
    shown = [repr(value) for value in values]
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def named(text: str, **more: Any) -> Method:
    """Return the method that is written as a name, with options if it has any, and more of them.

    Examples
    --------
    >>> named("engine:grouping=false,order=path")
    EngineMethod(grouping=False, order='path')
    >>> named("kset:k=3")
    KSet(k=3, repeat=False, total=False)

    Raises
    ------
    MethodError
        If it is not written as ``name`` or ``name:option=value,option=value``, there is no such
        method, an option is given twice, or it does not take these options.
    """
    expect(text, str, "a method is named by a text such as 'kset:k=3'")
    name, _, rest = text.partition(":")
    options: dict[str, Any] = {}
    for part in rest.split(",") if rest else ():
        key, separator, value = part.partition("=")
        if not (key and separator and value):
            raise MethodError(f"{part[:40]!r} is no option of a method; write option=value")
        if key in options or key in more:
            raise MethodError(f"the option {key[:40]!r} is given twice")
        options[key] = _value(value)
    return get(name, **options, **more)


def _value(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def chosen(method: str | Method, options: dict[str, Any] | None = None) -> Method:
    """Return the method that a caller asked for.

    Parameters
    ----------
    method : str or Method
        A name, or a method itself.
    options : dict, optional
        What the named method takes.

    Raises
    ------
    MethodError
        If there is no such method, or it does not take these options.

    Examples
    --------
    >>> chosen("brute")
    Brute()
    """
    if isinstance(method, str):
        return get(method, **options) if options else _plain(method)
    if isinstance(method, type) or not hasattr(method, "findings"):
        kind = f"the class {method.__name__}" if isinstance(method, type) else type(method).__name__
        raise MethodError(f"a method is given by its name or as an object, not as {kind}")
    if options:
        raise MethodError("options go with the name of a method, not with a method itself")
    return method


def required(question: Question, answers: frozenset[Question], method: str) -> None:
    """Raise if a question is not among those that a method answers, and name who can.

    Raises
    ------
    MethodError
        If it is not.
    """
    if question not in answers:
        raise Unanswered(method, question, names_answering(question))
