// Bit fields for the open clues of a plan, and the look-ahead between pairs of clues.
#include <algorithm>
#include <bit>
#include <unordered_map>

#include "plan.hpp"

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
  std::pair<std::int32_t, std::int32_t> find(std::int32_t bits) {
    const std::uint64_t mask = ones(bits);
    for (std::int32_t word = 0;; ++word) {
      if (word == std::int32_t(used_.size())) used_.push_back(0);
      for (std::int32_t shift = 0; shift + bits <= 64; ++shift)
        if ((used_[word] & (mask << shift)) == 0) return {word, shift};
    }
  }
  static std::uint64_t ones(std::int32_t bits) {
    return bits >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1;
  }

 private:
  std::vector<std::uint64_t> used_;
};

struct Field {
  std::int32_t word = -1, shift = 0;
  std::uint64_t mask = 0;
};

}  // namespace

bool lay_out(const Shape& shape, Plan& plan, bool pairs, Guard& guard) {
  const Component& comp = shape.component();
  const auto steps = std::int32_t(plan.steps.size());
  std::vector<Field> fields(comp.clues());

  // From the root down. `open` of a step: clues open in its table, whose fields are settled. The
  // children see those, the clues that close at the step, less those that the step opens.
  std::vector<std::vector<std::int32_t>> open(steps);
  Fields free_bits;
  std::vector<std::int64_t> decided_below(comp.clues(), 0);
  plan.words = 1;
  // Which clues does a subtree open? A clue belongs to the child in which it was seen before: we
  // learn that from below, by the set of clues each subtree has checked and not closed.
  std::vector<std::vector<std::int32_t>> carried(steps);
  std::uint64_t held = std::uint64_t(steps) * 2 * sizeof(carried[0]);
  Charge charge(guard, held);
  for (std::int32_t i = 0; i < steps; ++i) {
    const Step& step = plan.steps[i];
    auto& mine = carried[i];
    if (step.left >= 0) mine = carried[step.left];
    if (step.is_join())
      for (const std::int32_t c : carried[step.right])
        if (std::find(mine.begin(), mine.end(), c) == mine.end()) mine.push_back(c);
    for (std::int32_t k = step.check_begin; k < step.check_end; ++k) {
      const Check& check = plan.checks[k];
      const auto at = std::find(mine.begin(), mine.end(), check.clue);
      if (check.closes) {
        if (at != mine.end()) mine.erase(at);
      } else if (at == mine.end()) {
        mine.push_back(check.clue);
      }
    }
    if (!mine.empty()) held += mine.capacity() * sizeof(mine[0]) + kBlock;
    charge.at_least(held);
    guard.tick(std::uint32_t(mine.size()) + 1);
  }
  for (std::int32_t i = steps - 1; i >= 0; --i) {
    const Step& step = plan.steps[i];
    free_bits.clear();
    for (const std::int32_t c : carried[i])
      free_bits.occupy(fields[c].word, fields[c].shift, fields[c].mask);
    for (std::int32_t k = step.check_begin; k < step.check_end; ++k) {
      Check& check = plan.checks[k];
      Field& field = fields[check.clue];
      if (check.closes) {
        const std::int32_t bits = bits_for(shape.target(check.clue));
        if (bits > 64) return false;
        const auto [word, shift] = free_bits.find(bits);
        field = {word, shift, Fields::ones(bits)};
        free_bits.occupy(word, shift, field.mask);
        plan.words = std::max(plan.words, word + 1);
      }
      check.word = field.word;
      check.shift = field.shift;
      check.mask = field.mask;
    }
    guard.tick(std::uint32_t(carried[i].size()) + 1);
  }
  if (plan.words > kMaxWords) return false;
  if (!pairs) return true;

  // Pair checks need to know which groups a table has decided; plans without joins decide all
  // groups of earlier steps, which is where wide tables live.
  if (plan.has_joins) return true;
  std::vector<std::uint8_t> decided(comp.groups(), 0);
  std::vector<std::int32_t> stamp(comp.clues(), -1);
  for (std::int32_t i = 0; i < steps; ++i) {
    Step& step = plan.steps[i];
    decided[step.group] = 1;
    step.pair_begin = std::int32_t(plan.pairs.size());
    for (std::int32_t k = step.check_begin; k < step.check_end; ++k) {
      const std::int32_t a = plan.checks[k].clue;
      if (plan.checks[k].closes) continue;
      for (const auto& e : comp.clue(a)) {
        if (decided[e.group]) continue;
        for (const auto& u : shape.uses(e.group)) {
          const std::int32_t b = u.clue;
          if (b == a || stamp[b] == i * 64 + (k - step.check_begin)) continue;
          stamp[b] = i * 64 + (k - step.check_begin);
          if (std::find(carried[i].begin(), carried[i].end(), b) == carried[i].end()) continue;
          // left(a) - left(b) over the undecided groups, each at its extremes.
          std::int64_t low = 0, high = 0, reach_low = 0, reach_high = 0;
          auto add = [&](std::int64_t at_none, std::int64_t at_all) {
            low += std::min(at_none, at_all);
            high += std::max(at_none, at_all);
          };
          auto weight_in = [&](std::int32_t clue, std::int32_t group) {
            for (const auto& x : shape.uses(group))
              if (x.clue == clue) return x.weight;
            return std::int64_t(0);
          };
          auto both = [&](std::int32_t group, std::int64_t wa, std::int64_t wb) {
            const std::int64_t n = comp.sizes[group];
            auto part = [&](std::int64_t w, std::int64_t v) {
              return w == 0 ? 0 : shape.contribution(group, w, v);
            };
            add(part(wa, 0) - part(wb, 0), part(wa, n) - part(wb, n));
            reach_low -= part(wb, wb > 0 ? n : 0);
            reach_high += part(wa, wa > 0 ? n : 0);
          };
          for (const auto& x : comp.clue(a))
            if (!decided[x.group]) both(x.group, x.weight, weight_in(b, x.group));
          for (const auto& x : comp.clue(b))
            if (!decided[x.group] && weight_in(a, x.group) == 0) both(x.group, 0, x.weight);
          if (low <= reach_low && high >= reach_high) continue;
          // collected = target - left, so the bounds turn round.
          const std::int64_t shift = shape.target(a) - shape.target(b);
          plan.pairs.push_back({fields[a].word, fields[a].shift, fields[b].word, fields[b].shift,
                                fields[a].mask, fields[b].mask, shift - high, shift - low});
        }
      }
    }
    step.pair_end = std::int32_t(plan.pairs.size());
    charge.at_least(held + plan.pairs.capacity() * 3 / 2 * sizeof(PairCheck));
    guard.tick(std::uint32_t(step.pair_end - step.pair_begin) + 1);
  }
  return true;
}

}  // namespace sapper
