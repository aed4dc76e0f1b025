"""What there is to draw: each cell's sign, whatever the medium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from sapper.answers import Known
from sapper.clues import Clues, Puzzle, Verdict
from sapper.field import COVERED, FREE, MINE, Cell, Position
from sapper.render.wording import amount, cell_name, field_name, plural, precise, short

if TYPE_CHECKING:
    from sapper.analysis import Analysis

__all__ = ["Scene", "Tile"]

Kind: TypeAlias = Literal["number", "free", "known", "covered", "safe", "mine", "unknown"]

# Beyond this, looking for what is wrong with a board takes longer than drawing it.
_CHECKED_CELLS = 20_000


class Tile(NamedTuple):
    """The sign of one cell.

    `kind` is ``"number"``, ``"free"`` (known, no number), ``"known"`` (known mine), ``"covered"``
    (nothing was asked), or the verdict. `number` belongs to numbers, `chance` to covered cells.
    """

    kind: Kind
    number: int = 0
    chance: float | None = None

    @property
    def text(self) -> str:
        """What is written on it, if it is a number or an uncertain cell."""
        if self.kind == "number":
            return str(self.number)
        if self.kind == "unknown":
            return "?" if self.chance is None else short(self.chance)
        return ""


class Scene:
    """A puzzle with what was found out about it.

    Parameters
    ----------
    puzzle
        A position or a clue system.
    analysis
        What `sapper.analyze` said of it. A method that knows no probabilities or no count leaves
        them out here too.
    """

    def __init__(self, puzzle: Puzzle, analysis: Analysis | None = None) -> None:
        self.puzzle = puzzle
        self.known = None if analysis is None else Known(analysis)

    @cached_property
    def cells(self) -> Sequence[Cell]:
        """The cells that are drawn, in canonical order."""
        puzzle = self.puzzle
        return puzzle.cells if isinstance(puzzle, Clues) else puzzle.topology.cells

    @cached_property
    def _codes(self) -> Sequence[int] | None:
        puzzle = self.puzzle
        return memoryview(puzzle.codes).cast("i") if isinstance(puzzle, Position) else None

    @property
    def verdicts(self) -> Mapping[Cell, Verdict]:
        """The verdicts; nothing if none were asked or there is no legal assignment."""
        return {} if self.known is None else self.known.verdicts

    @property
    def chances(self) -> Mapping[Cell, float]:
        """The probabilities; nothing if none were asked or they cannot be had."""
        return {} if self.known is None else self.known.chances

    @property
    def consistent(self) -> bool | None:
        """Whether there is a legal assignment; None if nobody asked or nobody can tell."""
        return None if self.known is None else self.known.consistent

    @property
    def count(self) -> int | None:
        """The number of legal assignments, if it can be had."""
        return None if self.known is None else self.known.count

    def tile(self, index: int) -> Tile:
        """Return the sign of the cell with this index."""
        code = COVERED if self._codes is None else self._codes[index]
        if code >= 0:
            return Tile("number", code)
        if code == MINE:
            return Tile("known")
        if code == FREE:
            return Tile("free")
        if not self.verdicts:
            return Tile("covered")
        cell = self.cells[index]
        return Tile(self.verdicts[cell], 0, self.chances.get(cell))

    @cached_property
    def best(self) -> tuple[Cell, ...]:
        """The best guesses: the uncertain cells least likely to be mines, if none is safe."""
        if not self.chances or any(verdict == "safe" for verdict in self.verdicts.values()):
            return ()
        open_ = [c for c, verdict in self.verdicts.items() if verdict == "unknown"]
        least = min((self.chances[cell] for cell in open_), default=0.0)
        return tuple(cell for cell in open_ if self.chances[cell] <= least * (1 + 1e-9))

    @cached_property
    def wrong(self) -> frozenset[Cell]:
        """The numbers that visibly contradict their surroundings, where nothing is legal."""
        puzzle = self.puzzle
        if self.consistent is not False or not isinstance(puzzle, Position):
            return frozenset()
        if len(puzzle.topology) > _CHECKED_CELLS:
            return frozenset()
        return frozenset(p.cell for p in puzzle.status() if p.cell is not None)

    @property
    def title(self) -> str:
        """What the puzzle is, in a few words."""
        puzzle = self.puzzle
        if isinstance(puzzle, Clues):
            name = f"{plural(len(puzzle.clues), 'clue')} over {plural(len(puzzle.cells), 'cell')}"
        else:
            name = field_name(puzzle.topology)
        return name if puzzle.mines is None else f"{name} · {plural(puzzle.mines, 'mine')}"

    @property
    def finding(self) -> str:
        """What was found out, in a few words; nothing if nothing was asked."""
        if self.known is None:
            return ""
        if self.consistent is False:
            return "inconsistent: no legal assignment"
        verdicts = list(self.verdicts.values())
        safe, mines = verdicts.count("safe"), verdicts.count("mine")
        parts = [f"{safe:,} safe"] if safe else []
        parts += [plural(mines, "certain mine")] if mines else []
        parts += (
            [f"{len(verdicts) - safe - mines:,} unknown"] if safe + mines < len(verdicts) else []
        )
        if self.count is not None:
            noun = "legal assignment" if self.count == 1 else "legal assignments"
            parts.append(f"{amount(self.count)} {noun}")
        return " · ".join(parts)

    def describe(self, index: int) -> str:
        """Return one line about a cell."""
        tile, name = self.tile(index), cell_name(self.cells[index])
        match tile.kind:
            case "number":
                return f"{name}: {plural(tile.number, 'mine')} around it"
            case "free":
                return f"{name}: free, number not known"
            case "known":
                return f"{name}: known mine"
            case "covered":
                return f"{name}: covered"
            case "safe":
                return f"{name}: safe"
            case "mine":
                return f"{name}: mine"
            case _:
                chance = "unknown" if tile.chance is None else f"a mine with {precise(tile.chance)}"
                return f"{name}: {chance}"
