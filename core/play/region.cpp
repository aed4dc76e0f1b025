#include "play/region.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace sapper {

namespace {

constexpr int kSmall = 32;

constexpr auto kChoose = [] {
  std::array<std::array<double, kSmall>, kSmall> t{};
  for (int n = 0; n < kSmall; ++n) {
    t[n][0] = 1;
    for (int k = 1; k <= n; ++k) t[n][k] = t[n - 1][k - 1] + (k < n ? t[n - 1][k] : 0);
  }
  return t;
}();

template <class... Vectors>
std::uint64_t bytes_of(const Vectors&... all) {
  return ((all.capacity() * sizeof(typename Vectors::value_type)) + ...);
}

}  // namespace

std::uint64_t Region::bytes() const {
  return sizeof(Region) +
         bytes_of(cells, cell_offsets, clues, clue_groups, clue_offsets, whole, mined, always);
}

std::uint64_t Tally::bytes() const {
  return bytes_of(steps_, levels_, keys_, arcs_, below_, above_, up_, down_, slots_);
}

void Tally::count(const Sight& sight, Region& region) {
  region.fits = plan(sight, region) && expand();
  region.whole.clear();
  region.mined.clear();
  if (!region.fits || !trim()) return;
  forth();
  back(region);
}

// Clue by clue: next always the open one that opens fewest others, from one end of the region to
// the other.
bool Tally::plan(const Sight& sight, const Region& r) {
  const std::int32_t groups = r.groups(), clues = std::int32_t(r.clues.size());
  std::int32_t most = 1;
  for (std::int32_t g = 0; g < groups; ++g)
    if (r.size(g) >= kSmall) return false;
  left_.assign(clues, 0);
  group_offsets_.assign(groups + 1, 0);
  for (std::int32_t c = 0; c < clues; ++c) {
    most = std::max(most, sight.need(r.clues[c]));
    left_[c] = sight.open(r.clues[c]);
    for (std::int32_t i = r.clue_offsets[c]; i < r.clue_offsets[c + 1]; ++i)
      ++group_offsets_[r.clue_groups[i] + 1];
  }
  for (std::int32_t g = 0; g < groups; ++g) group_offsets_[g + 1] += group_offsets_[g];
  group_clues_.resize(r.clue_groups.size());
  for (std::int32_t c = clues; c-- > 0;)
    for (std::int32_t i = r.clue_offsets[c]; i < r.clue_offsets[c + 1]; ++i)
      group_clues_[--group_offsets_[r.clue_groups[i] + 1]] = c;
  // The shift above left each group's end at its begin: offsets[g + 1] is now where g begins.
  for (std::int32_t g = 0; g < groups; ++g) group_offsets_[g] = group_offsets_[g + 1];
  group_offsets_[groups] = std::int32_t(group_clues_.size());
  auto clues_of = [&](std::int32_t g) {
    return std::span(group_clues_).subspan(group_offsets_[g], group_offsets_[g + 1] - group_offsets_[g]);
  };

  const int width = std::bit_width(std::uint32_t(most)) + 1;
  const int fields = 64 / width;
  std::uint64_t free = fields == 64 ? ~0ull : (1ull << fields) - 1;
  // The far end, seen from the first clue.
  queued_.assign(clues, 0);
  std::int32_t start = 0;
  {
    field_.assign(1, 0);
    queued_[0] = 1;
    for (std::size_t i = 0; i < field_.size(); ++i) {
      start = field_[i];
      for (std::int32_t k = r.clue_offsets[start]; k < r.clue_offsets[start + 1]; ++k)
        for (const std::int32_t d : clues_of(r.clue_groups[k]))
          if (!queued_[d]) {
            queued_[d] = 1;
            field_.push_back(d);
          }
    }
  }
  field_.assign(clues, -1);
  decided_.assign(groups, 0);
  steps_.clear();
  for (std::int32_t next = start; next >= 0;) {
    for (std::int32_t k = r.clue_offsets[next]; k < r.clue_offsets[next + 1]; ++k) {
      const std::int32_t g = r.clue_groups[k];
      if (decided_[g]) continue;
      decided_[g] = 1;
      Step s{g, r.size(g), 0, 0, 0, 0};
      for (const std::int32_t c : clues_of(g)) {
        if (field_[c] < 0) {
          if (free == 0) return false;
          field_[c] = std::countr_zero(free);
          free &= free - 1;
          s.opens |= std::uint64_t(sight.need(r.clues[c])) << (field_[c] * width);
        }
        const int shift = field_[c] * width;
        left_[c] -= s.size;
        s.ones |= 1ull << shift;
        s.tops |= 1ull << (shift + width - 1);
        s.room |= std::uint64_t(std::min(left_[c], most)) << shift;
      }
      for (const std::int32_t c : clues_of(g))
        if (left_[c] == 0) free |= 1ull << field_[c];
      steps_.push_back(s);
    }
    next = -1;
    int best = 1 << 20;
    for (std::int32_t c = 0; c < clues; ++c) {
      if (field_[c] < 0 || left_[c] == 0) continue;
      int cost = 0;
      for (std::int32_t k = r.clue_offsets[c]; k < r.clue_offsets[c + 1]; ++k) {
        const std::int32_t g = r.clue_groups[k];
        if (decided_[g]) continue;
        cost += 1;
        for (const std::int32_t d : clues_of(g)) cost += field_[d] < 0 ? 4 : 0;
      }
      if (cost < best) {
        best = cost;
        next = c;
      }
    }
  }
  return true;
}

std::uint32_t Tally::insert(std::uint64_t key) {
  const std::size_t mask = slots_.size() - 1;
  auto at = std::size_t((key * 0x9E3779B97F4A7C15ull) >> (64 - slot_bits_));
  for (; slots_[at].level == level_; at = (at + 1) & mask)
    if (keys_[slots_[at].state] == key) return slots_[at].state;
  const auto state = std::uint32_t(keys_.size());
  slots_[at] = {level_, state};
  keys_.push_back(key);
  below_.emplace_back();
  return state;
}

bool Tally::expand() {
  keys_.assign(1, 0);
  arcs_.clear();
  below_.assign(1, Range{0, 0, 0});
  levels_.assign(1, {0, 1, 0});
  for (const Step& s : steps_) {
    const Level level = levels_.back();
    const auto end = std::uint32_t(keys_.size());
    const std::size_t most = std::size_t(level.size) * std::size_t(s.size + 1);
    if (end + most > kMostStates) return false;
    ++level_;
    if (most * 2 > slots_.size()) {
      slot_bits_ = std::max(10u, std::uint32_t(std::bit_width(most * 2)));
      slots_.assign(std::size_t(1) << slot_bits_, Slot{});
    }
    levels_.back().arcs = std::uint32_t(arcs_.size());
    const std::size_t arcs = arcs_.size();
    arcs_.resize(arcs + most, kNone);
    std::uint32_t* arc = arcs_.data() + arcs;
    for (std::uint32_t i = level.first; i < end; ++i, arc += s.size + 1) {
      const Range from = below_[i];
      std::uint64_t x = keys_[i] + s.opens;
      for (int v = 0;; ++v) {
        // A number may not need more than there is room for, nor less than nothing.
        if ((((s.room | s.tops) - (x & (s.tops - s.ones))) & s.tops) == s.tops) {
          arc[v] = insert(x);
          below_[arc[v]].include(from.low + v, from.high + v);
        }
        if (v == s.size || (((x | s.tops) - s.ones) & s.tops) != s.tops) break;
        x -= s.ones;
      }
    }
    levels_.push_back({end, std::uint32_t(keys_.size()) - end, 0});
  }
  return true;
}

// States from which the end can't be reached keep an empty range above them.
bool Tally::trim() {
  above_.assign(keys_.size(), Range{});
  if (levels_.back().size == 0) return false;
  above_.back() = Range{0, 0, 0};
  for (std::size_t l = steps_.size(); l-- > 0;) {
    const int values = steps_[l].size + 1;
    const std::uint32_t* arc = arcs_.data() + levels_[l].arcs;
    for (std::uint32_t i = levels_[l].first; i < levels_[l + 1].first; ++i)
      for (int v = 0; v < values; ++v, ++arc) {
        if (*arc == kNone) continue;
        const Range& to = above_[*arc];
        if (!to.empty()) above_[i].include(to.low + v, to.high + v);
      }
  }
  if (above_[0].empty()) return false;
  std::uint32_t up = 0, down = 0;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (above_[i].empty()) continue;
    below_[i].at = up;
    up += below_[i].length();
    above_[i].at = down;
    down += above_[i].length();
  }
  up_.assign(up, 0);
  down_.assign(down, 0);
  return true;
}

void Tally::forth() {
  up_[below_[0].at] = 1;
  for (std::size_t l = 0; l < steps_.size(); ++l) {
    const int size = steps_[l].size;
    const std::uint32_t* arc = arcs_.data() + levels_[l].arcs;
    for (std::uint32_t i = levels_[l].first; i < levels_[l + 1].first; ++i) {
      if (above_[i].empty()) {
        arc += size + 1;
        continue;
      }
      const Range from = below_[i];
      const double* x = up_.data() + from.at;
      for (int v = 0; v <= size; ++v, ++arc) {
        if (*arc == kNone || above_[*arc].empty()) continue;
        const Range& to = below_[*arc];
        double* y = up_.data() + to.at + (from.low + v - to.low);
        const double w = kChoose[size][v];
        for (std::uint32_t k = 0; k < from.length(); ++k) y[k] += w * x[k];
      }
    }
  }
}

void Tally::back(Region& r) {
  const Range all = above_[0];
  r.low = all.low;
  r.states = keys_.size();
  const std::size_t span = all.length();
  r.mined.assign(span * std::size_t(r.groups()), 0);
  r.always.assign(std::size_t(r.groups()), 1);
  down_[above_.back().at] = 1;
  for (std::size_t l = steps_.size(); l-- > 0;) {
    const int size = steps_[l].size;
    double* mined = r.mined.data() + span * std::size_t(steps_[l].group);
    const std::uint32_t* arc = arcs_.data() + levels_[l].arcs;
    for (std::uint32_t i = levels_[l].first; i < levels_[l + 1].first; ++i) {
      const Range here = above_[i];
      if (here.empty()) {
        arc += size + 1;
        continue;
      }
      const Range from = below_[i];
      const double* x = up_.data() + from.at;
      double* y = down_.data() + here.at;
      for (int v = 0; v <= size; ++v, ++arc) {
        if (*arc == kNone || above_[*arc].empty()) continue;
        const Range to = above_[*arc];
        const double* z = down_.data() + to.at;
        const double w = kChoose[size][v];
        double* d = y + (to.low + v - here.low);
        for (std::uint32_t k = 0; k < to.length(); ++k) d[k] += w * z[k];
        if (v < size) r.always[steps_[l].group] = 0;
        if (v == 0) continue;
        double* m = mined + (from.low + v + to.low - all.low);
        for (std::uint32_t a = 0; a < from.length(); ++a)
          for (std::uint32_t b = 0; b < to.length(); ++b) m[a + b] += w * v * x[a] * z[b];
      }
    }
  }
  r.whole.assign(down_.begin() + above_[0].at, down_.begin() + above_[0].at + span);
}

}  // namespace sapper
