#include "search/prober.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <ranges>

namespace sapper {

namespace {

// How many clues join the search before the model is repaired.
constexpr std::int32_t kAtOnce = 32;

}  // namespace

Prober::Prober(std::int32_t variables, Guard& guard)
    : clues_(std::allocate_shared<Clues>(Charged<Clues>())),
      search_(Terms{clues_.get()}, Values(std::size_t(variables), 0), guard),
      settled_(std::size_t(variables), 0) {}

Prober::Prober(const Prober& whole, std::size_t clues, Guard& guard)
    : clues_(whole.clues_),
      search_(Terms{clues_.get()}, Values(whole.settled_.size(), 0), guard),
      settled_(whole.settled_.size(), 0),
      complete_(true) {
  search_.expect(clues);
}

void Prober::expect(std::size_t clues, std::size_t entries) {
  clues_->offsets.reserve(clues + 1);
  clues_->variables.reserve(entries);
  clues_->counts.reserve(clues);
}

void Prober::add_clue(std::span<const Entry> entries, std::int64_t count) {
  Clues& all = *clues_;
  if (!all.weighted && std::ranges::any_of(entries, [](const Entry& e) { return e.weight != 1; })) {
    all.weights.reserve(all.variables.capacity());
    all.weights.assign(all.variables.size(), 1);
    all.weighted = true;
  }
  for (const Entry& e : entries) {
    all.variables.push_back(e.variable);
    if (all.weighted) all.weights.push_back(e.weight);
  }
  all.offsets.push_back(static_cast<std::int32_t>(all.variables.size()));
  all.counts.push_back(count);
}

void Prober::complete() {
  if (complete_) return;
  const auto clues = static_cast<std::int32_t>(clues_->counts.size());
  const auto each = [&](auto put) {
    for (std::int32_t c = 0; c < clues; ++c)
      search_.terms().each_term(c, [&](std::int32_t v, std::int64_t w) { put(c, v, w); });
  };
  clues_->uses = {settled_.size(), [&](auto put) {
                    each([&](std::int32_t c, std::int32_t v, std::int64_t) { put(v, c); });
                  }};
  if (clues_->weighted)
    clues_->use_weights = {settled_.size(), [&](auto put) {
                             each([&](std::int32_t, std::int32_t v, std::int64_t w) { put(v, w); });
                           }};
  search_.expect(clues_->counts.size());
  complete_ = true;
}

bool Prober::solve() {
  complete();
  return solve(0, std::int32_t(clues_->counts.size()));
}

bool Prober::solve(std::int32_t from, std::int32_t to) {
  // A few clues more at a time, repaired around their place: what was met before stays as it is. All
  // at once would be one search over the whole board.
  std::int32_t &first = search_.terms().first, &open = search_.terms().open;
  if (open == 0) first = to;
  const auto are_open = [&] { return first <= from && first + open >= to; };
  do {
    for (std::int32_t i = 0; i < kAtOnce && !are_open(); ++i) {
      const std::int32_t next = first > from ? --first : first + open;
      ++open;
      search_.open(next, clues_->counts[next]);
    }
    if (!search_.solve()) return false;
    search_.keep();
  } while (!are_open());
  return true;
}

bool Prober::can_flip(std::int32_t variable) {
  if (!search_.can_differ(variable)) return false;
  search_.each_change([&](std::int32_t v) { settled_[v] = 1; });
  search_.keep();
  return true;
}

void Prober::probe(std::span<const std::int32_t> candidates) {
  for (const std::int32_t v : candidates)
    if (std::size_t(v) < settled_.size() && !settled_[v]) settled_[v] = can_flip(v);
}

bool Prober::probe_with(Crew& crew, std::span<const std::int32_t> candidates, Guard& guard,
                        std::size_t most_at_once) {
  complete();
  const std::size_t clues = clues_->counts.size(), shares = crew.threads();
  others_.resize(shares - 1);
  Values models(settled_.size(), 0);  // of each variable, that of its share
  std::atomic<bool> contradiction = false;
  struct Back {
    Repair<Terms>& search;
    Guard& guard;
    ~Back() { search.use(guard); }
  } const back{search_, guard};
  // f(who searches, the number of its share, its first clue, the one after its last, is a variable in it?)
  const auto each = [&](auto&& f) {
    crew.spread(shares, guard, [&](std::size_t share, Guard& own) {
      if (share > 0 && !others_[share - 1]) make_room(share - 1, clues, own);
      Prober& mine = share == 0 ? *this : *others_[share - 1];
      mine.search_.use(own);
      const auto from = std::int32_t(share * clues / shares), to = std::int32_t((share + 1) * clues / shares);
      const auto is_mine = [&](std::int32_t v) {
        const auto uses = clues_->uses[std::size_t(v)];
        return uses.empty() ? share == 0 : from <= uses[0] && uses[0] < to;
      };
      f(mine, share, from, to, is_mine);
    });
  };
  each([&](Prober& mine, std::size_t, std::int32_t from, std::int32_t to, auto&& is_mine) {
    if (!mine.solve(from, to)) contradiction = true;
    for (std::int32_t v = 0; std::size_t(v) < models.size(); ++v)
      if (is_mine(v)) models[v] = mine.model(v);
  });
  if (contradiction) return false;
  // Who has asked all of its part helps where most is left.
  Vector<std::size_t> next(shares), end(shares);
  const std::size_t at_once = std::clamp<std::size_t>(candidates.size() / (8 * shares), 1, most_at_once);
  const std::size_t blocks = (candidates.size() + at_once - 1) / at_once;
  for (std::size_t share = 0; share < shares; ++share) {
    next[share] = blocks * share / shares;
    end[share] = blocks * (share + 1) / shares;
  }
  std::mutex mutex;  // of these two
  const auto left = [&](std::size_t share) { return end[share] - next[share]; };
  const auto most_left = [&] { return std::ranges::max(std::views::iota(std::size_t(0), shares), {}, left); };
  const auto take = [&](std::size_t share, std::size_t& block) {
    const std::lock_guard lock(mutex);
    if (left(share) > 0) return block = next[share]++, true;
    const std::size_t most = most_left();
    return left(most) > 0 && (block = --end[most], true);
  };
  const auto is_late = [&] {
    const std::lock_guard lock(mutex);
    return left(most_left()) == 0;
  };
  found_.resize(settled_.size(), -1);
  each([&](Prober& mine, std::size_t share, std::int32_t, std::int32_t, auto&&) {
    if (share > 0 && is_late()) return;
    const auto is_open = [&](std::int32_t clue) { return mine.search_.terms().is_open(clue); };
    for (std::int32_t v = 0; std::size_t(v) < models.size(); ++v)
      if (std::ranges::none_of(clues_->uses[std::size_t(v)], is_open)) mine.guess(v, models[v] == 1);
    if (!mine.solve(0, std::int32_t(clues))) contradiction = true;
    for (std::size_t block = 0; !contradiction && take(share, block);) {
      const std::size_t first = block * at_once;
      const auto some = candidates.subspan(first, std::min(at_once, candidates.size() - first));
      mine.probe(some);
      for (const std::int32_t v : some)
        if (std::size_t(v) < found_.size()) found_[v] = mine.search_.value(v);
    }
  });
  return !contradiction;
}

}  // namespace sapper
