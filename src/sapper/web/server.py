"""Run the application on this machine."""

from __future__ import annotations

import errno
import socket
import webbrowser
from collections.abc import Callable
from typing import Final

import uvicorn
from starlette.applications import Starlette

from sapper.errors import SapperError
from sapper.web.app import application
from sapper.web.settings import Settings

__all__ = ["ServerError", "serve"]

HOST: Final = "127.0.0.1"


class ServerError(SapperError, OSError):
    """The server cannot listen."""


class _Server(uvicorn.Server):
    """A server that tells when it is ready, and waits for no work when it ends."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], object], app: Starlette) -> None:
        super().__init__(config)
        self._ready = ready
        self._app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._app.state.pool.close()
        await super().shutdown(sockets)


def serve(
    port: int = 8000,
    *,
    open_page: bool = False,
    say: Callable[[str], object] = print,
    settings: Settings | None = None,
) -> None:
    """Serve the page on the loopback address until Ctrl-C.

    Parameters
    ----------
    port
        Where to listen; 0 takes one that is free.
    open_page
        Open the page in the browser.
    say
        Called with the address, once requests are answered.
    settings
        How much the server allows.

    Raises
    ------
    ServerError
        If the port is taken or not allowed.
    """
    listening = _listening(port)
    address = f"http://{HOST}:{listening.getsockname()[1]}/"

    def ready() -> None:
        say(address)
        if open_page:
            webbrowser.open(address)

    app = application(settings)
    config = uvicorn.Config(
        app,
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        ws="none",
        limit_concurrency=512,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=32 << 10,
    )
    try:
        _Server(config, ready, app).run(sockets=[listening])
    except KeyboardInterrupt:  # the usual way to end it
        pass
    finally:
        listening.close()


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
    except OverflowError:
        listening.close()
        raise ServerError(f"there is no port {port}: use 0 to 65535") from None
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise ServerError(
                f"port {port} is taken: another server may be running; --port 0 finds a free one"
            ) from None
        why = (error.strerror or str(error)).lower()
        raise ServerError(
            f"cannot listen on port {port}: {why}; --port 0 finds a free one"
        ) from None
    return listening
