"""The process under suspicion: hold the engine to the oracle, one document per line.

Prints ``ok``, ``bad input`` or ``wrong: …`` per line read. A crash is for the parent to notice.
"""

from __future__ import annotations

import json
import sys

from sapper.analysis import get
from sapper.errors import FormatError, PositionError
from sapper.formats import parse
from tests.support.agreement import assert_agree


def judge(text: str) -> str:
    """Return what became of one document."""
    try:
        puzzle = parse(text)
    except (FormatError, PositionError):
        return "bad input"
    try:
        assert_agree(get("engine"), get("brute"), puzzle)
    except Exception as error:  # whatever goes wrong here is a finding
        return f"wrong: {type(error).__name__}: {error}"
    return "ok"


def main() -> None:
    """Judge documents until standard input ends."""
    for line in sys.stdin:
        print(json.dumps(judge(line)), flush=True)


if __name__ == "__main__":
    main()
