// What is found by search: forced variables, and what sums of few clues say.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/memory.hpp"
#include "classes.hpp"
#include "methods/kset.hpp"
#include "oracle.hpp"
#include "search/prober.hpp"
#include "system/component.hpp"

namespace sapper::tests {

namespace {

// Whether parts are built as they are found, or later and by several threads, they are the same.
void check_parts(const System& s, Random& random, Faults& faults) {
  Guard calm;
  Knowledge knowledge(s);
  if (!knowledge.propagate(calm)) return;
  const bool group = random.below(2) == 0;
  Vector<Part> expected;
  Splitter at_once(knowledge, group);
  Splitter::Scratch scratch;
  at_once.find({}, calm, [&](const auto& found) { expected.push_back(at_once.build(found, scratch)); });
  Crew crew(unsigned(1 + random.below(4)));
  const Vector<Part> parts = faults.insist([&](Guard& guard) {
    Splitter later(knowledge, group);
    Vector<Splitter::Found> all;
    later.find({}, guard, [&](const auto& found) { all.push_back(found); });
    Vector<Part> built(all.size());
    crew.spread(all.size(), guard, [&](std::size_t i, Guard&) {
      Splitter::Scratch own;
      built[i] = later.build(all[i], own);
    });
    return built;
  });
  const auto same = [](const Part& a, const Part& b) {
    return a.variables == b.variables && a.variable_offsets == b.variable_offsets && a.clue_ids == b.clue_ids &&
           a.component.content() == b.component.content();
  };
  if (!std::ranges::equal(parts, expected, same)) throw Wrong("parts that are built later differ");
}

}  // namespace

void check_prober(const System& s, Random& random, Faults& faults) {
  check_parts(s, random, faults);
  const Truth truth(s);
  Guard guard({}, faults.hook());
  Prober prober(s.variables, guard);
  // Clues said again and again say nothing new, but there are more of them than join at once.
  const std::size_t times = random.below(2) == 0 ? 1 : 20;
  const auto tell = [&](Prober& who) {
    who.expect(std::size_t(s.clues()) * times, s.cells.size() * times);
    for (std::size_t i = 0; i < times; ++i)
      for (std::int32_t c = 0; c < s.clues(); ++c) {
        Vector<Prober::Entry> row;
        for (std::int32_t e = s.offsets[c]; e < s.offsets[c + 1]; ++e)
          row.push_back({s.cells[e], s.weight(e)});
        who.add_clue(row, s.counts[c]);
      }
  };
  tell(prober);
  for (std::int32_t v = 0; v < s.variables; ++v) prober.guess(v, random.below(2) == 0);
  const auto model = [&] {
    std::uint32_t mask = 0;
    for (std::int32_t v = 0; v < s.variables; ++v) mask |= std::uint32_t(prober.model(v)) << v;
    return mask;
  };
  if (faults.insist_on(guard, [&] { return prober.solve(); }) != truth.consistent())
    throw Wrong("consistency differs");
  if (!truth.consistent()) {
    Crew crew(2);
    Guard calm;
    Prober shared(s.variables, calm);
    tell(shared);
    if (shared.probe_with(crew, {}, calm)) throw Wrong("several threads find a contradiction consistent");
    return;
  }
  if (!truth.holds(model())) throw Wrong("the model is no solution");
  const auto possible = [&](std::int32_t v, bool value) {
    const std::uint64_t mined = truth.mined_in(v, false, 0);
    return value ? mined > 0 : mined < truth.solutions.size();
  };
  for (std::int32_t i = 0; i < s.variables; ++i) {
    const auto v = std::int32_t(random.below(std::uint64_t(s.variables)));
    const bool wanted = !prober.model(v);
    const bool flipped = faults.insist_on(guard, [&] { return prober.can_flip(v); });
    if (flipped != possible(v, wanted)) throw Wrong("can a value be had: yes or no");
    if (!truth.holds(model()) || (flipped && prober.model(v) != wanted)) throw Wrong("the model is no solution");
  }
  Vector<std::int32_t> all(std::size_t(s.variables));
  std::iota(all.begin(), all.end(), 0);
  faults.insist_on(guard, [&] { prober.probe(all); });
  for (const std::int32_t v : all) {
    const int expected = !possible(v, true) ? 0 : !possible(v, false) ? 1 : -1;
    if (prober.forced(v) != expected) throw Wrong("variable " + std::to_string(v) + " differs");
  }
  Crew crew(unsigned(1 + random.below(4)));
  const bool has_room = random.below(2) == 0;
  const std::size_t others = crew.threads() - 1;
  const std::size_t at_once = 1 + std::size_t(random.below(4));
  const auto same = [&](Guard& g) {
    Prober shared(s.variables, g);
    shared.expect_others(others);
    for (std::size_t i = 0; i < others; ++i)
      if (has_room) shared.make_room(i, std::size_t(s.clues()) * times, g);
    tell(shared);
    if (!shared.probe_with(crew, all, g, at_once)) return false;
    return std::ranges::all_of(all, [&](std::int32_t v) { return shared.forced(v) == prober.forced(v); });
  };
  if (!faults.insist(same)) throw Wrong("several threads find something else");
}

namespace {

// All signed sums of at most k clues, a clue up to k times; nothing is left out.
class AllSums {
 public:
  AllSums(const System& s, const Vector<std::int8_t>& known)
      : system_(s), known_(known), found(known), coefficients_(std::size_t(s.variables), 0) {}

  void run(std::int32_t clue, std::int32_t left) {
    if (clue == system_.clues()) {
      look();
      return;
    }
    for (std::int32_t times = -left; times <= left; ++times) {
      add(clue, times);
      run(clue + 1, left - std::abs(times));
      add(clue, -times);
    }
  }

 private:
  void add(std::int32_t clue, std::int32_t times) {
    right_ += times * system_.counts[clue];
    for (std::int32_t e = system_.offsets[clue]; e < system_.offsets[clue + 1]; ++e) {
      const std::int32_t v = system_.cells[e];
      const std::int64_t w = times * system_.weight(e);
      if (known_[v] < 0)
        coefficients_[v] += w;
      else
        right_ -= w * known_[v];
    }
  }
  void look() {
    std::int64_t least = 0, greatest = 0;
    for (const std::int64_t x : coefficients_) (x < 0 ? least : greatest) += x;
    if (right_ != least && right_ != greatest) return;
    for (std::int32_t v = 0; v < system_.variables; ++v)
      if (coefficients_[v] != 0) found[v] = (coefficients_[v] < 0) == (right_ == least) ? 1 : 0;
  }

  const System& system_;
  Vector<std::int8_t> known_;

 public:
  Vector<std::int8_t> found;

 private:
  Vector<std::int64_t> coefficients_;
  std::int64_t right_ = 0;
};

}  // namespace

void check_k_sets(const System& s, Random& random, Faults& faults) {
  // The caller's part: sums that stay inside 64 bits.
  for (const std::int64_t w : s.weights)
    if (std::abs(w) > std::int64_t(1) << 40) return;
  const auto k = std::int32_t(1 + random.below(s.clues() <= 6 ? 4 : s.clues() <= 12 ? 2 : 1));
  const bool repeat = random.below(2) == 0;
  const KSetResult result =
      faults.insist([&](Guard& g) { return k_set_search(s, k, repeat, g); });
  const Truth truth(s);
  if (!truth.consistent()) return;
  if (!result.consistent) throw Wrong("a consistent system is found inconsistent");
  Vector<std::int8_t> expected(std::size_t(s.variables), -1);
  while (true) {
    AllSums sums(s, expected);
    sums.run(0, k);
    const bool news = sums.found != expected;
    expected = sums.found;
    if (!news || !repeat) break;
  }
  if (result.values != expected) throw Wrong("something else is inferred with k = " + std::to_string(k));
}

}  // namespace sapper::tests
