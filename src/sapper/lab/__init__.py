"""The papers' experiments, as programs that can be stopped, resumed and repeated.

A *run* is one directory: `config.json` with parameters, seed and versions, `results.sqlite` with
one row per finished job, and what is made of them (`results.csv`, `report.md`, pictures).
"""

from sapper.lab.cluster import ClusterError, connected
from sapper.lab.experiment import Experiment, Job
from sapper.lab.games import LabError, TorusGame
from sapper.lab.generation import Generation
from sapper.lab.hypergraph import Hypergraphs
from sapper.lab.inference import InferenceRun, play_by_inference
from sapper.lab.ksets import KSets
from sapper.lab.percolation import Percolation
from sapper.lab.phase import PhaseTransition
from sapper.lab.pool import JobCrashed, JobTimeout, LimitedPool
from sapper.lab.runner import Run, RunError
from sapper.lab.scaling import Scaling

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
    "LimitedPool",
    "Percolation",
    "PhaseTransition",
    "Run",
    "RunError",
    "Scaling",
    "TorusGame",
    "connected",
    "play_by_inference",
]
