"""DIMACS, OPB and LP say the same as the position: their models are its legal assignments."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from pysat.formula import CNF
from pysat.solvers import Solver

from sapper.clues import Clue, Clues
from sapper.errors import FormatError
from sapper.field import Grid, Position
from sapper.formats import dump, parse, read
from sapper.formats.solvers import dump_dimacs
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


def models_of_cnf(text: str) -> set[tuple[int, ...]]:
    cnf = CNF(from_string=text)
    header = re.search(r"^p cnf (\d+) (\d+)$", text, re.MULTILINE)
    assert header is not None
    variables, clauses = map(int, header.groups())
    assert sum(line[0] not in "cp" for line in text.splitlines()) == clauses
    if any(not clause for clause in cnf.clauses):
        return set()
    found = set()
    for bits in product((0, 1), repeat=variables):
        true = {v if bit else -v for v, bit in enumerate(bits, start=1)}
        if all(true.intersection(clause) for clause in cnf.clauses):
            found.add(bits)
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
    expected = legal(position)
    assert models_of_cnf(dump(position, "dimacs")) == expected
    assert models_of_lp(dump(position, "lp"), len(position.covered)) == expected
    if position.covered:
        assert models_of_opb(dump(position, "opb")) == expected


@settings(deadline=None)
@given(clue_systems())
def test_clue_systems(clues: Clues) -> None:
    expected = legal(clues)
    assert models_of_opb(dump(clues, "opb")) == expected
    numbers = [n for clue in clues.clues for n in (clue.count, *(clue.weights or ()))]
    if max(map(abs, numbers), default=0) <= 2**53:
        assert models_of_lp(dump(clues, "lp"), len(clues.cells)) == expected
    if all(clue.weights is None for clue in clues.clues):
        assert models_of_cnf(dump(clues, "dimacs")) == expected


def test_a_sat_solver_enumerates_the_legal_assignments() -> None:
    with Solver(bootstrap_with=CNF(from_string=dump(BOARD, "dimacs"))) as solver:
        models: list[Any] = list(solver.enum_models())
    assert {tuple(int(v > 0) for v in model) for model in models} == legal(BOARD)
    assert len(models) == len(legal(BOARD))


def test_an_expert_board_without_its_total() -> None:
    from pathlib import Path

    position = read(Path(__file__).parents[2] / "examples" / "expert.txt")
    assert isinstance(position, Position)
    with Solver(bootstrap_with=CNF(from_string=dump(position, "dimacs", total=False))) as solver:
        assert solver.solve()


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
    assert models_of_cnf(dump(position, "dimacs")) == set()
    assert models_of_opb(dump(position, "opb")) == set()
    assert "+0 x1 = 1 ;" in dump(position, "opb")
    assert "0 x1" in dump(position, "lp")
    nothing = Position(Grid(1, 1), ["_"])
    assert "p cnf 0 0" in dump(nothing, "dimacs")
    assert "#variable= 0 #constraint= 0" in dump(nothing, "opb")


def test_cnf_refuses_what_would_explode() -> None:
    wide = Position(Grid(10, 10), {}, mines=50)
    with pytest.raises(FormatError, match="over 1,000,000 clauses, last for all mines over 100"):
        dump(wide, "dimacs")
    assert "p cnf 100 0" in dump(wide, "dimacs", total=False)
    assert "all mines" in dump(wide, "opb")
    with pytest.raises(FormatError, match="over 3 clauses"):
        dump_dimacs(BOARD, max_clauses=3)


def test_cnf_and_lp_refuse_weights_they_cannot_hold() -> None:
    clues = Clues([Clue(3, "ab", weights=[1, 2**60])])
    with pytest.raises(FormatError, match="clue 1 is weighted: use opb or lp"):
        dump(clues, "dimacs")
    with pytest.raises(FormatError, match="clue 1 exactly: use opb"):
        dump(clues, "lp")
    assert f"+1 x1 +{2**60} x2 = 3 ;" in dump(clues, "opb")


def test_the_same_equations_from_a_position_and_its_clues() -> None:
    for position in (BOARD, parse("mines: 3\n1*2?\n??1?\n_1??")):
        assert isinstance(position, Position)
        for kind in ("dimacs", "opb", "lp"):
            assert dump(Clues.from_position(position), kind) == dump(position, kind)
