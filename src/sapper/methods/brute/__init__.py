"""Plain enumeration: the oracle that everything else is tested against."""

from sapper.methods.brute.method import MAX_TOUCHED, Brute
from sapper.methods.brute.solutions import BruteSolutions

__all__ = ["MAX_TOUCHED", "Brute", "BruteSolutions"]
