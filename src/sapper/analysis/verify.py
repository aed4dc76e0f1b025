"""Check explanations by means that share nothing with how they were found.

Cores are found by a conflict-driven search in the compiled core. Here, in plain Python: that a core
leaves no choice is checked by walking over all partial sums of its clues, and that no clue can be
dropped by an assignment for each clue that breaks it and nothing else, checked by adding up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sapper.clues import Clue
from sapper.errors import SapperError
from sapper.field import Cell
from sapper.questions import Budget

__all__ = ["VerificationError", "can_be_met", "check_core"]


class VerificationError(SapperError, RuntimeError):
    """An explanation failed its own check. This is a bug in sapper, never the caller's fault."""


def can_be_met(clues: Sequence[Clue], budget: Budget | None = None) -> bool:
    """Tell whether some assignment satisfies all clues.

    Cells in exactly the same clues count as one; the clues are closed one after the other, and all
    vectors of partial sums of the open ones are kept. Exponential in how many are open at once.

    Raises
    ------
    LimitExceeded
        If the budget has no more time or memory for it.

    Examples
    --------
    >>> can_be_met([Clue(1, "ab"), Clue(1, "bc"), Clue(2, "ac")])
    True
    >>> can_be_met([Clue(1, "ab"), Clue(1, "bc"), Clue(1, "ac")])
    False
    """
    signature: dict[Cell, list[tuple[int, int]]] = {}
    for number, clue in enumerate(clues):
        for cell, weight in clue.terms:
            if weight:
                signature.setdefault(cell, []).append((number, weight))
    sizes: dict[tuple[tuple[int, int], ...], int] = {}
    for uses in signature.values():
        key = tuple(uses)
        sizes[key] = sizes.get(key, 0) + 1
    waiting = list(sizes)
    # What the groups still to come can add at least and at most, for each clue.
    low, high = [0] * len(clues), [0] * len(clues)
    for key, size in sizes.items():
        for number, weight in key:
            if weight < 0:
                low[number] += weight * size
            else:
                high[number] += weight * size
    budget = budget or Budget()
    bytes_per_state = 120 + 8 * len(clues)
    states = {tuple(clue.count for clue in clues)}
    if not all(low[n] <= clue.count <= high[n] for n, clue in enumerate(clues)):
        return False
    opened: set[int] = set()
    while waiting:
        # Next comes a group that opens the fewest clues, and of those one that is in the most. A
        # group in one clue only waits until that clue has no other: it keeps no sum apart.
        shared = {number for k in waiting if len(k) > 1 for number, _ in k}
        ready = [k for k in waiting if len(k) > 1 or k[0][0] not in shared]
        key = min(ready, key=lambda k: (sum(n not in opened for n, _ in k), -len(k), k))
        waiting.remove(key)
        opened.update(number for number, _ in key)
        size = sizes[key]
        for number, weight in key:
            if weight < 0:
                low[number] -= weight * size
            else:
                high[number] -= weight * size
        reached: set[tuple[int, ...]] = set()
        for done, state in enumerate(states):
            if done % 1024 == 0:
                budget.spend(held=(len(states) + len(reached)) * bytes_per_state)
            for mines in range(size + 1):
                left = list(state)
                for number, weight in key:
                    left[number] -= weight * mines
                if all(low[n] <= left[n] <= high[n] for n, _ in key):
                    reached.add(tuple(left))
        states = reached
        if not states:
            return False
    return True


def check_core(
    clues: Sequence[Clue],
    cell: Cell | None,
    mine: bool,
    witnesses: Sequence[Collection[Cell]],
    budget: Budget | None = None,
) -> None:
    """Check that clues force a value, or contradict each other, and that none can be dropped.

    Parameters
    ----------
    clues
        The core.
    cell, mine
        The cell and the value that the core refutes; None for a core that contradicts itself.
    witnesses
        For each clue of the core, the mines of an assignment that meets all the others and has
        the refuted value.
    budget
        What checking may cost.

    Raises
    ------
    VerificationError
        If any of it does not hold.
    LimitExceeded
        If a limit is hit.
    """
    refuted = [] if cell is None else [Clue(int(mine), (cell,))]
    if can_be_met([*clues, *refuted], budget):
        raise VerificationError(f"the clues {clues!r} do not decide {cell!r}")
    if len(witnesses) != len(clues):
        raise VerificationError("there is not one witness for each clue")
    for dropped, mines in enumerate(witnesses):
        mined = frozenset(mines)
        if cell is not None and (cell in mined) is not mine:
            raise VerificationError(f"a witness against {clues[dropped]!r} has the wrong value")
        for number, clue in enumerate(clues):
            if number != dropped and not clue.is_satisfied_by(mined):
                raise VerificationError(f"a witness against {clues[dropped]!r} breaks {clue!r}")
