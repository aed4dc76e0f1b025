"""The engine: compile once into a decision diagram, answer every question by a pass over it."""

from sapper.engine.estimate import EngineEstimate, Part
from sapper.engine.method import EngineMethod
from sapper.engine.session import Session
from sapper.engine.solutions import EngineSolutions

__all__ = ["EngineEstimate", "EngineMethod", "EngineSolutions", "Part", "Session"]
