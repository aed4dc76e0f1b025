"""The application: which address is answered by what."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.errors import SapperError
from sapper.web.about import about, release
from sapper.web.answering import STATUS, failure, report
from sapper.web.assets import asset
from sapper.web.gallery import boards
from sapper.web.guard import Guard
from sapper.web.openapi import document
from sapper.web.pool import Busy, Died, Pool
from sapper.web.settings import Settings
from sapper.web.tasks import TASKS

__all__ = ["application"]

_JSON: Final = "application/json"
_TOLD: Final = ("/api/about", "/api/boards", "/api/openapi.json")
# All that may be asked of an address with nothing: there is no other method that would help.
_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def application(settings: Settings | None = None) -> Starlette:
    """Return the ASGI application: the page, and the interface under ``/api``.

    Parameters
    ----------
    settings
        How much it allows.

    Examples
    --------
    >>> sorted(route.path for route in application().routes)[:3]
    ['/', '/api/about', '/api/analyze']
    """
    allowed = settings or Settings()

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        app.state.pool = Pool(allowed)
        try:
            await app.state.pool.warm()
            yield
        finally:
            await app.state.pool.close()

    return Starlette(
        routes=[
            Route("/", _page),
            *(Route(f"/api/{name}", _asking(name, allowed), methods=["POST"]) for name in TASKS),
            Route("/api/about", _told(lambda: about(allowed))),
            Route("/api/boards", _told(boards)),
            Route("/api/openapi.json", _told(lambda: document(release()))),
            Route("/{path:path}", _page, methods=_METHODS),
        ],
        middleware=[Middleware(Guard)],
        exception_handlers={HTTPException: _refused, Exception: _broken},
        lifespan=life,
    )


async def _page(request: Request) -> Response:
    """Answer with a file of the page; by another method comes also what is at other addresses."""
    path = request.url.path
    if path.removeprefix("/api/") in TASKS:
        raise HTTPException(405, headers={"Allow": "POST"})
    found = None if path in _TOLD else asset(request)
    if found is None and path not in _TOLD:
        raise HTTPException(404)
    if found is None or request.method not in ("GET", "HEAD"):
        raise HTTPException(405, headers={"Allow": "GET, HEAD"})
    return found


def _told(make: Callable[[], Any]) -> Callable[[Request], Response]:
    """Answer with a document that never changes; it is made when somebody asks first."""
    made: list[bytes] = []

    # Not a coroutine, so that it runs in a thread: nobody waits for what is made.
    def tell(request: Request) -> Response:
        if not made:
            made.append(json.dumps(make()).encode())
        return Response(made[0], media_type=_JSON)

    return tell


def _asking(task: str, allowed: Settings) -> Callable[[Request], Awaitable[Response]]:
    async def ask(request: Request) -> Response:
        try:
            body = await _body(request, allowed)
            status, found = await _while_wanted(request, request.app.state.pool.run(task, body))
        except ClientDisconnect:
            # Nobody reads this.
            return Response(status_code=499)
        except _Refused as error:
            return _failed(error.status, error.kind, str(error))
        except Busy as error:
            return _failed(STATUS["busy"], "busy", str(error), {"Retry-After": "1"})
        except Died as error:
            return _failed(STATUS["internal"], "internal", str(error))
        except SapperError as error:
            status, made = report(error)
            found = json.dumps(made).encode()
        return Response(found, status, media_type=_JSON)

    return ask


class _Refused(Exception):  # noqa: N818 - never leaves this module
    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


async def _body(request: Request, allowed: Settings) -> bytes:
    """Return the body of a request, if it is not too long and does not take too long."""
    parts: list[bytes] = []
    size = 0
    most = f"a request may have {allowed.body:,} bytes"
    try:
        if int(request.headers.get("content-length", 0)) > allowed.body:
            raise _Refused(413, "large", most)
        async with asyncio.timeout(allowed.patience):
            async for part in request.stream():
                parts.append(part)
                size += len(part)
                if size > allowed.body:
                    raise _Refused(413, "large", most)
    except TimeoutError:
        words = f"the body of the request did not come within {allowed.patience:g} seconds"
        raise _Refused(408, "input", words) from None
    return b"".join(parts)


async def _while_wanted(request: Request, work: Awaitable[tuple[int, bytes]]) -> tuple[int, bytes]:
    """Return what the work gives, or call it off when the client goes away."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.create_task(_left(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _failed(
    status: int, kind: str, message: str, headers: dict[str, str] | None = None
) -> Response:
    return Response(failure(kind, message), status, media_type=_JSON, headers=headers)


_SAID: Final = {
    404: "there is nothing at this address; /api/openapi.json lists what can be asked",
    405: "this address takes another method; /api/openapi.json lists what can be asked",
}


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = _SAID.get(error.status_code, str(error.detail))
    return _failed(error.status_code, "input", message, dict(error.headers or {}))


async def _broken(request: Request, error: Exception) -> Response:
    return _failed(503, "internal", "a fault of the server; its terminal says more")
