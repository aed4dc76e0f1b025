// The pieces of a board on several threads. What each thread finds does not depend on who else there is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/crew.hpp"
#include "base/memory.hpp"
#include "diagram/compiled_system.hpp"

namespace sapper {

// f(crew), which is null if one thread is asked for, or enough. What several need more than one is no reason to
// give up.
template <class F>
auto with_crew(const Compiled& c, unsigned threads, F&& f) {
  constexpr std::uint64_t kFewNodes = 5'000;  // passed before a helper has come
  if (threads > 1 && c.nodes() >= kFewNodes) {
    try {
      Crew crew(threads);
      return f(&crew);
    } catch (const LimitHit& hit) {
      if (hit.kind != LimitKind::bytes) throw;
    }
  }
  return f(static_cast<Crew*>(nullptr));
}

// f(i, guard) for each i below `parts`; if there is a crew, each thread takes the next.
template <class F>
void each(std::size_t parts, Crew* crew, Guard& guard, F&& f) {
  if (crew) return crew->spread(parts, guard, f);
  for (std::size_t i = 0; i < parts; ++i) f(i, guard);
}
template <class F>
void each_piece(const Compiled& c, Crew* crew, Guard& guard, F&& f) {
  each(c.pieces.size(), crew, guard, f);
}

// f(i, crew, guard) for each piece: a large one with the whole crew, then each thread takes the next of the others,
// without one.
template <class F>
void share_pieces(const Compiled& c, Crew* crew, Guard& guard, F&& f) {
  constexpr std::uint64_t kLarge = 2'000;  // nodes
  if (!crew) return each_piece(c, nullptr, guard, [&](std::size_t i, Guard& own) { f(i, nullptr, own); });
  Vector<std::size_t> small;
  for (std::size_t i = 0; i < c.pieces.size(); ++i)
    if (c.pieces[i].diagram->nodes >= kLarge)
      f(i, crew, guard);
    else
      small.push_back(i);
  crew->spread(small.size(), guard, [&](std::size_t k, Guard& own) { f(small[k], nullptr, own); });
}

}  // namespace sapper
