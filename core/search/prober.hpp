// Finds every forced variable of a system of linear clues, whatever its width.
//
// Each variable is asked whether it can differ from a model (search/repair.hpp). If it can, the
// repaired model replaces the old one and settles every variable it changed; if not, it is forced.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/crew.hpp"
#include "base/memory.hpp"
#include "base/rows.hpp"
#include "search/repair.hpp"

namespace sapper {

class Prober {
 public:
  struct Entry {
    std::int32_t variable;
    std::int64_t weight;
  };

  Prober(std::int32_t variables, Guard& guard);

  // Room for so many clues with so many entries in all.
  void expect(std::size_t clues, std::size_t entries);
  void add_clue(std::span<const Entry> entries, std::int64_t count);
  // All clues are there. Whoever is asked first sees to that; but it can be done before, on another thread.
  void complete();
  // Others will search in the same clues, on other threads.
  void expect_others(std::size_t others) { others_.resize(others); }
  // Room for one of them. Clues may be added, and room be made for the others, at the same time.
  void make_room(std::size_t other, std::size_t clues, Guard& guard) {
    others_[other].reset(new Prober(*this, clues, guard));
  }

  // Before `solve`: where to start from. The search changes this guess only where it has to.
  void guess(std::int32_t variable, bool mine) { search_.guess(variable, mine); }

  // Is there an assignment that meets all clues? Must come first; afterwards `model` is one.
  [[nodiscard]] bool solve();

  // After a successful solve: decide these variables. Results in `forced`.
  void probe(std::span<const std::int32_t> candidates);

  // `solve` and `probe` on all threads of a crew. Each has a search of its own: first for a model of its share of
  // the clues, then, where the shares meet, for one of all clues, and at last for what is forced. Who asks makes no
  // difference: a variable is forced or not. Each asks about `most_at_once` or fewer before it looks for more. False:
  // the clues contradict each other.
  [[nodiscard]] bool probe_with(Crew& crew, std::span<const std::int32_t> candidates, Guard& guard,
                                std::size_t most_at_once = 256);

  // After a successful solve: can `variable` take the value it does not have in the model?
  // If so the model changes to one where it does.
  [[nodiscard]] bool can_flip(std::int32_t variable);

  bool model(std::int32_t variable) const { return search_.model(variable); }
  // After `probe`, or of what `probe_with` was asked: 0 or 1 where forced, -1 where both values occur.
  std::int8_t forced(std::int32_t variable) const {
    return found_.empty() ? search_.value(variable) : found_[variable];
  }

 private:
  // The same for all that search in them.
  struct Clues {
    Vector<std::int32_t> offsets{0}, variables;
    Vector<std::int64_t> counts;
    Rows<std::int32_t> uses;  // once all clues are there: those of each variable
    // As a rule all weights are 1, and not written down: what is searched should be small.
    bool weighted = false;
    Vector<std::int64_t> weights;
    Rows<std::int64_t> use_weights;
  };
  class Terms {
   public:
    using Number = std::int64_t;
    template <class F>
    void each_sum(std::int32_t variable, F f) const {
      const auto clues = all->uses[std::size_t(variable)];
      if (!all->weighted) {
        for (const std::int32_t clue : clues)
          if (is_open(clue)) f(clue, Number(1));
        return;
      }
      const auto weights = all->use_weights[std::size_t(variable)];
      for (std::size_t i = 0; i < clues.size(); ++i)
        if (is_open(clues[i])) f(clues[i], weights[i]);
    }
    template <class F>
    void each_term(std::int32_t clue, F f) const {
      const std::int32_t begin = all->offsets[clue], end = all->offsets[clue + 1];
      if (!all->weighted) {
        for (std::int32_t e = begin; e < end; ++e) f(all->variables[e], Number(1));
        return;
      }
      for (std::int32_t e = begin; e < end; ++e) f(all->variables[e], all->weights[e]);
    }
    bool is_open(std::int32_t clue) const { return std::uint32_t(clue - first) < std::uint32_t(open); }

    const Clues* all;
    std::int32_t first = 0, open = 0;  // so many, from the first one on, take part yet
  };

  Prober(const Prober& whole, std::size_t clues, Guard& guard);  // one more that searches in the same clues

  // Those from `from` on and before `to` take part, besides those that did.
  [[nodiscard]] bool solve(std::int32_t from, std::int32_t to);

  std::shared_ptr<Clues> clues_;
  Repair<Terms> search_;
  Vector<std::uint8_t> settled_;
  Vector<std::unique_ptr<Prober>> others_;
  Values found_;  // by several, of what was asked
  bool complete_ = false;  // are all clues there?
};

}  // namespace sapper
