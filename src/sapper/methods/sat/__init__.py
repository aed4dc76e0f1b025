"""Inference by satisfiability: Dempsey & Guinn, *A Phase Transition in Minesweeper*, section 3."""

from sapper.methods.sat.cores import minimal_core
from sapper.methods.sat.encodings import ENCODINGS, Encoder
from sapper.methods.sat.method import Sat
from sapper.methods.sat.solver import SOLVERS, Solver

__all__ = ["ENCODINGS", "SOLVERS", "Encoder", "Sat", "Solver", "minimal_core"]
