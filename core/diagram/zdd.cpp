#include "diagram/zdd.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

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
    for (const std::int32_t i : before)
      if (i >= 0) slots_[find(nodes_[i].position, nodes_[i].low, nodes_[i].high)] = i;
  }

  Guard& guard_;
  Vector<Zdd::Node> nodes_;
  Vector<std::int32_t> slots_;
  std::size_t indexed_ = 0;
};

// Diagrams of everything from some place on, by the mines that are left for it. Without a total
// there is one entry, which stands for any number.
using ByMines = Vector<std::int32_t>;

class Builder {
 public:
  Builder(const Compiled& c, Guard& guard) : c_(c), guard_(guard), store_(guard) {}

  Zdd run() {
    Zdd result;
    if (!c_.consistent || (c_.has_total && c_.total < c_.forced_mines)) return finish(result, Zdd::kBottom);
    // Order: forced cells, pieces, free cells. Built from the back.
    result.order.reserve(c_.variables);
    for (std::int32_t v = 0; v < c_.variables; ++v)
      if (c_.values[v] >= 0) result.order.push_back(v);
    const auto forced = std::int32_t(result.order.size());
    for (const Piece& piece : c_.pieces)
      for (const auto& level : piece.diagram->levels) {
        const auto group = piece.part.group(level.group);
        result.order.insert(result.order.end(), group.begin(), group.end());
      }
    result.order.insert(result.order.end(), c_.free.begin(), c_.free.end());

    const std::int64_t budget = c_.has_total ? c_.total - c_.forced_mines : 0;
    entries_ = std::size_t(budget) + 1;
    if (!c_.has_total) store_.expect(c_.nodes());
    const auto end = std::int32_t(result.order.size());
    std::int32_t root = c_.has_total ? all<true>(end, std::size_t(budget)) : all<false>(end, 0);
    for (std::int32_t p = forced; p-- > 0;)
      if (c_.values[result.order[p]] == 1 && root != Zdd::kBottom)
        root = store_.new_node(p, Zdd::kBottom, root);
    return finish(result, root);
  }

 private:
  // One cell before `low` (no mine here) and `high` (a mine here), for every number of mines. The
  // result takes the place of `low`. `first`: the cell opens its group. Then the nodes are unlike
  // all others, because what follows a state, or a number of mines, never follows another.
  template <bool total, bool first>
  void cell(std::int32_t position, std::int32_t* low, const std::int32_t* high) {
    auto make = [&](std::int32_t l, std::int32_t h) {
      return first ? store_.new_node(position, l, h) : store_.node(position, l, h);
    };
    if (!total) {
      *low = make(*low, *high);
      return;
    }
    guard_.tick(std::uint32_t(entries_));
    // From the back, because both may be the same.
    for (std::size_t k = entries_; k-- > 0;)
      low[k] = make(low[k], k > 0 ? high[k - 1] : Zdd::kBottom);
  }

  template <bool total>
  std::int32_t all(std::int32_t position, std::size_t budget) {
    ByMines rest(entries_, Zdd::kBottom);
    rest[0] = Zdd::kTop;
    for (std::size_t i = 0; i < c_.free.size(); ++i)
      cell<total, true>(--position, rest.data(), rest.data());
    for (std::size_t i = c_.pieces.size(); i-- > 0;)
      piece<total>(*c_.pieces[i].diagram, position, rest);
    return rest[budget];
  }

  // All levels of a piece, last first. `position` moves up to the piece's first cell.
  template <bool total>
  void piece(const Diagram& d, std::int32_t& position, ByMines& rest) {
    const std::size_t entries = total ? entries_ : 1;  // without a total, known to the compiler
    ByMines here = rest, below, rows;  // by node of the current level, of the one before; by mines
    for (std::size_t i = d.levels.size(); i-- > 0;) {
      const auto& level = d.levels[i];
      if (level.is_join() || level.left != std::int32_t(i) - 1)
        throw std::logic_error("a ZDD needs a diagram without joins");
      const std::int32_t size = d.sizes[level.group];
      position -= size;
      const std::uint32_t sources = d.nodes_of(level.left);
      below.resize(sources * entries);
      rows.resize((std::size_t(size) + 1) * entries);
      const auto row = [&](std::int32_t j) { return rows.data() + std::size_t(j) * entries; };
      for (std::uint32_t s = 0; s < sources; ++s) {
        guard_.tick(std::uint32_t(size) + 1);
        const std::uint32_t* arcs = d.arcs.data() + level.arc_begin + std::uint64_t(s) * level.values;
        // row(j): what follows if j mines of the group are placed so far.
        for (std::int32_t j = 0; j <= size; ++j) {
          const auto v = std::uint32_t(j - level.value_low);
          const std::uint32_t arc = v < std::uint32_t(level.values) ? arcs[v] : Diagram::kNone;
          for (std::size_t k = 0; k < entries; ++k)
            row(j)[k] = arc == Diagram::kNone ? Zdd::kBottom : here[arc * entries + k];
        }
        for (std::int32_t c = size; --c > 0;)
          for (std::int32_t j = 0; j <= c; ++j) cell<total, false>(position + c, row(j), row(j + 1));
        cell<total, true>(position, row(0), row(1));
        std::copy_n(rows.data(), entries, below.data() + s * entries);
      }
      here.swap(below);
    }
    rest.assign(here.begin(), here.begin() + std::ptrdiff_t(entries));
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
  std::size_t entries_ = 1;
};

}  // namespace

Zdd build_zdd(const Compiled& compiled, Guard& guard) { return Builder(compiled, guard).run(); }

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
