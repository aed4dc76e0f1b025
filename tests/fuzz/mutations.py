"""So many damaged files of every format: ``python -m tests.fuzz.mutations 10000 [SEED [NAME…]]``.

Each is read as something, or refused with one short line, within seconds; anything else ends the
run. The table at the end is that of docs/trust.md.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from itertools import count
from random import Random

from sapper.errors import SapperError
from sapper.field import Grid
from sapper.formats import parse
from sapper.game import Board, Game, random_layout
from tests.formats.test_damaged_files import mutated
from tests.fuzz.cases import random_document
from tests.fuzz.damaged import PATIENCE, File, boards, files, reader
from tests.support.replays import WRITERS


class Tally:
    """Reads damaged files, and counts by format."""

    def __init__(self, most: int, names: frozenset[str] = frozenset()) -> None:
        self.most, self.names = most, names
        self.tried: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.slowest = 0.0

    def damage(self, file: File, times: int, rng: Random) -> None:
        """Damage a file, and read what is left, some times."""
        name = file.name.split(",")[0]
        if self.names and name not in self.names:
            return
        for _ in range(times if self.tried[name] < self.most else 0):
            data, message, began = mutated(file.data, rng), "", time.process_time()
            try:
                file.read(data)
            except SapperError as error:
                self.refused[name] += 1
                message = str(error)
            took = time.process_time() - began
            self.tried[name] += 1
            self.slowest = max(self.slowest, took)
            plain = "\n" not in message and len(message) < 300
            assert plain, f"{name}: {message!r}: {data!r}"
            assert took < PATIENCE, f"{name}: {took:.1f} s for {data!r}"

    @property
    def is_done(self) -> bool:
        """Whether every format has had its share."""
        wanted = self.names or set(WRITERS)
        return wanted <= set(self.tried) and min(self.tried.values()) >= self.most


def main() -> None:
    """Damage files until every format has had its share."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    tally = Tally(most, frozenset(sys.argv[3:]))
    for seed in count(int(sys.argv[2]) + 1 if len(sys.argv) > 2 else 1):
        rng = Random(seed)
        for file in [*files(parse(json.dumps(random_document(rng)))), *boards(rng)]:
            if file.name not in WRITERS:
                tally.damage(file, 8, rng)
        height, width = rng.randint(1, 9), rng.randint(1, 12)
        if height * width > 1:
            board = Board(Grid(height, width), rng.randint(1, height * width - 1))
            game = Game(random_layout(board, start=(0, 0), rule="safe", seed=seed))
            for cell in game.layout.numbers if game.layout else ():
                if game.status == "playing":
                    game.dig(cell)
            for name, made in WRITERS.items():
                tally.damage(File(name, made(game), reader(name)), 12, rng)
        if tally.is_done:
            break
    for name, tried in tally.tried.items():
        print(f"| {name} | {tried:,} | {tally.refused[name]:,} |")
    print(f"the slowest took {tally.slowest:.2f} s")


if __name__ == "__main__":
    main()
