"""Exact sums as clauses: the direct encoding of Dempsey & Guinn, those of PySAT, and diagrams.

Cells are literals 1, 2, …; auxiliary variables follow. Every encoding has, for each assignment of
the cells, a model if the sum is right and none if it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any, Final

from sapper.errors import MethodError, pip_install, quoted
from sapper.limits import load
from sapper.questions import Budget

__all__ = ["ENCODINGS", "Clause", "Encoder", "pysat"]

Clause = Sequence[int]

ENCODINGS: Final = (
    "auto",
    "direct",
    "seqcounter",
    "sortnetwrk",
    "cardnetwrk",
    "totalizer",
    "mtotalizer",
    "kmtotalizer",
)
"""What ``encoding=`` takes; all but the first two are the names of PySAT."""

MAX_CLAUSES: Final = 1_000_000
"""The most clauses that the direct encoding writes for one clue."""

MAX_NODES: Final = 200_000
"""The most nodes of the diagram of one weighted clue."""

# Up to here the direct encoding is smaller than, or not much larger than, the others.
_SMALL: Final = 300
# Up to so many literals a totalizer, which propagates better, is not much larger than a network.
_TOTALIZED: Final = 64


def pysat(module: str) -> Any:
    """Import a module of PySAT, or say what to install.

    Raises
    ------
    MethodError
        If it is not there.
    """
    try:
        return load(f"pysat.{module}")
    except ImportError:
        raise MethodError(f"this needs PySAT: {pip_install('python-sat')}") from None


class Encoder:
    """Collects clauses and hands out auxiliary variables.

    Parameters
    ----------
    cells
        How many variables are cells: 1 to `cells`.
    encoding
        One of `ENCODINGS`. ``"auto"`` is direct for clues of usual size and `counter` beyond.
        A weighted clue becomes a decision diagram whatever the encoding.
    budget
        Limits that are looked at while clauses are written.

    Raises
    ------
    MethodError
        If there is no such encoding.

    Examples
    --------
    >>> encoder = Encoder(2)
    >>> encoder.equals([1, 2], 1)
    >>> encoder.clauses
    [(-1, -2), (1, 2)]
    """

    def __init__(self, cells: int, encoding: str = "auto", budget: Budget | None = None) -> None:
        if encoding not in ENCODINGS:
            known = ", ".join(map(repr, ENCODINGS))
            raise MethodError(f"there is no encoding {quoted(encoding)}; there are {known}")
        self.encoding = encoding
        self.top = cells
        self.clauses: list[Clause] = []
        self._budget = budget or Budget()

    def new(self) -> int:
        """Return a fresh auxiliary variable."""
        self.top += 1
        return self.top

    def taken(self) -> list[Clause]:
        """Return the clauses that were written since this was last called, and forget them."""
        clauses, self.clauses = self.clauses, []
        return clauses

    def equals(self, literals: Sequence[int], count: int) -> None:
        """State that exactly `count` of the literals hold."""
        if not 0 <= count <= len(literals):
            self.clauses.append(())
            return
        size = comb(len(literals), count + 1)
        if count:
            size += comb(len(literals), count - 1)
        encoding = self.encoding
        if encoding == "direct" or (encoding == "auto" and size <= _SMALL):
            self._refuse_long(literals, count, size)
            watched = self._budget.watched
            self.clauses += watched(combinations([-literal for literal in literals], count + 1))
            self.clauses += watched(combinations(literals, len(literals) - count + 1))
        elif count in (0, len(literals)):
            # PySAT's encodings expect a bound that leaves a choice.
            self.clauses += [[literal if count else -literal] for literal in literals]
        elif encoding == "auto":
            outputs = self.counter(literals)
            self.clauses += [[outputs[count - 1]], [-outputs[count]]]
        else:
            self._refuse_long(literals, count, len(literals) * min(count, len(literals) - count))
            card = pysat("card")
            made = card.CardEnc.equals(
                lits=list(literals),
                bound=count,
                top_id=self.top,
                encoding=getattr(card.EncType, encoding),
            )
            self.top = max(self.top, made.nv)
            self.clauses += made.clauses

    def _refuse_long(self, literals: Sequence[int], count: int, size: int) -> None:
        if size > MAX_CLAUSES:
            raise MethodError(
                f"the encoding {self.encoding!r} of {count} mines among {len(literals)} cells "
                f"needs {size:,} clauses; use encoding='auto'"
            )

    def weighted(self, terms: Sequence[tuple[int, int]], count: int) -> None:
        """State that the weights of the literals that hold add up to `count`.

        The clauses follow a decision diagram over what is still missing from the sum.

        Raises
        ------
        MethodError
            If the diagram has more than `MAX_NODES` nodes.
        """
        # A negative weight on a literal is a positive one on its negation.
        positive = [(lit, weight) if weight > 0 else (-lit, -weight) for lit, weight in terms]
        count -= sum(weight for _, weight in terms if weight < 0)
        positive.sort(key=lambda term: -term[1])
        suffix = [0]
        for _, weight in reversed(positive):
            suffix.append(suffix[-1] + weight)
        suffix.reverse()
        if not 0 <= count <= suffix[0]:
            self.clauses.append(())
            return
        node = {count: self.new()}
        self.clauses.append([node[count]])
        for place, (literal, weight) in enumerate(positive):
            self._budget.look()
            below: dict[int, int] = {}
            for missing, variable in node.items():
                for sign, rest in ((literal, missing - weight), (-literal, missing)):
                    if not 0 <= rest <= suffix[place + 1]:
                        self.clauses.append((-variable, -sign))
                    elif place + 1 < len(positive):
                        if rest not in below:
                            below[rest] = self.new()
                        self.clauses.append((-variable, -sign, below[rest]))
            if len(below) > MAX_NODES:
                raise MethodError(
                    f"a weighted clue has over {MAX_NODES:,} partial sums, too many for 'sat'; "
                    "'cpsat' takes it"
                )
            node = below

    def counter(self, literals: Sequence[int]) -> list[int]:
        """Return variables of which the first c hold exactly if c of the literals do.

        In both directions, so that a count can be assumed from below and from above. Few literals
        get a totalizer, with a square of them as clauses; sorted rows of outputs are then merged
        by Batcher's network, so that n literals get about 1.5 n·log²n clauses.
        """
        if len(literals) < 2:
            return list(literals)
        half = len(literals) // 2
        left, right = self.counter(literals[:half]), self.counter(literals[half:])
        self._budget.look()
        if len(literals) > _TOTALIZED:
            return self._merged(left, right)
        outputs = [self.new() for _ in literals]
        for i in range(len(left) + 1):
            for j in range(len(right) + 1):
                if i + j:
                    reached = [-left[i - 1]] if i else []
                    reached += [-right[j - 1]] if j else []
                    self.clauses.append([*reached, outputs[i + j - 1]])
                if i + j < len(outputs):
                    missed = [left[i]] if i < len(left) else []
                    missed += [right[j]] if j < len(right) else []
                    self.clauses.append([*missed, -outputs[i + j]])
        return outputs

    def _merged(self, one: list[int], two: list[int]) -> list[int]:
        """Return two sorted rows as one (Batcher, *Sorting networks and their applications*)."""
        if not one or not two:
            return one or two
        if len(one) == len(two) == 1:
            return self._compared(one[0], two[0])
        first, *evens = self._merged(one[::2], two[::2])
        odds = self._merged(one[1::2], two[1::2])
        made = [first]
        for x, y in self._budget.watched(zip(evens, odds, strict=False), every=4096):
            made += self._compared(x, y)
        both = min(len(evens), len(odds))
        return made + evens[both:] + odds[both:]

    def _compared(self, x: int, y: int) -> list[int]:
        """Return variables for 'one of them' and 'both of them'."""
        some, both = self.new(), self.new()
        self.clauses += [(-x, some), (-y, some), (x, y, -some)]
        self.clauses += [(x, -both), (y, -both), (-x, -y, both)]
        return [some, both]
