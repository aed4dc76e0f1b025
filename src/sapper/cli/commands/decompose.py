"""`sapper decompose`: a tree decomposition of a position, and its polynomials."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sapper import answers
from sapper.cli.patience import Patience
from sapper.cli.screen import emit
from sapper.cli.task import Task, UsageError, question
from sapper.render import plural

if TYPE_CHECKING:
    from sapper.decomposition import TreeDecomposition
    from sapper.field import Topology


class Way(StrEnum):
    """How a decomposition is made."""

    auto = "auto"
    fill = "min-fill"
    degree = "min-degree"
    exact = "exact"


@question
def decompose(
    task: Task,
    heuristic: Annotated[
        Way, typer.Option(metavar="NAME", help="auto, min-fill, min-degree or exact.")
    ] = Way.auto,
    field: Annotated[
        bool,
        typer.Option("--field", help="Decompose all of the field, not only cells and their clues."),
    ] = False,
    table: Annotated[
        bool,
        typer.Option("--table", help="Print the polynomial of every node and assignment."),
    ] = False,
    td: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write it as a PACE .td file.")
    ] = None,
    gr: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the graph as a PACE .gr file.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the tree, as SVG.")
    ] = None,
) -> None:
    """Cover the graph of a position with bags of vertices that form a tree.

    The graph has the covered cells, the clues, and who counts whom; its width decides what
    the method 'treewidth' costs. A FILE that ends in .gr is a graph of the PACE challenge.
    The table has the polynomials P_i(A) of Golan, section 5.

    For example:
      sapper decompose board.txt
      sapper decompose examples/golan.json --table --svg tree.svg
      sapper decompose graph.gr --heuristic exact --td graph.td
    """
    from sapper import decomposition
    from sapper.methods import Treewidth

    with Patience("decomposing") as patience:
        graph = _graph(task, field)
        made = decomposition.decompose(graph, heuristic=heuristic.value, limits=task.limits)
        if table and _is_graph(task):
            raise UsageError("--table: a graph has no clues, and so no polynomials")
        rows = Treewidth(decomposition=made).table(task.puzzle, task.limits) if table else None
    if td is not None:
        decomposition.write_td(made, graph, td)
    if gr is not None:
        decomposition.write_gr(graph, gr)
    if svg is not None:
        svg.write_text(made.to_svg() + "\n", encoding="utf-8")
    if task.json:
        emit(answers.decomposition(made, rows, seconds=patience.seconds))
        return
    screen = task.screen
    screen.say(
        f"width {made.width} · {plural(len(made), 'bag')} over"
        f" {plural(len(graph), 'vertex', 'vertices')}"
    )
    if rows is None:
        for line in _listed(made, graph):
            screen.say(line, hang=4)
        return
    headings = ("node", "assignment", "polynomial")
    shown = [(str(row.node), row.assignment_text, row.text) for row in rows]
    if screen.is_terminal:
        screen.table(headings, shown)
    for row in () if screen.is_terminal else rows:
        screen.say(str(row))


def _is_graph(task: Task) -> bool:
    return Path(task.path).suffix.lower() == ".gr"


def _graph(task: Task, field: bool) -> Topology:
    from sapper.clues import Clues
    from sapper.decomposition import read_gr
    from sapper.methods import clue_graph

    if _is_graph(task):
        return read_gr(task.path)
    puzzle = task.puzzle
    if not field:
        return clue_graph(puzzle, limits=task.limits)
    if isinstance(puzzle, Clues):
        raise UsageError("--field: clues have no field; without it their graph is decomposed")
    return puzzle.topology


def _listed(made: TreeDecomposition, graph: Topology) -> list[str]:
    """Return a line for each bag: its number, its vertices, and the bags it is joined to."""
    lines = []
    for place, bag in enumerate(made.bags):
        inside = ", ".join(answers.cell_name(v) for v in sorted(bag, key=graph.index))
        joined = ", ".join(str(other + 1) for other in made.neighbours[place])
        lines.append(f"{place + 1}: {inside or '∅'}" + (f" – {joined}" if joined else ""))
    return lines
