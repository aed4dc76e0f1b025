"""A process of its own for ms_toollib, which ends the process it runs in when a file is damaged.

It reads requests from standard input (the kind, a space, a length and a line's end, then so many
bytes) and answers each by one line of JSON. Each request has a copy of the process, so that one
that ends takes nothing with it. Nothing of sapper is imported here.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any, Final

MOST_SECONDS: Final = 60
MOST_BYTES: Final = 2 << 30
"""What a replay may take: lengths in damaged files can ask for anything."""


def answer(kind: str, data: bytes) -> dict[str, Any]:
    """Return the board and what the mouse did, or an error."""
    import ms_toollib

    video = getattr(ms_toollib, f"{kind.capitalize()}Video")(raw_data=data)
    video.parse()
    video.analyse()
    size = video.pix_size or 16
    events = []
    for recorded in video.events:
        event = recorded.event
        if event is None or not event.is_mouse():
            continue
        did = event.unwrap_mouse()
        if did.mouse != "mv":
            events.append([did.mouse, did.y // size, did.x // size])
    return {"board": [list(row) for row in video.board], "events": events}


def main() -> None:
    """Answer requests until there are no more."""
    import resource

    import ms_toollib  # noqa: F401 - loaded once, before the copies are made

    # A process that is confined already, such as a worker of the page, can only take less.
    above = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = MOST_BYTES if above == resource.RLIM_INFINITY else min(above, MOST_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while head := sys.stdin.buffer.readline():
        kind, length = head.decode().split()
        data = sys.stdin.buffer.read(int(length))
        copy = os.fork()
        if copy:
            _, status = os.waitpid(copy, 0)
            if status:
                _say({"error": ""})
            continue
        signal.alarm(MOST_SECONDS)
        try:
            _say(answer(kind, data))
        except Exception as error:  # whatever it is, the file cannot be read
            _say({"error": str(error) or type(error).__name__})
        os._exit(0)


def _say(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
