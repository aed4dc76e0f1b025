#include "methods/kset.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace sapper {

namespace {

struct Term {
  std::int32_t variable;
  std::int64_t weight;
};

// One search over the effective clues: known values are substituted when it is made.
class Search {
 public:
  Search(const System& system, std::int32_t k, KSetResult& result, Guard& guard)
      : k_(k),
        result_(&result),
        guard_(&guard),
        coefficient_(system.variables, 0) {
    terms_.reserve(system.cells.size());
    offsets_.reserve(system.counts.size() + 1);
    counts_.reserve(system.counts.size());
    offsets_.push_back(0);
    for (std::int32_t c = 0; c < system.clues(); ++c) {
      std::int64_t count = system.counts[c];
      for (std::int32_t e = system.offsets[c]; e < system.offsets[c + 1]; ++e) {
        const std::int32_t v = system.cells[e];
        const std::int64_t w = system.weight(e);
        if (w == 0) continue;
        if (result.values[v] < 0)
          terms_.push_back({v, w});
        else
          count -= w * result.values[v];
      }
      if (std::size_t(offsets_.back()) == terms_.size()) {
        if (count != 0) result.consistent = false;
        continue;
      }
      offsets_.push_back(static_cast<std::int32_t>(terms_.size()));
      counts_.push_back(count);
    }
    found_ = result.values;
    if (k_ > 1) connect();
    marks_.assign(2 * counts_.size(), 0);
  }

  bool run() {
    for (std::int32_t c = 0; c < clues() && result_->consistent; ++c) {
      root_ = c;
      Vector<std::int32_t> extension;
      push(2 * c, extension);
      grow(extension);
      pop();
    }
    const bool news = found_ != result_->values;
    result_->values = found_;
    return news;
  }

 private:
  std::int32_t clues() const { return static_cast<std::int32_t>(counts_.size()); }

  // A signed clue is 2 * clue + (1 if subtracted). Two are joined if some variable gets
  // contributions of opposite signs from them.
  void connect() {
    Vector<Vector<std::pair<std::int32_t, bool>>> uses(coefficient_.size());
    for (std::int32_t c = 0; c < clues(); ++c)
      for (std::int32_t e = offsets_[c]; e < offsets_[c + 1]; ++e)
        uses[terms_[e].variable].push_back({c, terms_[e].weight > 0});
    joined_.resize(2 * counts_.size());
    for (std::int32_t c = 0; c < clues(); ++c) {
      Vector<std::int32_t>& up = joined_[2 * c];
      for (std::int32_t e = offsets_[c]; e < offsets_[c + 1]; ++e)
        for (const auto& [other, positive] : uses[terms_[e].variable])
          if (other != c) up.push_back(2 * other + (positive == (terms_[e].weight > 0) ? 1 : 0));
      std::sort(up.begin(), up.end());
      up.erase(std::unique(up.begin(), up.end()), up.end());
      joined_[2 * c + 1].reserve(up.size());
      for (const std::int32_t s : up) joined_[2 * c + 1].push_back(s ^ 1);
      guard_->tick(static_cast<std::uint32_t>(up.size() + 1));
    }
  }

  void add(std::int32_t chosen) {
    const std::int32_t c = chosen / 2;
    const std::int64_t sign = chosen % 2 ? -1 : 1;
    right_ += sign * counts_[c];
    for (std::int32_t e = offsets_[c]; e < offsets_[c + 1]; ++e) {
      std::int64_t& x = coefficient_[terms_[e].variable];
      (x < 0 ? least_ : greatest_) -= x;
      x += sign * terms_[e].weight;
      (x < 0 ? least_ : greatest_) += x;
    }
  }

  // Puts a signed clue into the combination; what it newly reaches joins the extension. Marks
  // count how many members reach a signed clue, so each set of members is built in one way only.
  void push(std::int32_t chosen, Vector<std::int32_t>& extension) {
    members_.push_back(chosen);
    add(chosen);
    if (members_.size() < std::size_t(k_) && k_ > 1) {
      for (const std::int32_t s : joined_[chosen])
        if (s / 2 > root_ && marks_[s]++ == 0) extension.push_back(s);
    }
  }

  void pop() {
    const std::int32_t chosen = members_.back();
    if (members_.size() < std::size_t(k_) && k_ > 1)
      for (const std::int32_t s : joined_[chosen])
        if (s / 2 > root_) --marks_[s];
    members_.pop_back();
    add(chosen ^ 1);
  }

  bool has(std::int32_t clue) const {
    return std::any_of(members_.begin(), members_.end(),
                       [clue](std::int32_t m) { return m / 2 == clue; });
  }

  void grow(Vector<std::int32_t>& extension) {
    repeat_members(0, k_ - std::int32_t(members_.size()));
    if (members_.size() == std::size_t(k_)) return;
    while (!extension.empty() && result_->consistent) {
      const std::int32_t next = extension.back();
      extension.pop_back();
      if (has(next / 2)) continue;
      Vector<std::int32_t> wider = extension;
      push(next, wider);
      grow(wider);
      pop();
    }
  }

  // The combination itself, and with members taken several times.
  void repeat_members(std::size_t from, std::int32_t extra) {
    look();
    // Several times the same clue says no more than once.
    if (members_.size() == 1) return;
    for (std::size_t m = from; extra > 0 && m < members_.size(); ++m) {
      add(members_[m]);
      repeat_members(m, extra - 1);
      add(members_[m] ^ 1);
    }
  }

  void look() {
    guard_->tick();
    ++result_->combinations;
    if (right_ < least_ || right_ > greatest_) {
      result_->consistent = false;
      return;
    }
    if (right_ != least_ && right_ != greatest_) return;
    const bool low = right_ == least_;
    for (const std::int32_t m : members_)
      for (std::int32_t e = offsets_[m / 2]; e < offsets_[m / 2 + 1]; ++e) {
        const std::int64_t x = coefficient_[terms_[e].variable];
        if (x == 0) continue;
        const std::int8_t value = (x < 0) == low ? 1 : 0;
        std::int8_t& known = found_[terms_[e].variable];
        if (known >= 0 && known != value) result_->consistent = false;
        known = value;
      }
  }

  std::int32_t k_;
  KSetResult* result_;
  Guard* guard_;
  Vector<Term> terms_;
  Vector<std::int32_t> offsets_;
  Vector<std::int64_t> counts_;
  Vector<Vector<std::int32_t>> joined_;
  Vector<std::int64_t> coefficient_;
  Vector<std::int8_t> found_;
  Vector<std::int32_t> members_, marks_;
  std::int32_t root_ = 0;
  std::int64_t right_ = 0, least_ = 0, greatest_ = 0;
};

}  // namespace

bool decided_by_signs(const System& system, std::int32_t variable, Guard& guard) {
  Vector<std::int64_t> coefficient(std::size_t(system.variables), 0), sign(std::size_t(system.clues()), 0);
  std::int64_t right = 0, least = 0, greatest = 0;
  const auto set = [&](std::int32_t c, std::int64_t wanted) {
    const std::int64_t change = wanted - sign[c];
    sign[c] = wanted;
    right += change * system.counts[c];
    for (std::int32_t e = system.offsets[c]; e < system.offsets[c + 1]; ++e) {
      std::int64_t& x = coefficient[system.cells[e]];
      (x < 0 ? least : greatest) -= x;
      x += change * system.weight(e);
      (x < 0 ? least : greatest) += x;
    }
  };
  for (std::int32_t c = 0; c < system.clues(); ++c) set(c, 1);
  // A Gray code over the signs of all clues but the last: all signs turned say the same.
  const std::uint64_t end = std::uint64_t(1) << std::clamp(system.clues() - 1, 0, 63);
  for (std::uint64_t step = 1;; ++step) {
    guard.tick();
    if (coefficient[variable] != 0 && (right == least || right == greatest)) return true;
    if (step == end) return false;
    const std::int32_t c = std::countr_zero(step);
    set(c, -sign[c]);
  }
}

KSetResult k_set_search(const System& system, std::int32_t k, bool repeat, Guard& guard) {
  KSetResult result;
  guard.take_bytes(system.bytes());
  result.values.assign(system.variables, -1);
  bool news = true;
  while (news && result.consistent) {
    Search search(system, k, result, guard);
    if (!result.consistent) break;
    news = search.run() && repeat;
  }
  return result;
}

}  // namespace sapper
