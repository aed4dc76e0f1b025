"""`sapper serve`: the page, on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from sapper.cli.failures import guarded
from sapper.cli.task import UsageError
from sapper.errors import pip_install


def serve(
    port: Annotated[
        int, typer.Option("--port", metavar="P", help="Where to listen; 0 takes a free port.")
    ] = 8000,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve the page on 127.0.0.1: play, paste, see what is certain and why.

    Prints the address once the page is ready; Ctrl-C ends it. Nothing leaves this machine.

    For example:
      sapper serve --open
      sapper serve --port 0
    """
    with guarded():
        try:
            from sapper.web import serve as run
        except ImportError as error:
            if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn"):
                raise
            raise UsageError(
                f"serve needs starlette and uvicorn: {pip_install('sapper[web]')}"
            ) from None
        run(port, open_page=open_, say=lambda address: print(address, flush=True))
