"""A mine total on a component that is wide: counts in limbs, few levels kept, tilted samples."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

import sapper
from sapper import Clue, Clues, Grid, Limits, Position
from sapper._native import run_under
from sapper.engine import EngineMethod
from sapper.engine.exact import count_by_mines
from sapper.engine.residues import polynomials, reconstruct
from sapper.game import Layout
from sapper.limits import Budget

MB = 10**6


def board(side: int, mines: int, visible: int, seed: int, *, total: bool = True) -> Position:
    """Return a grid with so many per cent of mines, and of its free cells shown."""
    rng = random.Random(f"{side}-{mines}-{visible}-{seed}")
    field = Grid(side, side)
    cells = list(field.cells)
    layout = Layout(field, rng.sample(cells, len(cells) * mines // 100))
    free = [cell for cell in cells if cell not in layout.mines]
    return layout.position(rng.sample(free, len(free) * visible // 100), total=total)


WIDE = board(60, 30, 35, 41)


def large_groups(seed: int) -> Clues:
    """Return clues that share many cells at once, so that weights and counts are long."""
    rng = random.Random(seed)
    names = iter(range(10**6))
    blocks = [[next(names) for _ in range(rng.choice([1, 20, 70]))] for _ in range(3)]
    mined = {cell for block in blocks for cell in block if rng.random() < 0.4}
    clues = []
    for first in range(2):
        cells = [cell for block in blocks[first : first + 2] for cell in block]
        clues.append(Clue(len(mined.intersection(cells)), tuple(cells)))
    return Clues(clues)


LARGE_GROUPS = [large_groups(seed) for seed in range(6)]


@pytest.mark.parametrize(
    ("puzzle", "order"),
    [(puzzle, "auto") for puzzle in (WIDE, *LARGE_GROUPS)]
    + [(puzzle, "tree") for puzzle in LARGE_GROUPS],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_limbs_agree_with_residues(puzzle: Position | Clues, order: str) -> None:
    run = run_under(None)
    method = EngineMethod(order=order)  # type: ignore[arg-type]
    findings = method.findings(puzzle)
    findings.prepare()
    assert findings._board is not None
    compiled = findings._board.compiled
    for piece, found in enumerate(polynomials(findings._board, run)):
        bits = compiled.piece_counts(run)[0][piece]
        expected = reconstruct(
            bits,
            lambda m, run, i=piece: compiled.count_by_mines_residues(i, m, run),  # type: ignore[misc]
            compiled.nodes,
            findings._board,
            run,
        )
        assert found.coefficients == expected
        assert found.least == compiled.piece(piece).least


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("side", "seed"),
    [
        (60, 6),  # wide tables meet
        (60, 105),  # a path
        (100, 5),  # narrow here and there
    ],
)
def test_counts_by_mines_agree_with_residues(side: int, seed: int, threads: int) -> None:
    prime = (1 << 61) - 1
    run = run_under(None)
    findings = EngineMethod(threads=threads).findings(board(side, 30, 35, seed))
    findings.prepare()
    assert findings._board is not None
    compiled = findings._board.compiled
    found = polynomials(findings._board, run)
    for piece, polynomial in enumerate(found):
        assert polynomial.least == compiled.piece(piece).least
        assert [
            number % prime for number in polynomial.coefficients
        ] == compiled.count_by_mines_residues(piece, prime, run)


def test_a_total_takes_little_memory() -> None:
    """What took 300 MB and more: values by mines of all nodes at once."""
    method = EngineMethod()
    for question in ("count", "by_mines", "verdict_codes", "probabilities"):
        findings = method.findings(WIDE, Limits(bytes=45 * MB))
        assert getattr(findings, question)
    assert list(sapper.solutions(WIDE, limits=Limits(bytes=200 * MB)).sample(2, seed=1))


def test_chances_on_a_wide_board_are_exact() -> None:
    puzzle = board(40, 30, 35, 3)
    findings = EngineMethod().findings(puzzle)
    exact = findings.exact_probabilities
    for chance, fraction in zip(findings.probabilities, exact, strict=True):
        assert abs(Fraction(chance) - fraction) < Fraction(1, 10**12)
    assert sum(exact) == (puzzle.mines or 0)
    counts = count_by_mines(*findings.compiled(Budget(None)))
    assert findings.count == counts[puzzle.mines or 0]


def test_samples_of_a_wide_board() -> None:
    """Drawn with tilted weights: each meets numbers and total, and cells have their chance."""
    view = sapper.solutions(WIDE)
    draws = list(view.sample(25, seed=5))
    assert all(solution in view for solution in draws)
    assert draws == list(sapper.solutions(WIDE).sample(25, seed=5))
    chances = sapper.analyze(WIDE).probabilities
    seen = Counter(cell for solution in draws for cell in solution)
    # All cells together: the squares of the deviations add up to about one for each.
    unsure = [cell for cell, chance in chances.items() if 0.05 < chance < 0.95]
    square = sum(
        (seen[cell] - 25 * chances[cell]) ** 2 / (25 * chances[cell] * (1 - chances[cell]))
        for cell in unsure
    )
    assert 0.85 < square / len(unsure) < 1.15


def test_long_arms_that_meet() -> None:
    """Where three arms with many places to cut meet, there is still a way to go on."""
    links, size = 80, 10

    def block(*name: object) -> list[tuple[object, ...]]:
        return [(*name, cell) for cell in range(size)]

    clues = [
        Clue(size, (*block(arm, "a", i), *block(arm, "b", i), *block(arm, "a", i + 1)))
        for arm in range(3)
        for i in range(links)
    ]
    ends = [cell for arm in range(3) for cell in block(arm, "a", links)]
    clues.append(Clue(3 * size // 2, (*ends, *block("hub"))))
    board = Clues(clues, mines=len(Clues(clues).cells) * 2 // 5)
    expected = sapper.analyze(board, method="engine", order="path").probabilities
    found = sapper.analyze(board, method="engine").probabilities
    assert found == pytest.approx(expected, rel=1e-12)
