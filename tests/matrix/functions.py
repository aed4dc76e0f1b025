"""Public questions that are put to no method, or to one alone, each about something hard for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, repeat
from typing import Any, Final

import sapper
from sapper import decomposition, lab, methods, play, puzzles
from sapper.clues import Clues
from sapper.field import Grid, Position, Torus
from sapper.game import Board, Game, Layout, random_layout
from sapper.limits import Limits
from sapper.play import gym
from tests.support.hard import lattice, torus

Function = Callable[[Any, Limits | None], object]


def exhaust(iterator: Iterator[object]) -> None:
    """Walk to the end."""
    for _ in iterator:
        pass


def first_covered(view: play.View) -> Any:
    """A strategy in Python that digs the first covered cell."""
    return view.position.covered[0]


def thinking(view: play.View) -> Any:
    """A strategy in Python that never comes to an end."""
    exhaust(repeat(view))


def tournament(strategy: Any, limits: Limits | None, **options: Any) -> object:
    return play.tournament(strategy, **{"games": 3000, **options}, seed=1, limits=limits)


def games_without_guess(board: Board, limits: Limits | None) -> None:
    environment = gym.Minesweeper(board, rule="zero", no_guess=True, limits=limits)
    environment.reset(seed=1)
    environment.step(0)  # type: ignore[arg-type]


def in_a_vector(number: int, limits: Limits | None) -> None:
    environment = gym.MinesweeperVector(
        number, Board(Grid(40, 40), mines=350), probabilities=True, limits=limits
    )
    environment.reset(seed=1)
    environment.step(environment.action_space.sample() * 0 + 820)


@cache
def game_on_lattice() -> Game:
    """A game in which the numbers of a lattice were dug one after the other."""
    position = lattice(40, 40)
    mines = next(iter(sapper.solutions(position, method="sat")))
    game = Game(Layout(position.topology, mines))
    for cell in position.topology.cells:
        if isinstance(position[cell], int) and game.status == "playing":
            game.dig(cell)
    return game


LAT: Final = "LAT(40, 40)"
LARGE: Final = "a torus of 500 × 500 in play"

FUNCTIONS: Final[dict[str, tuple[str, Function]]] = {
    "Session.count": (LAT, lambda p, ls: sapper.Session(p, limits=ls).count()),
    "Session.analyze": (LAT, lambda p, ls: sapper.Session(p, limits=ls).analyze().probabilities),
    "Session.solutions": (
        LAT,
        lambda p, ls: exhaust(iter(sapper.Session(p, limits=ls).solutions())),
    ),
    "Session.explain": (
        "LAT(100, 100)",
        lambda p, ls: sapper.Session(p, limits=ls).explain(p.covered[0]),
    ),
    "Clues.simplify": (LAT, lambda p, ls: Clues.of(p).simplify(limits=ls)),
    "analyze_many": ("1,000 × LAT(18, 18)", lambda p, ls: sapper.analyze_many(p, limits=ls)),
    "uniqueness": ("LAT(100, 100)", lambda p, ls: sapper.uniqueness(p, limits=ls)),
    "Zdd.under": (
        "a diagram of 10⁵ nodes",
        lambda p, ls: p.under(ls).sample(3 * 10**5, seed=1),
    ),
    "decomposition.decompose": (
        LAT,
        lambda p, ls: decomposition.decompose(p, heuristic="exact", limits=ls),
    ),
    "decomposition.decompose, by heuristics": (
        "torus(300)",
        lambda p, ls: decomposition.decompose(p, limits=ls),
    ),
    "decomposition.treewidth": (LAT, lambda p, ls: decomposition.treewidth(p, limits=ls)),
    "decomposition.best_order": (LAT, lambda p, ls: decomposition.best_order(p, limits=ls)),
    "decomposition.lower_bound": (
        LAT,
        lambda p, ls: decomposition.lower_bound(p, limits=ls),
    ),
    "decomposition.min_degree": (
        "torus(300)",
        lambda p, ls: decomposition.min_degree(p, limits=ls),
    ),
    "decomposition.min_fill": ("torus(300)", lambda p, ls: decomposition.min_fill(p, limits=ls)),
    "decomposition.from_order": (
        "torus(300)",
        lambda p, ls: decomposition.from_order(p, p.topology.cells, limits=ls),
    ),
    "TreeDecomposition.nice": ("4,000 bags of 40", lambda p, ls: p.nice(limits=ls)),
    "TreeDecomposition.simplified": (
        "200,000 bags of 3",
        lambda p, ls: p.simplified(limits=ls),
    ),
    "methods.clue_graph": ("torus(300)", lambda p, ls: methods.clue_graph(p, limits=ls)),
    "SubgraphMethod.diagram": (LAT, lambda p, ls: methods.SubgraphMethod().diagram(p, ls)),
    "ZddMethod.diagram": (LAT, lambda p, ls: methods.ZddMethod().diagram(p, ls)),
    "Treewidth.table": ("LAT(26, 26)", lambda p, ls: methods.Treewidth().table(p, ls)),
    "CpSat.layout": (LAT, lambda p, ls: methods.CpSat().layout(p, ls)),
    "CpSat.status": (
        LAT,
        lambda p, ls: methods.CpSat().status(p, p.covered[0], ls),
    ),
    "CpSat.uniqueness": (LAT, lambda p, ls: methods.CpSat().uniqueness(p, ls)),
    "lab.play_by_inference, with cores": (
        LARGE,
        lambda p, ls: lab.play_by_inference(
            p.topology, p.mines, (0, 0), cores="batch", smallest=True, limits=ls
        ),
    ),
    "EqualMoments.count": ("1 to 40, k = 3", lambda p, ls: p.count(limits=ls)),
    "EqualMoments.divisions": (
        "1 to 40, k = 3",
        lambda p, ls: exhaust(iter(p.divisions(limits=ls))),
    ),
    "puzzles.shortest_length": ("order 6", lambda p, ls: puzzles.shortest_length(p, limits=ls)),
    "puzzles.unique_positions": (
        "20 × 20 with 60 mines",
        lambda p, ls: exhaust(islice(puzzles.unique_positions(p, seed=1, limits=ls), 3)),
    ),
    "play.generate": (
        "50 × 50 with 600 mines",
        lambda p, ls: play.generate(p, rule="zero", no_guess=True, seed=1, limits=ls),
    ),
    "play.generate_many": (
        "50 × 50 with 600 mines",
        lambda p, ls: exhaust(play.generate_many(p, 3, seed=1, workers=2, limits=ls)),
    ),
    "play.grade": (LARGE, lambda p, ls: play.grade(p, limits=ls)),
    "play.metrics": (LARGE, lambda p, ls: play.metrics(p, limits=ls)),
    "play.three_bv": (
        LARGE,
        lambda p, ls: play.three_bv(p, limits=ls),
    ),
    "play.review": ("a game on LAT(40, 40)", lambda p, ls: play.review(p, limits=ls)),
    "play.tournament": ("champion", tournament),
    "play.tournament, 2 workers": ("champion", lambda p, ls: tournament(p, ls, workers=2)),
    "play.tournament, in Python": ("the first covered cell", tournament),
    "play.tournament, thinking": (
        "without end",
        lambda p, ls: tournament(p, ls, seconds=0.01, games=500),
    ),
    "play.tournament, isolated": (
        "the first covered cell",
        lambda p, ls: tournament(p, ls, isolated=True),
    ),
    "play.optimal_play": ("5 × 5", lambda p, ls: play.optimal_play(p, mines=5, limits=ls)),
    "play.optimal_wins": ("5 × 5", lambda p, ls: play.optimal_wins(p, mines=5, limits=ls)),
    "play.puzzle": (
        "Expert",
        lambda p, ls: play.puzzle(p, level="hard", seed=3, limits=ls),
    ),
    "play.compare_digs": (
        "LAT(18, 18)",
        lambda p, ls: play.compare_digs(p, limits=ls),
    ),
    "play.opening_chances": (
        "LAT(18, 18)",
        lambda p, ls: play.opening_chances(p, limits=ls),
    ),
    "play.winning_chances": (
        "5 × 9 with 2 mines",
        lambda p, ls: play.winning_chances(p, limits=ls),
    ),
    "gym.Minesweeper": ("50 × 50 with 600 mines", games_without_guess),
    "gym.MinesweeperVector": ("300 boards", in_a_vector),
}
"""The name of a question, what it is about, and how it is put under limits."""


def path_of_bags(number: int, size: int) -> decomposition.TreeDecomposition:
    """Bags in a row, each with nothing in common with the next but one cell."""
    bags = [range(at * (size - 1), (at + 1) * (size - 1) + 1) for at in range(number)]
    return decomposition.TreeDecomposition(bags, [(at, at + 1) for at in range(number - 1)])


ABOUT: Final[dict[str, Callable[[], Any]]] = {
    LAT: lambda: lattice(40, 40),
    "LAT(100, 100)": lambda: lattice(100, 100),
    "LAT(26, 26)": lambda: lattice(26, 26),
    "LAT(18, 18)": lambda: lattice(18, 18),
    "1,000 × LAT(18, 18)": lambda: [lattice(18, 18)] * 1000,
    "torus(300)": lambda: torus(300),
    LARGE: lambda: random_layout(
        Board(Torus(500, 500), mines=50_000), start=(0, 0), rule="zero", seed=1
    ),
    "a torus of 700 × 700 in play": lambda: random_layout(
        Board(Torus(700, 700), mines=60_000), start=(0, 0), rule="zero", seed=1
    ),
    "a diagram of 10⁵ nodes": lambda: sapper.solutions(lattice(10, 12, total=False)).zdd(),
    "200,000 bags of 3": lambda: path_of_bags(200_000, 3),
    "4,000 bags of 40": lambda: path_of_bags(4000, 40),
    "1 to 40, k = 3": lambda: puzzles.EqualMoments(40, 3),
    "order 6": lambda: 6,
    "20 × 20 with 60 mines": lambda: Board(Grid(20, 20), mines=60),
    "50 × 50 with 600 mines": lambda: Board(Grid(50, 50), mines=600),
    "a game on LAT(40, 40)": game_on_lattice,
    "champion": lambda: "champion",
    "the first covered cell": lambda: first_covered,
    "without end": lambda: thinking,
    "5 × 5": lambda: Grid(5, 5),
    "Expert": lambda: "expert",
    "5 × 9 with 2 mines": lambda: Position(Grid(5, 9), {}, mines=2),
    "300 boards": lambda: 300,
}
