"""Libraries that must not be interrupted while they are imported for the first time."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from threading import current_thread, main_thread
from typing import Any

from sapper.limits.budget import Budget
from sapper.limits.foreign import foreign

__all__ = ["load"]


def load(name: str) -> Any:
    """Import a library in such a way that Ctrl-C does not leave half of it behind.

    Python forgets a module whose import was interrupted, and imports it again when it is next
    asked for. Compiled ones such as those of numpy cannot be imported a second time: nothing that
    needs them would work any more. Signals arrive in the main thread only, so the first import is
    left to another one: Ctrl-C is raised at once, and the import goes on to its end.

    Examples
    --------
    >>> load("numpy") is load("numpy")
    True
    """
    module = sys.modules.get(name)
    if module is not None and not getattr(module.__spec__, "_initializing", False):
        return module
    if current_thread() is not main_thread():
        return import_module(name)
    return foreign(partial(import_module, name), Budget(), stop=_let_it_end)


def _let_it_end() -> None:
    """Nobody can stop an import."""
