"""Refute an assumption from a core: what follows from it, step by step, and cases where it must.

Complete: whatever the clues rule out is refuted, if need be by trying everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sapper.clues import Clue
from sapper.field import Cell

__all__ = ["Event", "Refutation", "refute"]

MAX_EVENTS: Final = 60
"""A refutation with more steps than this is not spelled out."""

MAX_LOOKS: Final = 200_000
"""Nor is one that is not found after so many looks at a clue: about a second."""


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A clue makes some cells mines or free, given what was known; or cannot be met any more.

    `needs` are the events that it rests on; `value` is None for a contradiction, and then `reach`
    is what the clue's sum could still be at least and at most.
    """

    clue: Clue | None
    cells: tuple[Cell, ...]
    value: int | None
    needs: tuple[Event, ...] = ()
    reach: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Refutation:
    """Events that lead to a contradiction, or to a cell both of whose values are refuted."""

    events: tuple[Event, ...]
    split: Cell | None = None
    cases: tuple[Refutation, ...] = ()

    def __len__(self) -> int:
        return len(self.events) + sum(1 + len(case) for case in self.cases)


@dataclass(slots=True)
class _State:
    """What is known on one branch: the event that decided each cell."""

    clues: Sequence[Clue]
    values: dict[Cell, int] = field(default_factory=dict)
    source: dict[Cell, Event] = field(default_factory=dict)
    trail: list[Event] = field(default_factory=list)
    # How often a clue may still be looked at, on all branches together.
    looks: list[int] = field(default_factory=lambda: [MAX_LOOKS])

    def copy(self) -> _State:
        return _State(
            self.clues, dict(self.values), dict(self.source), list(self.trail), self.looks
        )

    def put(self, event: Event) -> None:
        for cell in event.cells:
            assert event.value is not None
            self.values[cell] = event.value
            self.source[cell] = event
        self.trail.append(event)

    def propagate(self) -> Event | None:
        """Apply single clues until nothing follows; return a contradiction if there is one."""
        changed = True
        while changed:
            changed = False
            self.looks[0] -= len(self.clues)
            for clue in self.clues:
                event = self._look_at(clue)
                if event is None:
                    continue
                if event.value is None:
                    return event
                self.put(event)
                changed = True
        return None

    def _look_at(self, clue: Clue) -> Event | None:
        low = high = 0
        unknown = []
        for cell, weight in clue.terms:
            value = self.values.get(cell)
            if value is not None:
                low, high = low + weight * value, high + weight * value
            elif weight:
                unknown.append((cell, weight))
                low, high = low + min(weight, 0), high + max(weight, 0)
        if not low <= clue.count <= high:
            return Event(clue, (), None, self._reasons(clue), (low, high))
        for wanted in (0, 1):
            # Cells that must be at the value which adds the less (or the more) to the sum.
            forced = [
                cell
                for cell, weight in unknown
                if (abs(weight) > clue.count - low and wanted == int(weight < 0))
                or (abs(weight) > high - clue.count and wanted == int(weight > 0))
            ]
            if forced:
                return Event(clue, tuple(forced), wanted, self._reasons(clue))
        return None

    def _reasons(self, clue: Clue) -> tuple[Event, ...]:
        return tuple(dict.fromkeys(self.source[c] for c in clue.cells if c in self.source))


def refute(clues: Sequence[Clue], cell: Cell | None, value: int) -> Refutation | None:
    """Return why a cell cannot have a value, or why the clues contradict each other.

    Parameters
    ----------
    clues
        A core.
    cell, value
        What to refute; None if the clues contradict each other.

    Returns
    -------
    Refutation or None
        None if it would have more than `MAX_EVENTS` steps or takes more than `MAX_LOOKS` looks at
        a clue to find. The last event is the contradiction; the assumption is not among them.
    """
    state = _State(clues)
    if cell is not None:
        state.put(Event(None, (cell,), value))
    return _refuted(state, MAX_EVENTS)


def _refuted(state: _State, allowed: int) -> Refutation | None:
    start = len(state.trail)
    conflict = state.propagate()
    if conflict is not None:
        # What was known before this case is spelled out already.
        return Refutation((*_used(state, conflict, start), conflict))
    if allowed <= 0 or state.looks[0] <= 0:
        return None
    cell = _best_split(state)
    if cell is None:
        return None
    cases = []
    for value in (1, 0):
        branch = state.copy()
        branch.put(Event(None, (cell,), value))
        case = _refuted(branch, allowed - len(branch.trail) + start)
        if case is None:
            return None
        cases.append(case)
    made = Refutation(tuple(state.trail[start:]), cell, tuple(cases))
    return made if len(made) <= allowed else None


def _used(state: _State, conflict: Event, start: int) -> list[Event]:
    """Return the events from `start` on that a contradiction rests on, as they happened."""
    wanted = set()
    pending = list(conflict.needs)
    while pending:
        event = pending.pop()
        if event not in wanted:
            wanted.add(event)
            pending += event.needs
    return [event for event in state.trail[start:] if event in wanted]


def _best_split(state: _State) -> Cell | None:
    """Return the undecided cell whose values lead to contradictions soonest."""
    best: tuple[tuple[int, int], Cell] | None = None
    seen: set[Cell] = set()
    # Cells of the shortest open clues first; the mine total has far too many to try.
    for clue in sorted(state.clues, key=lambda clue: len(clue.cells)):
        for cell in clue.cells:
            if cell in state.values or cell in seen:
                continue
            seen.add(cell)
            outcome = []
            for value in (0, 1):
                branch = state.copy()
                branch.put(Event(None, (cell,), value))
                failed = branch.propagate() is not None
                outcome.append((failed, len(branch.values)))
            score = (sum(failed for failed, _ in outcome), min(n for _, n in outcome))
            if best is None or score > best[0]:
                best = (score, cell)
            if score[0] == 2:
                return cell
        if (len(seen) > 40 or state.looks[0] <= 0) and best is not None:
            break
    return None if best is None else best[1]
