"""Minesweeper on trees: Golan, *Minesweeper on graphs*, Section 4."""

from sapper.methods.tree.method import Tree, TreeFindings

__all__ = ["Tree", "TreeFindings"]
