"""The engine: compile once into a decision diagram, answer every question by a pass over it."""

from sapper.engine.board import Board, system_of
from sapper.engine.estimate import EngineEstimate, Part
from sapper.engine.findings import EngineFindings
from sapper.engine.method import EngineMethod, Order
from sapper.engine.solutions import EngineSolutions

__all__ = [
    "Board",
    "EngineEstimate",
    "EngineFindings",
    "EngineMethod",
    "EngineSolutions",
    "Order",
    "Part",
    "system_of",
]
