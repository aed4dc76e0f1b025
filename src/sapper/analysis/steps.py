"""From a core to numbered steps in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sapper.analysis.facts import Fact, derive
from sapper.analysis.refute import Event, Refutation, refute
from sapper.analysis.wording import number
from sapper.field import Cell

if TYPE_CHECKING:
    from sapper.analysis.wording import Namer
    from sapper.clues import Clue, Solution

__all__ = ["Step", "steps_of", "undecided"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an explanation.

    Frozen: threads can share one.

    Parameters
    ----------
    text
        The step in words.
    clues
        The clues that it uses directly.
    cells
        The cells that it speaks of.
    least, most
        How many of `cells` it says are mines.
    depth
        0 outside any case, 1 inside one, and so on.
    assumed
        Whether it holds only under the assumption that is being refuted.
    """

    text: str
    clues: tuple[Clue, ...] = ()
    cells: tuple[Cell, ...] = ()
    least: int = 0
    most: int = 0
    depth: int = 0
    assumed: bool = False

    def __str__(self) -> str:
        return self.text


def steps_of(clues: Sequence[Clue], cell: Cell | None, mine: bool, names: Namer) -> list[Step]:
    """Return the steps that lead from a core to its verdict.

    Parameters
    ----------
    clues
        The core.
    cell, mine
        The cell and whether it is a mine; None for a core that contradicts itself.
    names
        How to name clues and cells.
    """
    if cell is not None:
        fact = derive(clues, cell, mine)
        if fact is not None:
            return _argument(fact, names)
    refutation = refute(clues, cell, int(not mine))
    if cell is None and (refutation is None or refutation.split is not None):
        fact = derive(clues, None, mine)
        if fact is not None:
            return _argument(fact, names)
    if refutation is None:
        return _exhausted(clues, cell, mine, names)
    steps: list[Step] = []
    if cell is not None:
        other = "free" if mine else "a mine"
        steps.append(
            Step(f"Suppose {names.cells([cell])} were {other}.", (), (cell,), assumed=True)
        )
    steps += _spelled(refutation, names, 0, assumed=cell is not None)
    if cell is not None:
        verdict = "a mine" if mine else "safe"
        steps.append(
            Step(
                f"So the assumption is wrong: {names.cells([cell])} is {verdict}.",
                (),
                (cell,),
                int(mine),
                int(mine),
            )
        )
    return steps


def _exhausted(clues: Sequence[Clue], cell: Cell | None, mine: bool, names: Namer) -> list[Step]:
    steps = [_stated(clue, names) for clue in clues]
    if cell is None:
        last = "No way of placing mines meets all of these; the cases are too many to list here."
        return [*steps, Step(last, tuple(clues))]
    verdict = "a mine" if mine else "free"
    steps.append(
        Step(
            f"In every way of meeting all of these {names.cells([cell])} is {verdict}; the cases "
            "are too many to list here.",
            tuple(clues),
            (cell,),
            int(mine),
            int(mine),
        )
    )
    return steps


def undecided(cell: Cell, with_mine: Solution, without: Solution, names: Namer) -> list[Step]:
    """Return the steps that show an undecided cell as a mine and as free, in two solutions."""
    changed = names.sorted(with_mine ^ without)
    others = [other for other in changed if other != cell]
    steps = []
    for solution, what in ((with_mine, "a mine"), (without, "free")):
        mines = [other for other in others if other in solution]
        free = [other for other in others if other not in solution]
        parts = (
            [
                f"a mine at {names.cells(mines)}"
                if len(mines) == 1
                else f"mines at {names.cells(mines)}"
            ]
            if mines
            else []
        )
        parts += [f"none at {names.cells(free)}"] if free else []
        more = f", with {' and '.join(parts)}" if parts else ""
        text = f"{names.cells([cell])} can be {what}{more}."
        steps.append(Step(text, (), tuple(names.sorted(solution))))
    last = "Every clue is met either way, so nothing that is visible decides it."
    return [*steps, Step(last, (), tuple(changed))]


def _stated(clue: Clue, names: Namer) -> Step:
    return Step(
        f"{_big(names.says(clue))}.",
        (clue,),
        tuple(names.sorted(clue.cells)) if clue.weights is None else (),
        clue.count,
        clue.count,
    )


# --- arguments about sets ------------------------------------------------------------------------


def _argument(fact: Fact, names: Namer) -> list[Step]:
    history = list(fact.history())
    derived = [f for f in history if f.clue is None]
    if not derived:
        return [_single(fact, names)]
    # A clue is stated where it is first used, so that the reader need not look back.
    place: dict[int, int] = {}
    steps: list[Step] = []
    for one in history:
        if one.clue is not None:
            steps.append(_single(one, names) if one.decides else _stated(one.clue, names))
        else:
            steps.append(_derived(one, names, place))
        place[id(one)] = len(steps)
    return steps


def _single(fact: Fact, names: Namer) -> Step:
    clue = fact.clue
    assert clue is not None
    cells, size = names.cells(fact.cells), len(fact.cells)
    if fact.most == 0:
        found = f"{_big(names.clue(clue))} has all its mines"
        start = "All mines are found" if names.is_total(clue) else found
        text = f"{start}, so {_all(size, cells)} safe."
    elif size == 1:
        text = f"{_big(names.needs(clue))}, and {cells} is the only covered cell for it: a mine."
    else:
        text = (
            f"{_big(names.needs(clue))}, and only {size} cells are covered for them, {cells}: "
            f"{'both' if size == 2 else 'all'} are mines."
        )
    return _step(text, fact, names, (clue,))


def _all(size: int, cells: str, *, mine: bool = False) -> str:
    if mine:
        return f"{cells} {('is a mine', 'are both mines', 'are all mines')[min(size, 3) - 1]}"
    return f"{cells} is" if size == 1 else f"{cells} are"


def _step(text: str, fact: Fact, names: Namer, clues: tuple[Clue, ...]) -> Step:
    return Step(text, clues, tuple(names.sorted(fact.cells)), fact.least, fact.most)


def _derived(fact: Fact, names: Namer, place: dict[int, int]) -> Step:
    first, second = fact.first, fact.second
    assert first is not None
    assert second is not None
    words = _Pair(first, second, names, place)
    clues = tuple(f.clue for f in (first, second) if f.clue is not None)
    if fact.is_impossible:
        return Step(words.impossible(fact), clues)
    text = words.common(fact) if fact.part == "common" else words.rest(fact)
    return _step(text, fact, names, clues)


class _Pair:
    """The words for what follows from two facts about sets that overlap."""

    def __init__(self, first: Fact, second: Fact, names: Namer, place: dict[int, int]) -> None:
        self.first = first
        self.second = second
        self.names = names
        self.place = place
        self.both = first.cells & second.cells

    def rest(self, fact: Fact) -> str:
        """Say what is left for the part of the first set outside the second."""
        first, second = self.first, self.second
        exact = first.least == first.most
        if exact and (second.decides or (second.cells <= first.cells and _exact(second))):
            # So many of the first set's mines are in the common part, and the rest are not.
            held = len(self.both) * (second.least > 0) if second.decides else second.least
            return f"{self._says(first)}. {self._held(held)}{self._left(fact)}"
        parts = []
        aside = len(second.cells) - len(self.both)
        least = max(0, second.least - aside)
        if least and fact.most < min(first.most, len(fact.cells)):
            parts.append(self._at_least(second, least))
            if least == first.most and fact.most == 0:
                has = "has no more than that" if first.clue else "there are no more than that"
                by = _big(self._name(first)) if first.clue else f"By {self._name(first)}"
                return f"{parts[0]}. {by} {has}, so {self._verdict(fact)}."
        if fact.least:
            parts.append(self._at_most(second))
        return ". ".join([*parts, f"{self._says(first)}, so {self._count(fact)}."])

    def common(self, fact: Fact) -> str:
        """Say what is known of the part that both sets share."""
        parts = []
        sources = (self.first, self.second)
        if fact.least:
            source = max(sources, key=lambda f: f.least - len(f.cells - self.both))
            parts.append(self._at_least(source, fact.least))
        if fact.most < len(self.both):
            source = min(sources, key=lambda f: f.most)
            parts.append(self._at_most(source))
        end = f", so {self._verdict(fact)}" if fact.decides else ""
        return f"{'. '.join(parts)}{end}."

    def impossible(self, fact: Fact) -> str:
        """Say why the first set cannot have its mines."""
        first, second = self.first, self.second
        if fact.least > len(fact.cells):
            where = f"for {self.names.cells(fact.cells)}" if fact.cells else "without a cell"
            left = f"That leaves at least {_digits(fact.least)} {where}: impossible."
            return f"{self._says(first)}. {self._at_most(second)}. {left}"
        least = second.least - len(second.cells - self.both)
        most = f"{number(first.most, 'mine')} at most" if first.most else "no mine"
        by = _big(self._name(first)) if first.clue else f"By {self._name(first)} it"
        return f"{self._at_least(second, least)}. {by} has {most} there: impossible."

    def _held(self, held: int) -> str:
        total, cells = self.first.least, self._in(self.both)
        by = f" ({self._name(self.second)})"
        if held == 0:
            return f"{'It is not' if total == 1 else 'None of them is'} {cells}{by}. "
        if held == total:
            start = "It is" if total == 1 else ("Both are" if total == 2 else "All are")
        else:
            start = f"{_big(_digits(held))} of them {'is' if held == 1 else 'are'}"
        return f"{start} {cells}{by}. "

    def _left(self, fact: Fact) -> str:
        size = len(fact.cells)
        end = ""
        if fact.decides:
            them = ("it is", "both are", "all are")[min(size, 3) - 1]
            what = "safe" if fact.most == 0 else ("a mine" if size == 1 else "mines")
            end = f": {them} {what}"
        return f"That leaves {_digits(fact.least)} for {self.names.cells(fact.cells)}{end}."

    def _at_least(self, source: Fact, least: int) -> str:
        """Say why so many mines must be in the common part."""
        aside = len(source.cells - self.both)
        where = f"at least {number(least, 'mine')} {'is' if least == 1 else 'are'}"
        where = f"{where} {self._in(self.both)}"
        if not aside:
            return f"{_big(where)} ({self._name(source)})"
        fit = f"only {_digits(aside)} of them {'fits' if aside == 1 else 'fit'} elsewhere"
        return f"{self._says(source)}, and {fit}: {where}"

    def _at_most(self, source: Fact) -> str:
        """Say why no more mines can be in the common part."""
        most = min(source.most, len(self.both))
        cells = self._in(self.both)
        if most == len(self.both):
            return f"{_big(_digits(most))} at most can be {cells}"
        return f"At most {number(most, 'mine')} can be {cells} ({self._name(source)})"

    def _count(self, fact: Fact) -> str:
        """Say how many mines are in the set of a fact."""
        if fact.decides:
            return self._verdict(fact)
        one = fact.least if fact.most == len(fact.cells) else fact.most
        return f"{_holds(fact)} {'is' if one == 1 else 'are'} {self._in(fact.cells)}"

    def _verdict(self, fact: Fact) -> str:
        what = _all(len(fact.cells), self.names.cells(fact.cells), mine=fact.least > 0)
        return what if fact.least > 0 else f"{what} safe"

    def _says(self, fact: Fact) -> str:
        if fact.clue is not None:
            return _big(self.names.needs(fact.clue))
        one = fact.least if fact.most == len(fact.cells) else fact.most
        verb = "is" if one == 1 else "are"
        return f"By {self._name(fact)} there {verb} {_holds(fact)} {self._in(fact.cells)}"

    def _name(self, fact: Fact) -> str:
        if fact.clue is not None and not fact.decides:
            return self.names.clue(fact.clue)
        return f"step {self.place[id(fact)]}"

    def _in(self, cells: frozenset[Cell]) -> str:
        return f"{'at' if len(cells) == 1 else 'among'} {self.names.cells(cells)}"


def _exact(fact: Fact) -> bool:
    return fact.least == fact.most


def _holds(fact: Fact) -> str:
    if _exact(fact):
        return number(fact.least, "mine")
    if fact.most == len(fact.cells):
        return f"at least {number(fact.least, 'mine')}"
    if fact.least == 0:
        return f"at most {number(fact.most, 'mine')}"
    return f"{fact.least} to {fact.most} mines"


def _digits(count: int) -> str:
    return ("none", "one", "two", "three", "four")[count] if count < 5 else str(count)


def _big(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


# --- contradictions and cases --------------------------------------------------------------------


def _spelled(refutation: Refutation, names: Namer, depth: int, *, assumed: bool) -> list[Step]:
    steps = [
        _event(event, names, depth, assumed)
        for event in refutation.events
        if event.clue is not None
    ]
    if refutation.split is None:
        return steps
    cell = names.cells([refutation.split])
    for case, value in zip(refutation.cases, ("a mine", "free"), strict=True):
        steps.append(
            Step(
                f"Case: {cell} is {value}.", (), (refutation.split,), depth=depth + 1, assumed=True
            )
        )
        steps += _spelled(case, names, depth + 1, assumed=True)
    steps.append(Step(f"{cell} can be neither: impossible.", depth=depth, assumed=assumed))
    return steps


def _event(event: Event, names: Namer, depth: int, assumed: bool) -> Step:
    clue = event.clue
    assert clue is not None
    name = names.clue(clue)
    then = "Then " if assumed or event.needs else ""
    start = f"{then}{name}" if then else f"{name[0].upper()}{name[1:]}"
    if event.value is None:
        return Step(_impossible(event, clue, start), (clue,), depth=depth, assumed=assumed)
    cells = names.cells(event.cells)
    mine, size = event.value == 1, len(event.cells)
    if clue.weights is not None:
        why = "can only reach its sum if"
        text = f"{start} {why} {_all(size, cells, mine=mine)}{'' if mine else ' free'}."
    elif mine:
        text = f"{start} needs every cell it has left: {_all(size, cells, mine=True)}."
    else:
        text = f"{start} has all its mines: {_all(size, cells)} free."
    return Step(
        text,
        (clue,),
        event.cells,
        event.value * size,
        event.value * size,
        depth,
        assumed,
    )


def _impossible(event: Event, clue: Clue, start: str) -> str:
    low, high = event.reach
    if clue.count < 0 and clue.weights is None and not event.needs:
        return f"{start} touches {number(-clue.count, 'known mine')} too many."
    if not event.needs and clue.weights is None:
        cells = number(len(clue.cells), "covered cell")
        return f"{start} needs {number(clue.count, 'mine')} and touches only {cells}."
    if clue.weights is not None:
        return f"{start} cannot reach {clue.count}: impossible."
    if clue.count < low:
        return f"{start} would have {number(low, 'mine')} instead of {clue.count}: impossible."
    only = f"only {number(high, 'mine')}" if high else "no mine"
    return f"{start} would have {only} instead of {clue.count}: impossible."
