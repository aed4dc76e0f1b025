"""What the server and its workers say to each other, through pipes.

A frame is its length in four bytes, then a line of JSON, then the body of a request or an answer.
"""

from __future__ import annotations

import json
import struct
from asyncio import StreamReader
from typing import Any, BinaryIO, Final

__all__ = ["from_pipe", "from_stream", "packed"]

_LENGTH: Final = struct.Struct("!I")


def packed(head: dict[str, Any], body: bytes = b"") -> bytes:
    """Return a frame."""
    line = json.dumps(head).encode() + b"\n"
    return _LENGTH.pack(len(line) + len(body)) + line + body


def _unpacked(content: bytes) -> tuple[dict[str, Any], bytes]:
    line, _, body = content.partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    return head, body


def from_pipe(pipe: BinaryIO) -> tuple[dict[str, Any], bytes]:
    """Read a frame, waiting for it; raise EOFError if nobody is left to write one."""
    return _unpacked(_exactly(pipe, _LENGTH.unpack(_exactly(pipe, _LENGTH.size))[0]))


def _exactly(pipe: BinaryIO, size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


async def from_stream(stream: StreamReader) -> tuple[dict[str, Any], bytes]:
    """Read a frame; raise IncompleteReadError if nobody is left to write one."""
    (size,) = _LENGTH.unpack(await stream.readexactly(_LENGTH.size))
    return _unpacked(await stream.readexactly(size))
