"""What there is to draw: each cell's sign, whatever the medium."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from sapper.answers import Known, cell_name
from sapper.clues import Clues, Puzzle, Solution, Verdict
from sapper.errors import expect, quoted
from sapper.field import COVERED, FREE, MINE, Cell, Position
from sapper.render.wording import amount, field_name, plural, precise, short

if TYPE_CHECKING:
    from sapper.analysis import Analysis, Explanation

__all__ = ["Explained", "Scene", "Tile", "World", "worlds_of"]

Kind: TypeAlias = Literal["number", "free", "known", "covered", "safe", "mine", "unknown", "empty"]
Frame: TypeAlias = Literal["", "best", "wrong", "asked", "clue", "spoken"]

Places: TypeAlias = Mapping[Cell, tuple[float, float]]

# Beyond this, looking for what is wrong with a board takes longer than drawing it.
_CHECKED_CELLS = 20_000


class Tile(NamedTuple):
    """The sign of one cell.

    `kind` is ``"number"``, ``"free"`` (known, no number), ``"known"`` (known mine), ``"covered"``
    (nothing was asked), ``"empty"`` (covered, and free in the world that is shown), or the verdict.
    `number` belongs to numbers, `chance` to covered cells. `frame` says why one should look at it:
    a ``"best"`` guess, a number that is plainly ``"wrong"``, the cell that was ``"asked"`` about, a
    ``"clue"`` of the reason, a cell that is ``"spoken"`` of; `note` is written beside it.
    """

    kind: Kind
    number: int = 0
    chance: float | None = None
    frame: Frame = ""
    note: str = ""

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

    Made for one picture, by one thread.

    Parameters
    ----------
    puzzle
        A position or a clue system.
    analysis
        What `sapper.analyze` said of it. What cannot be had (see `sapper.answers.Known`) is left
        out here too.
    places
        Where the vertices of a graph stand, if somebody knows better than we do.
    """

    def __init__(
        self, puzzle: Puzzle, analysis: Analysis | None = None, places: Places | None = None
    ) -> None:
        if not isinstance(puzzle, Position | Clues):
            raise TypeError(f"a position or clues can be drawn, not {quoted(puzzle)}")
        if analysis is not None:
            from sapper.analysis import Analysis

            expect(analysis, Analysis, "what was found out is an Analysis")
        self.puzzle = puzzle
        self.places = places
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
        frames = self.frames
        cell = self.cells[index] if frames or code == COVERED else None
        frame = frames.get(cell, "") if frames else ""
        if code >= 0:
            return Tile("number", code, None, frame, self.note(cell))
        if code in (MINE, FREE):
            return Tile("known" if code == MINE else "free", 0, None, frame)
        return self.covered(cell)._replace(frame=frame)

    def covered(self, cell: Cell) -> Tile:
        """Return the sign of a covered cell."""
        verdict = self.verdicts.get(cell)
        return Tile("covered") if verdict is None else Tile(verdict, 0, self.chances.get(cell))

    def note(self, cell: Cell) -> str:
        """Return what is written beside a number."""
        return ""

    @cached_property
    def frames(self) -> Mapping[Cell, Frame]:
        """The cells to look at, and why."""
        frames: dict[Cell, Frame] = dict.fromkeys(self.best, "best")
        return frames | dict.fromkeys(self.wrong, "wrong")

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
        if tile.kind == "number":
            return f"{name}: {plural(tile.number, 'mine')} around it"
        if tile.kind == "unknown" and tile.chance is not None:
            return f"{name}: a mine with {precise(tile.chance)}"
        return f"{name}: {_MEANINGS.get(tile.kind, tile.kind)}"


_MEANINGS = {"free": "free, number not known", "known": "known mine", "empty": "no mine here"}


class World(Scene):
    """One legal assignment; `changed` are cells in which another differs, `asked` one of them."""

    def __init__(
        self,
        puzzle: Puzzle,
        solution: Solution,
        *,
        changed: Collection[Cell] = (),
        asked: Cell | None = None,
        places: Places | None = None,
    ) -> None:
        super().__init__(puzzle, None, places)
        self.solution = solution
        self.changed = changed
        self.asked = asked

    def covered(self, cell: Cell) -> Tile:
        """Return whether the cell is a mine in this world."""
        return Tile("mine" if cell in self.solution else "empty")

    @cached_property
    def frames(self) -> Mapping[Cell, Frame]:
        """The cells in which the worlds differ."""
        frames: dict[Cell, Frame] = dict.fromkeys(self.changed, "spoken")
        return frames if self.asked is None else frames | {self.asked: "asked"}

    @property
    def finding(self) -> str:
        """Whether the cell that was asked about is a mine here."""
        if self.asked is None:
            return plural(len(self.solution), "mine")
        what = "a mine" if self.asked in self.solution else "free"
        return f"if {cell_name(self.asked)} is {what}"


class Explained(Scene):
    """A board on which only the explained cell carries a verdict, and the reasons are framed."""

    def __init__(self, explanation: Explanation, places: Places | None = None) -> None:
        super().__init__(explanation.puzzle, None, places)
        self.explanation = explanation

    def covered(self, cell: Cell) -> Tile:
        """Return the verdict of the explained cell; nothing is said of the others."""
        found = self.explanation
        if cell != found.cell or found.verdict == "inconsistent":
            return Tile("covered")
        chance = None if found.probability is None else float(found.probability)
        return Tile(found.verdict, 0, chance)

    @cached_property
    def _notes(self) -> Mapping[Cell, str]:
        """The number of the step that first uses each clue, by its place."""
        notes: dict[Cell, str] = {}
        for place, step in enumerate(self.explanation.steps, start=1):
            for clue in step.clues:
                if clue.cell is not None:
                    notes.setdefault(clue.cell, str(place))
        return notes

    def note(self, cell: Cell) -> str:
        """Return the number of the step that first uses a clue."""
        return self._notes.get(cell, "")

    @cached_property
    def frames(self) -> Mapping[Cell, Frame]:
        """The clues of the core, the cells they speak of, and the cell that was asked about."""
        found = self.explanation
        frames: dict[Cell, Frame] = {
            cell: "spoken" for clue in found.clues if clue is not found.total for cell in clue.cells
        }
        wrong = found.verdict == "inconsistent"
        frames |= dict.fromkeys(found.places, "wrong" if wrong else "clue")
        frames |= dict.fromkeys(found.wrong, "wrong")
        return frames if wrong else frames | {found.cell: "asked"}

    @property
    def finding(self) -> str:
        """The verdict in one line."""
        return self.explanation.summary


def worlds_of(explanation: Explanation, places: Places | None = None) -> list[World]:
    """Return the two worlds that an undecided cell was explained with; none for other cells."""
    if not explanation.solutions:
        return []
    one, other = explanation.solutions
    marks: Any = {"changed": one ^ other, "asked": explanation.cell, "places": places}
    return [World(explanation.puzzle, solution, **marks) for solution in (one, other)]
