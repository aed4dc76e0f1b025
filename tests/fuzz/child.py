"""The process under suspicion: judges one case per line of standard input.

Prints what `tests.fuzz.parts.verdict` returns. A crash is for the parent to notice.
"""

from __future__ import annotations

import json
import sys

from tests.fuzz.parts import verdict


def main() -> None:
    """Judge cases until standard input ends."""
    for line in sys.stdin:
        print(json.dumps(verdict(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
