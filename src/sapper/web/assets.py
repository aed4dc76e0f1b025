"""The files of the page, from the package."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["STATIC", "asset"]

STATIC: Final = Path(__file__).parent / "static"

# Not the table of the system, which may believe anything.
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


def asset(request: Request) -> Response | None:
    """Return a file of the page, or None if there is none of that name.

    Browsers keep files, but ask each time whether they are still the same.
    """
    name = request.path_params.get("path") or "index.html"
    path = (STATIC / name).resolve() if "\0" not in name else STATIC
    kind = _TYPES.get(path.suffix)
    if kind is None or not path.is_relative_to(STATIC.resolve()) or not path.is_file():
        return None
    content = path.read_bytes()
    tag = f'"{blake2b(content, digest_size=16).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)
