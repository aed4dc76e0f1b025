#include "play/random_boards.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "passes/sample.hpp"
#include "search/prober.hpp"

namespace sapper {

namespace {

// True with the given probability, to 53 bits.
bool happens(double probability, Random& random) {
  return double(random() >> 11) < probability * 0x1p53;
}

// How many sets of k there are among n; exact while it matters, below 2^53.
double choose(double n, std::int32_t k) {
  double out = 1;
  for (std::int32_t i = 0; i < k; ++i) out = out * std::max(n - i, 0.0) / (i + 1);
  return out;
}

}  // namespace

std::vector<std::uint8_t> random_mines(std::int32_t cells, std::int32_t mines,
                                       std::span<const std::int32_t> forbidden,
                                       std::uint64_t seed) {
  std::vector<std::uint8_t> out(std::size_t(cells), 0);
  std::int32_t allowed = cells;
  for (const std::int32_t c : forbidden) {
    allowed -= out[c] == 0;
    out[c] = 2;
  }
  if (mines < 0 || mines > allowed) throw std::invalid_argument("so many mines have no room");
  // Draw places until they are new; with many mines draw those that stay free instead.
  const bool inverted = mines > allowed / 2;
  Random random(seed);
  for (std::int32_t left = inverted ? allowed - mines : mines; left > 0;) {
    auto& place = out[random.below(std::uint64_t(cells))];
    if (place != 0) continue;
    place = 1;
    --left;
  }
  for (auto& place : out) place = place == 2 ? 0 : std::uint8_t(place ^ std::uint8_t(inverted));
  return out;
}

std::vector<std::int32_t> full_board(const Adjacency& field,
                                     std::span<const std::uint8_t> mines) {
  std::vector<std::int32_t> out(mines.size(), 0);
  for (std::int32_t c = 0; c < field.cells(); ++c)
    if (mines[c])
      for (const std::int32_t d : field.of(c)) ++out[d];
  for (std::size_t c = 0; c < out.size(); ++c)
    if (mines[c]) out[c] = kMine;
  return out;
}

Clusters clusters_of(std::int32_t side, const std::vector<std::uint8_t>& occupied) {
  const std::int32_t cells = side * side;
  // Union by joining trees at lower roots, with path halving: sites point to lower ones only.
  std::vector<std::int32_t> parent(std::size_t(cells), 0);
  const auto root = [&](std::int32_t c) {
    while (parent[c] != c) {
      parent[c] = parent[parent[c]];
      c = parent[c];
    }
    return c;
  };
  const auto join = [&](std::int32_t a, std::int32_t b) {
    a = root(a);
    b = root(b);
    if (a < b)
      parent[b] = a;
    else
      parent[a] = b;
  };
  for (std::int32_t row = 0, c = 0; row < side; ++row)
    for (std::int32_t column = 0; column < side; ++column, ++c) {
      if (!occupied[c]) continue;
      const bool left = column > 0 && occupied[c - 1], up = row > 0 && occupied[c - side];
      parent[c] = left ? parent[c - 1] : up ? parent[c - side] : c;
      if (left && up && !occupied[c - side - 1]) join(c, c - side);
    }
  for (std::int32_t i = 0; i < side; ++i) {
    if (occupied[i] && occupied[cells - side + i]) join(i, cells - side + i);
    if (occupied[i * side] && occupied[i * side + side - 1]) join(i * side, i * side + side - 1);
  }
  // Sites point to lower ones, so one pass turns them into numbers of clusters.
  Clusters out;
  std::vector<std::int32_t> sizes;
  for (std::int32_t c = 0; c < cells; ++c) {
    if (!occupied[c]) continue;
    ++out.sites;
    if (parent[c] == c) {
      parent[c] = static_cast<std::int32_t>(sizes.size());
      sizes.push_back(1);
    } else {
      parent[c] = parent[parent[c]];
      ++sizes[parent[c]];
    }
  }
  out.clusters = static_cast<std::int64_t>(sizes.size());
  for (const std::int32_t s : sizes) {
    out.largest = std::max<std::int64_t>(out.largest, s);
    out.squares += double(s) * double(s);
  }
  return out;
}

std::vector<std::uint8_t> independent_sites(std::int32_t side, double p, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> out(std::size_t(side) * side);
  for (auto& site : out) site = happens(p, random) ? 1 : 0;
  return out;
}

std::vector<std::uint8_t> mined_or_numbered(std::int32_t side, std::int32_t mines,
                                            std::uint64_t seed) {
  const auto mined = random_mines(side * side, mines, {}, seed);
  const auto n = std::size_t(side);
  // A site is occupied if the 3 x 3 square around it has a mine: widen along rows, then columns.
  std::vector<std::uint8_t> wide(mined.size()), out(mined.size());
  for (std::size_t r = 0; r < n; ++r) {
    const std::uint8_t* from = mined.data() + r * n;
    std::uint8_t* to = wide.data() + r * n;
    for (std::size_t c = 1; c + 1 < n; ++c) to[c] = from[c - 1] | from[c] | from[c + 1];
    to[0] = from[n - 1] | from[0] | from[1 % n];
    to[n - 1] = from[(2 * n - 2) % n] | from[n - 1] | from[0];
  }
  for (std::size_t r = 0; r < n; ++r) {
    const std::uint8_t* up = wide.data() + (r + n - 1) % n * n;
    const std::uint8_t* here = wide.data() + r * n;
    const std::uint8_t* down = wide.data() + (r + 1) % n * n;
    for (std::size_t c = 0; c < n; ++c) out[r * n + c] = up[c] | here[c] | down[c];
  }
  return out;
}

Planted planted_hypergraph(std::int32_t vertices, std::span<const std::int32_t> sizes,
                           std::span<const std::int32_t> counts, double density,
                           const HypergraphRule& rule, std::uint64_t seed, Guard& guard) {
  Random random(seed);
  Planted out;
  out.system.variables = vertices;
  out.mines.resize(std::size_t(vertices));
  for (auto& mine : out.mines) mine = happens(density, random) ? 1 : 0;
  const std::int64_t planted = std::accumulate(out.mines.begin(), out.mines.end(), std::int64_t(0));
  std::vector<std::int32_t> order(std::size_t(vertices), 0);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t kind = 0; kind < sizes.size(); ++kind) {
    const std::int32_t size = sizes[kind];
    if (size < 1 || size > vertices) throw std::invalid_argument("a hyperedge that has no room");
    if (rule.strict && counts[kind] > 0 &&
        (size < 2 || (!rule.free && (planted == 0 || planted == vertices))))
      throw std::invalid_argument("every hyperedge would be decided by itself");
    if (rule.distinct) {
      double room = choose(vertices, size);
      if (rule.strict && !rule.free)
        room -= choose(double(planted), size) + choose(double(vertices - planted), size);
      if (counts[kind] > room) throw std::invalid_argument("so many hyperedges cannot differ");
    }
    std::set<std::vector<std::int32_t>> taken;
    for (std::int32_t made = 0; made < counts[kind];) {
      guard.tick();
      std::int32_t sum = 0;
      for (std::int32_t i = 0; i < size; ++i) {
        const auto j = std::size_t(i) + random.below(std::size_t(vertices - i));
        std::swap(order[i], order[j]);
        sum += out.mines[order[i]];
      }
      if (rule.strict && !rule.free && (sum == 0 || sum == size)) continue;
      if (rule.distinct) {
        std::vector<std::int32_t> edge(order.begin(), order.begin() + size);
        std::sort(edge.begin(), edge.end());
        if (!taken.insert(std::move(edge)).second) continue;
      }
      if (rule.free) {
        const std::int32_t least = rule.strict ? 1 : 0;
        sum = least + std::int32_t(random.below(std::uint64_t(size + 1 - 2 * least)));
      }
      ++made;
      System& s = out.system;
      s.cells.insert(s.cells.end(), order.begin(), order.begin() + size);
      s.offsets.push_back(static_cast<std::int32_t>(s.cells.size()));
      s.counts.push_back(sum);
    }
  }
  return out;
}

std::optional<std::vector<std::uint8_t>> forced_in(const Planted& planted, Guard& guard) {
  const System& s = planted.system;
  Prober prober(s.variables, guard);
  prober.expect(std::size_t(s.clues()), s.cells.size());
  for (std::int32_t c = 0; c < s.clues(); ++c) {
    std::vector<Prober::Entry> row;
    for (const std::int32_t v : s.clue(c)) row.push_back({v, 1});
    prober.add_clue(row, s.counts[c]);
  }
  for (std::int32_t v = 0; v < s.variables; ++v) prober.guess(v, planted.mines[v] != 0);
  std::vector<std::uint8_t> out(std::size_t(s.variables), 0);
  if (!prober.solve()) return std::nullopt;
  std::vector<std::int32_t> all(std::size_t(s.variables), 0);
  std::iota(all.begin(), all.end(), 0);
  prober.probe(all);
  for (const std::int32_t v : all) out[v] = prober.forced(v) >= 0 ? 1 : 0;
  return out;
}

}  // namespace sapper
