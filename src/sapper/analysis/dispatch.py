"""From the ``method=`` of a call to the method that answers it."""

from __future__ import annotations

from functools import cache
from typing import Any

from sapper.analysis.registry import get, names
from sapper.errors import MethodError
from sapper.questions import Method


def chosen(method: str | Method, options: dict[str, Any] | None = None) -> Method:
    """Return the method that a caller asked for.

    Parameters
    ----------
    method : str or Method
        A name, ``"auto"`` for the engine while it fits, or a method itself.
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
        if method == "auto":
            return _auto(options)
        if method not in names():
            known = ", ".join(map(repr, ("auto", *names())))
            raise MethodError(f"there is no method {method[:40]!r}; there are {known}")
        return get(method, **options) if options else get(method)
    if isinstance(method, type) or not hasattr(method, "answers"):
        raise MethodError(f"a method is given by its name or as an object, not as {_kind(method)}")
    if options:
        raise MethodError("options go with the name of a method, not with a method itself")
    return method


def _kind(value: object) -> str:
    return f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__


def _auto(options: dict[str, Any] | None) -> Method:
    from sapper.analysis.auto import Auto

    if not options:
        return _shared_auto()
    try:
        return Auto(**options)
    except TypeError:
        # What the engine takes is meant for the engine.
        return get("engine", **options)


@cache
def _shared_auto() -> Method:
    from sapper.analysis.auto import Auto

    return Auto()
