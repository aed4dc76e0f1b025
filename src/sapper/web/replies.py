"""What is answered beyond the documents that `--json` prints.

Whole numbers stand there as such, however long. Browsers read them as floats, so those that can be
longer than 53 bits stand there as text too, under a key that ends in ``_text``.
"""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from sapper.answers import (
    AnalysisAnswer,
    BoardAnswer,
    ChanceAnswer,
    CheckAnswer,
    ClueAnswer,
    ConversionAnswer,
    CountAnswer,
    Problem,
)

__all__ = [
    "AboutReply",
    "AnalysisReply",
    "BoardsReply",
    "CheckReply",
    "ConversionReply",
    "CountReply",
    "DigsReply",
    "ErrorReply",
    "GenerateReply",
    "MoveReply",
    "NewReply",
    "OpeningsReply",
    "ReadReply",
]

Name: TypeAlias = Any
"""A cell: ``[row, column]`` on a board, a string or a number in a graph."""


class AnalysisReply(AnalysisAnswer):
    """What is certain and what is likely; `missing` names what could not be had."""

    count_text: str | None


class CountReply(CountAnswer):
    """How many legal assignments there are, and how many for each number of mines."""

    count_text: str
    by_mines_text: dict[int, str] | None


class Contradiction(TypedDict):
    """Clues that contradict each other, none of which can be left out, and how."""

    clues: list[ClueAnswer]
    text: str
    steps: list[str]


class CheckReply(CheckAnswer):
    """Whether there is a legal assignment; if not, what one can see and what contradicts."""

    contradiction: Contradiction | None


class BoardReply(TypedDict):
    """A field and how many mines it has."""

    name: str
    title: str
    topology: Any
    mines: int


class NewReply(TypedDict):
    """Where the mines are; `seed` makes the same again."""

    topology: Any
    mines: int
    layout: list[Name]
    start: Name | None
    rule: str
    seed: int
    seed_text: str


class MoveReply(TypedDict):
    """What a strategy digs: all that is certainly safe, or one guess."""

    strategy: str
    cells: list[Name]


class ConversionReply(ConversionAnswer):
    """A puzzle in another format; what is bytes, not text, stands under `data` in base64."""

    data: str | None


class DigReply(TypedDict):
    """A dig: the chance to survive it, to know more then, and to win; of each number it may show.

    `wins` is null where it is not known.
    """

    cell: Name
    survival: ChanceAnswer
    progress: ChanceAnswer
    wins: ChanceAnswer | None
    numbers: dict[int, ChanceAnswer]


class DigsReply(TypedDict):
    """Digs side by side; `champion` is what the strongest strategy digs, null without a total."""

    digs: list[DigReply]
    champion: Name | None


class OpeningReply(TypedDict):
    """A covered cell and its chance to show a zero: 0 or 1 only where that is certain."""

    cell: Name
    probability: float


class OpeningsReply(TypedDict):
    """The chances of all covered cells."""

    openings: list[OpeningReply]


class ReadReply(TypedDict):
    """What a text or a file holds, and how it was read.

    `position` is what is visible, as JSON; `layout` where the mines are, `start` the first dig and
    `moves` what was played, as far as that is known.
    """

    format: str
    holds: Literal["position", "clues", "layout", "replay"]
    notes: list[str]
    position: dict[str, Any]
    layout: list[Name] | None
    start: Name | None
    moves: list[list[Any]] | None


class GeneratedReply(BoardAnswer):
    """A full board as a position, and how it was made; `seed` makes it again."""

    seed_text: str


class GenerateReply(TypedDict):
    """Boards that were made to order."""

    boards: list[GeneratedReply]


class BoardsReply(TypedDict):
    """The boards that everybody knows, and graphs to play on."""

    presets: list[BoardReply]
    gallery: list[BoardReply]


class Allowances(TypedDict):
    """What a request may have and cost at most."""

    body: int
    cells: int
    seconds: float
    bytes: int


class AboutReply(TypedDict):
    """What this server can do."""

    version: str
    readable: list[str]
    writable: list[str]
    methods: list[str]
    strategies: list[str]
    rules: list[str]
    topologies: list[str]
    limits: Allowances


class ErrorReply(TypedDict):
    """What went wrong; after a limit `partial` has what was known by then."""

    error: Problem
    partial: NotRequired[AnalysisReply]
