#include "cases.hpp"

#include <algorithm>
#include <istream>
#include <numeric>
#include <utility>

#include "passes/sample.hpp"

namespace sapper::tests {

namespace {

struct Entry {
  std::int32_t variable;
  std::int64_t weight;
};
struct Clue {
  std::int64_t count;
  Vector<Entry> entries;
};

System assembled(std::int32_t variables, const Vector<Clue>& clues,
                 std::optional<std::int64_t> total) {
  System s;
  s.variables = variables;
  bool weighted = false;
  for (const Clue& clue : clues)
    for (const Entry& e : clue.entries) weighted = weighted || e.weight != 1;
  for (const Clue& clue : clues) {
    for (const Entry& e : clue.entries) {
      if (e.weight == 0) continue;  // as the bindings do
      s.cells.push_back(e.variable);
      if (weighted) s.weights.push_back(e.weight);
    }
    s.offsets.push_back(std::int32_t(s.cells.size()));
    s.counts.push_back(clue.count);
  }
  s.has_total = total.has_value();
  s.total = total.value_or(-1);
  return s;
}

Vector<Clue> taken_apart(const System& s) {
  Vector<Clue> clues;
  for (std::int32_t c = 0; c < s.clues(); ++c) {
    clues.push_back({s.counts[c], {}});
    for (std::int32_t e = s.offsets[c]; e < s.offsets[c + 1]; ++e)
      clues.back().entries.push_back({s.cells[e], s.weight(e)});
  }
  return clues;
}

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  System make() {
    const bool large = random_.below(4) == 0;
    switch (random_.below(5)) {
      case 0:
      case 1: return lattice(large);
      case 2: return graph(large);
      case 3: return bare(large, false);
      default: return bare(large, true);
    }
  }

 private:
  std::int32_t up_to(std::int32_t most) {
    return std::int32_t(random_.below(std::uint64_t(most) + 1));
  }
  std::int32_t between(std::int32_t least, std::int32_t most) { return least + up_to(most - least); }
  bool chance(std::int32_t percent) { return up_to(99) < percent; }

  // None, the truth, or something near it.
  std::optional<std::int64_t> total(std::int64_t mines) {
    switch (random_.below(4)) {
      case 0: return std::nullopt;
      case 1: return std::max<std::int64_t>(0, mines + between(-2, 2));
      default: return mines;
    }
  }

  System labelled(const Adjacency& field, std::int32_t most_covered) {
    const std::int32_t cells = field.cells();
    const std::int32_t density = between(5, 60), visible = between(10, 80);
    Vector<std::int32_t> labels(cells, kCovered);
    Vector<std::uint8_t> mined(cells);
    for (auto& mine : mined) mine = chance(density);
    std::int32_t covered = 0, mines = 0;
    const bool liar = chance(10);
    for (std::int32_t cell = 0; cell < cells; ++cell) {
      mines += mined[cell];
      std::int32_t number = 0;
      for (const std::int32_t other : field.of(cell)) number += mined[other];
      if (!mined[cell] && chance(visible))
        labels[cell] = liar && chance(10) ? std::max(0, number + between(-1, 1)) : number;
      else if (chance(4) || covered >= most_covered)
        labels[cell] = mined[cell] ? kMine : kFree;
      else
        ++covered;
    }
    const auto known = total(mines);
    System s = System::from_labels(field, labels, known.has_value(), known.value_or(0));
    s.cell_of.clear();
    s.place_of.clear();
    return s;
  }

  System lattice(bool large) {
    static const Vector<std::int32_t> eight{-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
    static const Vector<std::int32_t> six{-1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0};
    static const Vector<std::int32_t> knight{-2, -1, -2, 1, -1, -2, -1, 2,
                                                  1,  -2, 1,  2, 2,  -1, 2,  1};
    const std::int32_t height = large ? between(4, 10) : between(1, 5);
    const std::int32_t width = large ? between(4, 14) : between(1, 6);
    const std::int32_t kind = up_to(5);
    const auto& offsets = kind == 4 ? six : kind == 5 ? knight : eight;
    return labelled(Adjacency::lattice(height, width, offsets, kind == 3), large ? 400 : 14);
  }

  System graph(bool large) {
    const std::int32_t vertices = large ? between(20, 60) : between(1, 20);
    Vector<Vector<std::int32_t>> near(vertices);
    auto join = [&](std::int32_t a, std::int32_t b) {
      if (a == b || std::find(near[a].begin(), near[a].end(), b) != near[a].end()) return;
      near[a].push_back(b);
      near[b].push_back(a);
    };
    const bool tree = chance(40);
    if (tree)
      for (std::int32_t v = 1; v < vertices; ++v)
        join(v, chance(30) ? 0 : up_to(v - 1));
    const std::int32_t edges = tree ? up_to(3) : up_to(large ? vertices * 2 : vertices * 3);
    for (std::int32_t i = 0; i < edges; ++i) join(up_to(vertices - 1), up_to(vertices - 1));
    Adjacency field;
    field.offsets.push_back(0);
    for (auto& row : near) {
      std::sort(row.begin(), row.end());
      field.targets.insert(field.targets.end(), row.begin(), row.end());
      field.offsets.push_back(std::int32_t(field.targets.size()));
    }
    return labelled(field, large ? 400 : 14);
  }

  std::int64_t weight(std::int32_t kind) {
    if (kind == 0) return between(-3, 3);
    if (kind == 1) return between(-10, 10);
    const auto size = std::int64_t(random_.below(std::uint64_t(1) << between(1, kind == 2 ? 30 : 56)));
    return chance(50) ? -size : size;
  }

  System bare(bool large, bool weighted) {
    const std::int32_t variables = large ? between(15, 40) : up_to(14);
    Vector<std::uint8_t> mined(variables);
    const std::int32_t density = between(5, 95);
    for (auto& mine : mined) mine = chance(density);
    Vector<Clue> clues;
    const std::int32_t number = variables == 0 ? up_to(2) : up_to(large ? 20 : 9);
    const std::int32_t longest = chance(20) ? variables : std::min(variables, 8);
    const std::int32_t kind = up_to(3);
    const bool liar = chance(15);
    Vector<std::int32_t> all(variables);
    std::iota(all.begin(), all.end(), 0);
    for (std::int32_t c = 0; c < number; ++c) {
      const std::int32_t size = up_to(longest);
      for (std::int32_t i = 0; i < size; ++i) std::swap(all[i], all[between(i, variables - 1)]);
      Clue clue{0, {}};
      for (std::int32_t i = 0; i < size; ++i) {
        const std::int64_t w = weighted ? weight(kind) : 1;
        clue.entries.push_back({all[i], w});
        if (mined[all[i]]) clue.count += w;
      }
      if (liar && chance(20)) clue.count += between(-2, 2);
      clues.push_back(clue);
      // Twins, and the same cells with another count, once in a while.
      if (chance(5)) {
        if (chance(20)) ++clue.count;
        clues.push_back(clue);
      }
    }
    return assembled(variables, clues, total(std::accumulate(mined.begin(), mined.end(), 0)));
  }

  Random random_;
};

}  // namespace

System random_system(std::uint64_t seed) { return Maker(seed).make(); }

Vector<System> smaller(const System& s) {
  Vector<System> out;
  const auto clues = taken_apart(s);
  const auto total = s.has_total ? std::optional(s.total) : std::nullopt;
  if (total) out.push_back(assembled(s.variables, clues, std::nullopt));
  auto with = [&](std::size_t c, const Clue& changed) {
    auto copy = clues;
    copy[c] = changed;
    out.push_back(assembled(s.variables, copy, total));
  };
  for (std::size_t half = clues.size() / 2; half > 0; half /= 2)
    for (std::size_t c = 0; c + half <= clues.size(); c += half) {
      auto copy = clues;
      copy.erase(copy.begin() + std::ptrdiff_t(c), copy.begin() + std::ptrdiff_t(c + half));
      out.push_back(assembled(s.variables, copy, total));
    }
  // A variable less: as a free cell, and as a mine.
  for (std::int32_t v = s.variables; v-- > 0;)
    for (const bool mine : {false, true}) {
      auto copy = clues;
      for (Clue& clue : copy) {
        for (const Entry& e : clue.entries)
          if (mine && e.variable == v) clue.count -= e.weight;
        std::erase_if(clue.entries, [&](const Entry& e) { return e.variable == v; });
        for (Entry& e : clue.entries) e.variable -= e.variable > v;
      }
      if (mine && total && *total == 0) continue;
      out.push_back(assembled(s.variables - 1, copy, mine && total ? std::optional(*total - 1) : total));
    }
  for (std::size_t c = 0; c < clues.size(); ++c) {
    for (std::size_t i = 0; i < clues[c].entries.size(); ++i) {
      Clue less = clues[c];
      less.entries.erase(less.entries.begin() + std::ptrdiff_t(i));
      with(c, less);
      const std::int64_t w = clues[c].entries[i].weight;
      for (const std::int64_t lighter : {std::int64_t(1), w / 2}) {
        if (lighter == w || lighter == 0 || (w > 0 && lighter > w)) continue;
        Clue light = clues[c];
        light.entries[i].weight = lighter;
        with(c, light);
      }
    }
    for (const std::int64_t count : {clues[c].count / 2, clues[c].count - 1})
      if (count >= 0 && count < clues[c].count) with(c, {count, clues[c].entries});
  }
  if (total && *total > 0) out.push_back(assembled(s.variables, clues, *total - 1));
  return out;
}

std::string to_json(const System& s) {
  auto list = [](auto begin, auto end) {
    std::string text = "[";
    for (auto i = begin; i != end; ++i) text += (i == begin ? "" : ", ") + std::to_string(*i);
    return text + "]";
  };
  std::string text = "{\"clues\": [";
  for (std::int32_t c = 0; c < s.clues(); ++c) {
    const auto from = s.offsets[c], to = s.offsets[c + 1];
    text += (c ? ",\n  " : "\n  ") + ("{\"count\": " + std::to_string(s.counts[c])) + ", \"cells\": " +
            list(s.cells.begin() + from, s.cells.begin() + to);
    if (!s.weights.empty())
      text += ", \"weights\": " + list(s.weights.begin() + from, s.weights.begin() + to);
    text += "}";
  }
  Vector<std::int32_t> all(s.variables);
  std::iota(all.begin(), all.end(), 0);
  return text + "],\n \"cells\": " + list(all.begin(), all.end()) +
         ", \"mines\": " + (s.has_total ? std::to_string(s.total) : "null") + "}\n";
}

std::optional<System> read_plain(std::istream& in) {
  std::int32_t variables = 0, number = 0;
  std::int64_t total = 0;
  if (!(in >> variables >> total >> number)) return std::nullopt;
  Vector<Clue> clues(number);
  for (Clue& clue : clues) {
    std::size_t size = 0;
    in >> clue.count >> size;
    clue.entries.resize(size);
    for (Entry& e : clue.entries) in >> e.variable >> e.weight;
  }
  return assembled(variables, clues, total < 0 ? std::nullopt : std::optional(total));
}

}  // namespace sapper::tests
