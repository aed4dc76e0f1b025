#include "diagram/zdd.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "diagram/mines_above.hpp"
#include "diagram/one_path.hpp"

namespace sapper {

namespace {

// Nodes by content: equal nodes are one, and a node without a high child is its low child.
class Store {
 public:
  explicit Store(Guard& guard) : guard_(guard) { slots_.assign(1024, -1); }

  std::int32_t node(std::int32_t position, std::int32_t low, std::int32_t high) {
    if (high == Zdd::kBottom) return low;
    if ((indexed_ + 1) * 2 > slots_.size()) grow();
    const std::size_t at = find(position, low, high);
    if (slots_[at] < 0) {
      slots_[at] = append(position, low, high);
      ++indexed_;
    }
    return slots_[at];
  }
  // The same for a node that is known to be unlike all others.
  std::int32_t new_node(std::int32_t position, std::int32_t low, std::int32_t high) {
    return high == Zdd::kBottom ? low : append(position, low, high);
  }
  const Vector<Zdd::Node>& nodes() const { return nodes_; }
  // Room for so many nodes, to spare growing.
  void expect(std::uint64_t nodes) { nodes_.reserve(nodes); }

 private:
  std::size_t find(std::int32_t position, std::int32_t low, std::int32_t high) const {
    std::uint64_t h = std::uint64_t(std::uint32_t(position)) * 0x9E3779B97F4A7C15ull;
    h = (h ^ std::uint32_t(low)) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 31) ^ std::uint32_t(high)) * 0x94D049BB133111EBull;
    std::size_t at = (h ^ (h >> 29)) & (slots_.size() - 1);
    while (slots_[at] >= 0) {
      const Zdd::Node& n = nodes_[slots_[at]];
      if (n.position == position && n.low == low && n.high == high) break;
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }
  std::int32_t append(std::int32_t position, std::int32_t low, std::int32_t high) {
    guard_.tick();
    guard_.add_nodes(1);
    nodes_.push_back({position, low, high});
    return static_cast<std::int32_t>(nodes_.size()) - 1;
  }
  void grow() {
    Vector<std::int32_t> before(slots_.size() * 2, -1);
    before.swap(slots_);
    for (const std::int32_t i : before) {
      guard_.tick();
      if (i >= 0) slots_[find(nodes_[i].position, nodes_[i].low, nodes_[i].high)] = i;
    }
  }

  Guard& guard_;
  Vector<Zdd::Node> nodes_;
  Vector<std::int32_t> slots_;
  std::size_t indexed_ = 0;
};

// Diagrams of everything from some node on, by the mines that are left for it.
struct Entries {
  MineSpan span;
  const std::int32_t* of;  // the least number first
  std::int32_t at(std::int64_t mines) const {
    return mines < span.least || mines > span.most ? Zdd::kBottom : of[mines - span.least];
  }
};

// The same for all nodes of a level.
class Level {
 public:
  void clear() {
    spans_.clear();
    firsts_.clear();
    entries_.clear();
  }
  std::int32_t* append(MineSpan span) {
    spans_.push_back(span);
    firsts_.push_back(entries_.size());
    entries_.resize(entries_.size() + span.size());
    return entries_.data() + firsts_.back();
  }
  Entries operator[](std::size_t node) const { return {spans_[node], entries_.data() + firsts_[node]}; }

 private:
  Vector<MineSpan> spans_;
  Vector<std::size_t> firsts_;
  Space<std::int32_t> entries_;
};

void refuse_joins(const Diagram& d) {
  for (std::size_t i = 0; i < d.levels.size(); ++i)
    if (d.levels[i].is_join() || d.levels[i].left != std::int32_t(i) - 1)
      throw std::logic_error("a ZDD needs a diagram without joins");
}

class Builder {
 public:
  Builder(const Compiled& c, Guard& guard) : c_(c), guard_(guard), store_(guard), before_free_(c.pieces.size()) {}

  Zdd run() {
    Zdd result;
    if (!c_.consistent || (c_.has_total && c_.total < c_.forced_mines)) return finish(result, Zdd::kBottom);
    // Order: forced cells, then pieces, with the free cells behind or between them. Built from the back.
    result.order.reserve(c_.variables);
    for (std::int32_t v = 0; v < c_.variables; ++v)
      if (c_.values[v] >= 0) result.order.push_back(v);
    const auto forced = std::int32_t(result.order.size());
    for (const Piece& piece : c_.pieces) refuse_joins(*piece.diagram);
    if (c_.has_total) arrange();
    for (std::size_t i = 0; i <= c_.pieces.size(); ++i) {
      if (i == before_free_) result.order.insert(result.order.end(), c_.free.begin(), c_.free.end());
      if (i == c_.pieces.size()) break;
      for (const auto& level : piece_at(i).diagram->levels) {
        const auto group = piece_at(i).part.group(level.group);
        result.order.insert(result.order.end(), group.begin(), group.end());
      }
    }

    position_ = std::int32_t(result.order.size());
    std::int32_t root = c_.has_total ? under_total(c_.total - c_.forced_mines) : any_number();
    for (std::int32_t p = forced; p-- > 0;)
      if (c_.values[result.order[p]] == 1 && root != Zdd::kBottom)
        root = store_.new_node(p, Zdd::kBottom, root);
    return finish(result, root);
  }

 private:
  // Nodes of cells that open their group are unlike all others, because what follows a state, or a number of mines,
  // never follows another.
  std::int32_t any_number() {
    store_.expect(c_.nodes());
    std::int32_t rest = Zdd::kTop;
    for (std::size_t i = 0; i < c_.free.size(); ++i) rest = store_.new_node(--position_, rest, rest);
    for (std::size_t i = c_.pieces.size(); i-- > 0;) rest = piece(*c_.pieces[i].diagram, rest);
    return rest;
  }

  // All levels of a piece, last first.
  std::int32_t piece(const Diagram& d, std::int32_t rest) {
    Vector<std::int32_t> here = {rest}, below, row;  // by node of the current level, of the one before; by mines
    for (std::size_t i = d.levels.size(); i-- > 0;) {
      const auto& level = d.levels[i];
      const std::int32_t size = d.sizes[level.group];
      position_ -= size;
      const std::uint32_t sources = d.nodes_of(level.left);
      below.resize(sources);
      row.resize(std::size_t(size) + 1);
      for (std::uint32_t s = 0; s < sources; ++s) {
        guard_.tick(std::uint32_t(size) + 1);
        const std::uint32_t* arcs = d.arcs.data() + level.arc_begin + std::uint64_t(s) * level.values;
        // row[j]: what follows if j mines of the group are placed so far.
        for (std::int32_t j = 0; j <= size; ++j) {
          const auto v = std::uint32_t(j - level.value_low);
          const std::uint32_t arc = v < std::uint32_t(level.values) ? arcs[v] : Diagram::kNone;
          row[j] = arc == Diagram::kNone ? Zdd::kBottom : here[arc];
        }
        for (std::int32_t c = size; --c > 0;)
          for (std::int32_t j = 0; j <= c; ++j) row[j] = store_.node(position_ + c, row[j], row[j + 1]);
        below[s] = store_.new_node(position_, row[0], row[1]);
      }
      here.swap(below);
    }
    return here[0];
  }

  // Under a total, where the pieces stand matters. A node of one is there once for each number of mines that what is
  // before it can leave and what is after it can take. So those with many nodes stand at the ends, those with many
  // numbers in the middle, and between them the free cells, which have as many numbers as nodes.
  void arrange() {
    Vector<double> numbers;  // of mines, by piece, for each node
    Vector<std::int64_t> spreads;
    for (const Piece& piece : c_.pieces) {
      above_.push_back(mines_above(*piece.diagram, guard_));
      const MineSpan mines = above_.back().back();
      spreads.push_back(mines.most - mines.least);
      numbers.push_back(double(spreads.back()) / double(piece.diagram->nodes));
    }
    Vector<std::size_t> inwards(c_.pieces.size()), last;
    std::iota(inwards.begin(), inwards.end(), std::size_t(0));
    std::ranges::stable_sort(inwards, {}, [&](std::size_t i) { return numbers[i]; });
    std::int64_t front = 0, back = 0;
    for (const std::size_t i : inwards) {
      const bool is_front = front <= back;
      (is_front ? order_ : last).push_back(i);
      (is_front ? front : back) += spreads[i];
    }
    before_free_ = order_.size();
    order_.insert(order_.end(), last.rbegin(), last.rend());
  }
  const Piece& piece_at(std::size_t place) const { return c_.pieces[order_.empty() ? place : order_[place]]; }

  // The same under a total. Only such numbers of mines are looked at as what is above can leave and what is below can
  // take: of all numbers up to the total that is a small part.
  std::int32_t under_total(std::int64_t budget) {
    Vector<MineSpan> left;  // for each piece and all that follows; one more where the free cells begin
    left.push_back({budget, budget});
    const auto free = std::int64_t(c_.free.size());
    for (std::size_t i = 0; i <= order_.size(); ++i) {
      if (i == before_free_) left.push_back({left.back().least - free, left.back().most});
      if (i == order_.size()) break;
      const MineSpan mines = above_[order_[i]].back();
      left.push_back({left.back().least - mines.most, left.back().most - mines.least});
    }
    Level rest;
    *rest.append({0, 0}) = Zdd::kTop;
    for (std::size_t i = order_.size() + 1; i-- > 0;) {
      if (i < order_.size()) {
        piece(*piece_at(i).diagram, above_[order_[i]], left[i < before_free_ ? i : i + 1], rest);
        above_[order_[i]] = {};
      }
      if (i == before_free_)
        for (std::int64_t j = free; j-- > 0;) free_cell({left[i].least - j, left[i].most}, rest);
    }
    return rest[0].at(budget);
  }

  void free_cell(MineSpan left, Level& rest) {
    Level here;
    const Entries after = rest[0];
    const MineSpan span = left & MineSpan{after.span.least, after.span.most + 1};
    std::int32_t* to = here.append(span);
    --position_;
    guard_.tick(std::uint32_t(span.size()) + 1);
    for (std::int64_t k = span.least; k <= span.most; ++k)
      *to++ = store_.new_node(position_, after.at(k), after.at(k - 1));
    std::swap(rest, here);
  }

  // `above`: by node, the mines in this piece; `left`: for the whole piece and what follows.
  void piece(const Diagram& d, const Vector<MineSpan>& above, MineSpan left, Level& rest) {
    Level below;
    Space<std::int32_t> rows;
    const MineSpan root{0, 0};
    for (std::size_t i = d.levels.size(); i-- > 0;) {
      const Diagram::Level& level = d.levels[i];
      const std::int32_t size = d.sizes[level.group];
      position_ -= size;
      const std::uint32_t sources = d.nodes_of(level.left);
      const MineSpan* const from = level.left < 0 ? &root : above.data() + d.levels[level.left].first_node;
      below.clear();
      for (std::uint32_t s = 0; s < sources; ++s) {
        const std::uint32_t* arcs = d.arcs.data() + level.arc_begin + std::uint64_t(s) * level.values;
        MineSpan span;
        for (std::int32_t v = 0; v < level.values; ++v)
          if (arcs[v] != Diagram::kNone) span.add(rest[arcs[v]].span + (level.value_low + v));
        span = span & MineSpan{left.least - from[s].most, left.most - from[s].least};
        const std::size_t numbers = span.size();
        // A node more than can be has no entries.
        std::int32_t* const made = below.append(span);
        guard_.tick(std::uint32_t(numbers * (std::size_t(size) + 1)) + 1);
        if (numbers == 0) continue;
        rows.resize((std::size_t(size) + 1) * numbers);
        const auto row = [&](std::int32_t j) { return rows.data() + std::size_t(j) * numbers; };
        // row(j): what follows if j mines of the group are placed so far, by the mines left before the group.
        for (std::int32_t j = 0; j <= size; ++j) {
          const auto v = std::uint32_t(j - level.value_low);
          const std::uint32_t arc = v < std::uint32_t(level.values) ? arcs[v] : Diagram::kNone;
          if (arc == Diagram::kNone) {
            std::fill_n(row(j), numbers, Zdd::kBottom);
            continue;
          }
          const Entries after = rest[arc];
          for (std::size_t k = 0; k < numbers; ++k) row(j)[k] = after.at(span.least + std::int64_t(k) - j);
        }
        for (std::int32_t c = size; --c > 0; guard_.tick(std::uint32_t(numbers * (std::size_t(c) + 1))))
          for (std::int32_t j = 0; j <= c; ++j)
            for (std::size_t k = 0; k < numbers; ++k) row(j)[k] = store_.node(position_ + c, row(j)[k], row(j + 1)[k]);
        for (std::size_t k = 0; k < numbers; ++k) made[k] = store_.new_node(position_, row(0)[k], row(1)[k]);
      }
      std::swap(rest, below);
    }
  }

  // Keep what the root reaches, children first.
  Zdd finish(Zdd& result, std::int32_t root) {
    const Vector<Zdd::Node>& all = store_.nodes();
    Vector<std::int32_t> rename(all.size(), -1);
    if (root >= 0) rename[root] = 0;
    for (std::int32_t i = root; i >= 0; --i) {
      if (rename[i] < 0) continue;
      if (all[i].low >= 0) rename[all[i].low] = 0;
      if (all[i].high >= 0) rename[all[i].high] = 0;
    }
    auto named = [&](std::int32_t child) { return child < 0 ? child : rename[child]; };
    // The deepest cell first; the nodes of a cell as they were made.
    Vector<std::int32_t> next(result.order.size() + 1, 0);
    for (std::int32_t i = 0; i <= root; ++i)
      if (rename[i] == 0) ++next[all[i].position];
    std::int32_t kept = 0;
    for (std::size_t p = next.size(); p-- > 0;) kept += std::exchange(next[p], kept);
    for (std::int32_t i = 0; i <= root; ++i)
      if (rename[i] == 0) rename[i] = next[all[i].position]++;
    result.nodes.resize(std::size_t(kept));
    for (std::int32_t i = 0; i <= root; ++i)
      if (rename[i] >= 0)
        result.nodes[rename[i]] = {all[i].position, named(all[i].low), named(all[i].high)};
    result.root = root < 0 ? root : kept - 1;
    if (result.order.empty())
      for (std::int32_t v = 0; v < c_.variables; ++v) result.order.push_back(v);
    return std::move(result);
  }

  const Compiled& c_;
  Guard& guard_;
  Store store_;
  Vector<std::size_t> order_;        // pieces from the root down; empty: as they are
  std::size_t before_free_;          // pieces before the free cells
  Vector<Vector<MineSpan>> above_;   // by piece and node: mines before it in the piece
  std::int32_t position_ = 0;        // in the order, of the cell above which nothing is built yet
};

// No order has fewer: a cell that may be a mine has a node.
bool has_a_node_a_cell(const Zdd& zdd) {
  for (std::size_t i = 1; i < zdd.nodes.size(); ++i)
    if (zdd.nodes[i].position == zdd.nodes[i - 1].position) return false;
  return true;
}

// States and nodes that another order may take: more nodes than the first one, because some are swept out, and states
// that lead nowhere.
constexpr std::uint64_t kMoreStates = 4, kFewStates = 20'000, kMoreNodes = 2, kFewNodes = 5'000;

// The ZDD along the other order, if it is smaller.
std::optional<Zdd> smaller(const Zdd& zdd, const Compiled& compiled, Guard& guard) {
  const std::uint64_t nodes = guard.nodes(), most = zdd.nodes.size();
  std::optional<Zdd> result;
  try {
    if (auto other = one_path(compiled, compiled.other_order, std::max(kFewStates, kMoreStates * most), guard)) {
      const std::uint64_t left = guard.limits().nodes - guard.nodes();
      const Limits limits{.seconds = guard.limits().seconds,
                          .nodes = std::min(left, std::max(kFewNodes, kMoreNodes * most))};
      Guard own(limits, [&](std::uint64_t) { guard.look(); }, guard.start());
      result = Builder(*other, own).run();
    }
  } catch (const LimitHit& hit) {
    // There is a diagram; that no better one fits is no reason to give up.
    if (hit.kind != LimitKind::nodes && hit.kind != LimitKind::bytes) throw;
  }
  guard.forget_nodes(guard.nodes() - nodes);
  if (result && result->nodes.size() >= most) result.reset();
  return result;
}

}  // namespace

Zdd build_zdd(const Compiled& compiled, Guard& guard) {
  Zdd result = Builder(compiled, guard).run();
  if (compiled.other_order.empty() || has_a_node_a_cell(result)) return result;
  if (auto other = smaller(result, compiled, guard)) return std::move(*other);
  return result;
}

Zdd build_zdd(const Diagram& diagram, Guard& guard) {
  Compiled alone;
  Piece piece;
  for (const std::int32_t size : diagram.sizes) {
    for (std::int32_t i = 0; i < size; ++i) piece.part.variables.push_back(alone.variables++);
    piece.part.variable_offsets.push_back(alone.variables);
  }
  alone.consistent = diagram.consistent();
  alone.values.assign(std::size_t(alone.variables), -1);
  // Not ours to delete: the diagram outlives this function.
  piece.diagram = std::shared_ptr<const Diagram>(std::shared_ptr<const Diagram>(), &diagram);
  alone.pieces.push_back(std::move(piece));
  return build_zdd(alone, guard);
}

}  // namespace sapper
