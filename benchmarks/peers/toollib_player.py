"""ms_toollib as a player: digs what it calls safe, else its least likely mine.

A program of the line protocol, and the shortest example of one: standard library and ms_toollib,
no sapper. ``sapper tournament 'exec:python benchmarks/peers/toollib_player.py' safest``.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from typing import Any

import ms_toollib

COVERED = 10


def choose(rows: list[str], mines: int) -> list[list[int]]:
    """Return the cells to dig, as [row, column]."""
    board = [[int(label) if label.isdigit() else COVERED for label in row] for row in rows]
    chances, _ = ms_toollib.cal_probability_onboard(board, mines)
    covered = [
        [r, c] for r, row in enumerate(board) for c, label in enumerate(row) if label == COVERED
    ]
    safe = [[r, c] for r, c in covered if chances[r][c] < 1e-9]
    return safe or [min(covered, key=lambda cell: chances[cell[0]][cell[1]])]


def main() -> None:
    """Answer until nobody asks any more."""
    mines = 0
    for line in iter(sys.stdin.readline, ""):
        message = json.loads(line)
        answer: dict[str, Any] | None = None
        if message["type"] == "hello":
            answer = {"type": "hello", "name": "ms_toollib", "version": version("ms_toollib")}
        elif message["type"] == "game":
            mines = message["mines"]
        elif message["type"] == "position":
            answer = {"type": "dig", "cells": choose(message["labels"], mines)}
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
