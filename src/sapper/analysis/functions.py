"""The functions of the package: one question each.

All take a `Position` or a `Clues`, the name of a method (or a method itself), limits, and as
further keywords whatever that method takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sapper.analysis.analysis import Analysis
from sapper.analysis.registry import chosen, required
from sapper.clues import Clues
from sapper.field import Position
from sapper.limits import Limits
from sapper.questions import Budget, Uniqueness

if TYPE_CHECKING:
    from sapper.analysis.explanation import Explanation
    from sapper.clues import Puzzle
    from sapper.field import Cell
    from sapper.questions import Estimate, Findings, Method, Question, Solutions


_PUZZLES: Final = (Position, Clues)


def is_consistent(
    puzzle: Puzzle, *, method: str | Method = "auto", limits: Limits | None = None, **options: Any
) -> bool:
    r"""Tell whether a position has a legal assignment.

    Parameters
    ----------
    puzzle : Position or Clues
        What is asked about.
    method : str or Method
        The algorithm; ``"auto"`` lets `sapper` choose.
    limits : Limits, optional
        What the answer may cost.
    **options
        What the method itself takes.

    Raises
    ------
    LimitExceeded
        If a limit is hit.
    MethodError
        If there is no such method, or it does not answer this.

    Examples
    --------
    >>> import sapper
    >>> sapper.is_consistent(sapper.parse("2?\n??"))
    True
    >>> sapper.is_consistent(sapper.parse("1?\n?2", mines=1))
    False
    """
    return _findings("consistent", puzzle, method, limits, options).consistent


def count(
    puzzle: Puzzle, *, method: str | Method = "auto", limits: Limits | None = None, **options: Any
) -> int:
    r"""Return the exact number of legal assignments, under the mine total if there is one.

    Parameters and errors are those of `is_consistent`.

    Examples
    --------
    >>> import sapper
    >>> sapper.count(sapper.parse("1??\n12?\n_1?"))
    2
    """
    return _findings("count", puzzle, method, limits, options).count


def count_by_mines(
    puzzle: Puzzle, *, method: str | Method = "auto", limits: Limits | None = None, **options: Any
) -> dict[int, int]:
    """Return the exact number of legal assignments for every number of mines that has any.

    The total of the position is ignored. Keys count the known mines too, and ascend. Parameters
    and errors are those of `is_consistent`.

    Examples
    --------
    >>> import sapper
    >>> sapper.count_by_mines(sapper.parse("*2??", mines=2))
    {2: 1, 3: 1}
    """
    return dict(_findings("by_mines", puzzle, method, limits, options).by_mines)


def analyze(
    puzzle: Puzzle, *, method: str | Method = "auto", limits: Limits | None = None, **options: Any
) -> Analysis:
    r"""Return verdicts, probabilities and the cells worth digging.

    Parameters and errors are those of `is_consistent`. What the method did not compute at once is
    computed when it is read, and a limit may then be hit at that point.

    Examples
    --------
    >>> import sapper
    >>> analysis = sapper.analyze(sapper.parse("1??\n12?\n_1?", mines=2))
    >>> analysis.count, analysis.verdicts[0, 1]
    (2, 'mine')
    """
    findings = _asked("verdicts", puzzle, method, limits, options).findings(puzzle, limits)
    findings.prepare()
    return Analysis(findings)


def solutions(
    puzzle: Puzzle, *, method: str | Method = "auto", limits: Limits | None = None, **options: Any
) -> Solutions:
    r"""Return a lazy view of the legal assignments.

    The view offers `bool`, ``in``, iteration, ``count()``, ``sample(n, seed=)``,
    ``cheapest(costs)``, ``including(cell)``, ``excluding(cell)`` and ``zdd()``. A solution is the
    frozen set of the covered cells that are mined. Parameters and errors are those of
    `is_consistent`.

    Examples
    --------
    >>> import sapper
    >>> view = sapper.solutions(sapper.parse("1??\n?1?", mines=1))
    >>> view.count()
    2
    >>> frozenset({(0, 1)}) in view
    True
    """
    return _asked("solutions", puzzle, method, limits, options).solutions(puzzle, limits)


def explain(
    puzzle: Puzzle,
    cell: Cell,
    *,
    smallest: bool = False,
    method: str | Method = "auto",
    limits: Limits | None = None,
    **options: Any,
) -> Explanation:
    r"""Return why a covered cell is safe, a mine, or cannot be decided.

    A certain cell comes with a minimal core: clues that force it, none of which can be dropped;
    the mine total counts as one more clue where it is needed. A cell that cannot be decided comes
    with two legal assignments that differ there, and its probability. A position without legal
    assignments comes with a minimal set of clues that contradict each other. All of it is checked
    a second time, by other means, before it is returned.

    Parameters
    ----------
    puzzle : Position or Clues
        What is asked about.
    cell : cell
        A covered cell.
    smallest : bool
        Look for a core with the least number of clues, not only one without a superfluous clue.
    method : str or Method
        The algorithm that gives the verdict; ``"sat"`` also finds the core by SAT.
    limits : Limits, optional
        What each part of the answer may cost.
    **options
        What the method itself takes.

    Raises
    ------
    UnknownCellError
        If there is no such cell.
    PositionError
        If the cell is not covered.
    LimitExceeded
        If a limit is hit.
    MethodError
        If there is no such method, or it does not find every verdict.

    Examples
    --------
    >>> import sapper
    >>> print(sapper.explain(sapper.parse("???\n121"), (0, 1)))  # doctest: +NORMALIZE_WHITESPACE
    (0, 1) is safe: 3 clues force it.
    1. The 1 at (1, 2) needs 1 mine among (0, 1) and (0, 2).
    2. The 2 at (1, 1) needs 2 mines among (0, 0), (0, 1) and (0, 2).
    3. The 1 at (1, 0) needs 1 mine among (0, 0) and (0, 1).
    4. The 2 at (1, 1) needs 2 mines. One of them is among (0, 0) and (0, 1) (the 1 at (1, 0)).
    That leaves one for (0, 2): it is a mine.
    5. The 1 at (1, 2) needs 1 mine. It is at (0, 2) (step 4). That leaves none for (0, 1): it is
    safe.
    """
    from sapper.analysis.explaining import explain as explained

    findings = _findings("verdicts", puzzle, method, limits, options)
    return explained(findings, cell, smallest=smallest)


def uniqueness(
    puzzle: Puzzle, *, method: str | Method = "auto", limits: Limits | None = None, **options: Any
) -> Uniqueness:
    r"""Return the only legal assignment, or two that differ.

    Parameters and errors are those of `is_consistent`; besides, `InconsistentError` says that there
    is no legal assignment at all. Jandhyala asks this of a position, to see whether it tells all.

    Examples
    --------
    >>> import sapper
    >>> found = sapper.uniqueness(sapper.parse("1??\n12?\n_1?", mines=2))
    >>> found.is_unique, sorted(found.differing)
    (False, [(1, 2), (2, 2)])
    >>> sorted(sapper.uniqueness(sapper.parse("???\n121")).layout)
    [(0, 0), (0, 2)]
    """
    found = _findings("solutions", puzzle, method, limits, options)
    return Uniqueness.of(found.solutions(Budget(limits)))


def estimate(
    puzzle: Puzzle, *, method: str | Method = "auto", limits: Limits | None = None, **options: Any
) -> Estimate:
    """Return what answering would cost, before it is paid.

    Parameters and errors are those of `is_consistent`.
    """
    return _asked("estimate", puzzle, method, limits, options).estimate(puzzle, limits)


def _asked(
    question: Question,
    puzzle: object,
    method: str | Method,
    limits: object,
    options: dict[str, Any],
) -> Method:
    """Return the method for a question, once all that was passed makes sense."""
    if not isinstance(puzzle, _PUZZLES):
        hint = "; sapper.parse reads one" if isinstance(puzzle, str) else ""
        raise TypeError(f"expected a Position or Clues, not {type(puzzle).__name__}{hint}")
    if limits is not None and not isinstance(limits, Limits):
        raise TypeError(f"limits are given as sapper.Limits(seconds=…), not as {limits!r:.60}")
    picked = chosen(method, options)
    if question not in picked.answers:
        required(question, picked.answers, picked.name)
    return picked


def _findings(
    question: Question,
    puzzle: Puzzle,
    method: str | Method,
    limits: Limits | None,
    options: dict[str, Any],
) -> Findings:
    return _asked(question, puzzle, method, limits, options).findings(puzzle, limits)
