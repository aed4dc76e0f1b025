"""What can be asked of a position, what a method is, and what its findings are.

Whatever answers questions, the engine or a published algorithm, is written against this room.
"""

from sapper.limits import Budget, foreign
from sapper.questions.base import BaseMethod
from sapper.questions.findings import CountedFindings, Findings, Unanswered
from sapper.questions.keeping import kept
from sapper.questions.protocol import (
    QUESTIONS,
    Estimate,
    Method,
    Question,
    Solutions,
    Zdd,
)
from sapper.questions.uniqueness import Uniqueness

__all__ = [
    "QUESTIONS",
    "BaseMethod",
    "Budget",
    "CountedFindings",
    "Estimate",
    "Findings",
    "Method",
    "Question",
    "Solutions",
    "Unanswered",
    "Uniqueness",
    "Zdd",
    "foreign",
    "kept",
]
