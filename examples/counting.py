"""Count on a graph: how many ways the mines can lie among friends, and who is safe.

python examples/counting.py
"""

from __future__ import annotations

import networkx

import sapper

# Zachary's karate club: 34 people, 78 friendships.
club = networkx.karate_club_graph()

# Six of them say how many of their friends hold a mine; the rest is covered.
position = sapper.Position(club, {0: 5, 33: 6, 2: 3, 1: 2, 32: 4, 16: 0})

print(f"{sapper.count(position):,} legal assignments")
for mines, ways in sapper.count_by_mines(position).items():
    if mines <= 10:
        print(f"{mines:3} mines: {ways:,}")

analysis = sapper.analyze(position.with_mines(9))
print(f"with 9 mines: {analysis.count:,}; safe: {sorted(analysis.safe)}")
likely = max(analysis.probabilities, key=analysis.probabilities.__getitem__)
print(f"most likely a mine: {likely}, with {analysis.exact_probabilities[likely]}")
