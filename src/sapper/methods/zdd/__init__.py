"""Suzuki, Hao and Minato, section 3: one ZDD per hint, and their intersection."""

from sapper.methods.zdd.method import ZddMethod

__all__ = ["ZddMethod"]
