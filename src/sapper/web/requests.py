"""What may be asked: one typed dictionary for each address.

The types are the description: what does not fit them is refused with its place, and the OpenAPI
document is read off them.
"""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from sapper.play import Level

__all__ = [
    "AnalyzeRequest",
    "BoardWish",
    "CheckRequest",
    "ConvertRequest",
    "CountRequest",
    "DigsRequest",
    "EstimateRequest",
    "ExplainRequest",
    "GenerateRequest",
    "MoveRequest",
    "NewRequest",
    "OpeningsRequest",
    "ReadRequest",
    "ReviewRequest",
    "SampleRequest",
    "Text",
]

JsonCell: TypeAlias = Any
"""A cell: ``[row, column]`` on a board, a string or a number in a graph."""
JsonPosition: TypeAlias = Any
"""A position or a clue system as JSON; or ``{"text": …}`` in any format that can be read."""


class Text(TypedDict):
    """A text in any format, or a file as `data` in base64, which `name` may tell the format of.

    What is given besides replaces what the text says.
    """

    text: NotRequired[str]
    data: NotRequired[str]
    name: NotRequired[str | None]
    format: NotRequired[str | None]
    mines: NotRequired[int | None]
    topology: NotRequired[str | None]


class Allowed(TypedDict):
    """What an answer may cost; never more than the server allows."""

    seconds: NotRequired[float | None]
    nodes: NotRequired[int | None]
    bytes: NotRequired[int | None]


class Question(TypedDict):
    """A question about a position."""

    position: JsonPosition
    method: NotRequired[str | None]
    limits: NotRequired[Allowed | None]


class AnalyzeRequest(Question):
    """Asks what is certain and what is likely; `exact` for the chances as fractions too."""

    exact: NotRequired[bool]


class ExplainRequest(Question):
    """Asks why a cell is what it is; `smallest` for as few clues as can be."""

    cell: JsonCell
    smallest: NotRequired[bool]


class CheckRequest(Question):
    """Asks whether there is a legal assignment, and what contradicts if there is none."""


class CountRequest(Question):
    """Asks for the number of legal assignments, and unless `by_mines` is false by their mines."""

    by_mines: NotRequired[bool]


class SampleRequest(Question):
    """Asks for `n` legal assignments, all equally likely; the same seed draws the same."""

    n: NotRequired[int]
    seed: NotRequired[int | None]


class DigsRequest(TypedDict):
    """Asks what digs are good for: those in `cells`, or the best, `n` of them."""

    position: JsonPosition
    cells: NotRequired[list[JsonCell] | None]
    n: NotRequired[int]
    limits: NotRequired[Allowed | None]


class OpeningsRequest(TypedDict):
    """Asks how likely each covered cell is to show a zero, so that all around it opens."""

    position: JsonPosition
    limits: NotRequired[Allowed | None]


class ReadRequest(TypedDict):
    """Asks what a text or a file holds."""

    position: JsonPosition


class EstimateRequest(Question):
    """Asks what an analysis would cost."""


class ConvertRequest(TypedDict):
    """Asks for a position in the format `to`, with its mine total unless `total` is false."""

    position: JsonPosition
    to: str
    total: NotRequired[bool]


class BoardWish(TypedDict):
    """A board by its field and how many mines it has."""

    topology: Any
    mines: int


class NewRequest(TypedDict):
    """Asks for mines for a game whose first dig is `start`."""

    board: str | BoardWish
    start: NotRequired[JsonCell]
    rule: NotRequired[Literal["any", "safe", "zero"]]
    no_guess: NotRequired[bool]
    grade: NotRequired[Level | None]
    seed: NotRequired[int | None]
    limits: NotRequired[Allowed | None]


class GenerateRequest(TypedDict):
    """Asks for `n` boards, as `sapper generate` makes them; their seeds follow from `seed`."""

    board: str | BoardWish
    start: NotRequired[JsonCell]
    rule: NotRequired[Literal["any", "safe", "zero"]]
    no_guess: NotRequired[bool]
    total: NotRequired[bool]
    grade: NotRequired[Level | None]
    method: NotRequired[Literal["auto", "uniform", "walk"]]
    n: NotRequired[int | None]
    seed: NotRequired[int | None]
    limits: NotRequired[Allowed | None]


class MoveRequest(TypedDict):
    """Asks what a strategy would dig; `rule` tells how a game begins that nothing was dug in."""

    position: JsonPosition
    strategy: NotRequired[str]
    rule: NotRequired[Literal["any", "safe", "zero"]]
    seed: NotRequired[int | None]


class ReviewRequest(TypedDict):
    """Asks how a game was played: its mines, and moves such as ``["dig", [0, 3]]``; or a replay."""

    board: NotRequired[str | BoardWish]
    layout: NotRequired[list[JsonCell]]
    moves: NotRequired[list[list[Any]]]
    text: NotRequired[str]
    data: NotRequired[str]
    name: NotRequired[str | None]
    format: NotRequired[str | None]
    rule: NotRequired[Literal["any", "safe", "zero"] | None]
    limits: NotRequired[Allowed | None]
