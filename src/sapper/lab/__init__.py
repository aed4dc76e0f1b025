"""The papers' experiments, as programs that can be stopped, resumed and repeated.

A *run* is one directory: `config.json` with parameters, seed and versions, `results.sqlite` with
one row per finished job, and what is made of them (`results.csv`, `report.md`, pictures).
"""

from sapper.lab.experiment import Experiment, Job
from sapper.lab.generation import Generation
from sapper.lab.pool import JobCrashed, JobTimeout, LimitedPool
from sapper.lab.runner import Run, RunError

__all__ = [
    "Experiment",
    "Generation",
    "Job",
    "JobCrashed",
    "JobTimeout",
    "LimitedPool",
    "Run",
    "RunError",
]
