#include "diagram/state_layout.hpp"

#include <algorithm>
#include <bit>

namespace sapper {

namespace {

constexpr std::int32_t kMaxWords = 16;

// Bits a clue needs: what two joined states may have collected together, before it is checked.
std::int32_t bits_for(std::int64_t target) {
  return std::max(1, std::int32_t(std::bit_width(std::uint64_t(std::max<std::int64_t>(target, 0)) * 2)));
}

// Finds free bits; fields never straddle two words.
class Fields {
 public:
  void clear() { used_.assign(used_.size(), 0); }
  void occupy(std::int32_t word, std::int32_t shift, std::uint64_t mask) {
    if (word >= std::int32_t(used_.size())) used_.resize(word + 1, 0);
    used_[word] |= mask << shift;
  }
  void release(std::int32_t word, std::int32_t shift, std::uint64_t mask) {
    used_[word] &= ~(mask << shift);
  }
  std::pair<std::int32_t, std::int32_t> find(std::int32_t bits) {
    for (std::int32_t word = 0;; ++word) {
      if (word == std::int32_t(used_.size())) used_.push_back(0);
      // Bit i of `starts` stays set while the bits i, i + 1, ... are free.
      std::uint64_t starts = ~used_[word];
      for (std::int32_t more = 1; more < bits; ++more) starts &= ~used_[word] >> more;
      if (starts != 0) return {word, std::countr_zero(starts)};
    }
  }
  static std::uint64_t ones(std::int32_t bits) {
    return bits >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1;
  }

 private:
  Vector<std::uint64_t> used_;
};

struct Field {
  std::int32_t word = -1, shift = 0;
  std::uint64_t mask = 0;
};

// The checks of a step by machine word.
void pack(const Shape& shape, Plan& plan, Step& step) {
  step.packed_begin = std::int32_t(plan.packed.size());
  for (std::int32_t k = step.check_begin; k < step.check_end; ++k) {
    const Check& c = plan.checks[k];
    std::size_t at = std::size_t(step.packed_begin);
    while (at < plan.packed.size() && plan.packed[at].word != c.word) ++at;
    if (at == plan.packed.size()) plan.packed.push_back({c.word, 0, 0, 0, 0, 0, 0});
    PackedCheck& p = plan.packed[at];
    const std::uint64_t most = c.mask >> 1;
    p.tops |= (c.mask ^ most) << c.shift;
    p.over |= (most - c.high) << c.shift;
    p.under |= c.low << c.shift;
    p.over_before |= (most - c.high_before) << c.shift;
    if (c.closes) {
      p.closing |= c.mask << c.shift;
      p.reopened |= std::uint64_t(shape.target(c.clue)) << c.shift;
    }
  }
  step.packed_end = std::int32_t(plan.packed.size());
}

// By how much what two clues have collected can differ, given which groups are decided. With
// `behind` the decided groups tell, otherwise the undecided ones.
class Pairs {
 public:
  Pairs(const Shape& shape, Plan& plan, const Vector<Field>& fields, bool behind)
      : shape_(shape),
        comp_(shape.component()),
        plan_(plan),
        fields_(fields),
        behind_(behind),
        decided_(comp_.groups(), 0),
        done_(comp_.clues(), 0),
        seen_(comp_.clues(), 0) {}

  void decide(std::int32_t group) {
    decided_[group] = 1;
    for (const auto& u : shape_.uses(group)) ++done_[u.clue];
  }

  // All pairs of open clues of which at least one belongs to the step. Long clues (hubs of graphs)
  // say little about their neighbours, and asking them is slow.
  void add(const Step& step) {
    for (std::int32_t k = step.check_begin; k < step.check_end; ++k) {
      const std::int32_t a = plan_.checks[k].clue;
      if (!is_worth_asking(a)) continue;
      ++stamp_;
      // Not with itself, nor twice with those before it.
      for (std::int32_t j = step.check_begin; j <= k; ++j) seen_[plan_.checks[j].clue] = stamp_;
      for (const auto& e : comp_.clue(a)) {
        if (!tells(e.group)) continue;
        for (const auto& u : shape_.uses(e.group)) {
          if (seen_[u.clue] == stamp_) continue;
          seen_[u.clue] = stamp_;
          if (is_worth_asking(u.clue)) add(a, u.clue);
        }
      }
    }
  }

 private:
  static constexpr std::int32_t kLong = 32;
  struct Range {
    std::int64_t low = 0, high = 0;
  };

  bool is_worth_asking(std::int32_t clue) const {
    const auto length = std::int32_t(comp_.clue(clue).size());
    return done_[clue] > 0 && done_[clue] < length && length <= kLong;
  }
  bool tells(std::int32_t group) const { return (decided_[group] != 0) == behind_; }

  std::int64_t weight_in(std::int32_t clue, std::int32_t group) const {
    for (const auto& x : shape_.uses(group))
      if (x.clue == clue) return x.weight;
    return 0;
  }

  std::int64_t part(std::int32_t group, std::int64_t weight, std::int64_t value) const {
    return weight == 0 ? 0 : comp_.contribution(group, weight, value);
  }

  void add(std::int32_t a, std::int32_t b) {
    // The difference over the groups that tell, each at its extremes; `alone` is what the two
    // clues' own checks leave of it.
    Range range, alone;
    auto both = [&](std::int32_t group, std::int64_t wa, std::int64_t wb) {
      const std::int64_t n = comp_.sizes[group];
      const std::int64_t none = part(group, wa, 0) - part(group, wb, 0);
      const std::int64_t all = part(group, wa, n) - part(group, wb, n);
      range.low += std::min(none, all);
      range.high += std::max(none, all);
      alone.low -= part(group, wb, wb > 0 ? n : 0);
      alone.high += part(group, wa, wa > 0 ? n : 0);
    };
    for (const auto& x : comp_.clue(a))
      if (tells(x.group)) both(x.group, x.weight, weight_in(b, x.group));
    for (const auto& x : comp_.clue(b))
      if (tells(x.group) && weight_in(a, x.group) == 0) both(x.group, 0, x.weight);
    if (range.low <= alone.low && range.high >= alone.high) return;
    if (!behind_) {
      // collected = target - left, so the bounds turn round.
      const std::int64_t shift = shape_.target(a) - shape_.target(b);
      range = {shift - range.high, shift - range.low};
    }
    const Field &fa = fields_[a], &fb = fields_[b];
    plan_.pairs.push_back({fa.word, fa.shift, fb.word, fb.shift, fa.mask, fb.mask,
                           std::uint64_t(range.low), std::uint64_t(range.high - range.low)});
  }

  const Shape& shape_;
  const Component& comp_;
  Plan& plan_;
  const Vector<Field>& fields_;
  bool behind_;
  Vector<std::uint8_t> decided_;
  Vector<std::int32_t> done_;  // decided groups of each clue
  Vector<std::uint32_t> seen_;
  std::uint32_t stamp_ = 0;
};

// Which clues are open after each step of a plan with joins.
Vector<Vector<std::int32_t>> open_after(const Plan& plan, Guard& guard) {
  Vector<Vector<std::int32_t>> open(plan.steps.size());
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Step& step = plan.steps[i];
    auto& mine = open[i];
    if (step.left >= 0) mine = open[step.left];
    if (step.is_join())
      for (const std::int32_t c : open[step.right])
        if (std::find(mine.begin(), mine.end(), c) == mine.end()) mine.push_back(c);
    for (std::int32_t k = step.check_begin; k < step.check_end; ++k) {
      const Check& check = plan.checks[k];
      if (check.closes)
        std::erase(mine, check.clue);
      else if (check.opens)
        mine.push_back(check.clue);
    }
    guard.tick(std::uint32_t(mine.size()) + 1);
  }
  return open;
}

// Gives every clue its field, from the root down: a clue's field is found where it closes, among
// the bits that no clue uses that is open after that step. False: they do not fit.
bool assign_fields(const Shape& shape, Plan& plan, Vector<Field>& fields, Guard& guard) {
  const auto open = plan.has_joins ? open_after(plan, guard) : Vector<Vector<std::int32_t>>{};
  Fields taken;
  plan.words = 1;
  for (auto i = std::int32_t(plan.steps.size()) - 1; i >= 0; --i) {
    const Step& step = plan.steps[i];
    if (plan.has_joins) {
      taken.clear();
      for (const std::int32_t c : open[i])
        taken.occupy(fields[c].word, fields[c].shift, fields[c].mask);
      guard.tick(std::uint32_t(open[i].size()) + 1);
    }
    for (std::int32_t k = step.check_begin; k < step.check_end; ++k) {
      Check& check = plan.checks[k];
      Field& field = fields[check.clue];
      if (check.closes) {
        const std::int32_t bits = bits_for(shape.target(check.clue));
        const auto [word, shift] = taken.find(bits);
        field = {word, shift, Fields::ones(bits)};
        taken.occupy(word, shift, field.mask);
        plan.words = std::max(plan.words, word + 1);
      }
      check.word = field.word;
      check.shift = field.shift;
      check.mask = field.mask;
    }
    // Along a path the clues open before a step are those after it, less those that it opens.
    if (!plan.has_joins)
      for (std::int32_t k = step.check_begin; k < step.check_end; ++k)
        if (const Check& c = plan.checks[k]; c.opens) taken.release(c.word, c.shift, c.mask);
    guard.tick();
  }
  return plan.words <= kMaxWords;
}

}  // namespace

bool lay_out(const Shape& shape, Plan& plan, bool thorough, Guard& guard) {
  Vector<Field> fields(shape.component().clues());
  if (!assign_fields(shape, plan, fields, guard)) return false;
  plan.packed.reserve(plan.checks.size());
  for (Step& step : plan.steps) pack(shape, plan, step);

  // Pair checks need to know which groups a table has decided; plans without joins decide all
  // groups of earlier steps, which is where wide tables live.
  if (!thorough || plan.has_joins) return true;
  plan.both_ways = true;
  Pairs ahead(shape, plan, fields, false), behind(shape, plan, fields, true);
  for (Step& step : plan.steps) {
    step.behind_begin = std::int32_t(plan.pairs.size());
    behind.add(step);
    step.behind_end = step.pair_begin = std::int32_t(plan.pairs.size());
    ahead.decide(step.group);
    behind.decide(step.group);
    ahead.add(step);
    step.pair_end = std::int32_t(plan.pairs.size());
    guard.tick(std::uint32_t(step.pair_end - step.behind_begin) + 1);
  }
  return true;
}

}  // namespace sapper
