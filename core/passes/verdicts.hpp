// What is a mine, what is safe: straight off the arcs of the diagrams or, if there is a total, by passes over them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/crew.hpp"
#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/spans.hpp"

namespace sapper {

enum Verdict : std::uint8_t { kSafe = 0, kMined = 1, kUndecided = 2 };

struct Verdicts {
  bool consistent = false;  // with the total, if there is one
  Vector<std::uint8_t> of;  // per variable
};

// Exact: integers and booleans only.
Verdicts verdicts(const Compiled& compiled, Guard& guard);
// The same under a total by spans of pieces, unless they leave anything open; and by each number of mines.
std::optional<Verdicts> verdicts_by_spans(const Compiled& compiled, std::span<const Span> pieces, Guard& guard);
Verdicts verdicts_by_mines(const Compiled& compiled, Guard& guard);

// What was forced before anything was compiled; the rest is undecided.
Verdicts forced_verdicts(const Compiled& compiled);
// Of the groups of a piece, without a total.
void verdicts_from_arcs(const Piece& piece, Vector<std::uint8_t>& of);
// What may be a mine, may be free, or both.
inline std::uint8_t verdict_if(bool mine, bool free) { return mine && free ? kUndecided : mine ? kMined : kSafe; }

// The mines of each piece.
Vector<Span> spans_of(const Compiled& compiled, Crew* crew, Guard& guard);
// Can the total decide nothing that the clues alone do not, for there is room both ways?
bool total_has_slack(const Compiled& compiled, std::span<const Span> pieces);

}  // namespace sapper
