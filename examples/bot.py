"""A bot of one's own: dig what is certain, else where a mine is least likely.

The session keeps what was found out from move to move, so that each answer costs only what is new.

    python examples/bot.py [BOARD] [SEED]
"""

from __future__ import annotations

import sys

import sapper
from sapper import play


def play_game(board: str = "beginner", seed: int = 1) -> play.Game:
    """Play a game to its end."""
    game = play.new_game(board, rule="zero", seed=seed)
    game.dig((3, 3))
    session = sapper.Session(game.position)
    while game.status == "playing":
        analysis = session.analyze()
        guess = min(analysis.probabilities, key=analysis.probabilities.__getitem__)
        for cell in sorted(analysis.safe) or [guess]:
            opened = game.dig(cell)
            if game.status == "lost":
                break
            position = game.position
            session.update({new: position[new] for new in opened})
    return game


if __name__ == "__main__":
    board, seed = [*sys.argv[1:], *["beginner", "1"][len(sys.argv) - 1 :]]
    game = play_game(board, int(seed))
    review = play.review(game)
    print(game.position)
    print(f"{game.status} with {review.guesses} guesses; luck {float(review.luck):.0%}")
