"""From the ``method=`` of a call to the method that answers it."""

from __future__ import annotations

from typing import Any

from sapper.errors import MethodError
from sapper.methods import Method, get


def chosen(method: str | Method, options: dict[str, Any] | None = None) -> Method:
    """Return the method that a caller asked for.

    Parameters
    ----------
    method : str or Method
        A name, ``"auto"`` for the engine, or a method itself.
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
        name = "engine" if method == "auto" else method
        return get(name, **options) if options else get(name)
    if options:
        raise MethodError("options go with the name of a method, not with a method itself")
    return method
