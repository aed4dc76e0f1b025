#include "play/endgame.hpp"

#include <algorithm>
#include <array>

#include "base/random.hpp"

namespace sapper {

namespace {

// Smaller sets are no product that is worth to look for.
constexpr std::uint32_t kLeastProduct = 4;

// On a board of so many cells; on one with fewer, more in proportion, up to so many times.
constexpr double kWorlds = 6000, kWork = 600'000, kCells = 480, kMostTimes = 2;

}  // namespace

EndgameBudget EndgameBudget::on(std::int32_t cells, double effort) {
  const double times = std::clamp(kCells / std::max(1, cells), 1.0, kMostTimes) * effort;
  return {kWorlds * times, std::uint64_t(kWork * times)};
}

void Endgame::start(const Worlds& worlds, std::uint64_t work, Guard& guard) {
  worlds_ = &worlds;
  guard_ = &guard;
  done_ = 0;
  most_ = work;
  stopped_ = false;
  apart_ = true;
  round_ += 2;
  entries_ = 0;
  if (memo_.empty()) memo_.resize(1024);
  memory_.emplace(guard, memo_.size() * sizeof(Memo) + worlds.count * 24);
  Random random(marks_.size());
  while (marks_.size() < worlds.count) marks_.push_back(random());
  image_marks_.clear();
  ids_.resize(worlds.count);
  for (std::uint32_t i = 0; i < worlds.count; ++i) ids_[i] = i;
}

Endgame::Result Endgame::solve(const Worlds& worlds, std::uint64_t work, Guard& guard) {
  start(worlds, work, guard);
  Result result;
  result.wins = value({0, ids_.size()}, 0, 0, &result.cell);
  memory_.reset();
  if (stopped_) return {};
  result.cell = worlds.cells[result.cell];
  return result;
}

void Endgame::begin(const Worlds& worlds, const std::vector<std::vector<std::uint32_t>>& images,
                    Guard& guard, std::uint64_t work, bool apart) {
  start(worlds, work, guard);
  apart_ = apart;
  if (images.size() < 2) return;
  for (std::size_t w = 0; w < worlds.count; ++w)
    for (const auto& image : images) image_marks_.push_back(marks_[image[w]]);
}

std::uint32_t Endgame::wins_from(std::size_t cell, std::uint32_t least) {
  make_room(0);
  const Set all{0, worlds_->count};
  look(all, stats_[0]);
  const auto survive = std::uint32_t(worlds_->count) - stats_[0].mines[cell];
  return survive < least ? survive : dig(all, cell, survive, least, 0, false);
}

Endgame::Memo* Endgame::find(std::uint64_t key) {
  const std::size_t mask = memo_.size() - 1;
  std::size_t at = (key * 0x9E3779B97F4A7C15ull >> 20) & mask;
  while (memo_[at].round >= round_ && memo_[at].key != key) at = (at + 1) & mask;
  return &memo_[at];
}

void Endgame::grow() {
  memory_->at_least(memo_.size() * 5 * sizeof(Memo));
  std::vector<Memo> old(memo_.size() * 4);
  old.swap(memo_);
  for (const Memo& m : old)
    if (m.round >= round_) *find(m.key) = m;
}

std::uint32_t Endgame::of_two(std::uint32_t a, std::uint32_t b) const {
  const std::uint8_t *x = worlds_->of(a), *y = worlds_->of(b);
  std::uint8_t told = 0;
  for (std::size_t c = 0; c < worlds_->stride; ++c)
    told |= std::uint8_t((x[c] != y[c]) & (x[c] != Worlds::kMine) & (y[c] != Worlds::kMine));
  return told ? 2 : 1;
}

void Endgame::look(Set set, Stats& s) {
  const std::size_t n = worlds_->stride;
  s.mines.assign(n, 0);
  s.low.assign(n, 255);
  s.high.assign(n, 0);
  mine_counts_.resize(n);
  std::uint8_t* const mines = mine_counts_.data();
  std::uint8_t *low = s.low.data(), *high = s.high.data();
  for (std::size_t i = set.first; i < set.second;) {
    std::fill_n(mines, n, std::uint8_t(0));
    const std::size_t end = std::min(set.second, i + 255);
    for (; i < end; ++i) {
      const std::uint8_t* x = worlds_->of(ids_[i]);
      for (std::size_t c = 0; c < n; ++c) {
        const std::uint8_t mine = x[c] == 255 ? 255 : 0;
        mines[c] = std::uint8_t(mines[c] - mine);
        low[c] = std::min(low[c], x[c]);
        high[c] = std::max(high[c], std::uint8_t(x[c] & ~mine));
      }
    }
    for (std::size_t c = 0; c < n; ++c) s.mines[c] += mines[c];
  }
}

std::uint64_t Endgame::key_of(Set set) const {
  if (image_marks_.empty()) {
    std::uint64_t key = 0;
    for (std::size_t i = set.first; i < set.second; ++i) key += marks_[ids_[i]];
    return key;
  }
  // The least name of the set and its images.
  const std::size_t n = image_marks_.size() / worlds_->count;
  std::array<std::uint64_t, kMostSymmetries> keys{};
  for (std::size_t i = set.first; i < set.second; ++i) {
    const std::uint64_t* marks = image_marks_.data() + ids_[i] * n;
    for (std::size_t k = 0; k < n; ++k) keys[k] += marks[k];
  }
  return *std::min_element(keys.begin(), keys.begin() + std::ptrdiff_t(n));
}

void Endgame::charge(Set set) {
  const std::size_t work = (set.second - set.first) * worlds_->stride / 16;
  guard_->tick(std::uint32_t(work));
  guard_->add_nodes(1);
  done_ += work;
  if (done_ > most_) stopped_ = true;
}

void Endgame::make_room(std::size_t depth) {
  if (stats_.size() > depth) return;
  stats_.resize(depth + 1);
  order_.resize(depth + 1);
}

void Endgame::remember(std::uint64_t key, std::uint32_t value, bool exact) {
  Memo* m = find(key);
  if (m->round < round_ && ++entries_ * 2 > memo_.size()) {
    grow();
    m = find(key);
  }
  *m = {key, value, round_ + exact};
}

std::uint32_t Endgame::value(Set set, std::uint32_t least, std::size_t depth,
                             std::int32_t* best_cell) {
  const auto n = std::uint32_t(set.second - set.first);
  if (n <= 1 || stopped_) return n;
  if (n == 2 && !best_cell) return of_two(ids_[set.first], ids_[set.first + 1]);
  return value_of(key_of(set), set, least, depth, best_cell);
}

std::uint32_t Endgame::value_of(std::uint64_t key, Set set, std::uint32_t least, std::size_t depth,
                                std::int32_t* best_cell) {
  const auto n = std::uint32_t(set.second - set.first);
  if (!best_cell)
    if (const Memo* m = find(key); m->round >= round_ && (m->round > round_ || m->value < least))
      return m->value;
  charge(set);
  if (stopped_) return n;
  make_room(depth);
  look(set, stats_[depth]);
  const Stats& s = stats_[depth];
  const std::size_t cells = worlds_->cells.size();
  std::size_t split = cells;
  for (std::size_t c = 0; c < cells && split == cells; ++c)
    if (s.mines[c] == 0 && s.low[c] != s.high[c]) split = c;
  std::uint32_t result;
  if (split < cells) {
    result = dig(set, split, n, least, depth, false);
  } else {
    const std::span<const std::uint32_t> ids(ids_.data() + set.first, n);
    const std::size_t count = n < kLeastProduct || !apart_ ? 1 : product_.find(*worlds_, ids, s.mines);
    result = count > 1 ? blocks(set, count, least, depth, best_cell) : guess(set, least, depth, best_cell);
  }
  if (stopped_) return n;
  remember(key, result, result >= least);
  return result;
}

// A block must win so often that the product can still reach `least`, the others winning all that they
// may.
std::uint32_t Endgame::blocks(Set set, std::size_t count, std::uint32_t least, std::size_t depth,
                              std::int32_t* best_cell) {
  const std::size_t before = ids_.size();
  struct Block {
    Set set;
    std::uint64_t key;
  };
  std::vector<Block> parts;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t first = ids_.size();
    // A copy: the list grows.
    scratch_.assign(ids_.begin() + std::ptrdiff_t(set.first), ids_.begin() + std::ptrdiff_t(set.second));
    product_.append(scratch_, k, ids_);
    parts.push_back({{first, ids_.size()}, product_.name(k)});
  }
  std::uint64_t most = set.second - set.first;
  for (std::size_t k = 0; k < count && most >= least; ++k) {
    const std::uint64_t others = most / (parts[k].set.second - parts[k].set.first);
    const auto must = std::uint32_t((least + others - 1) / others);
    most = others * value_of(parts[k].key, parts[k].set, must, depth + 1, k == 0 ? best_cell : nullptr);
  }
  ids_.resize(before);
  return std::uint32_t(most);
}

// Digs in the order of what they can win at most: the sum over the parts of how many survive the safest
// dig there. What is cut here is never looked into. A cell that shows one number wherever it is safe
// can wait: who digs it first wins no world that is lost by going on as if it had been dug, and digging
// it last.
std::uint32_t Endgame::guess(Set set, std::uint32_t least, std::size_t depth,
                             std::int32_t* best_cell) {
  const auto n = std::uint32_t(set.second - set.first);
  auto& order = order_[depth];
  order.clear();
  const Stats& s = stats_[depth];
  const auto may_dig = [&](std::uint32_t c) { return s.mines[c] != 0 && s.mines[c] != n; };
  for (std::uint32_t c = 0; c < worlds_->cells.size(); ++c)
    if (may_dig(c) && s.low[c] != s.high[c]) order.push_back({n - s.mines[c], c});
  if (order.empty())
    for (std::uint32_t c = 0; c < worlds_->cells.size(); ++c)
      if (may_dig(c)) order.push_back({n - s.mines[c], c});
  std::sort(order.begin(), order.end(), [](const Dig& a, const Dig& b) {
    return a.most != b.most ? a.most > b.most : a.cell < b.cell;
  });
  std::uint32_t best = 0, bound = 0;
  // A first look at each, while it can still be the best.
  for (std::size_t i = 0; i < order_[depth].size(); ++i) {
    const Dig d = order_[depth][i];
    if (d.most < least) break;
    order_[depth][i].most = dig(set, d.cell, d.most, least, depth, true);
    if (stopped_) return 0;
  }
  auto& looked = order_[depth];
  std::stable_sort(looked.begin(), looked.end(), [](const Dig& a, const Dig& b) { return a.most > b.most; });
  for (std::size_t i = 0; i < order_[depth].size() && !stopped_; ++i) {
    const Dig d = order_[depth][i];
    const std::uint32_t must = std::max(least, best + 1);
    if (d.most < must) {
      bound = std::max(bound, d.most);
      break;
    }
    const std::uint32_t survive = n - stats_[depth].mines[d.cell];
    const std::uint32_t v = dig(set, d.cell, survive, must, depth, false);
    if (v < must) {
      bound = std::max(bound, v);
      continue;
    }
    best = v;
    if (best_cell) *best_cell = std::int32_t(d.cell);
  }
  return best >= least && best > 0 ? best : bound;
}

// Splits a set by what a cell shows and adds up the parts, the largest first; `glance` only bounds them.
std::uint32_t Endgame::dig(Set set, std::size_t cell, std::uint32_t survive, std::uint32_t least,
                           std::size_t depth, bool glance) {
  std::array<std::uint32_t, 256> many{};
  for (std::size_t i = set.first; i < set.second; ++i) ++many[worlds_->of(ids_[i])[cell]];
  std::array<Set, 256> parts;
  std::size_t count = 0, at = ids_.size();
  const std::size_t before = at;
  std::array<std::uint8_t, 256> which{};
  const int low = stats_[depth].low[cell], high = stats_[depth].high[cell];
  for (int v = low; v <= high; ++v)
    if (many[v]) {
      which[v] = std::uint8_t(count);
      parts[count++] = {at, at};
      at += many[v];
    }
  ids_.resize(at);
  for (std::size_t i = set.first; i < set.second; ++i) {
    const std::uint8_t v = worlds_->of(ids_[i])[cell];
    if (v != Worlds::kMine) ids_[parts[which[v]].second++] = ids_[i];
  }
  std::sort(parts.begin(), parts.begin() + std::ptrdiff_t(count), [](const Set& a, const Set& b) {
    return a.second - a.first > b.second - b.first;
  });
  std::uint32_t most = survive;
  for (std::size_t k = 0; k < count && most >= least; ++k) {
    const auto size = std::uint32_t(parts[k].second - parts[k].first);
    const std::uint32_t others = most - size;
    const std::uint32_t must = least > others ? least - others : 0;
    most = others + (glance ? at_most(parts[k], depth + 1) : value(parts[k], must, depth + 1, nullptr));
  }
  ids_.resize(before);
  return most;
}

std::uint32_t Endgame::at_most(Set set, std::size_t depth) {
  const auto n = std::uint32_t(set.second - set.first);
  if (n <= 1) return n;
  if (n == 2) return of_two(ids_[set.first], ids_[set.first + 1]);
  const std::uint64_t key = key_of(set);
  if (const Memo* m = find(key); m->round >= round_) return m->value;
  charge(set);
  if (stopped_) return n;
  make_room(depth);
  look(set, stats_[depth]);
  const Stats& s = stats_[depth];
  std::uint32_t fewest = n;
  for (std::size_t c = 0; c < worlds_->cells.size(); ++c) {
    if (s.mines[c] == 0 && s.low[c] != s.high[c]) {
      fewest = 0;
      break;
    }
    if (s.mines[c] != 0) fewest = std::min(fewest, s.mines[c]);
  }
  remember(key, n - fewest, false);
  return n - fewest;
}

}  // namespace sapper
