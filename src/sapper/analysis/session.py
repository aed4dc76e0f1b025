"""The online problem as a player meets it: labels arrive one by one."""

from __future__ import annotations

from collections.abc import Mapping
from threading import RLock
from typing import TYPE_CHECKING, Any

from sapper._native import Cache
from sapper.analysis.analysis import Analysis
from sapper.analysis.auto import Auto
from sapper.errors import PositionError
from sapper.field import Position, Shown
from sapper.limits import Limits

if TYPE_CHECKING:
    from sapper.analysis.auto import AutoFindings
    from sapper.analysis.explanation import Explanation
    from sapper.field import Cell, Label
    from sapper.questions import Solutions

__all__ = ["Session"]


class Session(Shown):
    r"""A position that is revealed label by label, analysed as it stands.

    Compiled components are kept by content, and so is what a search found to be forced in one, so
    after a new label only the component that it touches is done again. What is kept counts as
    memory, and takes a quarter of the limit at most (1 GiB if there is none).

    A session may be shared between threads: every answer is that of one position, the one that
    stood when it was asked for. It pickles as its position, its history and its limits.

    Parameters
    ----------
    position : Position
        Where to begin.
    limits : Limits, optional
        What each single answer may cost.

    Examples
    --------
    >>> import sapper
    >>> session = sapper.Session(sapper.parse("???\n???\n???", mines=2))
    >>> session.reveal((1, 1), 2)
    >>> session.count()
    28
    >>> session.reveal((0, 0), 0)
    >>> session.count(), session.analyze().best
    (10, ((0, 1), (1, 0)))
    >>> session.reveal((1, 1), 3)
    Traceback (most recent call last):
        ...
    sapper.errors.PositionError: (1, 1) shows 2 already, and was given 3
    >>> session.undo()
    >>> session.count()
    28
    """

    def __init__(self, position: Position, *, limits: Limits | None = None) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"a session begins with a Position, not {type(position).__name__}")
        self._lock = RLock()
        self.limits = limits
        self._memory = Cache()
        self._method = Auto(memory=self._memory)
        self._position = position
        self._history: list[Position] = []
        self._findings: AutoFindings | None = None

    @property
    def position(self) -> Position:
        """The position as it stands."""
        return self._position

    @property
    def limits(self) -> Limits | None:
        """What a question may cost; another can be set, for positions from then on."""
        return self._limits

    @limits.setter
    def limits(self, limits: Limits | None) -> None:
        if limits is not None and not isinstance(limits, Limits):
            raise TypeError(f"limits are given as sapper.Limits(seconds=…), not as {limits!r:.60}")
        self._limits = limits

    def reveal(self, cell: Cell, label: Label) -> None:
        """Put a label on a cell: a number, ``"?"``, ``"*"`` or ``"_"``.

        Raises
        ------
        UnknownCellError, PositionError
            If there is no such cell, it is no label that the cell can have, or the cell has
            another one that contradicts it. Cover it with ``"?"`` first if that one was wrong.
        """
        self.update({cell: label})

    def update(self, labels: Mapping[Any, Label]) -> None:
        """Put many labels at once; all or none take effect.

        Raises
        ------
        UnknownCellError, PositionError
            As for `reveal`.
        """
        if not isinstance(labels, Mapping):
            raise TypeError(f"labels are given as {{cell: label}}, not as {labels!r:.60}")
        with self._lock:
            position = self._position
            for cell, label in labels.items():
                position = _with_label(position, cell, label)
            self._history.append(self._position)
            self._position, self._findings = position, None

    def undo(self) -> None:
        """Take the last `reveal` or `update` back.

        Raises
        ------
        PositionError
            If there is nothing to take back.
        """
        with self._lock:
            if not self._history:
                raise PositionError("nothing was revealed, so nothing can be taken back")
            self._position, self._findings = self._history.pop(), None

    def copy(self) -> Session:
        """Return a session that goes its own way from here; both share what was compiled."""
        with self._lock:
            other = Session(self._position, limits=self._limits)
            other._memory, other._method = self._memory, self._method
            other._history = list(self._history)
            other._findings = self._findings
        return other

    def findings(self) -> AutoFindings:
        """Return verdicts, counts and chances of the position as it stands, along its cells."""
        with self._lock:
            if self._findings is None:
                self._findings = self._method.findings(self._position, self._limits)
            findings = self._findings
        findings.prepare()
        return findings

    def is_consistent(self) -> bool:
        """Tell whether the position as it stands has a legal assignment."""
        return self.findings().consistent

    def count(self) -> int:
        """Return the exact number of legal assignments of the position as it stands."""
        return self.findings().count

    def analyze(self) -> Analysis:
        """Return verdicts, probabilities and the cells worth digging, of the position as it is."""
        return Analysis(self.findings())

    def explain(self, cell: Cell, *, smallest: bool = False) -> Explanation:
        """Return why a covered cell is safe, a mine, or cannot be decided; see `sapper.explain`."""
        from sapper.analysis.explaining import explain

        return explain(self.findings(), cell, smallest=smallest)

    def solutions(self) -> Solutions:
        """Return the view of the legal assignments of the position as it stands."""
        return self._method.solutions(self._position, self._limits)

    @property
    def compiled(self) -> int:
        """How many components have been compiled so far; the others came from earlier boards."""
        return self._memory.compiled

    @property
    def searched(self) -> int:
        """How many components have been searched for forced cells so far."""
        return self._memory.searched

    @property
    def reused(self) -> int:
        """How many times a component was found among those compiled before."""
        return self._memory.hits

    def __reduce__(self) -> tuple[object, ...]:
        with self._lock:
            return _resumed, (self._position, self._limits, list(self._history))

    def __repr__(self) -> str:
        return f"Session({self._position!r})"


def _resumed(position: Position, limits: Limits | None, history: list[Position]) -> Session:
    session = Session(position, limits=limits)
    session._history = history
    return session


def _with_label(position: Position, cell: Cell, label: Label) -> Position:
    """Return the position with a label on a cell, if it can have it and none contradicts it."""
    changed = position.with_label(cell, label)
    old, new = position.label(cell), changed.label(cell)
    around = len(position.topology.neighbours(cell))
    if isinstance(new, int) and new > around:
        raise PositionError(f"{cell!r} cannot show {new}: it has {around} neighbours")
    if new != old and "?" not in (old, new) and not (old == "_" and isinstance(new, int)):
        raise PositionError(f"{cell!r} shows {old} already, and was given {label!r:.60}")
    return changed
