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
    from sapper.clues import Clue

__all__ = ["Step", "steps_of"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an explanation.

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


def _stated(clue: Clue, names: Namer) -> Step:
    text = names.says(clue)
    return Step(
        f"{text[0].upper()}{text[1:]}.",
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
    name, cells = names.clue(clue), names.cells(fact.cells)
    start = f"{name[0].upper()}{name[1:]}"
    size = len(fact.cells)
    if fact.most == 0:
        text = f"{start} has no mine left to place, so {_all(size, cells)} safe."
    elif names.is_total(clue):
        text = f"{start} leaves {number(clue.count, 'mine')} for as many covered cells: {cells}."
    else:
        text = (
            f"{start} still needs {number(clue.count, 'mine')} and has only "
            f"{number(size, 'covered cell')} for {'it' if clue.count == 1 else 'them'}, so "
            f"{_all(size, cells, mine=True)}."
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
    one, two = _about(first, names, place), _about(second, names, place)
    one = f"{one[0].upper()}{one[1:]}"
    common = first.cells & second.cells
    shared = "1 cell" if len(common) == 1 else f"{len(common)} cells"
    if fact.part == "common":
        text = f"{one} and {two} share {shared}, {names.cells(common)}: {_holds(fact)} there."
    elif second.cells <= first.cells:
        text = (
            f"{one} has all the cells of {two} and besides {names.cells(fact.cells)}: "
            f"{_difference(first, second, fact)} there."
        )
    else:
        text = (
            f"{one} and {two} share {shared}, {names.cells(common)}, which can hold "
            f"{_shared(first, second)}; so for the rest of the first, {names.cells(fact.cells)}, "
            f"{_holds(fact)}."
        )
    if fact.decides:
        size = len(fact.cells)
        what = _all(size, names.cells(fact.cells), mine=fact.least > 0)
        end = "." if fact.least > 0 else " safe."
        text = f"{text} So {what}{end}"
    clues = tuple(f.clue for f in (first, second) if f.clue is not None)
    return _step(text, fact, names, clues)


def _about(fact: Fact, names: Namer, place: dict[int, int]) -> str:
    if fact.clue is not None:
        return names.clue(fact.clue)
    return f"step {place[id(fact)]}"


def _holds(fact: Fact) -> str:
    if fact.least == fact.most:
        return f"exactly {number(fact.least, 'mine')}"
    if fact.most == len(fact.cells):
        return f"at least {number(fact.least, 'mine')}"
    if fact.least == 0:
        return f"at most {number(fact.most, 'mine')}"
    return f"{fact.least} to {fact.most} mines"


def _difference(first: Fact, second: Fact, fact: Fact) -> str:
    if first.least == first.most and second.least == second.most:
        return f"{first.least} − {second.least} = {number(fact.least, 'mine')}"
    return _holds(fact)


def _shared(first: Fact, second: Fact) -> str:
    common = len(first.cells & second.cells)
    aside = len(second.cells) - common
    least, most = max(0, second.least - aside), min(common, second.most)
    if least == most:
        return f"only {number(most, 'mine')}"
    if least == 0:
        return f"at most {number(most, 'mine')}"
    return f"{least} to {most} mines"


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
    steps.append(Step(f"{cell} can be neither: a contradiction.", depth=depth, assumed=assumed))
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
        text = f"{start} needs all the cells it has left: {_all(size, cells, mine=True)}."
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
        return f"{start} has {number(-clue.count, 'known mine')} too many around it."
    if not event.needs and clue.weights is None:
        cells = number(len(clue.cells), "covered cell")
        return f"{start} needs {number(clue.count, 'mine')} and has only {cells}."
    if clue.weights is not None:
        return f"{start} cannot reach {clue.count}: a contradiction."
    if clue.count < low:
        has = number(low, "mine")
        return f"{start} would have {has} where {_belong(clue)}: a contradiction."
    return (
        f"{start} could have at most {number(high, 'mine')} where {_belong(clue)}: a contradiction."
    )


def _belong(clue: Clue) -> str:
    return f"{clue.count} {'belongs' if clue.count == 1 else 'belong'}"
