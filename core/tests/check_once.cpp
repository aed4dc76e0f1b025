// Checks that need no random system: they are made once.
#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "base/crew.hpp"
#include "passes.hpp"
#include "passes/by_mines.hpp"
#include "passes/counts.hpp"
#include "passes/top_at_points.hpp"
#include "passes/verdicts.hpp"

namespace sapper::tests {

void check_guard() {
  bool called = false;
  Guard guard({}, [&](std::uint64_t) {
    called = true;
    std::feclearexcept(FE_ALL_EXCEPT);
    std::feraiseexcept(FE_OVERFLOW);
  });
  std::feclearexcept(FE_ALL_EXCEPT);
  std::feraiseexcept(FE_UNDERFLOW);
  while (!called) guard.tick();
  if (std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW) != FE_UNDERFLOW)
    throw Wrong("a poll changes the floating-point flags");
  std::feclearexcept(FE_ALL_EXCEPT);
}

namespace {

struct Interrupt {};

// Two parts on two threads, each of which begins when the other one has: mine(guard), theirs(guard).
template <class Mine, class Theirs>
void in_two(Guard& guard, Mine&& mine, Theirs&& theirs, Crew&& crew = Crew(2)) {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> begun = 0;
  crew.spread(2, guard, [&](std::size_t, Guard& own) {
    ++begun;
    while (begun < 2) std::this_thread::yield();
    if (std::this_thread::get_id() == caller)
      mine(own);
    else
      theirs(own);
  });
}

// Until something ends it, which takes no second.
void work_on(Guard& guard) {
  const auto begin = Guard::Clock::now();
  while (Guard::Clock::now() - begin < std::chrono::seconds(10)) guard.tick();
  throw Wrong("a thread is not stopped");
}

// What all threads make and still hold is the caller's, in the end.
void check_crew_hands_over() {
  Guard guard({.nodes = 100});
  {
    Vector<char> mine, theirs;
    const auto hold = [](Vector<char>& some) {
      return [&](Guard& own) {
        own.add_nodes(40);
        some.resize(100'000);
      };
    };
    in_two(guard, hold(mine), hold(theirs));
    if (guard.nodes() != 80 || guard.bytes() < 200'000) throw Wrong("what threads leave is nobody's");
  }
  if (guard.bytes() != 0) throw Wrong("what threads left is not given back");
  const auto more = [](Guard& own) { own.add_nodes(15); };
  try {
    in_two(guard, more, more);
  } catch (const LimitHit& hit) {
    if (hit.kind == LimitKind::nodes && hit.allowed == 100 && hit.spent == 110) return;
  }
  throw Wrong("nodes of several threads are not added up");
}

// Floating-point trouble of a helper is the caller's, once.
void check_crew_tells_flags() {
  Guard guard;
  Crew crew(2);
  const auto nothing = [](Guard&) {};
  std::feclearexcept(FE_ALL_EXCEPT);
  in_two(guard, nothing, [](Guard&) { std::feraiseexcept(FE_UNDERFLOW); }, std::move(crew));
  if (!std::fetestexcept(FE_UNDERFLOW)) throw Wrong("flags of a helper are lost");
  std::feclearexcept(FE_ALL_EXCEPT);
  in_two(guard, nothing, nothing, std::move(crew));
  if (std::fetestexcept(FE_UNDERFLOW)) throw Wrong("flags of an earlier task come back");
}

// A crew goes on after a task that failed, after its helpers have fallen asleep, and at once.
void check_crew_again() {
  Crew crew(3);
  Guard guard;
  for (int round = 0; round < 6; ++round) {
    std::array<std::atomic<int>, 100> done{};
    try {
      crew.spread(done.size(), guard, [&](std::size_t i, Guard&) {
        ++done[i];
        if (round % 2 == 0 && i == 40) throw Interrupt{};
      });
      if (round % 2 == 0) throw Wrong("what a part throws is lost");
    } catch (const Interrupt&) {
      if (round % 2 == 1) throw Wrong("what an earlier task threw comes back");
    }
    for (const auto& times : done)
      if (times > 1 || (round % 2 == 1 && times == 0)) throw Wrong("a part is not done once");
    if (round < 3) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

void check_crew() {
  const auto nothing = [](Guard&) {};
  const auto interrupted = [&](auto&& mine, auto&& theirs) {
    Guard guard({}, [](std::uint64_t) { throw Interrupt{}; });
    try {
      in_two(guard, mine, theirs);
    } catch (const Interrupt&) {
      return;
    }
    throw Wrong("an interrupt of several threads is lost");
  };
  interrupted(work_on, work_on);
  interrupted(nothing, work_on);  // while the caller waits
  const Limits limits{.bytes = 1000000};
  const auto hit = [](Guard& own) { own.take_bytes(600000); };
  // An interrupt that comes after a limit of the other one.
  std::atomic<bool> was_hit = false;
  interrupted(
      [&](Guard&) {
        while (!was_hit) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        throw Interrupt{};
      },
      [&](Guard& own) {
        was_hit = true;
        throw LimitHit(LimitKind::nodes, 1, double(own.nodes()));
      });
  const auto limited = [&](auto&& mine, auto&& theirs) {
    Guard guard(limits);
    try {
      in_two(guard, mine, theirs);
    } catch (const LimitHit& error) {
      if (error.kind != LimitKind::bytes || error.allowed != double(limits.bytes) || error.spent <= error.allowed)
        throw Wrong("a limit of several threads is told as a share");
      if (guard.bytes() != 0) throw Wrong("memory of several threads is not given back");
      return;
    }
    throw Wrong("a limit of several threads does not hold");
  };
  limited(work_on, hit);
  limited(hit, work_on);
  limited(nothing, hit);
  check_crew_hands_over();
  check_crew_tells_flags();
  check_crew_again();
}

namespace {

// Three chains of clues that share blocks of cells, and a clue where they meet.
System arms_that_meet(std::int32_t links, std::int32_t block) {
  System s;
  const auto add_block = [&](std::int32_t which) {
    for (std::int32_t i = 0; i < block; ++i) s.cells.push_back(which * block + i);
    s.variables = std::max(s.variables, (which + 1) * block);
  };
  const auto end_clue = [&](std::int64_t mines) {
    s.offsets.push_back(std::int32_t(s.cells.size()));
    s.counts.push_back(mines);
  };
  for (std::int32_t arm = 0; arm < 3; ++arm)
    for (std::int32_t i = 0; i < links; ++i) {
      const std::int32_t first = arm * (2 * links + 1) + 2 * i;
      for (std::int32_t k = 0; k < 3; ++k) add_block(first + k);
      end_clue(block);
    }
  for (std::int32_t arm = 0; arm < 3; ++arm) add_block(arm * (2 * links + 1) + 2 * links);
  end_clue(3 * block / 2);
  return s;
}

// The same system so many times, side by side.
System copies(const System& one, std::int32_t times) {
  System s;
  for (std::int32_t i = 0; i < times; ++i) {
    const auto before = std::int32_t(s.cells.size());
    for (const std::int32_t v : one.cells) s.cells.push_back(i * one.variables + v);
    for (std::size_t c = 0; c < one.counts.size(); ++c) {
      s.offsets.push_back(before + one.offsets[c + 1]);
      s.counts.push_back(one.counts[c]);
    }
  }
  s.variables = times * one.variables;
  return s;
}

}  // namespace

void check_long_counts() {
  Guard guard;
  const Options options{true, true, true, false, OrderKind::tree};
  const Compiled c = compile_system(arms_that_meet(12, 6), options, guard, nullptr);
  if (c.pieces.size() != 1) throw Wrong("arms that meet are one piece");
  const Piece& piece = c.pieces.front();
  const Diagram& d = *piece.diagram;
  const MineRanges m(d);
  const auto root = std::int32_t(d.levels.size()) - 1;
  // Points are taken if they are asked for, and else not.
  const Vector<double> bits(d.levels.size(), double(piece.part.variables.size()));
  for (const double cost : {0.0, 1e9})
    if (levels_at_points(d, m, bits, std::span(&root, 1), cost, guard).back() != (cost > 0))
      throw Wrong("points are not taken where they are asked for");
  // Against a pass modulo a prime, and in limbs alone.
  constexpr std::uint64_t kPrime = (std::uint64_t(1) << 61) - 1;
  const Residues a(kPrime);
  const auto up = upward_by_mines(d, m, a, guard);
  const Counts plain = count_by_mines(piece, guard, {root, 0});
  if (plain.limbs < 3) throw Wrong("the counts are too short to tell anything");
  const std::uint64_t limb = a.enter(std::uint64_t(1) << Counts::kBits);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    std::uint64_t residue = a.zero();
    for (std::size_t k = plain.limbs; k-- > 0;) {
      residue = a.multiply(residue, limb);
      a.add(residue, a.enter(plain.words[i * plain.limbs + k]));
    }
    if (residue != up[std::size_t(m.begin.back()) + i]) throw Wrong("long counts differ from residues");
  }
  for (std::int32_t center = 0; center <= root; center += std::max(1, root / 7))
    for (const CountingWays& ways : {CountingWays{center, 0}, {center, 1}, {center, 1e9},
                                     {center, 0, 3, kSpreadAll}, {center, 1e9, 3, kSpreadAll}}) {
      const Counts found = count_by_mines(piece, guard, ways);
      if (found.least != plain.least || found.size() != plain.size()) throw Wrong("long counts have another range");
      for (std::size_t i = 0; i < plain.size(); ++i)
        for (std::size_t k = 0; k < std::max(found.limbs, plain.limbs); ++k) {
          const auto word = [&](const Counts& x) { return k < x.limbs ? x.words[i * x.limbs + k] : 0; };
          if (word(found) != word(plain)) throw Wrong("long counts depend on the way");
        }
    }
}

void check_large_circles() {
  struct Case {
    std::int32_t pieces, free;
    std::int64_t off;
  };
  Guard guard;
  for (const auto& [pieces, free, off] : {Case{1, 50, -40}, {1, 50, 0}, {1, 50, 40}, {2, 0, 0}, {2, 1, 20}, {3, 50, 0}}) {
    System s = copies(arms_that_meet(60, 6), pieces);
    s.has_total = true;
    s.total = s.variables / 3 + off;
    s.variables += free;
    const Compiled c = compile_system(s, Options{true, true, true, false, OrderKind::tree}, guard, nullptr);
    if (c.pieces.size() != std::size_t(pieces)) throw Wrong("copies are pieces of their own");
    const MineRanges m(*c.pieces.front().diagram);
    if (m.length(c.pieces.front().diagram->nodes - 1) < 300) throw Wrong("the circle is small");
    if (!check_circles(c, guard)) throw Wrong("circles do not do, though the total is a likely one");
    if (!verdicts_by_spans(c, spans_of(c, nullptr, guard), guard)) throw Wrong("spans leave something open");
  }
}

}  // namespace sapper::tests
