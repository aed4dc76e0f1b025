#include "play/worlds.hpp"

#include <algorithm>

namespace sapper {

void Worlds::list_layouts(const Adjacency& field, std::int32_t mines,
                          const std::vector<std::uint8_t>& kept_free, Guard& guard) {
  cells.clear();
  floating_.clear();
  around_.clear();
  around_offsets_.assign(1, 0);
  for (std::int32_t c = 0; c < field.cells(); ++c) {
    cells.push_back(c);
    if (!kept_free[c]) floating_.push_back(c);
    for (const std::int32_t d : field.of(c)) around_.push_back(d);
    around_offsets_.push_back(std::int32_t(around_.size()));
  }
  count = 0;
  stride = (cells.size() + 15) / 16 * 16;
  shows.clear();
  chosen_.clear();
  guard_ = &guard;
  scatter(0, mines);
  guard_ = nullptr;
}

void Worlds::begin(const Sight& sight, const Frontier& frontier) {
  const Adjacency& field = sight.field();
  cells.clear();
  floating_.clear();
  index_.resize(std::size_t(sight.cells()));
  const auto& regions = frontier.regions();
  for (const Region* r : regions)
    for (const std::int32_t c : r->cells) {
      index_[c] = std::int32_t(cells.size());
      cells.push_back(c);
    }
  if (frontier.floating() > 0)
    for (std::int32_t c = 0; c < sight.cells(); ++c)
      if (frontier.is_floating(sight, c)) {
        index_[c] = std::int32_t(cells.size());
        floating_.push_back(index_[c]);
        cells.push_back(c);
      }
  around_.clear();
  around_offsets_.assign(1, 0);
  for (const std::int32_t c : cells) {
    for (const std::int32_t d : field.of(c))
      if (sight.is_covered(d)) around_.push_back(index_[d]);
    around_offsets_.push_back(std::int32_t(around_.size()));
  }
  count = 0;
  stride = (cells.size() + 15) / 16 * 16;
  shows.clear();
  ways_.resize(regions.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    ways_[i].mines.clear();
    ways_[i].offsets.assign(1, 0);
    list_region(sight, *regions[i]);
    std::swap(ways_[i], scratch_);
  }
  chosen_.clear();
}

void Worlds::list(const Sight& sight, const Frontier& frontier) {
  begin(sight, frontier);
  combine(0, sight.mines_left());
}

void Worlds::draw(const Sight& sight, const Frontier& frontier, std::size_t many) {
  begin(sight, frontier);
  const auto mines = std::size_t(sight.mines_left());
  count_by_mines(mines);
  Random random(1), more(2);
  while (marks_.size() < cells.size()) marks_.push_back(more());
  drawn_.clear();
  for (std::size_t tries = 0; count < many && tries < 4 * many; ++tries) {
    choose_one(mines, random);
    std::uint64_t name = 0;
    for (const std::int32_t c : chosen_) name += marks_[c];
    if (drawn_.insert(name).second) finish();
  }
}

void Worlds::count_by_mines(std::size_t mines) {
  const std::size_t n = ways_.size(), free = floating_.size();
  by_mines_.assign(n, {});
  from_.assign(n + 1, std::vector<double>(mines + 1));
  double ways = 1;
  for (std::size_t m = 0; m <= std::min(mines, free); ++m) {
    from_[n][m] = ways;
    ways = ways * double(free - m) / double(m + 1);  // in this order it stays whole
  }
  for (std::size_t i = n; i-- > 0;) {
    const auto& offsets = ways_[i].offsets;
    for (std::size_t w = 0; w + 1 < offsets.size(); ++w) {
      const auto m = std::size_t(offsets[w + 1] - offsets[w]);
      if (m >= by_mines_[i].size()) by_mines_[i].resize(m + 1);
      by_mines_[i][m].push_back(std::int32_t(w));
    }
    for (std::size_t m = 0; m <= mines; ++m)
      for (std::size_t k = 0; k <= m && k < by_mines_[i].size(); ++k)
        from_[i][m] += double(by_mines_[i][k].size()) * from_[i + 1][m - k];
  }
}

// Region by region: how many mines it has, then one of the ways with so many; the rest floats.
void Worlds::choose_one(std::size_t mines, Random& random) {
  chosen_.clear();
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    double at = double(random() >> 11) * 0x1p-53 * from_[i][mines];
    std::size_t has = 0;
    for (std::size_t k = 0; k <= mines && k < by_mines_[i].size(); ++k) {
      const double ways = double(by_mines_[i][k].size()) * from_[i + 1][mines - k];
      if (ways == 0) continue;
      has = k;
      if (at < ways) break;
      at -= ways;
    }
    const auto& same = by_mines_[i][has];
    const auto w = std::size_t(same[random.below(same.size())]);
    chosen_.insert(chosen_.end(), ways_[i].mines.begin() + ways_[i].offsets[w],
                   ways_[i].mines.begin() + ways_[i].offsets[w + 1]);
    mines -= has;
  }
  for (std::size_t k = 0; k < mines; ++k) {
    std::swap(floating_[k], floating_[k + random.below(floating_.size() - k)]);
    chosen_.push_back(floating_[k]);
  }
}

// Cell by cell, as long as every number can still be met.
void Worlds::list_region(const Sight& sight, const Region& r) {
  clues_.clear();
  for (const std::int32_t c : r.clues) clues_.push_back({sight.need(c), sight.open(c)});
  cell_clues_.clear();
  cell_clue_offsets_.assign(1, 0);
  // Clue by clue, so that numbers are completed early.
  order_.clear();
  seen_.assign(std::size_t(r.groups()), 0);
  for (std::size_t k = 0; k < r.clues.size(); ++k)
    for (std::int32_t i = r.clue_offsets[k]; i < r.clue_offsets[k + 1]; ++i) {
      const std::int32_t g = r.clue_groups[i];
      if (seen_[g]) continue;
      seen_[g] = 1;
      for (const std::int32_t c : r.group(g)) order_.push_back(c);
    }
  clue_index_.resize(std::size_t(sight.cells()));
  for (std::size_t k = 0; k < r.clues.size(); ++k) clue_index_[r.clues[k]] = std::int32_t(k);
  for (const std::int32_t c : order_) {
    for (const std::int32_t d : sight.field().of(c))
      if (sight.state(d) == Sight::shown) cell_clues_.push_back(clue_index_[d]);
    cell_clue_offsets_.push_back(std::int32_t(cell_clues_.size()));
  }
  scratch_.mines.clear();
  scratch_.offsets.assign(1, 0);
  chosen_.clear();
  decide(0);
}

void Worlds::decide(std::size_t at) {
  if (at == order_.size()) {
    scratch_.mines.insert(scratch_.mines.end(), chosen_.begin(), chosen_.end());
    scratch_.offsets.push_back(std::int32_t(scratch_.mines.size()));
    return;
  }
  const std::int32_t begin = cell_clue_offsets_[at], end = cell_clue_offsets_[at + 1];
  bool free = true, mined = true;
  for (std::int32_t i = begin; i < end; ++i) {
    Clue& c = clues_[cell_clues_[i]];
    --c.left;
    free = free && c.need <= c.left;
    mined = mined && c.need >= 1;
  }
  if (free) decide(at + 1);
  if (mined) {
    for (std::int32_t i = begin; i < end; ++i) --clues_[cell_clues_[i]].need;
    chosen_.push_back(index_[order_[at]]);
    decide(at + 1);
    chosen_.pop_back();
    for (std::int32_t i = begin; i < end; ++i) ++clues_[cell_clues_[i]].need;
  }
  for (std::int32_t i = begin; i < end; ++i) ++clues_[cell_clues_[i]].left;
}

void Worlds::combine(std::size_t region, std::int32_t mines) {
  if (region == ways_.size()) {
    if (mines >= 0 && std::size_t(mines) <= floating_.size()) scatter(0, mines);
    return;
  }
  const Ways& w = ways_[region];
  for (std::size_t i = 0; i + 1 < w.offsets.size(); ++i) {
    const std::int32_t n = w.offsets[i + 1] - w.offsets[i];
    if (n > mines) continue;
    chosen_.insert(chosen_.end(), w.mines.begin() + w.offsets[i], w.mines.begin() + w.offsets[i + 1]);
    combine(region + 1, mines - n);
    chosen_.resize(chosen_.size() - std::size_t(n));
  }
}

// The rest of the mines among the floating cells.
void Worlds::scatter(std::size_t at, std::int32_t mines) {
  if (mines == 0) return finish();
  for (std::size_t i = at; i + std::size_t(mines) <= floating_.size(); ++i) {
    chosen_.push_back(floating_[i]);
    scatter(i + 1, mines - 1);
    chosen_.pop_back();
  }
}

void Worlds::finish() {
  if (guard_) guard_->tick(std::uint32_t(stride));
  ++count;
  shows.resize(count * stride, 0);
  std::uint8_t* row = shows.data() + (count - 1) * stride;
  for (const std::int32_t c : chosen_)
    for (std::int32_t i = around_offsets_[c]; i < around_offsets_[c + 1]; ++i) ++row[around_[i]];
  for (const std::int32_t c : chosen_) row[c] = kMine;
}

}  // namespace sapper
