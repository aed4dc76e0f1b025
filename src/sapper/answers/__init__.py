"""The JSON documents of answers: what ``--json`` prints and the page's interface sends.

One typed dictionary for each kind of answer, one function that builds it from what the package
returned, and one writer that takes integers of any length and lists as long as one likes.
"""

from sapper.answers.boards import BoardAnswer, boards, grade, grades, unique_positions
from sapper.answers.building import (
    analysis,
    cheapest,
    check,
    conversion,
    count,
    decomposition,
    error,
    estimate,
    explanation,
    kind_of,
    polynomials,
    problems,
    sample,
    solutions,
    unique,
)
from sapper.answers.documents import (
    AnalysisAnswer,
    CheckAnswer,
    ClueAnswer,
    ConversionAnswer,
    CountAnswer,
    EstimateAnswer,
    ExplanationAnswer,
    Problem,
    SampleAnswer,
)
from sapper.answers.known import Known
from sapper.answers.names import cell_name, cell_named
from sapper.answers.playing import tournament
from sapper.answers.reviewing import ChanceAnswer, ReviewAnswer, chance, review
from sapper.answers.writing import digits, written

__all__ = [
    "AnalysisAnswer",
    "BoardAnswer",
    "ChanceAnswer",
    "CheckAnswer",
    "ClueAnswer",
    "ConversionAnswer",
    "CountAnswer",
    "EstimateAnswer",
    "ExplanationAnswer",
    "Known",
    "Problem",
    "ReviewAnswer",
    "SampleAnswer",
    "analysis",
    "boards",
    "cell_name",
    "cell_named",
    "chance",
    "cheapest",
    "check",
    "conversion",
    "count",
    "decomposition",
    "digits",
    "error",
    "estimate",
    "explanation",
    "grade",
    "grades",
    "kind_of",
    "polynomials",
    "problems",
    "review",
    "sample",
    "solutions",
    "tournament",
    "unique",
    "unique_positions",
    "written",
]
