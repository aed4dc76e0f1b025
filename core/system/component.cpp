#include "system/component.hpp"

#include <algorithm>

namespace sapper {

Text Component::content() const {
  Text out;
  out.reserve(64 + sizes.size() * sizeof(std::int32_t) + counts.size() * 12 + entries.size() * 16);
  auto put = [&out](const auto& values) {
    out.append(static_cast<const char*>(static_cast<const void*>(values.data())),
               values.size() * sizeof(values[0]));
  };
  const std::int64_t shape[] = {groups(), clues(), std::int64_t(entries.size())};
  put(std::span(shape));
  put(sizes);
  put(clue_offsets);
  put(counts);
  Vector<std::int64_t> flat;
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

Splitter::Splitter(const Knowledge& knowledge, bool group, Guard& guard)
    : knowledge_(&knowledge),
      group_(group),
      guard_(&guard),
      clue_met_(knowledge.system().clues(), 0),
      variable_met_(knowledge.system().variables, 0),
      group_of_(knowledge.system().variables, -1) {}

Vector<Part> Splitter::split(std::span<const std::int32_t> within) {
  ++round_;
  Vector<Part> parts;
  const std::int32_t clues =
      within.empty() ? knowledge_->system().clues() : std::int32_t(within.size());
  for (std::int32_t i = 0; i < clues; ++i) {
    const std::int32_t first = within.empty() ? i : within[i];
    if (clue_met_[first] == round_ || knowledge_->unknowns(first) == 0) continue;
    collect(first);
    parts.push_back(build());
  }
  return parts;
}

// The clues and the unknown variables that hang together with a clue.
void Splitter::collect(std::int32_t first) {
  const System& s = knowledge_->system();
  keyed_.clear();
  clue_ids_.assign(1, first);
  clue_met_[first] = round_;
  for (std::size_t i = 0; i < clue_ids_.size(); ++i) {
    guard_->tick();
    const auto clue = s.clue(clue_ids_[i]);
    for (const std::int32_t v : clue) {
      if (variable_met_[v] == round_ || knowledge_->value(v) != Knowledge::kUnknown) continue;
      variable_met_[v] = round_;
      keyed_.push_back({group_ ? row_hash(knowledge_->occurrences(v)) : 0, v});
      for (const auto& o : knowledge_->occurrences(v))
        if (clue_met_[o.clue] != round_) {
          clue_met_[o.clue] = round_;
          clue_ids_.push_back(o.clue);
        }
    }
  }
  std::sort(clue_ids_.begin(), clue_ids_.end());
  std::sort(keyed_.begin(), keyed_.end(), [](const Keyed& a, const Keyed& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.variable < b.variable;
  });
}

// The part of what was collected.
Part Splitter::build() {
  const System& s = knowledge_->system();
  // Runs of variables with equal rows; groups are numbered by their first variable.
  runs_.clear();
  std::size_t entries = 0;
  for (std::size_t i = 0; i < keyed_.size();) {
    const auto row = knowledge_->occurrences(keyed_[i].variable);
    std::size_t j = i + 1;
    if (group_)
      while (j < keyed_.size() && keyed_[j].hash == keyed_[i].hash &&
             std::ranges::equal(knowledge_->occurrences(keyed_[j].variable), row))
        ++j;
    runs_.emplace_back(std::int32_t(i), std::int32_t(j));
    entries += row.size();
    i = j;
  }
  std::sort(runs_.begin(), runs_.end(), [&](const auto& a, const auto& b) {
    return keyed_[a.first].variable < keyed_[b.first].variable;
  });
  Part part;
  Component& component = part.component;
  component.sizes.reserve(runs_.size());
  part.variables.reserve(keyed_.size());
  part.variable_offsets.reserve(runs_.size() + 1);
  for (const auto& [begin, end] : runs_) {
    for (std::int32_t i = begin; i < end; ++i) {
      group_of_[keyed_[i].variable] = component.groups();
      part.variables.push_back(keyed_[i].variable);
    }
    component.sizes.push_back(end - begin);
    part.variable_offsets.push_back(std::int32_t(part.variables.size()));
  }
  component.clue_offsets.reserve(clue_ids_.size() + 1);
  component.entries.reserve(entries);
  component.counts.reserve(clue_ids_.size());
  part.clue_ids.reserve(clue_ids_.size());
  for (const std::int32_t c : clue_ids_) {
    for (std::int32_t e = s.offsets[c]; e < s.offsets[c + 1]; ++e) {
      const std::int32_t v = s.cells[e];
      if (knowledge_->value(v) != Knowledge::kUnknown) continue;
      const std::int32_t g = group_of_[v];
      if (part.variables[part.variable_offsets[g]] == v)
        component.entries.push_back({g, s.weight(e)});
    }
    std::sort(component.entries.begin() + component.clue_offsets.back(), component.entries.end(),
              [](const auto& a, const auto& b) { return a.group < b.group; });
    if (repeats_earlier_clue(component, knowledge_->need(c))) {
      component.entries.resize(component.clue_offsets.back());
      continue;
    }
    component.clue_offsets.push_back(std::int32_t(component.entries.size()));
    component.counts.push_back(knowledge_->need(c));
    part.clue_ids.push_back(c);
  }
  return part;
}

}  // namespace sapper
