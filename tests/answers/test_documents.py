"""Answers as JSON: the keys that are promised, the same types everywhere, numbers of any length."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, NoReturn

import pytest

import sapper
from sapper import answers
from sapper.answers import documents
from sapper.errors import TooWide
from sapper.methods import Brute
from sapper.questions import Budget, Findings

SMALL = sapper.Position(sapper.Grid(3, 3), ["1??", "12?", "_1?"], mines=2)


def read(document: Any) -> Any:
    return json.loads("".join(answers.written(document)))


def keys(kind: Any) -> set[str]:
    return set(kind.__required_keys__)


def test_an_analysis() -> None:
    known = answers.Known(sapper.analyze(SMALL))
    found = read(answers.analysis(known, seconds=0.5, exact=True))
    assert set(found) == keys(documents.AnalysisAnswer)
    assert found["cells"][2] == {
        "cell": [1, 2],
        "verdict": "unknown",
        "probability": 0.5,
        "exact": "1/2",
    }
    assert (found["method"], found["seconds"], found["missing"]) == ("engine", 0.5, [])


def test_what_a_method_does_not_know_is_missing() -> None:
    known = answers.Known(sapper.analyze(SMALL, method="kset", k=3))
    found = read(answers.analysis(known, seconds=0))
    assert found["missing"] == ["consistent", "count", "probabilities"]
    assert (found["count"], found["cells"][0]["probability"]) == (None, None)
    assert found["best"] == [[0, 2]]
    assert known.limit is None


@pytest.mark.parametrize(
    ("error", "hit"),
    [
        (sapper.LimitExceeded("seconds", allowed=1, spent=2), True),
        (TooWide(expected=1e30), False),
    ],
)
def test_verdicts_are_shown_when_there_is_no_count(error: Exception, hit: bool) -> None:
    class Short(Findings):
        def find_consistent(self, budget: Budget) -> bool:
            return True

        def find_verdict_codes(self, budget: Budget) -> bytes:
            return bytes([1, 0, 2, 2])

        def find_count(self, budget: Budget) -> NoReturn:
            raise error

    known = answers.Known(sapper.Analysis(Short(Brute(), SMALL)))
    found = read(answers.analysis(known, seconds=0))
    assert found["missing"] == ["count", "probabilities"]
    assert len(found["cells"]) == 4
    assert (known.limit is not None) is hit


def test_time_that_is_up_is_up_for_all_questions() -> None:
    asked = []

    class Slow(Findings):
        def find_verdict_codes(self, budget: Budget) -> bytes:
            return bytes([1, 0, 2, 2])

        def find_consistent(self, budget: Budget) -> bool:
            return True

        def find_count(self, budget: Budget) -> NoReturn:
            raise sapper.LimitExceeded("seconds", allowed=1, spent=2)

        def find_probabilities(self, budget: Budget) -> NoReturn:
            asked.append("probabilities")
            raise sapper.LimitExceeded("seconds", allowed=1, spent=2)

    known = answers.Known(sapper.Analysis(Slow(Brute(), SMALL)))
    known.ask(exact=True)
    assert list(known.missing) == ["count", "probabilities", "exact"]
    assert asked == []


def test_probability_is_a_number_everywhere() -> None:
    undecided = read(answers.explanation(sapper.explain(SMALL, (1, 2)), seconds=0))
    assert set(undecided) == keys(documents.ExplanationAnswer)
    assert (undecided["probability"], undecided["exact"]) == (0.5, "1/2")
    assert len(undecided["solutions"]) == 2
    certain = read(answers.explanation(sapper.explain(SMALL, (0, 1)), seconds=0))
    assert (certain["probability"], certain["exact"]) == (1.0, "1")
    assert certain["clues"][0].keys() == keys(documents.ClueAnswer)


def test_every_answer_says_method_and_seconds() -> None:
    view = sapper.solutions(SMALL)
    said: Any = {"method": "engine", "seconds": 0.25}
    cheapest = view.cheapest({(1, 2): Fraction(1, 2)})
    for document, kind in [
        (answers.check(SMALL, True, **said), documents.CheckAnswer),
        (answers.count(2, {2: 2}, **said), documents.CountAnswer),
        (answers.solutions(SMALL, view, 2, **said), documents.SolutionsAnswer),
        (answers.sample(SMALL, view.sample(3), **said), documents.SampleAnswer),
        (answers.cheapest(SMALL, cheapest, **said), documents.CheapestAnswer),
        (answers.estimate(sapper.estimate(SMALL), **said), documents.EstimateAnswer),
    ]:
        found = read(document)
        assert keys(kind) <= set(found)
        assert (found["method"], found["seconds"]) == ("engine", 0.25)


def test_integers_of_any_length() -> None:
    big = 7**20_000
    found = "".join(answers.written({"count": big, "by_mines": {1: big}, "deep": [{"n": -big}]}))
    text = answers.digits(big)
    assert found == f'{{"count": {text}, "by_mines": {{"1": {text}}}, "deep": [{{"n": -{text}}}]}}'


def test_nothing_that_is_not_json_is_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        list(answers.written({"cost": float("nan")}))
    with pytest.raises(sapper.SapperError, match="cannot name the cell"):
        read(
            answers.sample(
                sapper.Clues([sapper.Clue(1, [1.5])]), [frozenset({1.5})], method="", seconds=0
            )
        )


@pytest.mark.parametrize(
    ("error", "kind", "place"),
    [
        (sapper.FormatError("odd", line=2, column=3), "input", {"line": 2, "column": 3}),
        (sapper.FormatError("odd"), "input", None),
        (sapper.UnknownCellError((9, 9)), "input", {"cell": "9,9"}),
        (sapper.InconsistentError("none"), "no", None),
        (sapper.LimitExceeded("nodes", allowed=1, spent=2), "limit", None),
        (MemoryError(), "limit", None),
        (FileNotFoundError(2, "No such file", "a.txt"), "input", None),
        (ZeroDivisionError("oh"), "internal", None),
    ],
)
def test_errors(error: Exception, kind: str, place: object) -> None:
    found = read(answers.error(error))["error"]
    assert (found["kind"], found["place"]) == (kind, place)
    assert found["message"]


def test_errors_name_their_source_once() -> None:
    named = sapper.FormatError("odd", line=1, column=1, source="a.txt")
    assert answers.error(named, "a.txt")["error"]["message"] == "a.txt: line 1, column 1: odd"
    assert answers.error(sapper.FormatError("odd"), "a.txt")["error"]["message"] == "a.txt: odd"


@pytest.mark.parametrize(("text", "cell"), [("1,2", (1, 2)), ("(1, 2)", (1, 2)), ("[1,2]", (1, 2))])
def test_cells_are_read_as_they_are_written(text: str, cell: tuple[int, int]) -> None:
    assert answers.cell_named(SMALL, text) == cell
    assert answers.cell_named(SMALL, answers.cell_name(cell)) == cell


def test_cells_of_graphs_and_clues() -> None:
    graph = sapper.Position(sapper.Graph.from_edges([("hut", 7), (7, "1,2"), (7, (3, 4))]), {})
    for cell in ("hut", 7, "1,2", (3, 4)):
        assert answers.cell_named(graph, answers.cell_name(cell)) == cell
    clues = sapper.Clues([sapper.Clue(1, "uv")])
    assert answers.cell_named(clues, "v") == "v"
    with pytest.raises(sapper.PositionError, match="'w' is not a cell of these clues, such as v"):
        answers.cell_named(clues, "w")


@pytest.mark.parametrize("text", ["0", "0,1,2", "x", "", "0,x"])
def test_what_is_no_cell_is_told_so(text: str) -> None:
    with pytest.raises(sapper.PositionError, match="is not a cell of a 3×3 grid, such as 2,2"):
        answers.cell_named(SMALL, text)
    with pytest.raises(sapper.UnknownCellError, match="no cell \\(-1, 2\\) in a 3×3 grid"):
        answers.cell_named(SMALL, "-1,2")
