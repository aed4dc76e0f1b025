"""How much an answer may cost, and how that is kept while Python or foreign code works."""

from sapper.limits.budget import UNLIMITED, Budget
from sapper.limits.foreign import foreign
from sapper.limits.limits import Limits, LimitsError, machine_limits
from sapper.limits.loading import load
from sapper.limits.threads import begin, in_order

__all__ = [
    "UNLIMITED",
    "Budget",
    "Limits",
    "LimitsError",
    "begin",
    "foreign",
    "in_order",
    "load",
    "machine_limits",
]
