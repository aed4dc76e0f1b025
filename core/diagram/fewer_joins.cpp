#include "diagram/fewer_joins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sapper {

namespace {

// Joins inside what is led through are looked at so deep.
constexpr int kDeepest = 40;
// So many tables, from the largest on, are tried as the one to begin with.
constexpr std::size_t kBases = 3;
constexpr double kTooMuch = std::numeric_limits<double>::infinity();

// How much of each open clue a table has decided, and its estimated size.
struct Table {
  struct Open {
    std::int32_t clue;
    std::int64_t done;
  };
  Vector<Open> open;
  double spread = 0;   // log2 of how many states the ranges of the sums allow
  double freedom = 0;  // log2 of the number of ways its groups can be set at all
  double size() const { return std::min(spread, freedom); }
};

// What is done one after the other, from the empty state: groups are decided (their numbers), and
// tables of other chains are joined (~ of their numbers).
struct Chain {
  Vector<std::int32_t> items;
  Table table;
  double work = 0;  // with that of the chains it joins
};

class Rewriter {
 public:
  Rewriter(const Shape& shape, double few, Guard& guard)
      : shape_(shape),
        comp_(shape.component()),
        few_(few),
        guard_(guard),
        at_(std::size_t(comp_.clues()), -1) {}

  Plan run(const Plan& plan) {
    Vector<std::int32_t> chain_of(plan.steps.size(), -1);
    Vector<std::int32_t> met;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const Step& step = plan.steps[i];
      if (step.is_join()) {
        // Tables that are joined one after the other may be so in any order.
        if (met.empty()) met.push_back(chain_of[std::size_t(step.left)]);
        met.push_back(chain_of[std::size_t(step.right)]);
        const bool more = i + 1 < plan.steps.size() && plan.steps[i + 1].is_join() &&
                          plan.steps[i + 1].left == std::int32_t(i);
        if (more) continue;
        chain_of[i] = unite(met);
        met.clear();
        continue;
      }
      std::int32_t& mine = chain_of[i];
      if (step.left < 0) {
        mine = std::int32_t(chains_.size());
        chains_.emplace_back();
      } else {
        mine = chain_of[std::size_t(step.left)];
      }
      Chain& chain = chains_[std::size_t(mine)];
      load(chain.table);
      chain.work += decide(step.group);
      chain.table = unload();
      chain.items.push_back(step.group);
    }
    return build_chain_plan(shape_, program(chain_of.back()), guard_);
  }

 private:
  // --- the table at hand ------------------------------------------------------------------------

  void load(const Table& table) {
    now_ = table;
    index();
  }
  Table unload() {
    forget_index();
    return std::move(now_);
  }
  void index() {
    for (std::size_t i = 0; i < now_.open.size(); ++i)
      at_[std::size_t(now_.open[i].clue)] = std::int32_t(i);
  }
  void forget_index() {
    for (const Table::Open& o : now_.open) at_[std::size_t(o.clue)] = -1;
  }

  void collect(std::int32_t clue, std::int64_t more) {
    std::int32_t& at = at_[std::size_t(clue)];
    if (at < 0) {
      at = std::int32_t(now_.open.size());
      now_.open.push_back({clue, 0});
    }
    std::int64_t& done = now_.open[std::size_t(at)].done;
    now_.spread -= shape_.spread(clue, done);
    done += more;
    now_.spread += shape_.spread(clue, done);
    if (done < shape_.most(clue)) return;
    const Table::Open last = now_.open.back();
    now_.open.pop_back();
    if (last.clue != clue) {
      now_.open[std::size_t(at)] = last;
      at_[std::size_t(last.clue)] = at;
    }
    at = -1;
  }

  // Both return the work of the step.
  double decide(std::int32_t group) {
    const std::int64_t size = comp_.sizes[std::size_t(group)];
    const double work = std::exp2(now_.size()) * double(size + 1) + 1;
    for (const auto& u : shape_.uses(group)) collect(u.clue, std::abs(u.weight) * size);
    now_.freedom += log2_of(size + 1);
    guard_.tick(std::uint32_t(shape_.uses(group).size()));
    return work;
  }
  double join(const Table& other) {
    const double work = std::exp2(now_.size() + other.size()) + 1;
    for (const Table::Open& o : other.open) collect(o.clue, o.done);
    now_.freedom += other.freedom;
    guard_.tick(std::uint32_t(other.open.size()) + 1);
    return work;
  }

  // --- chains -----------------------------------------------------------------------------------

  // Takes the items of a chain from the table at hand, puts what is done into `items_` and returns
  // its work; kTooMuch, with the table left anyhow, as soon as it is `most`.
  double follow(std::int32_t chain, double most, int depth) {
    double work = 0;
    for (std::size_t i = 0; i < chains_[std::size_t(chain)].items.size() && work < most; ++i) {
      const std::int32_t item = chains_[std::size_t(chain)].items[i];
      if (item >= 0) {
        work += decide(item);
        items_.push_back(item);
      } else {
        work += take(~item, most - work, depth);
      }
    }
    return work < most ? work : kTooMuch;
  }

  // Leads the table at hand through a chain or joins it with the chain's, whichever is cheaper.
  double take(std::int32_t chain, double most, int depth) {
    const Chain& other = chains_[std::size_t(chain)];
    const double pairs = std::exp2(now_.size() + other.table.size());
    const double joined = other.work + pairs + 1;
    if (pairs > few_ && depth < kDeepest) {
      const Table before = now_;
      const std::size_t items = items_.size();
      const double work = follow(chain, std::min(most, joined), depth + 1);
      if (work < kTooMuch) return work;
      forget_index();
      now_ = before;
      index();
      items_.resize(items);
    }
    if (joined >= most) return kTooMuch;
    join(other.table);
    items_.push_back(~chain);
    return joined;
  }

  // What was done in several chains, together: one of the largest begins, and the others are joined
  // to it or it is led through them.
  std::int32_t unite(Vector<std::int32_t>& met) {
    // The smallest first; equal ones as they come. (`stable_sort` would take memory of its own.)
    std::ranges::sort(met, {}, [&](std::int32_t c) {
      return std::pair(chains_[std::size_t(c)].table.size(), c);
    });
    double best = kTooMuch;
    Table table;
    Vector<std::int32_t> items;
    std::size_t first = 0;
    auto attempt = [&](std::size_t base, bool ascending) {
      const Chain& chain = chains_[std::size_t(met[base])];
      load(chain.table);
      items_.clear();
      double work = chain.work;
      for (std::size_t i = 0; i < met.size() && work < best; ++i) {
        const std::size_t other = ascending ? i : met.size() - 1 - i;
        if (other != base) work += take(met[other], best - work, 0);
      }
      Table found = unload();
      if (work >= best) return;
      best = work;
      table = std::move(found);
      items = items_;
      first = base;
    };
    attempt(0, true);
    double least = 1;
    for (const std::int32_t c : met) least += chains_[std::size_t(c)].work;
    if (best > least + few_)
      for (std::size_t i = 0; i < std::min(kBases, met.size()); ++i) {
        attempt(met.size() - 1 - i, true);
        attempt(met.size() - 1 - i, false);
      }
    Chain& base = chains_[std::size_t(met[first])];
    base.items.insert(base.items.end(), items.begin(), items.end());
    base.table = std::move(table);
    base.work = best;
    return met[first];
  }

  // A chain and those it joins, as `build_chain_plan` reads them.
  Vector<std::int32_t> program(std::int32_t root) {
    struct Place {
      std::int32_t chain;
      std::size_t item;
    };
    Vector<std::int32_t> out{kEmptyTable};
    Vector<Place> path{{root, 0}};
    while (!path.empty()) {
      Place& here = path.back();
      const Vector<std::int32_t>& items = chains_[std::size_t(here.chain)].items;
      guard_.tick();
      if (here.item == items.size()) {
        path.pop_back();
        if (!path.empty()) out.push_back(kJoinTables);
        continue;
      }
      const std::int32_t item = items[here.item++];
      if (item >= 0) {
        out.push_back(item);
        continue;
      }
      out.push_back(kEmptyTable);
      path.push_back({~item, 0});
    }
    return out;
  }

  const Shape& shape_;
  const Component& comp_;
  double few_;
  Guard& guard_;
  Vector<Chain> chains_;
  Table now_;
  Vector<std::int32_t> at_;     // where in the table at hand a clue is, or -1
  Vector<std::int32_t> items_;  // what `follow` and `take` have done
};

}  // namespace

Plan with_fewer_joins(const Shape& shape, Plan plan, Guard& guard, double few) {
  // What overflows is compared with nothing.
  if (!std::isfinite(plan.expected_work)) return plan;
  Plan fewer = Rewriter(shape, few, guard).run(plan);
  return fewer.expected_work < plan.expected_work ? std::move(fewer) : std::move(plan);
}

}  // namespace sapper
