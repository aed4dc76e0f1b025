"""Explain a position: which cells are certain, and why, in words a player would use.

python examples/explaining.py [FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

import sapper

path = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("small.txt")
position = sapper.read(path)
print(position)

analysis = sapper.analyze(position)
for cell in [*sorted(analysis.safe), *sorted(analysis.mines)]:
    explanation = sapper.explain(position, cell, smallest=True)
    print(f"\n{cell}: {explanation.verdict}")
    for step in explanation.steps:
        print(f"  {step.text}")
if not analysis.safe:
    best = analysis.best[0]
    print(f"\nnothing is safe; {best} is a mine with {analysis.exact_probabilities[best]}")
