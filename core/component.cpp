#include "component.hpp"

#include <algorithm>
#include <numeric>

namespace sapper {

std::string Component::content() const {
  std::string out;
  auto put = [&out](const auto& values) {
    out.append(static_cast<const char*>(static_cast<const void*>(values.data())),
               values.size() * sizeof(values[0]));
  };
  const std::int64_t shape[] = {groups(), clues(), std::int64_t(entries.size())};
  put(std::span(shape));
  put(sizes);
  put(clue_offsets);
  put(counts);
  std::vector<std::int64_t> flat;
  flat.reserve(entries.size() * 2);
  for (const Entry& e : entries) {
    flat.push_back(e.group);
    flat.push_back(e.weight);
  }
  put(flat);
  return out;
}

namespace {

std::uint64_t row_hash(std::span<const Knowledge::Occurrence> row) {
  std::uint64_t h = 0x9E3779B97F4A7C15ull;
  for (const auto& o : row) {
    h ^= std::uint64_t(o.clue) * 0xBF58476D1CE4E5B9ull + std::uint64_t(o.weight);
    h *= 0x94D049BB133111EBull;
    h ^= h >> 29;
  }
  return h;
}

// Do the entries after the last finished clue say the same as one of the 64 clues before it? (Twins
// on a board lie close together; one that is missed costs a little time, nothing else.)
bool repeats_earlier_clue(const Component& c, std::int64_t count) {
  const auto begin = c.entries.begin() + c.clue_offsets.back();
  const auto length = std::int32_t(c.entries.end() - begin);
  const std::int32_t scan_from = std::max(0, c.clues() - 64);
  for (std::int32_t k = c.clues() - 1; k >= scan_from; --k) {
    if (c.counts[k] != count || c.clue_offsets[k + 1] - c.clue_offsets[k] != length) continue;
    if (std::equal(begin, c.entries.end(), c.entries.begin() + c.clue_offsets[k]))
      return true;
  }
  return false;
}

}  // namespace

std::vector<Part> split(const Knowledge& knowledge, std::span<const std::int32_t> within,
                        bool group, Guard& guard) {
  const System& s = knowledge.system();
  std::vector<std::int32_t> all;
  if (within.empty()) {
    all.resize(s.clues());
    std::iota(all.begin(), all.end(), 0);
    within = all;
  }
  std::vector<Part> parts;
  std::vector<std::uint8_t> clue_seen(s.clues(), 0), variable_seen(s.variables, 0);
  std::vector<std::int32_t> group_of(s.variables, -1);
  struct Keyed {
    std::uint64_t hash;
    std::int32_t variable;
  };
  std::vector<Keyed> keyed;
  std::vector<std::pair<std::int32_t, std::int32_t>> runs;
  for (const std::int32_t first : within) {
    if (clue_seen[first] || knowledge.unknowns(first) == 0) continue;
    Part part;
    keyed.clear();
    part.clue_ids.push_back(first);
    clue_seen[first] = 1;
    for (std::size_t i = 0; i < part.clue_ids.size(); ++i) {
      guard.tick();
      for (const std::int32_t v : s.clue(part.clue_ids[i])) {
        if (variable_seen[v] || knowledge.value(v) != Knowledge::kUnknown) continue;
        variable_seen[v] = 1;
        keyed.push_back({group ? row_hash(knowledge.occurrences(v)) : 0, v});
        for (const auto& o : knowledge.occurrences(v))
          if (!clue_seen[o.clue]) {
            clue_seen[o.clue] = 1;
            part.clue_ids.push_back(o.clue);
          }
      }
    }
    std::sort(part.clue_ids.begin(), part.clue_ids.end());
    std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.variable < b.variable;
    });
    // Runs of variables with equal rows; groups are numbered by their first variable.
    runs.clear();
    for (std::size_t i = 0; i < keyed.size();) {
      std::size_t j = i + 1;
      if (group)
        while (j < keyed.size() && keyed[j].hash == keyed[i].hash &&
               std::ranges::equal(knowledge.occurrences(keyed[j].variable),
                                  knowledge.occurrences(keyed[i].variable)))
          ++j;
      runs.emplace_back(std::int32_t(i), std::int32_t(j));
      i = j;
    }
    std::sort(runs.begin(), runs.end(), [&](const auto& a, const auto& b) {
      return keyed[a.first].variable < keyed[b.first].variable;
    });
    Component& component = part.component;
    for (const auto& [begin, end] : runs) {
      for (std::int32_t i = begin; i < end; ++i) {
        group_of[keyed[i].variable] = component.groups();
        part.variables.push_back(keyed[i].variable);
      }
      component.sizes.push_back(end - begin);
      part.variable_offsets.push_back(std::int32_t(part.variables.size()));
    }
    std::vector<std::int32_t> ids;
    ids.swap(part.clue_ids);
    for (const std::int32_t c : ids) {
      for (std::int32_t e = s.offsets[c]; e < s.offsets[c + 1]; ++e) {
        const std::int32_t v = s.cells[e];
        if (knowledge.value(v) != Knowledge::kUnknown) continue;
        const std::int32_t g = group_of[v];
        if (part.variables[part.variable_offsets[g]] == v)
          component.entries.push_back({g, s.weight(e)});
      }
      std::sort(component.entries.begin() + component.clue_offsets.back(),
                component.entries.end(),
                [](const auto& a, const auto& b) { return a.group < b.group; });
      if (repeats_earlier_clue(component, knowledge.need(c))) {
        component.entries.resize(component.clue_offsets.back());
        continue;
      }
      component.clue_offsets.push_back(std::int32_t(component.entries.size()));
      component.counts.push_back(knowledge.need(c));
      part.clue_ids.push_back(c);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace sapper
