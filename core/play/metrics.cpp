#include "play/metrics.hpp"

#include <algorithm>

namespace sapper {

namespace {

constexpr std::int32_t kItself = -1, kNone = -2;

// The things that take a click: openings, and numbers in none.
class Clicks {
 public:
  Clicks(const Adjacency& field, std::span<const std::uint8_t> mines, Guard& guard)
      : field_(field), mines_(mines), guard_(guard), numbers_(mines.size(), 0),
        click_of_(mines.size(), kNone), border_(mines.size()) {
    const std::int32_t n = field.cells();
    for (std::int32_t c = 0; c < n; ++c)
      for (const std::int32_t d : field.of(c)) numbers_[c] += mines[d];
    for (std::int32_t c = 0; c < n; ++c)
      if (is_zero(c) && click_of_[c] == kNone) flood(c);
    for (std::int32_t c = 0; c < n; ++c)
      if (!mines[c] && click_of_[c] == kNone && border_[c].empty()) click_of_[c] = kItself;
  }

  std::int32_t islands() {
    std::vector<std::uint8_t> seen(mines_.size(), 0);
    std::int32_t count = 0;
    for (std::int32_t c = 0; c < field_.cells(); ++c) {
      if (click_of_[c] != kItself || seen[c]) continue;
      ++count;
      stack_.assign(1, c);
      seen[c] = 1;
      while (!stack_.empty()) {
        const std::int32_t at = stack_.back();
        stack_.pop_back();
        guard_.tick();
        for (const std::int32_t d : field_.of(at))
          if (click_of_[d] == kItself && !seen[d]) {
            seen[d] = 1;
            stack_.push_back(d);
          }
      }
    }
    return count;
  }

  std::int32_t alone() const {
    return std::int32_t(std::count(click_of_.begin(), click_of_.end(), kItself));
  }
  std::int32_t openings() const { return openings_; }
  bool is_zero(std::int32_t c) const { return !mines_[c] && numbers_[c] == 0; }
  const std::vector<std::int32_t>& click_of() const { return click_of_; }
  // Openings that a number lies beside.
  const std::vector<std::int32_t>& beside(std::int32_t c) const { return border_[c]; }

 private:
  void flood(std::int32_t zero) {
    const std::int32_t name = openings_++;
    click_of_[zero] = name;
    stack_.assign(1, zero);
    while (!stack_.empty()) {
      const std::int32_t at = stack_.back();
      stack_.pop_back();
      guard_.tick();
      for (const std::int32_t d : field_.of(at)) {
        if (!is_zero(d)) {
          if (border_[d].empty() || border_[d].back() != name) border_[d].push_back(name);
        } else if (click_of_[d] == kNone) {
          click_of_[d] = name;
          stack_.push_back(d);
        }
      }
    }
  }

  const Adjacency& field_;
  std::span<const std::uint8_t> mines_;
  Guard& guard_;
  std::vector<std::int32_t> numbers_, click_of_, stack_;
  std::vector<std::vector<std::int32_t>> border_;
  std::int32_t openings_ = 0;
};

class Zini {
 public:
  Zini(const Adjacency& field, std::span<const std::uint8_t> mines,
       std::span<const std::int32_t> order, const Clicks& clicks, Guard& guard)
      : field_(field), mines_(mines), order_(order), clicks_(clicks), guard_(guard),
        opened_(mines.size(), 0), flagged_(mines.size(), 0),
        gain_(mines.size()), clicked_(std::size_t(clicks.openings()), 0) {
    for (std::int32_t c = 0; c < field.cells(); ++c) {
      left_ += !mines[c];
      // A chord and the click that uncovers it; then what it uncovers, less the flags.
      std::int32_t gain = -2 + std::int32_t(clicks.beside(c).size()) + is_alone(c);
      for (const std::int32_t d : field.of(c)) gain += is_alone(d) - mines[d];
      gain_[c] = gain;
    }
    cells_of_.resize(clicked_.size());
    for (std::int32_t c = 0; c < field.cells(); ++c) {
      if (clicks.click_of()[c] >= 0) cells_of_[clicks.click_of()[c]].push_back(c);
      for (const std::int32_t o : clicks.beside(c)) cells_of_[o].push_back(c);
    }
  }

  std::int32_t count(bool human) {
    std::int32_t clicks = 0;
    if (human)
      for (const std::int32_t c : order_)
        if (clicks_.is_zero(c) && !opened_[c]) {
          ++clicks;
          reveal(c);
        }
    while (left_ > 0) {
      guard_.tick(std::uint32_t(order_.size()));
      guard_.add_nodes(1);
      std::int32_t best = -1, first = -1;
      for (const std::int32_t c : order_) {
        if (mines_[c] || clicks_.is_zero(c) || (human && !opened_[c])) continue;
        if (gain_[c] >= 0 && (best < 0 || gain_[c] > gain_[best])) best = c;
      }
      if (best >= 0) {
        if (!opened_[best]) {
          ++clicks;
          reveal(best);
        }
        clicks += chord(best);
        continue;
      }
      for (const std::int32_t c : order_)
        if (!opened_[c] && clicks_.click_of()[c] != kNone) {
          first = c;
          break;
        }
      ++clicks;
      reveal(first);
    }
    return clicks;
  }

 private:
  bool is_alone(std::int32_t c) const { return clicks_.click_of()[c] == kItself; }

  std::int32_t chord(std::int32_t cell) {
    std::int32_t clicks = 1;
    for (const std::int32_t d : field_.of(cell))
      if (mines_[d] && !flagged_[d]) {
        flagged_[d] = 1;
        ++clicks;
        for (const std::int32_t e : field_.of(d)) ++gain_[e];
      }
    for (const std::int32_t d : field_.of(cell))
      if (!mines_[d]) reveal(d);
    return clicks;
  }

  void reveal(std::int32_t cell) {
    if (!clicks_.is_zero(cell)) {
      open(cell);
      return;
    }
    const std::int32_t opening = clicks_.click_of()[cell];
    if (clicked_[opening]) return;
    clicked_[opening] = 1;
    for (const std::int32_t c : cells_of_[opening]) {
      open(c);
      --gain_[c];
    }
  }

  void open(std::int32_t cell) {
    if (opened_[cell]) return;
    opened_[cell] = 1;
    --left_;
    ++gain_[cell];
    if (!is_alone(cell)) return;
    --gain_[cell];
    for (const std::int32_t d : field_.of(cell)) --gain_[d];
  }

  const Adjacency& field_;
  std::span<const std::uint8_t> mines_;
  std::span<const std::int32_t> order_;
  const Clicks& clicks_;
  Guard& guard_;
  std::vector<std::uint8_t> opened_, flagged_;
  std::vector<std::int32_t> gain_;
  std::vector<std::uint8_t> clicked_;
  std::vector<std::vector<std::int32_t>> cells_of_;
  std::int32_t left_ = 0;
};

}  // namespace

Metrics metrics_of(const Adjacency& field, std::span<const std::uint8_t> mines,
                   std::span<const std::int32_t> order, Guard& guard) {
  Clicks clicks(field, mines, guard);
  Metrics out;
  out.openings = clicks.openings();
  out.three_bv = clicks.openings() + clicks.alone();
  out.islands = clicks.islands();
  out.click_of = clicks.click_of();
  if (order.empty()) return out;
  out.zini = Zini(field, mines, order, clicks, guard).count(false);
  out.human_zini = Zini(field, mines, order, clicks, guard).count(true);
  return out;
}

}  // namespace sapper
