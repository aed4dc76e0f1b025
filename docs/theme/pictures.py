"""Draw the boards of the start page and the README again: ``python docs/theme/pictures.py``."""

from __future__ import annotations

from pathlib import Path

import sapper
from sapper import formats, play, render

ROOT = Path(__file__).resolve().parents[2]


def pictures() -> dict[str, str]:
    """Return the SVG of each picture by its file name."""
    boards = {name: sapper.read(ROOT / "examples" / f"{name}.txt") for name in ("expert", "hex")}
    drawn = {
        f"{name}.svg": render.svg(board, sapper.analyze(board)) for name, board in boards.items()
    }
    why = sapper.explain(sapper.read(ROOT / "examples" / "intermediate.txt"), (3, 9))
    game = formats.examine_file(ROOT / "examples" / "game.json").game
    return {**drawn, "why.svg": why.svg(), "review.svg": render.svg(play.review(game))}


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (ROOT / "docs" / "assets" / "boards" / name).write_text(drawn, encoding="utf-8")
