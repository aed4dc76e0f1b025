// Forests, degree-constrained subgraphs and random boards against plain enumeration and counting.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "base/memory.hpp"
#include "passes/answers.hpp"
#include "classes.hpp"
#include "diagram/compiled_system.hpp"
#include "diagram/edge_order.hpp"
#include "methods/forest.hpp"
#include "oracle.hpp"
#include "play/random_boards.hpp"
#include "methods/subgraph.hpp"

namespace sapper::tests {

namespace {

Adjacency random_graph(Random& random, std::int32_t vertices, std::uint64_t more_edges) {
  Vector<Vector<std::int32_t>> near(std::size_t(vertices), Vector<std::int32_t>{});
  const auto join = [&](std::int32_t a, std::int32_t b) {
    if (a == b || std::ranges::find(near[a], b) != near[a].end()) return;
    near[a].push_back(b);
    near[b].push_back(a);
  };
  Vector<std::int32_t> names(near.size());
  std::iota(names.begin(), names.end(), 0);
  for (std::size_t i = names.size(); i-- > 1;) std::swap(names[i], names[random.below(i + 1)]);
  for (std::size_t v = 1; v < near.size(); ++v)
    if (random.below(8) != 0) join(names[v], names[random.below(3) ? v - 1 : random.below(v)]);
  for (std::uint64_t i = 0; i < more_edges; ++i)
    join(std::int32_t(random.below(near.size())), std::int32_t(random.below(near.size())));
  Adjacency field;
  field.offsets.push_back(0);
  for (auto& row : near) {
    std::ranges::sort(row);
    field.targets.insert(field.targets.end(), row.begin(), row.end());
    field.offsets.push_back(std::int32_t(field.targets.size()));
  }
  return field;
}

bool touches(const Adjacency& field, std::int32_t a, std::int32_t b) {
  return std::ranges::find(field.of(a), b) != field.of(a).end();
}

// Labels that show part of a minefield, and sometimes lie.
Vector<std::int32_t> random_labels(const Adjacency& field, Random& random) {
  Vector<std::uint8_t> mines(std::size_t(field.cells()));
  for (auto& mine : mines) mine = random.below(3) == 0;
  const bool liar = random.below(3) == 0;
  Vector<std::int32_t> labels;
  for (std::int32_t c = 0; c < field.cells(); ++c) {
    std::int32_t number = 0;
    for (const std::int32_t d : field.of(c)) number += mines[d];
    const auto draw = random.below(10);
    if (!mines[c] && draw < 5)
      labels.push_back(liar && random.below(4) == 0 ? std::int32_t(random.below(4)) : number);
    else
      labels.push_back(draw > 7 ? (mines[c] ? kMine : kFree) : kCovered);
  }
  return labels;
}

// 1 free, 2 mined, 3 either, by what the compiled system says of the covered vertices.
Vector<std::uint8_t> possible_by_diagram(const Adjacency& field,
                                              const Vector<std::int32_t>& labels) {
  Guard guard;
  const System s = System::from_labels(field, labels, false, 0);
  const Verdicts found = verdicts(compile_system(s, {}, guard, nullptr), guard);
  Vector<std::uint8_t> out(labels.size(), 0);
  if (!found.consistent) return out;
  for (std::size_t c = 0; c < labels.size(); ++c) out[c] = labels[c] == kMine ? 2 : 1;
  for (std::int32_t v = 0; v < s.variables; ++v)
    out[s.cell_of[v]] = found.of[v] == kSafe ? 1 : found.of[v] == kMined ? 2 : 3;
  return out;
}

// The same by trying every minefield.
Vector<std::uint8_t> possible_by_trying(const Adjacency& field,
                                             const Vector<std::int32_t>& labels) {
  Vector<std::uint8_t> out(labels.size(), 0);
  for (std::uint32_t mask = 0; mask < 1u << labels.size(); ++mask) {
    bool fits = true;
    for (std::int32_t c = 0; c < field.cells() && fits; ++c) {
      const bool mine = mask >> c & 1;
      std::int32_t number = 0;
      for (const std::int32_t d : field.of(c)) number += mask >> d & 1;
      fits = labels[c] == kCovered || (labels[c] == kMine ? mine : !mine) ;
      fits = fits && (labels[c] < 0 || labels[c] == number);
    }
    for (std::size_t c = 0; fits && c < labels.size(); ++c) out[c] |= mask >> c & 1 ? 2 : 1;
  }
  return out;
}

}  // namespace

// Linear work that looks at no limit: there is nothing to interrupt.
void check_forest(Random& random, Faults&) {
  const bool small = random.below(2) == 0;
  const auto vertices = std::int32_t(small ? 1 + random.below(11) : 20 + random.below(100));
  const Adjacency field = random_graph(random, vertices, random.below(2) ? 0 : random.below(3));
  const Forest forest = Forest::of(field);
  if (!forest.cycle.empty()) {
    const auto& cycle = forest.cycle;
    for (std::size_t i = 0; i < cycle.size(); ++i)
      if (!touches(field, cycle[i], cycle[(i + 1) % cycle.size()])) throw Wrong("a cycle is none");
    Vector<std::int32_t> once = cycle;
    std::ranges::sort(once);
    if (cycle.size() < 3 || std::ranges::adjacent_find(once) != once.end()) throw Wrong("a cycle is none");
    return;
  }
  std::size_t trees = std::size_t(std::ranges::count(forest.parent, -1));
  if (field.targets.size() / 2 + trees != std::size_t(vertices)) throw Wrong("a cycle is not found");
  for (int i = 0; i < 4; ++i) {
    const auto labels = random_labels(field, random);
    const auto found = forest.possible(labels);
    if (found != (small ? possible_by_trying(field, labels) : possible_by_diagram(field, labels)))
      throw Wrong("what vertices can be");
    if (forest.is_consistent(labels) != (found[0] != 0)) throw Wrong("consistency differs");
  }
}

namespace {

std::uint64_t paths(const EdgeDiagram& d, std::size_t edges) {
  Vector<std::uint64_t> ways(d.low.size());
  const auto of = [&](std::size_t node, std::int32_t child) -> std::uint64_t {
    if (child == -1) return 0;
    if (child == -2) return 1;
    if (std::size_t(child) >= node || d.variable[child] <= d.variable[node]) throw Wrong("the diagram is not ordered");
    return ways[child];
  };
  for (std::size_t i = 0; i < d.low.size(); ++i) {
    if (d.high[i] == -1 || std::size_t(d.variable[i]) >= edges) throw Wrong("the diagram is not reduced");
    ways[i] = of(i, d.low[i]) + of(i, d.high[i]);
  }
  if (d.root >= 0 && std::size_t(d.root) + 1 != ways.size()) throw Wrong("the root is not last");
  return d.root >= 0 ? ways[d.root] : of(0, d.root);
}

}  // namespace

void check_subgraph(const System& s, Random& random, Faults& faults) {
  if (!s.weights.empty()) return;
  const auto tries = std::int32_t(1 + random.below(3));
  const auto order = faults.insist([&](Guard& g) {
    return frontier_order(s.variables, s.offsets, s.cells, s.counts, tries, g);
  });
  Vector<std::int32_t> touched = s.cells;
  std::ranges::sort(touched);
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  Vector<std::int32_t> sorted = order;
  std::ranges::sort(sorted);
  if (sorted != touched) throw Wrong("an order is no permutation");
  // Edges by cells in that order, or in no order at all.
  EdgeProblem p;
  p.cells = s.variables;
  p.hints = s.clues();
  p.targets = s.counts;
  Vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (const std::int32_t v : order)
    for (std::int32_t c = 0; c < s.clues(); ++c)
      if (std::ranges::find(s.clue(c), v) != s.clue(c).end()) edges.emplace_back(v, c);
  if (random.below(2) == 0 && edges.size() <= 24)
    for (std::size_t i = edges.size(); i-- > 1;) std::swap(edges[i], edges[random.below(i + 1)]);
  for (const auto& [v, c] : edges) {
    p.cell.push_back(v);
    p.hint.push_back(c);
  }
  const EdgeDiagram d = faults.insist([&](Guard& g) { return frontier_search(p, g); });
  // A cell without an edge is free to be anything.
  const std::uint64_t found = paths(d, edges.size()) << (s.variables - std::int32_t(touched.size()));
  if (found != Truth(s).solutions.size()) throw Wrong("subgraphs differ from assignments");
}

namespace {

Clusters clusters_by_walking(std::int32_t side, const std::vector<std::uint8_t>& occupied) {
  Clusters out;
  Vector<std::uint8_t> seen(occupied.size(), 0);
  for (std::int32_t c = 0; c < side * side; ++c) {
    if (!occupied[c] || seen[c]) continue;
    Vector<std::int32_t> stack{c};
    seen[c] = 1;
    std::int64_t size = 0;
    while (!stack.empty()) {
      const std::int32_t row = stack.back() / side, column = stack.back() % side;
      stack.pop_back();
      ++size;
      for (const auto& [r, k] : {std::pair(row + 1, column), std::pair(row + side - 1, column),
                                std::pair(row, column + 1), std::pair(row, column + side - 1)}) {
        const std::int32_t d = r % side * side + k % side;
        if (occupied[d] && !seen[d]) {
          seen[d] = 1;
          stack.push_back(d);
        }
      }
    }
    ++out.clusters;
    out.sites += size;
    out.largest = std::max(out.largest, size);
    out.squares += double(size) * double(size);
  }
  return out;
}

void check_mines(Random& random) {
  const auto cells = std::int32_t(1 + random.below(40));
  Vector<std::int32_t> forbidden;
  for (std::int32_t c = 0; c < cells; ++c)
    if (random.below(6) == 0) forbidden.push_back(c);
  const auto mines = std::int32_t(random.below(std::uint64_t(cells) - forbidden.size() + 1));
  const std::uint64_t seed = random();
  const auto made = random_mines(cells, mines, forbidden, seed);
  if (made != random_mines(cells, mines, forbidden, seed)) throw Wrong("a seed gives two layouts");
  if (std::accumulate(made.begin(), made.end(), 0) != mines) throw Wrong("the number of mines");
  for (const std::int32_t c : forbidden)
    if (made[c]) throw Wrong("a mine on a forbidden cell");
  // All layouts of a tiny board, about equally often.
  std::map<std::vector<std::uint8_t>, int> seen;
  const auto few = std::int32_t(random.below(5));
  constexpr std::int32_t kForbidden[] = {2};
  for (int i = 0; i < 600; ++i) ++seen[random_mines(5, few, kForbidden, random())];
  const std::size_t layouts[] = {1, 4, 6, 4, 1};
  if (seen.size() != layouts[few]) throw Wrong("layouts that never come");
  for (const auto& [layout, times] : seen)
    if (std::abs(times - 600.0 / double(seen.size())) > 8 * std::sqrt(600.0 / double(seen.size())))
      throw Wrong("layouts are not equally likely");
}

void check_sites(Random& random) {
  const auto side = std::int32_t(2 + random.below(12));
  const std::uint64_t seed = random();
  const auto mines = std::int32_t(random.below(std::uint64_t(side) * std::uint64_t(side) + 1));
  const auto mined = random_mines(side * side, mines, {}, seed);
  const auto sites = mined_or_numbered(side, mines, seed);
  for (std::int32_t r = 0; r < side; ++r)
    for (std::int32_t c = 0; c < side; ++c) {
      bool near = false;
      for (std::int32_t i = side - 1; i <= side + 1; ++i)
        for (std::int32_t j = side - 1; j <= side + 1; ++j)
          near = near || mined[(r + i) % side * side + (c + j) % side];
      if (near != (sites[r * side + c] != 0)) throw Wrong("mined or numbered: yes or no");
    }
  const double p = double(random.below(101)) / 100;
  const auto drawn = independent_sites(side, p, seed);
  if (drawn != independent_sites(side, p, seed)) throw Wrong("a seed gives two lattices");
  const double expected = p * side * side;
  if (std::abs(std::accumulate(drawn.begin(), drawn.end(), 0) - expected) > 8 * std::sqrt(expected * (1 - p)) + 1e-9)
    throw Wrong("the density of sites");
  for (const auto& lattice : {sites, drawn}) {
    const Clusters found = clusters_of(side, lattice), walked = clusters_by_walking(side, lattice);
    if (found.sites != walked.sites || found.clusters != walked.clusters ||
        found.largest != walked.largest || found.squares != walked.squares)
      throw Wrong("clusters differ");
  }
  constexpr std::int32_t kAround[] = {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
  const Adjacency field = Adjacency::lattice(side, side, kAround, true);
  const auto labels = full_board(field, mined);
  for (std::int32_t c = 0; c < side * side; ++c) {
    std::int32_t number = 0;
    for (const std::int32_t d : field.of(c)) number += mined[d];
    if (labels[c] != (mined[c] ? kMine : number)) throw Wrong("the label of a cell");
  }
}

void check_planted(Random& random, Faults& faults) {
  const auto vertices = std::int32_t(2 + random.below(9));
  Vector<std::int32_t> sizes, counts;
  for (std::uint64_t kinds = 1 + random.below(3); kinds > 0; --kinds) {
    sizes.push_back(std::int32_t(2 + random.below(std::uint64_t(vertices) - 1)));
    counts.push_back(std::int32_t(random.below(4)));
  }
  const HypergraphRule rule{random.below(2) == 0, random.below(2) == 0, random.below(2) == 0};
  const std::uint64_t seed = random();
  std::optional<Planted> planted;
  try {
    planted = faults.insist([&](Guard& g) {
      return planted_hypergraph(vertices, sizes, counts, 0.4, rule, seed, g);
    });
  } catch (const std::invalid_argument&) {
    return;  // all or none were mined and no hyperedge may be decided, or too few differ
  }
  const System& s = planted->system;
  if (!rule.free && !is_solution(s, planted->mines)) throw Wrong("what was planted does not meet the labels");
  if (s.clues() != std::accumulate(counts.begin(), counts.end(), 0)) throw Wrong("the number of hyperedges");
  std::int32_t clue = 0;
  for (std::size_t kind = 0; kind < sizes.size(); ++kind)
    for (std::int32_t i = 0; i < counts[kind]; ++i, ++clue) {
      const auto size = std::int64_t(s.clue(clue).size());
      if (size != sizes[kind]) throw Wrong("the size of a hyperedge");
      if (s.counts[clue] < 0 || s.counts[clue] > size) throw Wrong("a label out of reach");
      if (rule.strict && (s.counts[clue] == 0 || s.counts[clue] == size)) throw Wrong("a hyperedge is decided");
    }
  const auto forced = faults.insist([&](Guard& g) { return forced_in(*planted, g); });
  const Truth truth(s);
  if (forced.has_value() == truth.solutions.empty()) throw Wrong("consistent: yes or no");
  if (!forced) return;
  for (std::int32_t v = 0; v < vertices; ++v) {
    const std::uint64_t mined = truth.mined_in(v, false, 0);
    if (((*forced)[v] != 0) != (mined == 0 || mined == truth.solutions.size())) throw Wrong("forced: yes or no");
  }
}

}  // namespace

void check_random_boards(Random& random, Faults& faults) {
  check_mines(random);
  check_sites(random);
  check_planted(random, faults);
}

}  // namespace sapper::tests
