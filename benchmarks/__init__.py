"""Benchmarks of sapper against other programs, on the same inputs and in one run."""
