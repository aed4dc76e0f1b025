"""The documents themselves: which keys an answer has, and what stands there.

Typed dictionaries: what is built is what is written, and a schema can be read off the types.
A `Name` is a cell as JSON has it: a string, a whole number, or a list of these. Lists that may be
long are `Iterable`: they are written while they are made.
"""

from collections.abc import Iterable
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Name: TypeAlias = Any
"""A cell: ``[row, column]`` on a board, a string or a number in a graph."""


class Answer(TypedDict):
    """What every answer says of itself: which method gave it, and how long it took."""

    method: str
    seconds: float


class CellAnswer(TypedDict):
    """A covered cell; `exact` is the probability as a fraction, where it was asked for."""

    cell: Name
    verdict: Literal["safe", "mine", "unknown"]
    probability: float | None
    exact: NotRequired[str]


class AnalysisAnswer(Answer):
    """What is certain and what is likely; `missing` names what could not be had."""

    consistent: bool | None
    count: int | None
    mines: int | None
    cells: Iterable[CellAnswer]
    best: Iterable[Name]
    problems: list[str]
    missing: list[str]


class CheckAnswer(Answer):
    """Whether there is a legal assignment; `problems` are those that one can see."""

    consistent: bool
    problems: list[str]


class CountAnswer(Answer):
    """How many legal assignments there are, and how many for each number of mines."""

    count: int
    by_mines: dict[int, int] | None


class SolutionsAnswer(Answer):
    """Legal assignments, each as its mined cells; `count` is None if the method does not count."""

    count: int | None
    solutions: Iterable[list[Name]]


class UniqueAnswer(Answer):
    """The only legal assignment, or a second one and the cells in which they differ."""

    unique: bool
    layout: list[Name]
    second: list[Name] | None
    differing: list[Name]


class SampleAnswer(Answer):
    """Legal assignments that were drawn."""

    solutions: Iterable[list[Name]]


class CheapestAnswer(Answer):
    """A legal assignment of least cost; None if there is none."""

    cost: int | float | None
    solution: list[Name] | None


class ClueAnswer(TypedDict):
    """A clue: `count` mines among `cells`; `total` tells whether it is the mine total."""

    cell: Name | None
    count: int
    cells: list[Name]
    total: bool
    weights: NotRequired[list[int]]


class ExplanationAnswer(Answer):
    """Why a cell is what it is; `exact` is the probability as a fraction."""

    cell: Name
    verdict: Literal["safe", "mine", "unknown", "inconsistent"]
    clues: list[ClueAnswer]
    text: str
    steps: list[str]
    smallest: bool
    probability: float | None
    exact: str | None
    solutions: list[list[Name]]


class EstimateAnswer(Answer):
    """What answering would cost; None stands for what no machine holds."""

    components: int
    width: int
    nodes: int | float | None
    bytes: int | float | None
    forced: NotRequired[int]
    free: NotRequired[int]
    parts: list[dict[str, Any]]


class PolynomialAnswer(TypedDict):
    """P_i(A): the polynomial of a node under an assignment of the covered cells of its bag."""

    node: int
    assignment: str
    polynomial: str


class DecompositionAnswer(TypedDict):
    """A tree decomposition: bags, and which two are joined, counted from 0."""

    width: int
    bags: list[list[Name]]
    edges: list[list[int]]
    table: list[PolynomialAnswer] | None
    seconds: float


class StrategyAnswer(TypedDict):
    """The games of one strategy; `luck` is the mean over those won, `failures` by game."""

    strategy: str
    games: int
    wins: int
    rate: float
    interval: list[float]
    guesses: int
    luck: float | None
    failures: dict[str, str]
    seconds: float
    games_per_second: float | None


class LeadAnswer(TypedDict):
    """By how much `first` is ahead of `second` on the same boards, and whether that is clear."""

    first: str
    second: str
    value: float
    error: float
    interval: list[float]
    better: int
    worse: int
    is_clear: bool


class TestAnswer(TypedDict):
    """A sequential test; `standing` is None as long as nobody can say."""

    first: str
    second: str
    standing: Literal["first", "second", "neither"] | None
    games: int
    margin: float
    alpha: float
    beta: float
    ratios: list[float]
    bounds: list[float]


class TournamentAnswer(TypedDict):
    """Strategies side by side, what was played, and who is ahead."""

    board: str
    rule: str
    start: Name
    seed: int
    suite: str | None
    results: list[StrategyAnswer]
    differences: list[LeadAnswer]
    tests: list[TestAnswer]
    verdicts: list[str]
    directory: str | None


class ConversionAnswer(TypedDict):
    """A puzzle as text in some format."""

    format: str
    text: str


class Problem(TypedDict):
    """What went wrong: its kind, a sentence, and where in the input, if anywhere.

    ``"large"`` and ``"busy"`` are said by the server only.
    """

    kind: Literal["input", "large", "no", "busy", "limit", "internal"]
    message: str
    place: dict[str, Any] | None


class ErrorAnswer(TypedDict):
    """The answer where there is none."""

    error: Problem
