"""The page and the interface it asks: a server on this machine that keeps nothing.

`application` is an ASGI application, `serve` runs it on the loopback address. Whatever may take
long is done by worker processes under limits; `docs/page.md` describes the interface.
"""

from sapper.web.app import application
from sapper.web.server import ServerError, serve
from sapper.web.settings import Settings

__all__ = ["ServerError", "Settings", "application", "serve"]
