"""What the answers mean for a player: verdicts, probabilities, where to dig, and why."""

from typing import TYPE_CHECKING

from sapper.analysis.analysis import Analysis
from sapper.analysis.functions import (
    analyze,
    count,
    count_by_mines,
    estimate,
    explain,
    is_consistent,
    solutions,
    uniqueness,
)
from sapper.analysis.registry import chosen, get, named, names, names_answering
from sapper.limits import load

if TYPE_CHECKING:
    from sapper.analysis.difficulty import Difficulty
    from sapper.analysis.explanation import Explanation
    from sapper.analysis.many import Analyses, analyze_many
    from sapper.analysis.session import Session
    from sapper.analysis.steps import Step
    from sapper.analysis.verify import VerificationError

__all__ = [
    "Analyses",
    "Analysis",
    "Difficulty",
    "Explanation",
    "Session",
    "Step",
    "VerificationError",
    "analyze",
    "analyze_many",
    "chosen",
    "count",
    "count_by_mines",
    "estimate",
    "explain",
    "get",
    "is_consistent",
    "named",
    "names",
    "names_answering",
    "solutions",
    "uniqueness",
]

_HOMES = {
    "Analyses": "many",
    "Difficulty": "difficulty",
    "Explanation": "explanation",
    "Session": "session",
    "Step": "steps",
    "VerificationError": "verify",
    "analyze_many": "many",
}

# Explaining and arrays are imported when first used, so that analysing is not slowed down.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "analyze_many":
            load("numpy")
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
