#include "diagram/build_diagram.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "diagram/states.hpp"

namespace sapper {

namespace {

template <int K>
class Compiler {
 public:
  Compiler(const Component& component, const Plan& plan, Guard& guard)
      : component_(component), plan_(plan), guard_(guard), arcs_(plan.steps.size()) {}

  Diagram run() {
    diagram_.sizes = component_.sizes;
    diagram_.has_joins = plan_.has_joins;
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
    gather();
    return std::move(diagram_);
  }

 private:
  using Keys = Vector<Key<K>>;
  using Arcs = Vector<std::uint32_t>;
  using Names = Vector<std::uint32_t>;
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

  // What each value of a step's group adds to the state: the least, and from one to the next the weights.
  const Keys& deltas(const Step& step, std::int32_t values) {
    Key<K> least{}, more{};
    for (std::int32_t i = step.check_begin; i < step.check_end; ++i) {
      const Check& c = plan_.checks[i];
      const std::int32_t word = K == 1 ? 0 : c.word;
      least[word] += std::uint64_t(component_.contribution(step.group, c.weight, step.value_low)) << c.shift;
      more[word] += std::uint64_t(c.weight) << c.shift;
    }
    deltas_.resize(std::size_t(values));
    for (Key<K>& delta : deltas_) {
      delta = least;
      for (int w = 0; w < K; ++w) least[w] += more[w];
    }
    return deltas_;
  }

  // A step from every source by every value of its group: `move(change, key)` makes a state of
  // its source, or tells that there is none.
  template <class Move>
  void expand(std::size_t at, const Keys& sources, States<K>& table, Move&& move) {
    const std::int32_t values = diagram_.levels[at].values;
    const Keys& change = deltas(plan_.steps[at], values);
    arcs_[at].assign(sources.size() * std::size_t(values), kNone);
    std::uint32_t* arc = arcs_[at].data();
    for (const Key<K>& source : sources) {
      guard_.tick(std::uint32_t(values));
      for (std::int32_t v = 0; v < values; ++v) {
        Key<K> key = source;
        *arc++ = move(change[v], key) ? table.insert(key) : kNone;
      }
    }
    count(table.size());
  }

  void choose(std::size_t at, const Keys& sources, States<K>& table) {
    const Step& step = plan_.steps[at];
    expand(at, sources, table, [&](const Key<K>& change, Key<K>& key) {
      for (int w = 0; w < K; ++w) key[w] += change[w];
      return accept(step, key);
    });
    diagram_.levels[at].nodes = table.size();
  }

  // The same from the other end: for every state after the step and every value, the state before.
  void choose_back(std::size_t at, const Keys& sources, States<K>& table) {
    const Step& step = plan_.steps[at];
    expand(at, sources, table,
           [&](const Key<K>& change, Key<K>& key) { return go_back(step, change, key); });
  }

  void join(std::size_t at, const Keys& left, const Keys& right, States<K>& table) {
    const Step& step = plan_.steps[at];
    Arcs& arcs = arcs_[at];
    for (std::uint32_t a = 0; a < left.size(); ++a) {
      for (std::uint32_t b = 0; b < right.size(); ++b) {
        guard_.tick();
        Key<K> key = left[a];
        for (int w = 0; w < K; ++w) key[w] += right[b][w];
        if (!accept(step, key)) continue;
        if (arcs.size() + 3 > arcs.capacity())
          arcs.reserve(std::max<std::size_t>(12, arcs.capacity() * 3 / 2));
        arcs.insert(arcs.end(), {a, b, table.insert(key)});
      }
    }
    count(diagram_.levels[at].nodes = table.size());
  }

  void count(std::uint32_t nodes) {
    guard_.add_nodes(nodes);
    diagram_.visited += nodes;
  }

  // --- whole plans; false: there is no solution -----------------------------------------------

  bool run_tree() {
    const Keys unit(1, Key<K>{});
    Vector<std::unique_ptr<States<K>>> tables(plan_.steps.size());
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const Step& step = plan_.steps[i];
      const Keys& left = step.left < 0 ? unit : tables[step.left]->keys();
      auto table = std::make_unique<States<K>>();
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
    start_names(plan_.steps.size());
    names_of(plan_.steps.size() - 1)[0] = 0;
    sweep(plan_.steps.size());
    return true;
  }

  bool run_path() {
    const Keys unit(1, Key<K>{});
    States<K> forth[2], back[2];
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
    start_names(at);
    Names met(rear.size(), kNone);
    bool any = false;
    for (std::size_t i = 0; i < rear.size(); ++i) {
      met[i] = front ? front->find(rear[i]) : rear[i] == Key<K>{} ? 0 : kNone;
      if (met[i] == kNone) continue;
      any = true;
      if (front) names_of(at - 1)[met[i]] = 0;
    }
    if (!any) return false;
    sweep(at);
    if (front)
      for (std::uint32_t& name : met)
        if (name != kNone) name = names_of(at - 1)[name];
    turn_round(at, std::move(met));
    return true;
  }

  // The arcs of the steps from `at` on, made from the rear, as arcs from the front. `names` are
  // those of the nodes before that step, in the order of the rear's table.
  void turn_round(std::size_t at, Names names) {
    for (std::size_t i = at; i < arcs_.size(); ++i) {
      Diagram::Level& level = diagram_.levels[i];
      const auto values = std::size_t(level.values);
      const std::uint32_t sources = diagram_.nodes_of(std::int32_t(i) - 1);
      Arcs back = std::move(arcs_[i]);
      Names next(back.size() / values, kNone);
      guard_.tick(ticks(back.size()));
      arcs_[i].assign(sources * values, kNone);
      std::uint32_t* const arcs = arcs_[i].data();
      for (std::size_t n = 0; n < next.size(); ++n)
        for (std::size_t v = 0; v < values; ++v) {
          const std::uint32_t source = back[n * values + v];
          if (source == kNone || names[source] == kNone) continue;
          if (next[n] == kNone) next[n] = level.nodes++;
          arcs[names[source] * values + v] = next[n];
        }
      names = std::move(next);
    }
  }

  // A name for every node of the first levels: none yet. After those of a level there is one more, of
  // the node that a missing arc leads to: it stays without a name.
  void start_names(std::size_t levels) {
    std::uint64_t nodes = 0;
    first_name_.resize(levels);
    for (std::size_t i = 0; i < levels; ++i) {
      first_name_[i] = nodes;
      nodes += std::uint64_t(diagram_.levels[i].nodes) + 1;
    }
    names_.assign(nodes, kNone);
  }
  std::uint32_t* names_of(std::size_t level) { return names_.data() + first_name_[level]; }

  // Of the first `count` levels, keep the nodes from which a named one of the last can be reached;
  // number them anew, level by level. Which arcs are missing and which nodes are dead nobody can guess,
  // the processor neither: so there is no branch on it. A name is 0 at first, or has all bits (kNone).
  void sweep(std::size_t count) {
    auto& levels = diagram_.levels;
    std::uint32_t unit = 0;
    for (std::size_t i = count; i-- > 0;) {
      const Diagram::Level& level = levels[i];
      const Arcs& arcs = arcs_[i];
      const std::uint32_t* here = names_of(i);
      std::uint32_t* left = level.left < 0 ? &unit : names_of(std::size_t(level.left));
      guard_.tick(ticks(arcs.size()));
      if (level.is_join()) {
        std::uint32_t* right = names_of(std::size_t(level.right));
        for (std::size_t k = 0; k < arcs.size(); k += 3)
          if (here[arcs[k + 2]] != kNone) left[arcs[k]] = right[arcs[k + 1]] = 0;
        continue;
      }
      const std::uint32_t* arc = arcs.data();
      const std::uint32_t* const end = arc + arcs.size();
      const std::uint32_t missing = level.nodes;
      const std::int32_t values = level.values;
      for (std::uint32_t* source = left; arc != end; ++source) {
        std::uint32_t name = kNone;
        for (std::int32_t v = 0; v < values; ++v) name &= here[std::min(*arc++, missing)];
        *source &= name;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      Diagram::Level& level = levels[i];
      Arcs& arcs = arcs_[i];
      std::uint32_t* here = names_of(i);
      const std::uint32_t* left = level.left < 0 ? &unit : names_of(std::size_t(level.left));
      guard_.tick(ticks(arcs.size()));
      const std::uint32_t missing = level.nodes;
      std::uint32_t nodes = 0;
      for (std::uint32_t* name = here; name != here + missing; ++name) {
        const bool keeps = *name == 0;
        *name |= nodes;
        nodes += keeps;
      }
      level.nodes = nodes;
      std::size_t out = 0;
      if (level.is_join()) {
        const std::uint32_t* right = names_of(std::size_t(level.right));
        for (std::size_t k = 0; k < arcs.size(); k += 3) {
          const std::uint32_t node = here[arcs[k + 2]];
          if (node == kNone) continue;
          arcs[out++] = left[arcs[k]];
          arcs[out++] = right[arcs[k + 1]];
          arcs[out++] = node;
        }
      } else {
        // What a dead source has is written over by the next one.
        const std::uint32_t* arc = arcs.data();
        const std::uint32_t* const end = arc + arcs.size();
        std::uint32_t* to = arcs.data();
        const std::int32_t values = level.values;
        for (const std::uint32_t* source = left; arc != end; ++source) {
          for (std::int32_t v = 0; v < values; ++v) to[v] = here[std::min(*arc++, missing)];
          to += *source == kNone ? 0 : values;
        }
        out = std::size_t(to - arcs.data());
      }
      arcs.resize(out);
    }
  }

  // All arcs in one array, and the nodes numbered through.
  void gather() {
    std::uint64_t arcs = 0;
    for (const Arcs& level : arcs_) arcs += level.size();
    diagram_.arcs.reserve(arcs);
    for (std::size_t i = 0; i < arcs_.size(); ++i) {
      Diagram::Level& level = diagram_.levels[i];
      level.first_node = diagram_.nodes;
      diagram_.nodes += level.nodes;
      level.arc_begin = diagram_.arcs.size();
      diagram_.arcs.insert(diagram_.arcs.end(), arcs_[i].begin(), arcs_[i].end());
      level.arc_end = diagram_.arcs.size();
      Arcs().swap(arcs_[i]);
    }
  }

  static std::uint32_t ticks(std::uint64_t work) {
    return std::uint32_t(std::min<std::uint64_t>(work, 1u << 30));
  }

  const Component& component_;
  const Plan& plan_;
  Guard& guard_;
  Diagram diagram_;
  Keys deltas_;
  // Of each step: from the front, a node for every state before it and value (or triples, at joins);
  // from the rear, until it is turned round, a node for every state after it and value.
  Vector<Arcs> arcs_;
  Names names_;  // new numbers of the nodes after each step, one step after the other
  Vector<std::uint64_t> first_name_;
};

}  // namespace

Diagram compile(const Component& component, const Plan& plan, Guard& guard) {
  if (plan.steps.empty()) throw std::logic_error("a plan without steps");
  switch (std::bit_ceil(std::uint32_t(plan.words))) {
    case 1: return Compiler<1>(component, plan, guard).run();
    case 2: return Compiler<2>(component, plan, guard).run();
    case 4: return Compiler<4>(component, plan, guard).run();
    case 8: return Compiler<8>(component, plan, guard).run();
    case 16: return Compiler<16>(component, plan, guard).run();
    default: throw std::length_error("state too wide");
  }
}

}  // namespace sapper
