"""What the answers mean for a player: verdicts, probabilities, where to dig."""

from sapper.analysis.analysis import Analysis
from sapper.analysis.dispatch import chosen

__all__ = ["Analysis", "chosen"]
