#include "diagram/edge_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "base/random.hpp"
#include "base/rows.hpp"

namespace sapper {

namespace {

class Orderer {
 public:
  Orderer(std::int32_t cells, const Vector<std::int32_t>& offsets,
          const Vector<std::int32_t>& members, const Vector<std::int64_t>& targets,
          std::int32_t tries, Guard& guard)
      : offsets_(offsets), members_(members), targets_(targets), tries_(tries), guard_(guard) {
    of_ = {std::size_t(cells), [&](auto put) {
             for (std::int32_t h = 0; h < std::int32_t(targets.size()); ++h)
               for (std::int32_t i = offsets[h]; i < offsets[h + 1]; ++i) put(members[i], h);
           }};
    left_ = members;
    at_.assign(offsets.begin(), offsets.end() - 1);
    changes_.assign(targets.size(), 0);
    stale_.assign(targets.size(), 1);
    is_touched_.assign(targets.size(), 0);
    std::int64_t most = 0;
    for (std::int32_t h = 0; h < hints(); ++h) most = std::max(most, size(h));
    Vector<double> logs;
    for (std::int64_t n = 0; n <= most + 1; ++n) logs.push_back(std::log2(double(n)));
    widening_.reserve(members.size());
    for (std::int32_t h = 0; h < hints(); ++h)
      for (std::int64_t done = 0; done < size(h); ++done)
        widening_.push_back(spread(h, done + 1, logs) - spread(h, done, logs));
    round_of_.assign(std::size_t(cells), 0);
  }

  Vector<std::int32_t> run() {
    Vector<std::int32_t> order;
    Vector<std::uint8_t> seen(targets_.size(), 0);
    for (std::int32_t h = 0; h < static_cast<std::int32_t>(targets_.size()); ++h) {
      if (seen[h]) continue;
      const Vector<std::int32_t> part = component(h, seen);
      const Vector<std::int32_t> found = best(part);
      order.insert(order.end(), found.begin(), found.end());
    }
    return order;
  }

 private:
  std::int32_t hints() const { return std::int32_t(targets_.size()); }

  Vector<std::int32_t> component(std::int32_t first, Vector<std::uint8_t>& seen) {
    Vector<std::int32_t> found = {first};
    seen[first] = 1;
    ++round_;
    for (std::size_t i = 0; i < found.size(); ++i)
      for_hints_around(found[i], [&](std::int32_t other) {
        if (!std::exchange(seen[other], 1)) found.push_back(other);
      });
    std::sort(found.begin(), found.end());
    return found;
  }

  // The hints of the undecided cells of a hint, each cell once a round: it may be in all hints, so that
  // what is around each hint can neither be kept nor walked for all of them.
  template <class Each>
  void for_hints_around(std::int32_t h, Each&& each) {
    std::size_t work = 1;
    for (const std::int32_t cell : undecided(h)) {
      if (std::exchange(round_of_[cell], round_) == round_) continue;
      const auto row = of_[cell];
      work += row.size();
      for (const std::int32_t other : row) each(other);
    }
    guard_.tick(std::uint32_t(work));
  }

  std::int64_t size(std::int32_t h) const { return offsets_[h + 1] - offsets_[h]; }
  std::span<const std::int32_t> undecided(std::int32_t h) const {
    return {left_.data() + at_[h], left_.data() + offsets_[h + 1]};
  }

  // log2 of how many amounts a hint can keep once `done` of its edges are decided.
  double spread(std::int32_t h, std::int64_t done, const Vector<double>& logs) const {
    if (done == 0 || done == size(h)) return 0;
    const std::int64_t most = std::min(targets_[h], done);
    const std::int64_t least = std::max<std::int64_t>(0, targets_[h] - (size(h) - done));
    return most <= least ? 0 : logs[std::size_t(most - least + 1)];
  }

  double gain(std::int32_t cell) const {  // change of the frontier if this cell is decided
    double g = 0;
    for (const std::int32_t h : of_[cell]) g += widening_[std::size_t(at_[h])];
    return g;
  }

  void decide(std::int32_t cell, double widened) {
    width_ += widened;
    for (const std::int32_t h : of_[cell]) {
      if (at_[h] == offsets_[h]) open_.insert(std::ranges::lower_bound(open_, h), h);
      // It goes before those that are left, whose order stays.
      std::int32_t* place = left_.data() + at_[h]++;
      std::int32_t moved = cell;
      do std::swap(moved, *place++);
      while (moved != cell);
      if (at_[h] == offsets_[h + 1]) open_.erase(std::ranges::lower_bound(open_, h));
      if (!std::exchange(is_touched_[h], 1)) touched_.push_back(h);
    }
    cost_ += std::exp2(std::min(width_, 1000.0)) * double(of_[cell].size());
    order_.push_back(cell);
  }

  // What completing a hint does to the width, by trying it and taking it back.
  double trial(std::int32_t h) {
    if (!stale_[h]) return changes_[h];
    // The last cell need not be decided: nobody looks at what it leaves.
    const auto cells = undecided(h), before_last = cells.first(cells.size() - 1);
    double change = 0;
    std::size_t work = 0;
    for (const std::int32_t cell : before_last) {
      double widened = 0;
      const auto row = of_[cell];
      for (const std::int32_t other : row) widened += widening_[std::size_t(at_[other]++)];
      change += widened;
      work += row.size();
    }
    change += gain(cells.back());
    for (const std::int32_t cell : before_last)
      for (const std::int32_t other : of_[cell]) --at_[other];
    guard_.tick(std::uint32_t(work));
    stale_[h] = 0;
    return changes_[h] = change;
  }

  void complete(std::int32_t h) {
    for (;;) {  // the cell that widens the frontier least goes first
      std::int32_t chosen = -1;
      double least = std::numeric_limits<double>::infinity();
      std::size_t work = 0;
      for (const std::int32_t cell : undecided(h)) {
        const double widened = gain(cell);
        work += of_[cell].size();
        if (widened < least) least = widened, chosen = cell;
      }
      if (chosen < 0) break;
      guard_.tick(std::uint32_t(work));
      decide(chosen, least);
    }
    // These hints are to be tried again, and whoever has an undecided cell in common with them.
    ++round_;
    for (const std::int32_t other : touched_) {
      is_touched_[other] = 0;
      stale_[other] = 1;
      for_hints_around(other, [&](std::int32_t near) { stale_[near] = 1; });
    }
    touched_.clear();
  }

  void attempt(const Vector<std::int32_t>& part, std::int32_t start, bool shaken, double give_up) {
    for (const std::int32_t h : part) {
      stale_[h] = 1;
      if (at_[h] == offsets_[h]) continue;
      at_[h] = offsets_[h];
      std::copy(members_.begin() + offsets_[h], members_.begin() + offsets_[h + 1], left_.begin() + offsets_[h]);
    }
    order_.clear();
    open_.clear();
    width_ = cost_ = 0;
    complete(start);
    while (cost_ < give_up) {
      std::int32_t chosen = -1;
      double least = std::numeric_limits<double>::infinity();
      guard_.tick(std::uint32_t(open_.size()));
      // Only so that later attempts get the random numbers that they always got.
      if (!shaken) random_.skip(open_.size());
      for (const std::int32_t h : open_) {
        const double change = shaken ? trial(h) + random_() : trial(h);
        if (change < least) least = change, chosen = h;
      }
      if (chosen < 0) break;
      complete(chosen);
    }
  }

  Vector<std::int32_t> best(const Vector<std::int32_t>& part) {
    Vector<std::int32_t> found;
    double least = std::numeric_limits<double>::infinity();
    random_.state = 0;
    const std::size_t hints = part.size();
    const std::size_t tries = hints < 3 ? 1 : static_cast<std::size_t>(tries_);
    for (std::size_t t = 0; t < tries; ++t) {
      // Spread the first starts over the part, then shake the choices from random ones.
      const bool spread_out = t < 16;
      const std::size_t start =
          spread_out ? t * 7919 % hints : static_cast<std::size_t>(random_() * double(hints));
      attempt(part, part[start], !spread_out, least);
      if (t == 0 || cost_ < least) least = cost_, found = order_;
    }
    return found;
  }

  const Vector<std::int32_t>& offsets_;
  const Vector<std::int32_t>& members_;
  const Vector<std::int64_t>& targets_;
  std::int32_t tries_;
  Guard& guard_;
  Rows<std::int32_t> of_;  // hints of each cell
  Vector<std::int32_t> left_;       // members: of each hint, those that are decided before the others,
  Vector<std::int32_t> at_;         // which begin here
  Vector<std::uint64_t> round_of_;  // by cell: the last one that met it
  std::uint64_t round_ = 0;
  Vector<double> changes_;      // what completing a hint did when it was tried last
  Vector<std::uint8_t> stale_;  // whether that may be different now
  Vector<double> widening_;          // of the frontier by one more edge of a hint, for each number of them
  Vector<std::int32_t> open_;        // hints that have decided and undecided edges, in ascending order
  Vector<std::int32_t> touched_;     // hints whose edges were decided since the last trials
  Vector<std::uint8_t> is_touched_;
  Vector<std::int32_t> order_;
  double width_ = 0, cost_ = 0;
  Jitter random_{0};
};

}  // namespace

Vector<std::int32_t> frontier_order(std::int32_t cells,
                                         const Vector<std::int32_t>& offsets,
                                         const Vector<std::int32_t>& members,
                                         const Vector<std::int64_t>& targets,
                                         std::int32_t tries, Guard& guard) {
  return Orderer(cells, offsets, members, targets, tries, guard).run();
}

}  // namespace sapper
