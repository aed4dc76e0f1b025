"""Minesweeper on graphs of bounded treewidth: Golan, *Minesweeper on graphs*, Section 5."""

from sapper.methods.treewidth.method import Treewidth, TreewidthFindings, clue_graph
from sapper.methods.treewidth.rows import Row, table

__all__ = ["Row", "Treewidth", "TreewidthFindings", "clue_graph", "table"]
