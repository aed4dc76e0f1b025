"""Workers on other machines: a Dask cluster behind the standard executor interface."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from sapper.errors import SapperError

__all__ = ["ClusterError", "connected"]


_PATIENCE = 10.0


class ClusterError(SapperError, ConnectionError):
    """A scheduler that cannot be reached."""


@contextmanager
def connected(address: str, *, seconds: float | None = None) -> Iterator[tuple[Executor, int]]:
    """Connect to a Dask scheduler; yields an executor and how many jobs to hand out at once.

    A job whose worker dies is given to another by the scheduler. Its result arrives once, however
    often it was begun, since a run keeps one row per job. Workers need sapper installed, nothing
    else.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``"tcp://host:8786"``.
    seconds : float, optional
        How long to wait for it; ten if not given.

    Raises
    ------
    ClusterError
        If Dask is not installed or the scheduler does not answer.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("a scheduler needs Dask: python -m pip install 'sapper[lab]'") from None
    connect: Any = Client
    try:
        client = connect(address, timeout=seconds or _PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no scheduler answers at {address}: {error}") from None
    try:
        # A worker that comes and goes must not make the run give up a job at once.
        executor: Executor = client.get_executor(retries=10)
        yield executor, max(32, 4 * sum(client.ncores().values()))
        executor.shutdown()
    finally:
        client.close()
