"""Inference by constraint programming: Chlond's model, after Jandhyala, chapter 22."""

from sapper.methods.cpsat.method import CpSat, Uniqueness, status

__all__ = ["CpSat", "Uniqueness", "status"]
