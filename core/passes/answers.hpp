// Answers that need the whole system: pieces combined under the mine total.
#pragma once

#include <cstdint>

#include "base/crew.hpp"
#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/verdicts.hpp"

namespace sapper {

struct Probabilities {
  bool consistent = false;
  Vector<double> of;  // per variable; within 1e-12, and exactly 0 or 1 only if certain
  double log2_count = 0;   // of the legal assignments, under the total
};

// The same bit for bit on any number of threads.
Probabilities probabilities(const Compiled& compiled, Guard& guard, unsigned threads = 1);
// The same, and the verdicts, which cost nothing more.
Probabilities probabilities(const Compiled& compiled, Verdicts& verdicts, Guard& guard, Crew* crew = nullptr);

// Residues of exact results modulo 2^64 (modulus 0) or an odd prime below 2^62. The caller knows
// from log2_count how many moduli determine the integer.
Vector<std::uint64_t> count_by_mines_residues(const Piece& piece, std::uint64_t modulus,
                                                   Guard& guard);  // from least to most mines
std::uint64_t count_residue(const Piece& piece, std::uint64_t modulus, Guard& guard);
// Per group: sum over solutions of the group's mines, each solution weighted by
// outside[mines of the piece - least] (empty: all alike).
Vector<std::uint64_t> marginal_residues(const Piece& piece, std::uint64_t modulus,
                                             const Vector<std::uint64_t>& outside,
                                             Guard& guard);
// Everything under the total: the count; for each group of each piece, and then for the free cells
// taken together, the mines that all solutions put there, added up.
Vector<std::uint64_t> marginal_residues_under_total(const Compiled& compiled,
                                                         std::uint64_t modulus, Guard& guard);
double log2_count(const Piece& piece, Guard& guard);

// Of each piece: log2_count, and the count modulo 2^64.
struct PieceCounts {
  Vector<double> bits;
  Vector<std::uint64_t> words;
};
PieceCounts piece_counts(const Compiled& compiled, Guard& guard, unsigned threads = 1);

}  // namespace sapper
