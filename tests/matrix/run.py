"""The whole table: ``python -m tests.matrix.run docs/limits.md``; some minutes.

Every cell is kept in ``build/limits.jsonl``. With ``--resume`` those that held are not measured
again, so that an interrupted run can go on.
"""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import sapper
from sapper.limits import Limits
from tests.matrix.measuring import Measured, measure
from tests.matrix.questions import METHODS, PUZZLES, QUESTIONS, Case, cases

SECONDS, NODES, BYTES, INTERRUPT = 0.1, 500, 8_000_000, 0.1
LIMITS = ("seconds", "nodes", "bytes", "interrupt")
CALLS = {"sat": 20, "cpsat": 1}
"""Where a node is a call of a solver, fewer of them are much work."""
LINEAR = ("tree", "play.three_bv", "TreeDecomposition.simplified", "play.winning_chances")
"""Methods and questions for which nothing that fits in memory is hard, or that refuse what is."""
KEPT = Path("build") / "limits.jsonl"
SLACK_SECONDS, SLACK_BYTES = 0.3, 16_000_000
SOON = SECONDS + SLACK_SECONDS
"""A puzzle that is too wide is refused before this."""


def complaint(case: Case, limit: str, found: Measured) -> str | None:
    """Return what is wrong with what came of a case under a limit, or None."""
    if found.outcome.startswith("refused: too wide"):
        return f"took {found.seconds:.2f} s" if found.seconds > SOON else None
    if found.outcome.startswith("refused") and limit != "interrupt":
        return None if limit in found.outcome else found.outcome
    if found.outcome not in (limit, "answered"):
        return found.outcome
    if limit in ("seconds", "interrupt"):
        allowed = SECONDS if limit == "seconds" else 0.0
        if found.seconds > allowed + SLACK_SECONDS:
            return f"took {found.seconds:.2f} s, {found.outcome}"
        if found.outcome == "answered" and not {case.method, case.question} & set(LINEAR):
            return "too easy: answered before the end"
    if limit == "bytes" and found.growth > BYTES + SLACK_BYTES:
        return f"grew by {found.growth / 1e6:.0f} MB, {found.outcome}"
    if not found.afterwards:
        return "afterwards an easy question has another answer"
    return None


def run(case: Case, limit: str) -> tuple[Measured, str | None]:
    """Run one case, and once more if it fails: a busy machine is no fault."""
    method: Any = METHODS.get(case.method, case.method)
    easy = sapper.parse("?2??")

    limits = {
        "seconds": Limits(seconds=SECONDS),
        "nodes": Limits(nodes=CALLS.get(case.method, NODES)),
        "bytes": Limits(bytes=BYTES),
    }.get(limit)

    def ask() -> object:
        return QUESTIONS[case.question](puzzle(case.puzzle), method, limits)

    def afterwards() -> bool:
        same = "auto" if case.method == "-" else method
        if case.question == "is_consistent":
            return sapper.is_consistent(easy, method=same)
        return sapper.analyze(easy, method=same).verdicts[0, 0] == "mine"

    after = INTERRUPT if limit == "interrupt" else None
    found = measure(ask, afterwards, interrupt_after=after)
    wrong = complaint(case, limit, found)
    if wrong:
        found = measure(ask, afterwards, interrupt_after=after)
        wrong = complaint(case, limit, found)
    return found, wrong


_made: dict[str, Any] = {}


def puzzle(name: str) -> Any:
    """Return a puzzle, made once for all cases."""
    if name not in _made:
        _made[name] = PUZZLES[name]()
    return _made[name]


def warm(case: Case) -> None:
    """Make the puzzle and import what the method needs, so that neither is measured."""
    puzzle(case.puzzle)
    if case.method != "-":
        easy = sapper.parse("1?")
        _ = sapper.analyze(easy, method=METHODS.get(case.method, case.method)).verdicts


def shown(limit: str, found: Measured, wrong: str | None) -> str:
    """Return what a cell of the table says."""
    if wrong:
        return f"**{wrong[:60]}**"
    if found.outcome.startswith("refused"):
        return "refused"
    if limit in ("seconds", "interrupt"):
        when = f"{max(found.seconds, 0.0):.2f} s"
        return when if found.outcome == limit else f"{when}, answered"
    if limit == "bytes":
        return f"{found.growth / 1e6:.0f} MB" + (", answered" * (found.outcome == "answered"))
    return "answered" if found.outcome == "answered" else "held"


HEAD = """\
# What limits hold

Every question to every method that answers it, and every public function besides that takes limits,
on something hard for it, each in a process of its own, by `make limits`: allowed {seconds} s, or
{nodes} nodes (calls of the solver for `sat` and `cpsat`, {calls}), or {bytes} MB; or Ctrl-C after
{interrupt} s of computing. A cell of the table says when it ended (for Ctrl-C: how long after), how
much the process grew, or that fewer nodes or bytes were enough for the answer; *refused*: at once,
because it is too wide or cannot be bounded, which the message says. Held means: the right error, at
most 0.3 s and 16 MB beyond what was allowed, and an easy question answered correctly afterwards by
the same process. Time is what a quiet machine would take: what a thread waited for a processor is
subtracted, so that a limit by the clock can seem to end early. A cell that fails is measured once
more. {held} of {all} cells hold ({date}).{broken}

| question | method | puzzle | seconds | nodes | bytes | Ctrl-C |
|---|---|---|---|---|---|---|
"""


def kept_before() -> dict[tuple[Case, str], Measured]:
    """Return the cells of an interrupted run that held."""
    found: dict[tuple[Case, str], Measured] = {}
    if "--resume" in sys.argv and KEPT.exists():
        for line in KEPT.read_text(encoding="utf-8").splitlines():
            case, limit, measured = json.loads(line)
            known = Measured(*measured)
            if complaint(Case(*case), limit, known) is None:
                found[Case(*case), limit] = known
    else:
        KEPT.unlink(missing_ok=True)
    return found


def main() -> None:
    """Fill the table, print every cell as it is known, and write the page."""
    page = Path(sys.argv[1])
    rows, broken, count = [], 0, 0
    KEPT.parent.mkdir(exist_ok=True)
    before = kept_before()
    for case in cases():
        if any((case, limit) not in before for limit in LIMITS):
            warm(case)
        cells = []
        for limit in LIMITS:
            if (case, limit) in before:
                found, wrong = before[case, limit], None
            else:
                found, wrong = run(case, limit)
                with KEPT.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([case, limit, found]) + "\n")
                print(*case, limit, *found, wrong or "", sep=" · ", flush=True)
            cells.append(shown(limit, found, wrong))
            broken, count = broken + bool(wrong), count + 1
        rows.append(f"| {case.question} | {case.method} | {case.puzzle} | {' | '.join(cells)} |")
    head = HEAD.format(
        seconds=SECONDS,
        nodes=NODES,
        calls=" and ".join(map(str, CALLS.values())),
        bytes=BYTES // 10**6,
        interrupt=INTERRUPT,
        held=count - broken,
        all=count,
        date=date.today().isoformat(),
        broken=" What does not is in bold." if broken else "",
    )
    page.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
