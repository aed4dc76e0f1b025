"""`sapper puzzles`: puzzles from the papers that are clue systems in disguise."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from itertools import islice
from time import process_time
from typing import Annotated, Any, Final, TypeAlias

import typer

from sapper import answers
from sapper.cli.failures import guarded
from sapper.cli.options import Json, group
from sapper.cli.patience import Patience
from sapper.cli.screen import Screen, emit
from sapper.cli.task import Task, UsageError
from sapper.limits import Limits
from sapper.render import plural

_SYMMETRIC: Final = typer.Option("--symmetric", help="Only those that reversing does not change.")
_SECONDS: Final = typer.Option(metavar="S", help="Time to spend at most.")
_MEMORY: Final = typer.Option(metavar="SIZE", help="Memory to use at most: 500M, 2G, …")
_LISTED: Final = 10

Command: TypeAlias = Callable[..., None]


def _equal_moments(
    n: Annotated[int, typer.Argument(metavar="N", help="Divide the numbers 1 to N.")],
    k: Annotated[int, typer.Argument(metavar="K", help="Equal sums of the 0th to K-th powers.")],
    symmetric: Annotated[bool, _SYMMETRIC] = False,
    limit: Annotated[
        int, typer.Option(metavar="N", help="List at most N divisions; 0 for none.")
    ] = _LISTED,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="auto, quarters, halves, or any method that counts.")
    ] = "auto",
    seconds: Annotated[float | None, _SECONDS] = None,
    memory: Annotated[str | None, _MEMORY] = None,
    json: Json = False,
) -> None:
    """Divide 1, …, N into two sets with equal sums of the 0th to K-th powers.

    For example:
      sapper puzzles equal-moments 8 2
      sapper puzzles equal-moments 96 6 --symmetric
    """
    from sapper.puzzles import equal_moments

    if limit < 0:
        raise UsageError(f"--limit: {limit} is negative")
    limits = Task(seconds=seconds, memory=memory).limits
    with Patience("dividing") as patience:
        puzzle = equal_moments(n, k, symmetric=symmetric)
        count = puzzle.count(method=method, limits=limits)
        found = puzzle.divisions(method=method, limits=limits) if limit and count else iter(())
        listed = [sorted(division.first) for division in islice(found, limit)]
    if json:
        emit({"count": count, "first": listed, "seconds": round(patience.seconds, 6)})
        return
    screen = Screen()
    for first in listed:
        screen.say(" ".join(map(str, first)), hang=4)
    screen.say(plural(count, "division"))


def _shortest(
    order: Annotated[int, typer.Argument(metavar="M", help="The order of the zero at 1.")],
    symmetric: Annotated[bool, _SYMMETRIC] = False,
    seconds: Annotated[float | None, _SECONDS] = None,
    memory: Annotated[str | None, _MEMORY] = None,
    json: Json = False,
) -> None:
    """Find N(M), the least N that can be divided with equal sums of the 0th to (M-1)-th powers.

    It is the least length of a polynomial with coefficients 1 and -1 and a zero of order M at 1.
    Every length is searched whole; limits hold for each. Where that would take hours, over 48
    numbers (96 with --symmetric), it ends with the first division.

    For example:
      sapper puzzles shortest 6
      sapper puzzles shortest 8 --symmetric
    """
    from sapper.errors import PositionError
    from sapper.puzzles import equal_moments

    if order < 1:
        raise PositionError(f"the order of a zero is at least 1, not {order}")
    limits = Task(seconds=seconds, memory=memory).limits
    screen = Screen()
    tried = []
    length, count = 1, 0
    while not count:
        length += 1
        begun = process_time()
        with Patience(f"length {length}"):
            puzzle = equal_moments(length, order - 1, symmetric=symmetric)
            if puzzle.is_countable:
                count = puzzle.count(limits=limits)
            else:
                count = len(list(islice(puzzle.divisions(limits=limits), 1)))
        whole = not count or puzzle.is_countable
        spent = round(process_time() - begun, 2)
        tried.append({"n": length, "count": count, "whole": whole, "seconds": spent})
        if not json and (count or spent >= 1):
            least = "" if whole else "at least "
            screen.say(f"n = {length}: {least}{plural(count, 'division')} ({spent} s)")
    if json:
        emit({"order": order, "length": length, "symmetric": symmetric, "tried": tried})
    else:
        bound = "at most " if symmetric else ""
        screen.say(f"N({order}) is {bound}{length}")


def _golan(json: Json = False) -> None:
    """Print Tables 1 and 2 of Golan, computed: the leaves of a tree, and Example 5.1.

    For example:
      sapper puzzles golan
    """
    from sapper.methods import Treewidth
    from sapper.puzzles import golan_example, leaf_table

    leaves = leaf_table()
    position, figure = golan_example()
    rows = Treewidth(decomposition=figure).table(position)
    if json:
        emit(
            {
                "table_1": [leaf._asdict() for leaf in leaves],
                "table_2": answers.polynomials(rows),
            }
        )
        return
    screen = Screen()
    for title, headings, lines in (
        (
            "Table 1: what a leaf tells its parent",
            ("label", "P", "P₋", "P□", "P*"),
            [tuple(leaf) for leaf in leaves],
        ),
        (
            "Table 2: the polynomials of Example 5.1",
            ("node", "assignment", "polynomial"),
            [(str(r.node), r.assignment_text, r.text) for r in rows],
        ),
    ):
        screen.say(title, "bold")
        if screen.is_terminal:
            screen.table(headings, lines)
        for line in () if screen.is_terminal else (headings, *lines):
            screen.say(" | ".join(line))
        screen.say()


def _unique(
    board: Annotated[
        str,
        typer.Option(metavar="B", help="A board such as 5x5/5 or torus:6x6/8."),
    ] = "5x5/5",
    least_core: Annotated[
        int, typer.Option("-k", metavar="K", help="Every deduction takes at least K clues.")
    ] = 1,
    fewest: Annotated[
        bool, typer.Option("--fewest", help="As few numbers as tell the layout, proved.")
    ] = False,
    number: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many.")] = 1,
    tries: Annotated[
        int, typer.Option(metavar="N", min=1, help="Layouts in a row without one to give up at.")
    ] = 10_000,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="The same seed, the same positions.")
    ] = None,
    seconds: Annotated[float | None, _SECONDS] = None,
    json: Json = False,
) -> None:
    """Make positions as Jandhyala's: one layout fits, no total, not a number too many.

    For example:
      sapper puzzles unique -k 4 --seed 1
      sapper puzzles unique --board torus:6x6/8 -n 10 --json
      sapper puzzles unique --fewest -k 2 --seed 1
    """
    from sapper.puzzles import unique_positions

    found = unique_positions(
        board,
        least_core=least_core,
        fewest=fewest,
        tries=tries,
        seed=seed,
        limits=Limits(seconds=seconds),
    )
    with Patience("making positions") as patience:
        made = list(islice(found, number))
    if json:
        emit(answers.unique_positions(made, seconds=patience.seconds))
        return
    screen = Screen()
    for one in made:
        screen.say(f"% every deduction takes at least {plural(one.core, 'clue')}", "dim")
        screen.say(one.position.to().rstrip())
        screen.say()


def _puzzles() -> None:
    """Solve and make puzzles from the papers: equal moments, Golan's tables, unique positions."""


def _guarded(command: Command) -> Command:
    @wraps(command)
    def run(**values: Any) -> None:
        with guarded():
            command(**values)

    return run


puzzles = group(
    {
        name: partial(_guarded, command)
        for name, command in (
            ("equal-moments", _equal_moments),
            ("shortest", _shortest),
            ("golan", _golan),
            ("unique", _unique),
        )
    },
    _puzzles,
)
