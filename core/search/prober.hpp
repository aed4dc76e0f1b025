// Finds every forced variable of a system of linear clues, whatever its width.
//
// Each variable is asked whether it can differ from a model (search/repair.hpp). If it can, the
// repaired model replaces the old one and settles every variable it changed; if not, it is forced.
#pragma once

#include <cstdint>
#include <span>

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

  // Before `solve`: where to start from. The search changes this guess only where it has to.
  void guess(std::int32_t variable, bool mine) { search_.guess(variable, mine); }

  // Is there an assignment that meets all clues? Must come first; afterwards `model` is one.
  [[nodiscard]] bool solve();

  // After a successful solve: decide these variables. Results in `forced`.
  void probe(std::span<const std::int32_t> candidates);

  // After a successful solve: can `variable` take the value it does not have in the model?
  // If so the model changes to one where it does.
  [[nodiscard]] bool can_flip(std::int32_t variable);

  bool model(std::int32_t variable) const { return search_.model(variable); }
  // After `probe`: 0 or 1 where forced, -1 where both values occur.
  std::int8_t forced(std::int32_t variable) const { return search_.value(variable); }

 private:
  class Terms {
   public:
    using Number = std::int64_t;
    struct Use {
      std::int32_t clue;
      std::int64_t weight;
    };
    template <class F>
    void each_sum(std::int32_t variable, F f) const {
      for (const Use& u : uses[std::size_t(variable)])
        if (u.clue >= first) f(u.clue, u.weight);
    }
    template <class F>
    void each_term(std::int32_t clue, F f) const {
      for (std::int32_t e = offsets[clue]; e < offsets[clue + 1]; ++e)
        f(entries[e].variable, entries[e].weight);
    }
    bool is_open(std::int32_t clue) const { return clue >= first; }

    Vector<std::int32_t> offsets{0};
    Vector<Entry> entries;
    Rows<Use> uses;
    std::int32_t first = 0;  // those before it do not take part yet
  };

  Repair<Terms> search_;
  Vector<std::int64_t> counts_;
  Vector<std::uint8_t> settled_;
  bool complete_ = false;  // are all clues there?
};

}  // namespace sapper
