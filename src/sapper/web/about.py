"""What the server tells without being asked anything."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from sapper import analysis, play
from sapper.field import topology_names
from sapper.formats import READABLE, WRITABLE
from sapper.game import START_RULES
from sapper.web.tasks import PICTURES

if TYPE_CHECKING:
    from sapper.web.replies import AboutReply
    from sapper.web.settings import Settings

__all__ = ["about", "release"]


def release() -> str:
    """Return the version of the package."""
    try:
        return version("sapper")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "0+unknown"


def about(settings: Settings) -> AboutReply:
    """Return the document of what this server can do."""
    return {
        "version": release(),
        "readable": list(READABLE),
        "writable": [*WRITABLE, *PICTURES],
        "methods": list(analysis.names()),
        "strategies": list(play.strategies()),
        "rules": list(START_RULES),
        "topologies": topology_names(),
        "limits": {
            "body": settings.body,
            "cells": settings.cells,
            "seconds": settings.seconds,
            "bytes": settings.slow.bytes,
        },
    }
