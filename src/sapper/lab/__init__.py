"""The papers' experiments, as programs that can be stopped, resumed and repeated.

A *run* is one directory: `config.json` with parameters, seed and versions, `results.sqlite` with
one row per finished job, and what is made of them (`results.csv`, `report.md`, pictures).
"""

from sapper.lab.cluster import ClusterError, connected
from sapper.lab.experiment import Experiment, Job
from sapper.lab.games import LabError, TorusGame, TorusStart
from sapper.lab.generation import Generation
from sapper.lab.hypergraph import Hypergraphs, Labels
from sapper.lab.inference import InferenceRun, inferred, play_by_inference
from sapper.lab.ksets import KSets
from sapper.lab.percolation import Percolation
from sapper.lab.phase import PhaseTransition, Protocol
from sapper.lab.plots import require_matplotlib
from sapper.lab.pool import JobCrashed, JobTimeout, LimitedPool
from sapper.lab.runner import Run
from sapper.lab.scaling import Scaling
from sapper.lab.store import RunError
from sapper.lab.torus import spaced

__all__ = [
    "ClusterError",
    "Experiment",
    "Generation",
    "Hypergraphs",
    "InferenceRun",
    "Job",
    "JobCrashed",
    "JobTimeout",
    "KSets",
    "LabError",
    "Labels",
    "LimitedPool",
    "Percolation",
    "PhaseTransition",
    "Protocol",
    "Run",
    "RunError",
    "Scaling",
    "TorusGame",
    "TorusStart",
    "connected",
    "inferred",
    "play_by_inference",
    "require_matplotlib",
    "spaced",
]
