"""Mutation testing of the rooms that decide answers: ``make mutants``; see docs/mutants.md."""
