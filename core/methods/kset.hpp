// k-set search: what signed sums of at most k clues decide (Dempsey & Guinn, section 4).
//
// A combination adds clues with signs, a clue up to k times. If the right side equals the least or
// the greatest value of the left side, every variable with a coefficient left is decided. Sound,
// and not complete for any k.
//
// Only combinations that cannot be taken apart are tried. Take one apart into two so that no
// variable gets contributions of opposite signs from both: then the least values of the parts add
// up to the least value of the whole, and likewise the greatest. No right side of a consistent
// system lies below its least value, so if the whole is tight both parts are, and each is a shorter
// combination that decides its variables by itself. What is left are the combinations whose clues
// hang together by variables on which they pull in opposite directions.
#pragma once

#include <cstdint>

#include "base/limits.hpp"
#include "system/system.hpp"

namespace sapper {

struct KSetResult {
  bool consistent = true;            // false: some combination cannot be met at all
  Vector<std::int8_t> values;   // 0, 1, or -1 where nothing was inferred
  std::uint64_t combinations = 0;    // how many were looked at
};

// `repeat`: substitute what was found and search again, until nothing new is found. The total is
// ignored; a caller who wants it adds it as a clue. The caller sees to it that k times the sum of
// the absolute weights of a clue, and k times its count, stay far inside 64 bits.
KSetResult k_set_search(const System& system, std::int32_t k, bool repeat, Guard& guard);

// Does a sum of all clues, each once with some sign, decide the variable? On a minimal core of k
// clues that is what k-set search finds, in 2^(k-1) steps: it has no clue to leave out and none to
// take twice. Weights as above.
bool decided_by_signs(const System& system, std::int32_t variable, Guard& guard);

}  // namespace sapper
