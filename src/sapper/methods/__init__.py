"""Independent algorithms that answer the same questions, behind one protocol.

Methods are reached by name: `get` imports the one that is asked for and no other.
"""

from sapper.methods.base import BaseMethod
from sapper.methods.protocol import QUESTIONS, Estimate, Findings, Method, Question, Solutions, Zdd
from sapper.methods.registry import get, names, names_answering

__all__ = [
    "QUESTIONS",
    "BaseMethod",
    "Estimate",
    "Findings",
    "Method",
    "Question",
    "Solutions",
    "Zdd",
    "get",
    "names",
    "names_answering",
]
