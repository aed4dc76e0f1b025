"""A strategy written in Python, in a process of its own."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from contextlib import suppress
from multiprocessing import Pipe
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn

from sapper.errors import GameError, SapperError
from sapper.field import Position
from sapper.limits import begin
from sapper.play.games import cells_of
from sapper.play.view import View

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from sapper.field import Cell
    from sapper.game import Board, StartRule
    from sapper.play.view import Strategy

__all__ = ["Isolated"]


class Isolated:
    """A strategy that plays in a copy of this process, made when it is needed first.

    There it can hang, crash or end the process: that loses a game, and the next one begins with a
    new copy. What it sees is what it is sent, so there is no layout to be found either. What it
    changes stays there, from game to game, and is not seen here.

    Parameters
    ----------
    strategy : Strategy
        Who plays.
    seconds : float
        How long each move may take.
    """

    def __init__(self, strategy: Strategy, seconds: float) -> None:
        self._strategy, self._seconds = strategy, seconds
        self._pipe: Connection[Any, Any] | None = None
        self._child = 0
        self._lock = threading.Lock()
        self.name = str(getattr(strategy, "name", type(strategy).__name__))
        self.version = getattr(strategy, "version", None)

    def again(self) -> Isolated:
        """Return another one, for another thread."""
        return Isolated(self._strategy, self._seconds)

    def begin(self, board: Board, rule: StartRule | None) -> None:
        """Tell the copy that a game begins."""
        with self._lock:
            if self._pipe is None:
                self._start()
            self._board: Board | None = board
            self._rng: Random | None = None
            self._rule = rule

    def choose(self, view: View) -> list[Cell]:
        """Ask the copy for cells to dig.

        Raises
        ------
        GameError
            If the strategy fails or does not answer in time.
        """
        # What a strategy leaves to chance goes over once a game.
        self._send((self._board, self._rule, view.rng) if self._rng is None else None)
        self._rng = view.rng
        self._send(view.position.codes)
        pipe = self._pipe
        try:
            if pipe is None or not pipe.poll(self._seconds):
                self.close()
                raise GameError(f"{self.name} gave no answer in {self._seconds:g} seconds")
            is_answer, value = pipe.recv()
        except (EOFError, OSError):
            raise self._ended() from None
        if not is_answer:
            raise GameError(value)
        return value  # type: ignore[no-any-return]

    def _send(self, value: Any) -> None:
        try:
            if self._pipe is None:
                raise OSError
            self._pipe.send(value)
        except OSError:
            raise self._ended() from None

    def _ended(self) -> GameError:
        code = self.close()
        how = "" if code is None else f" by signal {-code}" if code < 0 else f" with code {code}"
        return GameError(f"the process of {self.name} ended{how}")

    def kill(self) -> None:
        """End the copy; for another thread than the one that plays, which learns of it."""
        with self._lock, suppress(ProcessLookupError):
            if self._pipe is not None:
                os.kill(self._child, signal.SIGKILL)

    def close(self) -> int | None:
        """End the copy; return its exit code, below zero for a signal."""
        with self._lock:
            pipe, self._pipe = self._pipe, None
            if pipe is None:
                return None
            # What ended by itself has a code to tell; it gets a moment to.
            end = time.monotonic() + 0.2
            pid, status = os.waitpid(self._child, os.WNOHANG)
            while pid == 0 and _is_closed(pipe) and time.monotonic() < end:
                time.sleep(0.01)
                pid, status = os.waitpid(self._child, os.WNOHANG)
            if pid == 0:
                with suppress(ProcessLookupError):
                    os.kill(self._child, signal.SIGKILL)
                os.waitpid(self._child, 0)
            pipe.close()
            return os.waitstatus_to_exitcode(status) if pid else None

    def _start(self) -> None:
        self._pipe, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # The copy of a process with threads must not wait for them: it never does.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child = os.fork()
        if self._child == 0:
            self._pipe.close()
            _serve(self._strategy, theirs)
        theirs.close()

    def __repr__(self) -> str:
        return f"Isolated({self._strategy!r})"


def _is_closed(pipe: Connection[Any, Any]) -> bool:
    try:
        return pipe.poll() and not pipe.recv_bytes()
    except (EOFError, OSError):
        return True


def _serve(strategy: Strategy, pipe: Connection[Any, Any]) -> NoReturn:
    """Choose until nobody asks any more; the body of the copy."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the original ends us
    parent = os.getppid()
    begin(lambda: _follow(parent), daemon=True)
    try:
        while True:
            begun = pipe.recv()
            if begun is not None:
                board, rule, rng = begun
                view, told = None, getattr(strategy, "begin", None)
            codes = pipe.recv()
            answer: tuple[bool, Any]
            try:
                if begun is not None and told is not None:
                    told(board, rule)
                position = Position.from_codes(board.topology, codes, board.mines, trusted=True)
                view = view or View(position, rng)
                view.position = position
                answer = True, cells_of(strategy.choose(view), board.topology)
            except Exception as error:
                why = str(error) if isinstance(error, SapperError) else repr(error)
                answer = False, why[:500]
            sys.stdout.flush()
            sys.stderr.flush()
            pipe.send(answer)
    finally:
        os._exit(0)


def _follow(parent: int) -> None:
    """End this process when the one it was copied from is gone, in the middle of a move too."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
