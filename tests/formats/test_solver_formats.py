"""DIMACS, OPB and LP say the same as the position: their models are its legal assignments."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from pysat.formula import CNF
from pysat.solvers import Solver

import sapper
from sapper.clues import Clue, Clues
from sapper.errors import FormatError
from sapper.field import Grid, Position
from sapper.formats import dump, parse, read
from sapper.formats.dimacs import ENCODINGS
from tests.field.fields import fields, positions
from tests.formats.test_round_trips import clue_systems

Puzzle = Position | Clues
BOARD = Position(Grid(3, 3), ["1??", "12?", "_1?"], mines=2)


def legal(puzzle: Puzzle) -> set[tuple[int, ...]]:
    """All legal assignments as 0-1 vectors over the covered cells, by definition alone."""
    cells = puzzle.covered if isinstance(puzzle, Position) else puzzle.cells
    found = set()
    for bits in product((0, 1), repeat=len(cells)):
        mines = {cell for cell, bit in zip(cells, bits, strict=True) if bit}
        if isinstance(puzzle, Position):
            mines.update(puzzle.known_mines)
            around = puzzle.topology.neighbours
            right = all(len(mines.intersection(around(c))) == n for c, n in puzzle.numbers.items())
            total = len(mines)
        else:
            right = all(clue.is_satisfied_by(mines) for clue in puzzle.clues)
            total = len(mines) + puzzle.known_mines
        if right and puzzle.mines in (None, total):
            found.add(bits)
    return found


def models_of_cnf(text: str, cells: int) -> set[tuple[int, ...]]:
    """The models over the cells; that no two have the same cells is checked on the way."""
    cnf = CNF(from_string=text)
    header = re.search(r"^p cnf (\d+) (\d+)$", text, re.MULTILINE)
    assert header is not None
    variables, clauses = map(int, header.groups())
    assert sum(line[0] not in "cp" for line in text.splitlines()) == clauses
    if any(not clause for clause in cnf.clauses):
        return set()
    # Each variable occurs, so that a model says something of all.
    everything = [*cnf.clauses, *([v, -v] for v in range(1, variables + 1))]
    with Solver(bootstrap_with=everything) as solver:
        models: list[Any] = list(solver.enum_models()) if everything else [[]]
    found = {tuple(int(v > 0) for v in model[:cells]) for model in models}
    assert len(found) == len(models)
    return found


def solutions_of(rows: list[tuple[list[tuple[int, int]], int]], size: int) -> set[tuple[int, ...]]:
    return {
        bits
        for bits in product((0, 1), repeat=size)
        if all(sum(w * bits[v - 1] for w, v in terms) == count for terms, count in rows)
    }


def models_of_opb(text: str) -> set[tuple[int, ...]]:
    first, *lines = text.splitlines()
    header = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", first)
    assert header is not None
    rows = []
    for line in lines:
        if not line.startswith("*"):
            row = re.fullmatch(r"((?:[+-]\d+ x\d+ )+)= (-?\d+) ;", line)
            assert row is not None, line
            terms = re.findall(r"([+-]\d+) x(\d+)", row[1])
            rows.append(([(int(w), int(v)) for w, v in terms], int(row[2])))
    assert len(rows) == int(header[2])
    return solutions_of(rows, int(header[1]))


def models_of_lp(text: str, size: int) -> set[tuple[int, ...]]:
    lines = [line for line in text.splitlines() if not line.startswith("\\")]
    assert all(len(line) <= 255 for line in lines)
    body = re.fullmatch(
        r"Minimize obj: 0 x1 Subject To(.*)Binary(.*)End", " ".join(" ".join(lines).split())
    )
    assert body is not None
    assert body[2].split() == [f"x{v}" for v in range(1, max(size, 1) + 1)]
    rows = []
    for row in re.split(r"c\d+:", body[1])[1:]:
        left, right = row.split("=")
        terms = re.findall(r"([+-]?) ?(\d+) x(\d+)", left)
        rows.append(([(int(sign + weight), int(v)) for sign, weight, v in terms], int(right)))
    if size:
        return solutions_of(rows, size)
    # Only x1 is there, for the objective, and an equation without cells is a contradiction.
    return set() if rows else {()}


def small(puzzle: Puzzle) -> bool:
    return len(puzzle.covered if isinstance(puzzle, Position) else puzzle.cells) <= 8


@settings(deadline=None)
@given(positions(fields()).filter(small))
def test_positions(position: Position) -> None:
    expected, cells = legal(position), len(position.covered)
    for encoding in ENCODINGS:
        assert models_of_cnf(dump(position, "dimacs", encoding=encoding), cells) == expected
    assert models_of_lp(dump(position, "lp"), cells) == expected
    if position.covered:
        assert models_of_opb(dump(position, "opb")) == expected


@settings(deadline=None)
@given(clue_systems())
def test_clue_systems(clues: Clues) -> None:
    expected, cells = legal(clues), len(clues.cells)
    assert models_of_opb(dump(clues, "opb")) == expected
    numbers = [n for clue in clues.clues for n in (clue.count, *(clue.weights or ()))]
    if max(map(abs, numbers), default=0) <= 2**53:
        assert models_of_lp(dump(clues, "lp"), cells) == expected
    plain = all(clue.weights is None for clue in clues.clues)
    for encoding in ENCODINGS if plain else ("auto", "adder"):
        assert models_of_cnf(dump(clues, "dimacs", encoding=encoding), cells) == expected


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_total_over_many_cells_counts_the_same(encoding: str) -> None:
    position = parse("mines: 4\n1???\n????\n???2")
    text = dump(position, "dimacs", encoding=encoding)
    assert len(models_of_cnf(text, 10)) == sapper.count(position)


def test_an_expert_board_with_its_total() -> None:
    position = read(Path(__file__).parents[2] / "examples" / "expert.txt")
    assert isinstance(position, Position)
    assert position.mines is not None
    cells = len(position.covered)
    for encoding in ("auto", "adder"):
        text = dump(position, "dimacs", encoding=encoding)
        with Solver("cadical153", bootstrap_with=CNF(from_string=text)) as solver:
            assert solver.solve()
            model = solver.get_model()
        assert model is not None
        mines = {cell for cell, v in zip(position.covered, model[:cells], strict=True) if v > 0}
        assert Clues.from_position(position).is_solution(mines)


def test_variables_are_explained() -> None:
    for kind, mark in (("dimacs", "c var 3 = (1, 2)"), ("opb", "* var x3 = (1, 2)")):
        assert mark in dump(BOARD, kind).splitlines()
    assert "\\ var x3 = (1, 2)" in dump(BOARD, "lp").splitlines()
    assert "c clue at (1, 1)" in dump(BOARD, "dimacs").splitlines()


def test_names_never_break_a_line() -> None:
    class Node:
        def __repr__(self) -> str:
            return "two\nlines"

    clues = Clues([Clue(1, [Node()], cell=Node())])
    for kind in ("dimacs", "opb", "lp"):
        assert "two lines" in dump(clues, kind)
        assert "\nlines" not in dump(clues, kind)


def test_contradictions_without_cells() -> None:
    position = Position(Grid(1, 2), ["1_"])
    assert models_of_cnf(dump(position, "dimacs"), 0) == set()
    assert models_of_opb(dump(position, "opb")) == set()
    assert "+0 x1 = 1 ;" in dump(position, "opb")
    assert "0 x1" in dump(position, "lp")
    nothing = Position(Grid(1, 1), ["_"])
    assert "p cnf 0 0" in dump(nothing, "dimacs")
    assert "#variable= 0 #constraint= 0" in dump(nothing, "opb")


def test_encodings_refuse_what_would_explode() -> None:
    wide = Position(Grid(100, 100), {}, mines=5000)
    for encoding in ("direct", "counter"):
        with pytest.raises(FormatError, match="over 1,000,000 clauses for all mines over 10,000"):
            dump(wide, "dimacs", encoding=encoding)
    assert "p cnf 10000 0" in dump(wide, "dimacs", total=False)
    assert "all mines" in dump(wide, "opb")
    with pytest.raises(FormatError, match="no encoding 'x': use auto, direct, counter, adder"):
        dump(BOARD, "dimacs", encoding="x")
    with pytest.raises(FormatError, match="the format text takes no option 'encoding'"):
        dump(BOARD, "text", encoding="auto")


def test_a_total_of_many_thousands_is_written_with_adders() -> None:
    text = dump(Position(Grid(100, 100), {}, mines=5000), "dimacs")
    header = re.search(r"^p cnf (\d+) (\d+)$", text, re.MULTILINE)
    assert header is not None
    assert int(header[2]) < 150_000
    assert "auxiliary variables: 10001 to" in text


def test_cnf_and_lp_refuse_weights_they_cannot_hold() -> None:
    clues = Clues([Clue(3, "ab", weights=[1, 2**60])])
    with pytest.raises(FormatError, match="clue 1 has weights, which only the encoding 'adder'"):
        dump(clues, "dimacs", encoding="counter")
    with pytest.raises(FormatError, match="clue 1 exactly: use opb"):
        dump(clues, "lp")
    assert f"+1 x1 +{2**60} x2 = 3 ;" in dump(clues, "opb")


def test_the_same_equations_from_a_position_and_its_clues() -> None:
    for position in (BOARD, parse("mines: 3\n1*2?\n??1?\n_1??")):
        assert isinstance(position, Position)
        for kind in ("dimacs", "opb", "lp"):
            assert dump(Clues.from_position(position), kind) == dump(position, kind)
