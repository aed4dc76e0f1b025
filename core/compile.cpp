// From a plan to a diagram.
//
// Tables are made step by step, from the empty state to the root. Some of their states can never be
// completed; a path that is wide enough is therefore made from both ends, always where the table is
// smaller, until the two meet: each end has few dead states close to where it began. What lies on
// no way from end to end is swept out afterwards.
#include "diagram.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "states.hpp"

namespace sapper {

namespace {

template <int K>
class Compiler {
 public:
  Compiler(const Shape& shape, const Plan& plan, Guard& guard)
      : shape_(shape), plan_(plan), guard_(guard), level_charge_(guard), arc_charge_(guard),
        back_charge_(guard), rename_charge_(guard) {}

  Diagram run() {
    diagram_.sizes = shape_.component().sizes;
    diagram_.has_joins = plan_.has_joins;
    level_charge_.at_least(plan_.steps.size() * sizeof(Diagram::Level));
    diagram_.levels.reserve(plan_.steps.size());
    for (const Step& step : plan_.steps)
      diagram_.levels.push_back({step.left, step.right, step.group, step.value_low,
                                 std::max(0, step.value_high - step.value_low + 1), 0, 0, 0, 0});
    if (!(plan_.has_joins ? run_tree() : run_path())) {
      Diagram empty;
      empty.sizes = std::move(diagram_.sizes);
      empty.visited = diagram_.visited;
      return empty;
    }
    std::uint64_t first = 0;
    for (auto& level : diagram_.levels) {
      level.first_node = first;
      first += level.nodes;
    }
    diagram_.nodes = first;
    if (diagram_.arcs.size() < diagram_.arcs.capacity() / 2) diagram_.arcs.shrink_to_fit();
    return std::move(diagram_);
  }

 private:
  using Keys = std::vector<Key<K>>;
  using Arcs = std::vector<std::uint32_t>;
  static constexpr std::uint32_t kNone = Diagram::kNone;

  // --- steps --------------------------------------------------------------------------------

  static bool differ_too_much(const PairCheck& p, const Key<K>& key) {
    const std::uint64_t a = (key[K == 1 ? 0 : p.word_a] >> p.shift_a) & p.mask_a;
    const std::uint64_t b = (key[K == 1 ? 0 : p.word_b] >> p.shift_b) & p.mask_b;
    return a - b - p.low > p.span;
  }

  // Are the sums in range after the step? Closed clues are erased from the key.
  bool accept(const Step& step, Key<K>& key) const {
    for (std::int32_t i = step.packed_begin; i < step.packed_end; ++i) {
      const PackedCheck& p = plan_.packed[i];
      std::uint64_t& x = key[K == 1 ? 0 : p.word];
      if ((((x + p.over) | ~((x | p.tops) - p.under)) & p.tops) != 0) return false;
      x &= ~p.closing;
    }
    for (std::int32_t i = step.pair_begin; i < step.pair_end; ++i)
      if (differ_too_much(plan_.pairs[i], key)) return false;
    return true;
  }

  // The state before a step from the one after it; false if there is none.
  bool go_back(const Step& step, const Key<K>& delta, Key<K>& key) const {
    for (std::int32_t i = step.packed_begin; i < step.packed_end; ++i) {
      const PackedCheck& p = plan_.packed[i];
      std::uint64_t& x = key[K == 1 ? 0 : p.word];
      const std::uint64_t less = ((x + p.reopened) | p.tops) - delta[K == 1 ? 0 : p.word];
      x = less ^ p.tops;
      if (((~less | (x + p.over_before)) & p.tops) != 0) return false;
    }
    for (std::int32_t i = step.behind_begin; i < step.behind_end; ++i)
      if (differ_too_much(plan_.pairs[i], key)) return false;
    return true;
  }

  // What each value of a step's group adds to the state.
  const Keys& deltas(const Step& step, std::int32_t values) {
    deltas_.assign(std::size_t(values), Key<K>{});
    for (std::int32_t v = 0; v < values; ++v)
      for (std::int32_t i = step.check_begin; i < step.check_end; ++i) {
        const Check& c = plan_.checks[i];
        deltas_[v][c.word] +=
            std::uint64_t(shape_.contribution(step.group, c.weight, step.value_low + v)) << c.shift;
      }
    return deltas_;
  }

  static void make_room(Arcs& arcs, Charge& charge, std::uint64_t more) {
    const std::uint64_t needed = arcs.size() + more;
    if (needed <= arcs.capacity()) return;
    const std::uint64_t capacity = std::max<std::uint64_t>(needed, arcs.capacity() * 3 / 2);
    charge.at_least((capacity + arcs.capacity()) * sizeof(std::uint32_t));
    arcs.reserve(capacity);
  }

  // So many more arcs, missing ones at first.
  static std::uint32_t* extend(Arcs& arcs, Charge& charge, std::uint64_t more) {
    make_room(arcs, charge, more);
    arcs.resize(arcs.size() + more, kNone);
    return arcs.data() + (arcs.size() - more);
  }

  void choose(std::size_t at, const Keys& sources, States<K>& table) {
    const Step& step = plan_.steps[at];
    Diagram::Level& level = diagram_.levels[at];
    const std::int32_t values = level.values;
    const Keys& change = deltas(step, values);
    level.arc_begin = diagram_.arcs.size();
    std::uint32_t* arc = extend(diagram_.arcs, arc_charge_, std::uint64_t(sources.size()) * values);
    for (const Key<K>& source : sources) {
      guard_.tick(std::uint32_t(values));
      for (std::int32_t v = 0; v < values; ++v) {
        Key<K> key = source;
        for (int w = 0; w < K; ++w) key[w] += change[v][w];
        *arc++ = accept(step, key) ? table.insert(key) : kNone;
      }
    }
    level.arc_end = diagram_.arcs.size();
    count(level.nodes = table.size());
  }

  // The same from the other end: for every state after the step and every value, the state before.
  void choose_back(std::size_t at, const Keys& sources, States<K>& table) {
    const Step& step = plan_.steps[at];
    const std::int32_t values = diagram_.levels[at].values;
    const Keys& change = deltas(step, values);
    std::uint32_t* arc = extend(back_arcs_, back_charge_, std::uint64_t(sources.size()) * values);
    for (const Key<K>& source : sources) {
      guard_.tick(std::uint32_t(values));
      for (std::int32_t v = 0; v < values; ++v) {
        Key<K> key = source;
        *arc++ = go_back(step, change[v], key) ? table.insert(key) : kNone;
      }
    }
    back_sizes_.push_back(std::uint32_t(sources.size()));
    count(table.size());
  }

  void join(std::size_t at, const Keys& left, const Keys& right, States<K>& table) {
    const Step& step = plan_.steps[at];
    Diagram::Level& level = diagram_.levels[at];
    level.arc_begin = diagram_.arcs.size();
    for (std::uint32_t a = 0; a < left.size(); ++a) {
      for (std::uint32_t b = 0; b < right.size(); ++b) {
        guard_.tick();
        Key<K> key = left[a];
        for (int w = 0; w < K; ++w) key[w] += right[b][w];
        if (!accept(step, key)) continue;
        make_room(diagram_.arcs, arc_charge_, 3);
        const std::uint32_t node = table.insert(key);
        diagram_.arcs.push_back(a);
        diagram_.arcs.push_back(b);
        diagram_.arcs.push_back(node);
      }
    }
    level.arc_end = diagram_.arcs.size();
    count(level.nodes = table.size());
  }

  void count(std::uint32_t nodes) {
    guard_.add_nodes(nodes);
    diagram_.visited += nodes;
  }

  // --- whole plans; false: there is no solution -----------------------------------------------

  bool run_tree() {
    const Keys unit(1, Key<K>{});
    std::vector<std::unique_ptr<States<K>>> tables(plan_.steps.size());
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const Step& step = plan_.steps[i];
      const Keys& left = step.left < 0 ? unit : tables[step.left]->keys();
      auto table = std::make_unique<States<K>>(guard_);
      table->start(left.size());
      if (step.is_join())
        join(i, left, tables[step.right]->keys(), *table);
      else
        choose(i, left, *table);
      table->seal();
      if (step.left >= 0) tables[step.left].reset();
      if (step.right >= 0) tables[step.right].reset();
      tables[i] = std::move(table);
      if (tables[i]->size() == 0) return false;
    }
    number_nodes(plan_.steps.size());
    rename_[diagram_.levels.back().first_node] = 0;
    sweep(plan_.steps.size());
    return true;
  }

  bool run_path() {
    const Keys unit(1, Key<K>{});
    States<K> forth[2] = {States<K>(guard_), States<K>(guard_)};
    States<K> back[2] = {States<K>(guard_), States<K>(guard_)};
    const Keys *front = &unit, *rear = &unit;
    // Steps before `done` are made from the front, steps from `left` on from the rear.
    std::size_t done = 0, left = plan_.steps.size();
    auto work = [&](const Keys& keys, std::size_t step) {
      return std::uint64_t(keys.size()) * std::uint64_t(diagram_.levels[step].values);
    };
    while (done < left) {
      const bool forward = !plan_.both_ways || work(*front, done) <= work(*rear, left - 1);
      const Keys*& end = forward ? front : rear;
      States<K>& table = forward ? forth[done % 2] : back[left % 2];
      table.start(end->size());
      if (forward)
        choose(done++, *front, table);
      else
        choose_back(--left, *rear, table);
      end = &table.keys();
      if (end->empty()) return false;
    }
    return meet(done, done == 0 ? nullptr : &forth[(done - 1) % 2], *rear);
  }

  // --- what lies on some way from end to end ----------------------------------------------------

  // Both ends have arrived before step `at`. `front` is null for the table of the empty state.
  bool meet(std::size_t at, const States<K>* front, const Keys& rear) {
    number_nodes(at);
    std::vector<std::uint32_t> names(rear.size(), kNone);
    bool any = false;
    for (std::size_t i = 0; i < rear.size(); ++i) {
      names[i] = front ? front->find(rear[i]) : rear[i] == Key<K>{} ? 0 : kNone;
      if (names[i] == kNone) continue;
      any = true;
      if (front) rename_[diagram_.levels[at - 1].first_node + names[i]] = 0;
    }
    if (!any) return false;
    sweep(at);
    if (front)
      for (std::uint32_t& name : names)
        if (name != kNone) name = rename_[diagram_.levels[at - 1].first_node + name];
    turn_round(at, std::move(names));
    return true;
  }

  // The arcs of the steps from `at` on, made from the rear, as arcs from the front. `names` tells
  // the nodes before that step by their place in the rear's table.
  void turn_round(std::size_t at, std::vector<std::uint32_t> names) {
    const std::size_t steps = plan_.steps.size();
    std::uint64_t begin = back_arcs_.size();
    for (std::size_t i = at; i < steps; ++i) {
      Diagram::Level& level = diagram_.levels[i];
      const auto values = std::size_t(level.values);
      const std::uint32_t nodes = back_sizes_[steps - 1 - i];
      begin -= nodes * values;
      const std::uint32_t* arcs = back_arcs_.data() + begin;
      const std::uint32_t sources = diagram_.nodes_of(std::int32_t(i) - 1);
      level.arc_begin = diagram_.arcs.size();
      std::uint32_t* forth = extend(diagram_.arcs, arc_charge_, sources * values);
      guard_.tick(std::uint32_t(std::min<std::size_t>(nodes * values, 1u << 30)));
      std::vector<std::uint32_t> next(nodes, kNone);
      for (std::uint32_t n = 0; n < nodes; ++n)
        for (std::size_t v = 0; v < values; ++v) {
          const std::uint32_t source = arcs[n * values + v];
          if (source == kNone || names[source] == kNone) continue;
          if (next[n] == kNone) next[n] = level.nodes++;
          forth[names[source] * values + v] = next[n];
        }
      level.arc_end = diagram_.arcs.size();
      names = std::move(next);
    }
  }

  // Numbers for the nodes of the first levels, and a name for each: none yet.
  void number_nodes(std::size_t levels) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < levels; ++i) {
      diagram_.levels[i].first_node = total;
      total += diagram_.levels[i].nodes;
    }
    rename_charge_.at_least(total * sizeof(std::uint32_t));
    rename_.assign(total, kNone);
  }

  // Of the first `count` levels, keep the nodes from which a named one of the last can be reached;
  // number them anew, level by level.
  void sweep(std::size_t count) {
    auto& levels = diagram_.levels;
    auto& arcs = diagram_.arcs;
    auto names = [&](std::int32_t level) { return rename_.data() + levels[level].first_node; };
    std::uint32_t unit = 0;
    for (std::size_t i = count; i-- > 0;) {
      const Diagram::Level& level = levels[i];
      const std::uint32_t* here = names(std::int32_t(i));
      std::uint32_t* left = level.left < 0 ? &unit : names(level.left);
      guard_.tick(ticks(level));
      if (level.is_join()) {
        std::uint32_t* right = names(level.right);
        for (std::uint64_t k = level.arc_begin; k < level.arc_end; k += 3)
          if (here[arcs[k + 2]] != kNone) left[arcs[k]] = right[arcs[k + 1]] = 0;
        continue;
      }
      std::uint32_t* source = left;
      for (std::uint64_t k = level.arc_begin; k < level.arc_end; ++source)
        for (std::int32_t v = 0; v < level.values; ++v, ++k)
          if (arcs[k] != kNone && here[arcs[k]] != kNone) *source = 0;
    }
    // Compact upwards; arcs move towards the front of the array.
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Diagram::Level& level = levels[i];
      std::uint32_t* here = names(std::int32_t(i));
      const std::uint32_t* left = level.left < 0 ? &unit : names(level.left);
      guard_.tick(ticks(level));
      std::uint32_t kept = 0;
      for (std::uint32_t n = 0; n < level.nodes; ++n)
        if (here[n] != kNone) here[n] = kept++;
      level.nodes = kept;
      const std::uint64_t begin = out;
      if (level.is_join()) {
        const std::uint32_t* right = names(level.right);
        for (std::uint64_t k = level.arc_begin; k < level.arc_end; k += 3) {
          const std::uint32_t node = here[arcs[k + 2]];
          if (node == kNone) continue;
          arcs[out++] = left[arcs[k]];
          arcs[out++] = right[arcs[k + 1]];
          arcs[out++] = node;
        }
      } else {
        const std::uint32_t* source = left;
        for (std::uint64_t k = level.arc_begin; k < level.arc_end; ++source) {
          if (*source == kNone) {
            k += std::uint64_t(level.values);
            continue;
          }
          for (std::int32_t v = 0; v < level.values; ++v, ++k)
            arcs[out++] = arcs[k] == kNone ? kNone : here[arcs[k]];
        }
      }
      level.arc_begin = begin;
      level.arc_end = out;
    }
    arcs.resize(out);
  }

  static std::uint32_t ticks(const Diagram::Level& level) {
    return std::uint32_t(std::min<std::uint64_t>(level.arc_end - level.arc_begin, 1u << 30));
  }

  const Shape& shape_;
  const Plan& plan_;
  Guard& guard_;
  Charge level_charge_, arc_charge_, back_charge_, rename_charge_;
  Diagram diagram_;
  Keys deltas_;
  Arcs back_arcs_;                         // last step first; per node after the step and value
  std::vector<std::uint32_t> back_sizes_;  // nodes after those steps
  std::vector<std::uint32_t> rename_;
};

}  // namespace

Diagram compile(const Shape& shape, const Plan& plan, Guard& guard) {
  switch (std::bit_ceil(std::uint32_t(plan.words))) {
    case 1: return Compiler<1>(shape, plan, guard).run();
    case 2: return Compiler<2>(shape, plan, guard).run();
    case 4: return Compiler<4>(shape, plan, guard).run();
    case 8: return Compiler<8>(shape, plan, guard).run();
    case 16: return Compiler<16>(shape, plan, guard).run();
    default: throw std::length_error("state too wide");
  }
}

}  // namespace sapper
