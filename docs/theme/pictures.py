"""Draw the boards of the start page and the README again: ``python docs/theme/pictures.py``."""

from __future__ import annotations

from pathlib import Path

import sapper
from sapper import formats, play, render

ROOT = Path(__file__).resolve().parents[2]


def pictures() -> dict[str, str]:
    """Return the SVG of each picture by its file name."""
    files = ("expert.txt", "hex.txt", "torus.txt", "box.txt", "graph.json")
    boards = {Path(name).stem: sapper.read(ROOT / "examples" / name) for name in files}
    drawn = {
        f"{name}.svg": render.svg(board, sapper.analyze(board)) for name, board in boards.items()
    }
    why = sapper.explain(sapper.read(ROOT / "examples" / "intermediate.txt"), (3, 9))
    small = sapper.read(ROOT / "examples" / "small.txt")
    undecided = sapper.explain(small, (2, 2))
    torus = sapper.solutions(boards["torus"])
    game = formats.examine_file(ROOT / "examples" / "game.json").game
    return {
        **drawn,
        "why.svg": why.svg(),
        "undecided.svg": undecided.svg(),
        "zdd.svg": torus.zdd().to_svg(),
        "review.svg": render.svg(play.review(game)),
    }


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (ROOT / "docs" / "assets" / "boards" / name).write_text(drawn, encoding="utf-8")
