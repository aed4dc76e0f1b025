#include "diagram.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

namespace sapper {

namespace {

template <int K>
using Key = std::array<std::uint64_t, K>;

template <int K>
std::uint64_t hash_of(const Key<K>& key) {
  std::uint64_t h = key[0] * 0x9E3779B97F4A7C15ull;
  for (int i = 1; i < K; ++i) h = (h ^ (h >> 32) ^ key[i]) * 0xD6E8FEB86659FD93ull;
  return h ^ (h >> 29);
}

template <int K>
bool same(const Key<K>& a, const Key<K>& b) {
  std::uint64_t difference = 0;
  for (int i = 0; i < K; ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

// The states of one table: keys in order of discovery, found through open addressing. A slot holds
// a node and some more bits of its hash, so that most mismatches never touch the keys.
template <int K>
class States {
 public:
  // `expected`: a guess at the number of states, to spare growing.
  States(Guard& guard, std::size_t expected) : charge_(guard) {
    resize(std::bit_ceil(std::max<std::size_t>(expected * 2, 16)));
  }

  std::uint32_t insert(const Key<K>& key) {
    if ((keys_.size() + 1) * 2 > slots_.size()) resize(slots_.size() * 2);
    const std::uint64_t hash = hash_of<K>(key);
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].node != Diagram::kNone) {
      if (slots_[at].tag == tag && same<K>(keys_[slots_[at].node], key)) return slots_[at].node;
      at = (at + 1) & mask;
    }
    if (keys_.size() >= Diagram::kNone - 1)
      throw LimitHit(LimitKind::nodes, double(Diagram::kNone), double(keys_.size()));
    if (keys_.size() == keys_.capacity()) reserve_more();
    slots_[at] = {static_cast<std::uint32_t>(keys_.size()), tag};
    keys_.push_back(key);
    return slots_[at].node;
  }

  // The table is complete: keep the keys, drop the index.
  void seal() {
    std::vector<Slot>().swap(slots_);
    charge_.release();
    charge_.at_least(keys_.capacity() * sizeof(Key<K>));
  }
  const std::vector<Key<K>>& keys() const { return keys_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }

 private:
  struct Slot {
    std::uint32_t node, tag;
  };
  void reserve_more() {
    const std::size_t capacity = std::max<std::size_t>(8, keys_.capacity() * 2);
    charge_.at_least((keys_.capacity() + capacity) * sizeof(Key<K>) + slots_.size() * sizeof(Slot));
    keys_.reserve(capacity);
  }
  void resize(std::size_t size) {
    charge_.at_least(keys_.capacity() * sizeof(Key<K>) + (slots_.size() + size) * sizeof(Slot));
    slots_.assign(size, Slot{Diagram::kNone, 0});
    for (std::uint32_t i = 0; i < keys_.size(); ++i) {
      const std::uint64_t hash = hash_of<K>(keys_[i]);
      std::size_t at = hash & (size - 1);
      while (slots_[at].node != Diagram::kNone) at = (at + 1) & (size - 1);
      slots_[at] = {i, static_cast<std::uint32_t>(hash >> 32)};
    }
  }

  Charge charge_;
  std::vector<Key<K>> keys_;
  std::vector<Slot> slots_;
};

template <int K>
class Compiler {
 public:
  Compiler(const Shape& shape, const Plan& plan, Guard& guard)
      : shape_(shape), plan_(plan), guard_(guard), arc_charge_(guard) {}

  Diagram run() {
    diagram_.sizes = shape_.component().sizes;
    diagram_.has_joins = plan_.has_joins;
    diagram_.levels.reserve(plan_.steps.size());
    arc_charge_.at_least(plan_.steps.size() * sizeof(Diagram::Level));
    tables_.resize(plan_.steps.size());
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const Step& step = plan_.steps[i];
      const std::size_t below = step.left < 0 ? 1 : tables_[step.left]->size();
      auto table = std::make_unique<States<K>>(guard_, below);
      diagram_.levels.push_back({step.left, step.right, step.group, step.value_low,
                                 std::max(0, step.value_high - step.value_low + 1), 0, 0,
                                 diagram_.arcs.size(), 0});
      if (step.is_join())
        join(step, *table);
      else
        choose(step, *table);
      table->seal();
      Diagram::Level& level = diagram_.levels.back();
      level.nodes = table->size();
      level.arc_end = diagram_.arcs.size();
      guard_.add_nodes(table->size());
      diagram_.visited += table->size();
      if (step.left >= 0) tables_[step.left].reset();
      if (step.right >= 0) tables_[step.right].reset();
      tables_[i] = std::move(table);
      if (diagram_.levels.back().nodes == 0) return no_solution();
    }
    tables_.clear();
    sweep();
    return std::move(diagram_);
  }

 private:
  // Are the sums in range? Closed clues are erased from the key.
  bool accept(const Step& step, Key<K>& key) const {
    for (std::int32_t i = step.check_begin; i < step.check_end; ++i) {
      const Check& c = plan_.checks[i];
      const std::uint64_t got = (key[c.word] >> c.shift) & c.mask;
      if (got < c.low || got > c.high) return false;
      if (c.closes) key[c.word] &= ~(c.mask << c.shift);
    }
    for (std::int32_t i = step.pair_begin; i < step.pair_end; ++i) {
      const PairCheck& p = plan_.pairs[i];
      const auto a = std::int64_t((key[p.word_a] >> p.shift_a) & p.mask_a);
      const auto b = std::int64_t((key[p.word_b] >> p.shift_b) & p.mask_b);
      if (a - b < p.low || a - b > p.high) return false;
    }
    return true;
  }

  void make_room(std::uint64_t more) {
    const std::uint64_t needed = diagram_.arcs.size() + more;
    if (needed <= diagram_.arcs.capacity()) return;
    const std::uint64_t capacity = std::max<std::uint64_t>(needed, diagram_.arcs.capacity() * 3 / 2);
    arc_charge_.at_least((capacity + diagram_.arcs.capacity()) * sizeof(std::uint32_t) +
                         plan_.steps.size() * sizeof(Diagram::Level));
    diagram_.arcs.reserve(capacity);
  }

  void choose(const Step& step, States<K>& table) {
    const auto values = std::int32_t(diagram_.levels.back().values);
    std::vector<Key<K>> deltas(values);
    for (std::int32_t v = 0; v < values; ++v) {
      deltas[v].fill(0);
      for (std::int32_t i = step.check_begin; i < step.check_end; ++i) {
        const Check& c = plan_.checks[i];
        deltas[v][c.word] += std::uint64_t(shape_.contribution(step.group, c.weight,
                                                               step.value_low + v))
                             << c.shift;
      }
    }
    static const std::vector<Key<K>> unit(1, Key<K>{});
    const auto& sources = step.left < 0 ? unit : tables_[step.left]->keys();
    make_room(std::uint64_t(sources.size()) * values);
    for (const Key<K>& source : sources) {
      guard_.tick(std::uint32_t(values));
      for (std::int32_t v = 0; v < values; ++v) {
        Key<K> key = source;
        for (int w = 0; w < K; ++w) key[w] += deltas[v][w];
        diagram_.arcs.push_back(accept(step, key) ? table.insert(key) : Diagram::kNone);
      }
    }
  }

  void join(const Step& step, States<K>& table) {
    const auto& left = tables_[step.left]->keys();
    const auto& right = tables_[step.right]->keys();
    for (std::uint32_t a = 0; a < left.size(); ++a) {
      for (std::uint32_t b = 0; b < right.size(); ++b) {
        guard_.tick();
        Key<K> key = left[a];
        for (int w = 0; w < K; ++w) key[w] += right[b][w];
        if (!accept(step, key)) continue;
        make_room(3);
        const std::uint32_t node = table.insert(key);
        diagram_.arcs.push_back(a);
        diagram_.arcs.push_back(b);
        diagram_.arcs.push_back(node);
      }
    }
  }

  Diagram no_solution() {
    Diagram empty;
    empty.sizes = diagram_.sizes;
    empty.visited = diagram_.visited;
    return empty;
  }

  // Remove nodes from which the root cannot be reached; number the rest anew, level by level.
  void sweep() {
    auto& levels = diagram_.levels;
    std::uint64_t total = 0;
    for (auto& level : levels) {
      level.first_node = total;
      total += level.nodes;
    }
    Charge charge(guard_);
    charge.at_least(total * sizeof(std::uint32_t));
    std::vector<std::uint32_t> rename(total, Diagram::kNone);
    if (levels.back().nodes > 0) rename[levels.back().first_node] = 0;
    auto alive = [&](std::int32_t level, std::uint32_t node) {
      return rename[levels[level].first_node + node] != Diagram::kNone;
    };
    auto keep = [&](std::int32_t level, std::uint32_t node) {
      if (level >= 0) rename[levels[level].first_node + node] = 0;
    };
    for (auto i = std::int32_t(levels.size()) - 1; i >= 0; --i) {
      const Diagram::Level& level = levels[i];
      if (level.is_join()) {
        for (std::uint64_t k = level.arc_begin; k < level.arc_end; k += 3)
          if (alive(i, diagram_.arcs[k + 2])) {
            keep(level.left, diagram_.arcs[k]);
            keep(level.right, diagram_.arcs[k + 1]);
          }
      } else {
        const std::uint32_t sources = diagram_.nodes_of(level.left);
        for (std::uint32_t a = 0; a < sources; ++a)
          for (std::int32_t v = 0; v < level.values; ++v) {
            std::uint32_t& arc = diagram_.arcs[level.arc_begin + std::uint64_t(a) * level.values + v];
            if (arc == Diagram::kNone) continue;
            if (alive(i, arc))
              keep(level.left, a);
            else
              arc = Diagram::kNone;
          }
      }
      guard_.tick(std::uint32_t(std::min<std::uint64_t>(level.arc_end - level.arc_begin, 1u << 30)));
    }
    // Compact upwards; arcs move towards the front of the array.
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      Diagram::Level& level = levels[i];
      std::uint32_t next = 0;
      for (std::uint32_t n = 0; n < level.nodes; ++n) {
        std::uint32_t& name = rename[level.first_node + n];
        if (name != Diagram::kNone) name = next++;
      }
      const std::uint64_t begin = out;
      if (level.is_join()) {
        for (std::uint64_t k = level.arc_begin; k < level.arc_end; k += 3) {
          const std::uint32_t node = rename[level.first_node + diagram_.arcs[k + 2]];
          if (node == Diagram::kNone) continue;
          const std::uint32_t a = rename[levels[level.left].first_node + diagram_.arcs[k]];
          const std::uint32_t b = rename[levels[level.right].first_node + diagram_.arcs[k + 1]];
          diagram_.arcs[out++] = a;
          diagram_.arcs[out++] = b;
          diagram_.arcs[out++] = node;
        }
      } else {
        const std::uint32_t sources = level.left < 0 ? 1 : old_nodes_[level.left];
        for (std::uint32_t a = 0; a < sources; ++a) {
          if (level.left >= 0 &&
              rename[levels[level.left].first_node + a] == Diagram::kNone)
            continue;
          for (std::int32_t v = 0; v < level.values; ++v) {
            const std::uint32_t arc =
                diagram_.arcs[level.arc_begin + std::uint64_t(a) * level.values + v];
            diagram_.arcs[out++] =
                arc == Diagram::kNone ? Diagram::kNone : rename[level.first_node + arc];
          }
        }
      }
      level.arc_begin = begin;
      level.arc_end = out;
      old_nodes_.push_back(level.nodes);
      level.nodes = next;
    }
    std::uint64_t first = 0;
    for (auto& level : levels) {
      level.first_node = first;
      first += level.nodes;
    }
    diagram_.nodes = first;
    diagram_.arcs.resize(out);
    if (out < diagram_.arcs.capacity() / 2) diagram_.arcs.shrink_to_fit();
  }

  const Shape& shape_;
  const Plan& plan_;
  Guard& guard_;
  Charge arc_charge_;
  Diagram diagram_;
  std::vector<std::unique_ptr<States<K>>> tables_;
  std::vector<std::uint32_t> old_nodes_;
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
