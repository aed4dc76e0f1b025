#include "diagram/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace sapper {

Shape::Shape(const Component& component)
    : component_(&component),
      uses_(std::size_t(component.groups()), [&](auto put) {
        for (std::int32_t c = 0; c < component.clues(); ++c)
          for (const auto& e : component.clue(c))
            put(e.group, Use{c, e.weight, std::abs(e.weight) * component.sizes[e.group]});
      }),
      targets_(component.counts),
      most_(component.counts.size(), 0) {
  for (std::int32_t c = 0; c < component.clues(); ++c)
    for (const auto& e : component.clue(c)) {
      const std::int64_t amount = std::abs(e.weight) * component.sizes[e.group];
      most_[c] += amount;
      if (e.weight < 0) targets_[c] += amount;
    }
}

const std::array<double, 64> kLog2 = [] {
  std::array<double, 64> t{};
  for (std::size_t i = 1; i < t.size(); ++i) t[i] = std::log2(double(i));
  return t;
}();

namespace {

// What one table of the plan knows while the plan is built.
struct Factor {
  struct Open {
    std::int32_t clue;
    std::int64_t done;
  };
  std::int32_t step = -1;
  Vector<Open> open;
  double freedom = 0;  // log2 of the number of ways its groups can be set at all
  double size = 0;     // log2 of the estimated number of states
  double states = 1;   // that number
};

class Builder {
 public:
  Builder(const Shape& shape, Guard& guard)
      : shape_(shape),
        comp_(shape.component()),
        guard_(guard),
        decided_(comp_.groups(), 0),
        owner_(comp_.clues(), -1),
        position_(comp_.clues(), -1) {
    plan_.steps.reserve(comp_.groups());
    plan_.checks.reserve(comp_.entries.size());
  }

  Plan run(const Vector<std::int32_t>& order) {
    for (const std::int32_t clue : order) complete(clue);
    // Clues without groups never open; components are connected, so one factor is left.
    return std::move(plan_);
  }

  Plan run_groups(const Vector<std::int32_t>& order) {
    std::int32_t current = -1;
    for (const std::int32_t group : order) current = choose(current, group);
    return std::move(plan_);
  }

  Plan run_program(const Vector<std::int32_t>& program) {
    Vector<std::int32_t> tables;
    for (const std::int32_t item : program) {
      if (item == kEmptyTable) {
        tables.push_back(-1);
      } else if (item == kJoinTables) {
        const std::int32_t last = tables.back();
        tables.pop_back();
        tables.back() = join(tables.back(), last);
      } else {
        tables.back() = choose(tables.back(), item);
      }
    }
    return std::move(plan_);
  }

 private:
  void complete(std::int32_t clue) {
    std::int32_t current = owner_[clue];
    if (!more_owners_.empty() && !more_owners_[clue].empty()) {
      Vector<std::int32_t> merged = more_owners_[clue];
      merged.push_back(current);
      std::sort(merged.begin(), merged.end(), [&](std::int32_t a, std::int32_t b) {
        return factors_[a].size != factors_[b].size ? factors_[a].size < factors_[b].size : a < b;
      });
      current = merged[0];
      for (std::size_t i = 1; i < merged.size(); ++i) current = join(current, merged[i]);
    }
    pending_.clear();
    for (const auto& e : comp_.clue(clue))
      if (!decided_[e.group]) pending_.push_back(e.group);
    while (!pending_.empty()) {
      const std::size_t pick = cheapest_pending(current);
      const std::int32_t group = pending_[pick];
      pending_.erase(pending_.begin() + std::ptrdiff_t(pick));
      current = choose(current, group);
    }
  }

  // Which of the clue's groups to decide next: the one that leaves the smallest table. Long lists
  // (hubs of graphs) are taken as they come.
  std::size_t cheapest_pending(std::int32_t factor) {
    if (pending_.size() == 1 || pending_.size() > 24) return pending_.size() - 1;
    index_open(factor);
    std::size_t best = 0;
    double best_change = 0;
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      double change = 0;
      for (const auto& u : shape_.uses(pending_[i])) {
        const std::int64_t done = done_in(factor, u.clue);
        change += shape_.spread(u.clue, done + u.amount) - shape_.spread(u.clue, done);
      }
      if (i == 0 || change < best_change) {
        best = i;
        best_change = change;
      }
    }
    return best;
  }

  std::int32_t choose(std::int32_t child, std::int32_t group) {
    decided_[group] = 1;
    Step step;
    step.left = child < 0 ? -1 : factors_[child].step;
    step.group = group;
    step.value_low = 0;
    step.value_high = comp_.sizes[group];
    if (child < 0) child = new_factor();
    const double states_before = factors_[child].states;
    index_open(child);
    step.check_begin = std::int32_t(plan_.checks.size());
    for (const auto& u : shape_.uses(group)) {
      std::int32_t at = position_[u.clue];
      if (at < 0) {
        at = std::int32_t(factors_[child].open.size());
        factors_[child].open.push_back({u.clue, 0});
        position_[u.clue] = at;
        add_owner(u.clue, child);
      }
      const std::int64_t done = factors_[child].open[at].done += u.amount;
      add_check(u.clue, done, done - u.amount, u.weight);
      narrow_values(step, u);
    }
    step.check_end = std::int32_t(plan_.checks.size());
    factors_[child].freedom += log2_of(std::int64_t(comp_.sizes[group]) + 1);
    const double tries = std::max(0, step.value_high - step.value_low + 1);
    finish(child, step, states_before * tries);
    return child;
  }

  // Values that no state could use: the group alone would overshoot, or leave too little.
  void narrow_values(Step& step, const Shape::Use& use) const {
    const std::int64_t target = shape_.target(use.clue);
    const std::int64_t size = comp_.sizes[step.group], w = std::abs(use.weight);
    const std::int64_t others = shape_.most(use.clue) - w * size;
    if (target < 0) {
      step.value_high = step.value_low - 1;
      return;
    }
    // Number of cells of the group that count for this clue: mines, or free cells if weight < 0.
    // Most weights are 1, and divisions are slow.
    const std::int64_t at_most = std::min(size, w == 1 ? target : target / w);
    const std::int64_t lack = target - others;
    const std::int64_t at_least = lack <= 0 ? 0 : w == 1 ? lack : (lack + w - 1) / w;
    const std::int64_t low = use.weight > 0 ? at_least : size - at_most;
    const std::int64_t high = use.weight > 0 ? at_most : size - at_least;
    step.value_low = std::int32_t(std::max<std::int64_t>(step.value_low, low));
    step.value_high = std::int32_t(std::min<std::int64_t>(step.value_high, std::max<std::int64_t>(high, -1)));
  }

  std::int32_t join(std::int32_t a, std::int32_t b) {
    plan_.has_joins = true;
    Step step;
    step.left = factors_[a].step;
    step.right = factors_[b].step;
    const double pairs = std::exp2(factors_[a].size + factors_[b].size);
    index_open(a);
    step.check_begin = std::int32_t(plan_.checks.size());
    for (const Factor::Open& o : factors_[b].open) {
      drop_owner(o.clue, b);
      if (position_[o.clue] >= 0) {
        auto& mine = factors_[a].open[position_[o.clue]];
        mine.done += o.done;
        add_check(o.clue, mine.done, -1, 0);
      } else {
        add_owner(o.clue, a);
        position_[o.clue] = std::int32_t(factors_[a].open.size());
        factors_[a].open.push_back(o);
      }
    }
    step.check_end = std::int32_t(plan_.checks.size());
    factors_[a].freedom += factors_[b].freedom;
    factors_[b] = Factor{};
    finish(a, step, pairs);
    return a;
  }

  // `before`: what was decided before the group, or -1 at a join.
  void add_check(std::int32_t clue, std::int64_t done, std::int64_t before, std::int64_t weight) {
    Check check{};
    check.clue = clue;
    check.closes = done == shape_.most(clue);
    const std::int64_t target = shape_.target(clue);
    const std::int64_t low = target - (shape_.most(clue) - done);
    check.low = std::uint64_t(std::max<std::int64_t>(0, low));
    check.high = std::uint64_t(std::max<std::int64_t>(0, target));
    if (before >= 0) {
      check.opens = before == 0;
      check.high_before = std::min(check.high, std::uint64_t(before));
    }
    check.weight = weight;
    plan_.checks.push_back(check);
  }

  // Drop closed clues of the factor at hand, estimate the table, append the step.
  void finish(std::int32_t factor, Step& step, double work) {
    Factor& f = factors_[factor];
    std::size_t kept = 0;
    f.size = 0;
    plan_.width = std::max(plan_.width, std::int32_t(f.open.size()));
    for (const Factor::Open o : f.open) {
      if (o.done == shape_.most(o.clue)) {
        drop_owner(o.clue, factor);
        position_[o.clue] = -1;
        continue;
      }
      f.size += shape_.spread(o.clue, o.done);
      position_[o.clue] = std::int32_t(kept);
      f.open[kept++] = o;
    }
    f.open.resize(kept);
    f.size = std::min(f.size, f.freedom);
    f.states = f.size == 0 ? 1 : std::exp2(f.size);
    f.step = std::int32_t(plan_.steps.size());
    plan_.steps.push_back(step);
    plan_.expected_nodes += f.states;
    plan_.expected_work += work + 1;
    guard_.tick(std::uint32_t(kept) + 1);
  }

  std::int32_t new_factor() {
    constexpr std::size_t kFew = 8;  // open at once, on most boards
    factors_.emplace_back().open.reserve(kFew);
    return std::int32_t(factors_.size()) - 1;
  }
  // Which factors have a clue open: along a path never more than one.
  void add_owner(std::int32_t clue, std::int32_t factor) {
    if (owner_[clue] < 0) {
      owner_[clue] = factor;
      return;
    }
    if (more_owners_.empty()) more_owners_.resize(owner_.size());
    more_owners_[clue].push_back(factor);
  }
  void drop_owner(std::int32_t clue, std::int32_t factor) {
    if (owner_[clue] != factor) {
      std::erase(more_owners_[clue], factor);
      return;
    }
    owner_[clue] = -1;
    if (more_owners_.empty() || more_owners_[clue].empty()) return;
    owner_[clue] = more_owners_[clue].back();
    more_owners_[clue].pop_back();
  }
  // From now on positions are those in this factor; along a path it stays the same.
  void index_open(std::int32_t factor) {
    if (factor == indexed_) return;
    if (indexed_ >= 0)
      for (const auto& o : factors_[indexed_].open) position_[o.clue] = -1;
    indexed_ = factor;
    if (factor < 0) return;
    for (std::size_t i = 0; i < factors_[factor].open.size(); ++i)
      position_[factors_[factor].open[i].clue] = std::int32_t(i);
  }
  std::int64_t done_in(std::int32_t factor, std::int32_t clue) const {
    return position_[clue] < 0 ? 0 : factors_[factor].open[position_[clue]].done;
  }

  const Shape& shape_;
  const Component& comp_;
  Guard& guard_;
  Plan plan_;
  Vector<std::uint8_t> decided_;
  Vector<Factor> factors_;
  Vector<std::int32_t> owner_;  // a factor that has the clue open, or -1
  Vector<Vector<std::int32_t>> more_owners_;  // the others, if any clue has some
  std::int32_t indexed_ = -1;       // the factor at hand,
  Vector<std::int32_t> position_;  // and where it has each clue, or -1
  Vector<std::int32_t> pending_;
};

}  // namespace

Plan build_plan(const Shape& shape, const Vector<std::int32_t>& clue_order, Guard& guard) {
  return Builder(shape, guard).run(clue_order);
}

Plan build_group_plan(const Shape& shape, const Vector<std::int32_t>& group_order,
                      Guard& guard) {
  return Builder(shape, guard).run_groups(group_order);
}

Plan build_chain_plan(const Shape& shape, const Vector<std::int32_t>& program, Guard& guard) {
  return Builder(shape, guard).run_program(program);
}

}  // namespace sapper
