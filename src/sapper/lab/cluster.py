"""Workers on other machines: a Dask cluster behind the standard executor interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

from sapper.errors import SapperError, pip_install

__all__ = ["Cluster", "ClusterError", "connected"]


_PATIENCE: Final = 10.0
# A worker that comes and goes must not make the run give up a job at once.
_RETRIES: Final = 10


class ClusterError(SapperError, ConnectionError):
    """A scheduler that cannot be reached, or that loses what it was given."""


class Cluster(Executor):
    """Jobs for a Dask client.

    Dask's own executor never tells of a result whose only worker died while it was fetched: its
    future waits for ever, or raises what has nothing to do with it. Here the job is given again.
    Results are told by one thread, so one that must be computed anew holds up those after it.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Give a job to the cluster, and again if it is lost."""
        answer: Future[Any] = Future()
        self._ask(answer, partial(work, *args, **kwargs), _RETRIES)
        return answer

    def _ask(self, answer: Future[Any], job: Callable[[], Any], tries: int) -> None:
        asked = self._client.submit(job, pure=False, retries=_RETRIES)
        answer.add_done_callback(lambda done: asked.cancel() if done.cancelled() else None)
        asked.add_done_callback(partial(self._tell, answer, job, tries))

    def _tell(self, answer: Future[Any], job: Callable[[], Any], tries: int, asked: Any) -> None:
        # Nobody may want the answer any more; otherwise nobody may wait for ever, whatever happens.
        with suppress(InvalidStateError):
            try:
                try:
                    answer.set_result(asked.result())
                except CancelledError:
                    if answer.cancelled():
                        answer.set_running_or_notify_cancel()
                    elif tries > 0 and self._client.status == "running":
                        self._ask(answer, job, tries - 1)
                    else:
                        answer.set_exception(ClusterError("the cluster lost a job"))
            except InvalidStateError:
                raise
            except BaseException as error:
                answer.set_exception(error)


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
        raise ClusterError(f"a scheduler needs Dask: {pip_install('sapper[lab]')}") from None
    connect: Any = Client
    try:
        client = connect(address, timeout=seconds or _PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no scheduler answers at {address}: {error}") from None
    try:
        yield Cluster(client), max(32, 4 * sum(client.ncores().values()))
    finally:
        client.close()
