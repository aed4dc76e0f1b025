"""The page and the interface it asks: a server on this machine that keeps nothing.

`application` is an ASGI application, `serve` runs it on the loopback address. Whatever may take
long is done by worker processes under limits; `docs/page.md` describes the interface.
"""

from typing import TYPE_CHECKING

from sapper.errors import pip_install
from sapper.web.settings import Settings

if TYPE_CHECKING:
    from sapper.web.app import application
    from sapper.web.server import ServerError, serve

__all__ = ["ServerError", "Settings", "application", "serve"]

_HOMES = {"ServerError": "server", "application": "app", "serve": "server"}

# Workers need nothing of the server, and start sooner without it.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        except ImportError as error:
            if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn"):
                raise
            raise ImportError(
                f"the server needs starlette and uvicorn: {pip_install('sapper[web]')}",
                name=error.name,
            ) from None
