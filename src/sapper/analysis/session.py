"""The online problem as a player meets it: numbers arrive one by one."""

from __future__ import annotations

from sapper.analysis.analysis import Analysis
from sapper.engine import Session as EngineSession

__all__ = ["Session"]


class Session(EngineSession):
    r"""A position that is revealed label by label, analysed as it stands.

    Compiled components are kept by content, so after a new label only the component that it
    touches is compiled again. Answers are those of the position as it stands.

    Parameters
    ----------
    position : Position
        Where to begin.
    limits : Limits, optional
        What each single answer may cost.

    Examples
    --------
    >>> import sapper
    >>> session = sapper.Session(sapper.parse("???\n???\n???", mines=2))
    >>> session.reveal((0, 0), 0)
    >>> session.analyze().best
    ((0, 1), (1, 0), (1, 1))
    """

    def analyze(self) -> Analysis:
        """Return verdicts, probabilities and the cells worth digging, of the position as it is."""
        return Analysis(self.position, self.findings(), "engine")
