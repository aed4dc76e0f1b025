"""The papers' experiments, as programs that can be stopped, resumed and repeated.

A *run* is one directory: `config.json` with parameters, seed and versions, `results.sqlite` with
one row per finished job, and what is made of them (`results.csv`, `report.md`, pictures).
"""

from sapper.lab.cluster import ClusterError, connected
from sapper.lab.cores import Cores
from sapper.lab.experiment import Experiment, Job, Row
from sapper.lab.factors import Factors
from sapper.lab.games import LabError, TorusGame, TorusStart
from sapper.lab.generation import Generation
from sapper.lab.hypergraph import HyperedgeMeasure, Hypergraphs, Labels
from sapper.lab.inference import (
    Core,
    Extraction,
    InferenceRun,
    Protocol,
    inferred,
    play_by_inference,
)
from sapper.lab.ksets import KSets
from sapper.lab.online import Online
from sapper.lab.percolation import Percolation
from sapper.lab.phase import PhaseTransition
from sapper.lab.plots import require_matplotlib
from sapper.lab.pool import JobCrashed, JobTimeout, LimitedPool
from sapper.lab.runner import Run
from sapper.lab.scaling import Scaling
from sapper.lab.sharpness import Sharpness
from sapper.lab.store import RunError
from sapper.lab.torus import spaced
from sapper.lab.tournament import Meeting, Referee, Tournament
from sapper.lab.tournament_report import played, sentences, summary
from sapper.lab.turns import Turns
from sapper.lab.wrapping import SiteKind, Wrapping

__all__ = [
    "ClusterError",
    "Core",
    "Cores",
    "Experiment",
    "Extraction",
    "Factors",
    "Generation",
    "HyperedgeMeasure",
    "Hypergraphs",
    "InferenceRun",
    "Job",
    "JobCrashed",
    "JobTimeout",
    "KSets",
    "LabError",
    "Labels",
    "LimitedPool",
    "Meeting",
    "Online",
    "Percolation",
    "PhaseTransition",
    "Protocol",
    "Referee",
    "Row",
    "Run",
    "RunError",
    "Scaling",
    "Sharpness",
    "SiteKind",
    "TorusGame",
    "TorusStart",
    "Tournament",
    "Turns",
    "Wrapping",
    "connected",
    "inferred",
    "play_by_inference",
    "played",
    "require_matplotlib",
    "sentences",
    "spaced",
    "summary",
]
