#include "methods/subgraph.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

namespace sapper {

namespace {

constexpr std::uint32_t kDead = 0xFFFFFFFFu;
constexpr std::int32_t kBottom = -1, kTop = -2;
constexpr std::int32_t kMaxWords = 16;
constexpr std::uint64_t kBytesPerNode = 3 * sizeof(std::int32_t);

std::int32_t width_of(std::uint64_t x) { return static_cast<std::int32_t>(std::bit_width(x)); }

// How one edge changes the memory, and what it checks.
struct EdgeStep {
  bool cell_opens, cell_closes, hint_closes;
  std::int32_t cell_word, cell_shift, hint_word, hint_shift;
  std::uint64_t hint_mask;  // before shifting
  std::int64_t low, high;   // what the hint may keep after this edge
};

// Bit fields for the vertices of the frontier, reused as soon as a vertex is done with.
class Fields {
 public:
  struct Field {
    std::int32_t word, shift;
  };
  Field take(std::int32_t bits) {
    for (std::int32_t w = 0; w < words(); ++w)
      for (std::int32_t s = 0; s + bits <= 64; ++s)
        if ((used_[w] >> s & mask(bits)) == 0) return mark(w, s, bits);
    used_.push_back(0);
    return mark(words() - 1, 0, bits);
  }
  void give(Field f, std::int32_t bits) { used_[f.word] &= ~(mask(bits) << f.shift); }
  std::int32_t words() const { return static_cast<std::int32_t>(used_.size()); }
  static std::uint64_t mask(std::int32_t bits) { return (std::uint64_t{1} << bits) - 1; }

 private:
  Field mark(std::int32_t w, std::int32_t s, std::int32_t bits) {
    used_[w] |= mask(bits) << s;
    return {w, s};
  }
  Vector<std::uint64_t> used_ = {0};
};

struct Layout {
  Vector<EdgeStep> steps;
  std::int32_t words = 1, frontier = 0;
};

Layout lay_out(const EdgeProblem& p) {
  const std::size_t edges = p.cell.size();
  Vector<std::int64_t> cell_left(p.cells, 0), hint_left(p.hints, 0), hint_done(p.hints, 0);
  Vector<std::int64_t> cell_done(p.cells, 0);
  for (std::size_t e = 0; e < edges; ++e) ++cell_left[p.cell[e]], ++hint_left[p.hint[e]];
  Vector<Fields::Field> cell_field(p.cells), hint_field(p.hints);
  Vector<std::int32_t> bits(p.hints);
  for (std::int32_t h = 0; h < p.hints; ++h)
    bits[h] = width_of(static_cast<std::uint64_t>(std::max<std::int64_t>(p.targets[h], 1)) + 1);
  Fields fields;
  Layout out;
  out.steps.reserve(edges);
  std::int32_t open = 0;
  for (std::size_t e = 0; e < edges; ++e) {
    const std::int32_t c = p.cell[e], h = p.hint[e];
    EdgeStep s{};
    s.cell_opens = cell_done[c]++ == 0;
    s.cell_closes = --cell_left[c] == 0;
    if (s.cell_opens && !s.cell_closes) cell_field[c] = fields.take(1), ++open;
    if (hint_done[h]++ == 0) hint_field[h] = fields.take(bits[h]), ++open;
    s.hint_closes = --hint_left[h] == 0;
    s.cell_word = cell_field[c].word, s.cell_shift = cell_field[c].shift;
    s.hint_word = hint_field[h].word, s.hint_shift = hint_field[h].shift;
    s.hint_mask = Fields::mask(bits[h]);
    s.high = p.targets[h];
    s.low = p.targets[h] - hint_left[h];
    out.frontier = std::max(out.frontier, open);
    if (!s.cell_opens && s.cell_closes) fields.give(cell_field[c], 1), --open;
    if (s.hint_closes) fields.give(hint_field[h], bits[h]), --open;
    out.steps.push_back(s);
  }
  out.words = fields.words();
  return out;
}

template <int W>
using State = std::array<std::uint64_t, W>;

template <int W>
std::uint64_t hash_of(const State<W>& state) {
  std::uint64_t h = 0x9E3779B97F4A7C15u;
  for (const std::uint64_t word : state) {
    h = (h ^ word) * 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
  }
  return h * 0xD6E8FEB86659FD93u;
}

// The states of one level, each once.
template <int W>
class Level {
 public:
  Level() { rehash(64); }
  // Empty, with room for about as many states as the level before had.
  void clear(std::size_t expected) {
    states.clear();
    rehash(std::max<std::size_t>(64, std::bit_ceil(4 * expected)));
  }
  std::uint32_t find_or_add(const State<W>& state) {
    if (2 * (states.size() + 1) > table_.size()) rehash(2 * table_.size());
    std::size_t at = hash_of<W>(state) >> shift_;
    while (table_[at] != kDead) {
      if (states[table_[at]] == state) return table_[at];
      at = (at + 1) & (table_.size() - 1);
    }
    table_[at] = static_cast<std::uint32_t>(states.size());
    states.push_back(state);
    return table_[at];
  }
  Vector<State<W>> states;

 private:
  void rehash(std::size_t size) {
    table_.assign(size, kDead);
    shift_ = 64 - width_of(size - 1);
    for (std::size_t i = 0; i < states.size(); ++i) {
      std::size_t at = hash_of<W>(states[i]) >> shift_;
      while (table_[at] != kDead) at = (at + 1) & (size - 1);
      table_[at] = static_cast<std::uint32_t>(i);
    }
  }
  Vector<std::uint32_t> table_;
  int shift_ = 58;
};

// The memory after an edge is kept (`value` 1) or not; false if a degree can no longer be met.
template <int W>
bool advance(const EdgeStep& s, State<W>& state, std::uint64_t value) {
  if (!s.cell_opens) {
    if ((state[s.cell_word] >> s.cell_shift & 1) != value) return false;
    if (s.cell_closes) state[s.cell_word] &= ~(std::uint64_t{1} << s.cell_shift);
  } else if (!s.cell_closes) {
    state[s.cell_word] |= value << s.cell_shift;
  }
  std::uint64_t& word = state[s.hint_word];
  const auto kept = static_cast<std::int64_t>((word >> s.hint_shift & s.hint_mask) + value);
  if (kept < s.low || kept > s.high) return false;
  word &= ~(s.hint_mask << s.hint_shift);
  if (!s.hint_closes) word |= static_cast<std::uint64_t>(kept) << s.hint_shift;
  return true;
}

struct Arcs {
  void make_room(std::size_t more) {
    if (low.size() + more <= low.capacity()) return;
    const std::size_t size = std::max(low.size() + more, low.capacity() * 3 / 2);
    low.reserve(size);
    high.reserve(size);
  }
  Vector<std::uint32_t> low, high;
  Vector<std::uint64_t> begin{0};  // first arc of each level
};

template <int W>
void search(const Layout& layout, Arcs& arcs, EdgeDiagram& out, Guard& guard) {
  Level<W> first, second;
  Level<W>*now = &first, *next = &second;
  now->find_or_add(State<W>{});
  for (const EdgeStep& step : layout.steps) {
    next->clear(now->states.size());
    guard.add_nodes(now->states.size());
    out.visited += now->states.size();
    out.widest = std::max<std::uint64_t>(out.widest, now->states.size());
    out.states.push_back(now->states.size());
    arcs.make_room(now->states.size());
    for (const State<W>& state : now->states) {
      guard.tick();
      for (std::uint64_t value = 0; value < 2; ++value) {
        State<W> child = state;
        const bool alive = advance<W>(step, child, value);
        (value ? arcs.high : arcs.low).push_back(alive ? next->find_or_add(child) : kDead);
      }
    }
    arcs.begin.push_back(arcs.low.size());
    std::swap(now, next);
  }
}

// Deletion and sharing, from the last edge to the first.
void reduce(const Arcs& arcs, EdgeDiagram& out, Guard& guard) {
  Vector<std::int32_t> below = {kTop}, here;
  Vector<std::uint32_t> table;
  std::size_t room = 0;
  for (std::size_t level = arcs.begin.size() - 1; level-- > 0;) {
    const std::uint64_t begin = arcs.begin[level], end = arcs.begin[level + 1];
    const std::size_t size = std::bit_ceil(2 * (end - begin) + 2);
    here.assign(end - begin, kBottom);
    table.assign(size, kDead);
    const int shift = 64 - width_of(size - 1);
    for (std::uint64_t i = begin; i < end; ++i) {
      guard.tick();
      const std::int32_t low = arcs.low[i] == kDead ? kBottom : below[arcs.low[i]];
      const std::int32_t high = arcs.high[i] == kDead ? kBottom : below[arcs.high[i]];
      if (high == kBottom) {
        here[i - begin] = low;
        continue;
      }
      const State<1> key{static_cast<std::uint64_t>(static_cast<std::uint32_t>(low)) << 32 |
                         static_cast<std::uint32_t>(high)};
      std::size_t at = hash_of<1>(key) >> shift;
      while (table[at] != kDead && (out.low[table[at]] != low || out.high[table[at]] != high))
        at = (at + 1) & (size - 1);
      if (table[at] == kDead) {
        if (out.low.size() >= 0x7FFFFFFFu) throw std::length_error("too many nodes");
        if (out.low.size() == room) {
          // Room here; and once more in Python.
          const std::size_t more = std::max<std::size_t>(1024, room / 2);
          guard.take_bytes(more * kBytesPerNode);
          room += more;
          out.variable.reserve(room), out.low.reserve(room), out.high.reserve(room);
        }
        table[at] = static_cast<std::uint32_t>(out.low.size());
        out.variable.push_back(static_cast<std::int32_t>(level));
        out.low.push_back(low);
        out.high.push_back(high);
      }
      here[i - begin] = static_cast<std::int32_t>(table[at]);
    }
    std::swap(below, here);
  }
  out.root = below.empty() ? kBottom : below[0];
}

// Drops nodes that no path from the root meets (they were reachable only before reduction).
void sweep(EdgeDiagram& d) {
  Vector<std::int32_t> place(d.low.size(), 0);
  if (d.root >= 0) place[d.root] = 1;
  for (std::size_t i = d.low.size(); i-- > 0;)
    if (place[i])
      for (const std::int32_t child : {d.low[i], d.high[i]})
        if (child >= 0) place[child] = 1;
  std::int32_t kept = 0;
  const auto moved = [&](std::int32_t child) { return child < 0 ? child : place[child]; };
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (!place[i]) continue;
    d.variable[kept] = d.variable[i];
    d.low[kept] = moved(d.low[i]);
    d.high[kept] = moved(d.high[i]);
    place[i] = kept++;
  }
  d.variable.resize(kept), d.low.resize(kept), d.high.resize(kept);
  d.root = moved(d.root);
}

}  // namespace

EdgeDiagram frontier_search(const EdgeProblem& problem, Guard& guard) {
  EdgeDiagram out;
  Vector<std::int64_t> degree(problem.hints, 0);
  for (const std::int32_t h : problem.hint) ++degree[h];
  for (std::int32_t h = 0; h < problem.hints; ++h)
    if (problem.targets[h] < 0 || problem.targets[h] > degree[h]) return out;
  const Layout layout = lay_out(problem);
  out.frontier = layout.frontier;
  Arcs arcs;
  if (layout.words <= 1) search<1>(layout, arcs, out, guard);
  else if (layout.words <= 2) search<2>(layout, arcs, out, guard);
  else if (layout.words <= 4) search<4>(layout, arcs, out, guard);
  else if (layout.words <= 8) search<8>(layout, arcs, out, guard);
  else if (layout.words <= kMaxWords) search<kMaxWords>(layout, arcs, out, guard);
  else throw std::length_error("the frontier is too wide for a state of 1024 bits");
  reduce(arcs, out, guard);
  sweep(out);
  return out;
}

}  // namespace sapper
