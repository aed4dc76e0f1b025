"""What stands before every request: who may ask, and what every answer carries.

The server listens on the loopback address only, but pages from elsewhere run in browsers on this
machine. A name that was made to point here (DNS rebinding) shows in `Host`, a request sent by a
strange page in `Origin`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response

from sapper.web.answering import failure

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEADERS", "Guard"]

_HOST: Final = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self';"
    " worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""What every answer carries: nothing but the page's own files is loaded, and nobody frames it."""


class Guard:
    """Refuse what does not come from this machine's own page, and add the headers to answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        problem = _problem(Headers(scope=scope))
        if problem is None:
            await self._app(scope, receive, with_headers)
            return
        refusal = Response(failure("input", problem), 403, media_type="application/json")
        await refusal(scope, receive, with_headers)


def _problem(headers: Headers) -> str | None:
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
        return "this server answers to 127.0.0.1 and localhost only: the Host header says otherwise"
    origins = headers.getlist("origin")
    if origins and [origin.lower() for origin in origins] != [f"http://{hosts[0].lower()}"]:
        return "this server answers to its own page only: the Origin header names another"
    return None
