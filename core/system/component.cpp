#include "system/component.hpp"

#include <algorithm>
#include <bit>
#include <ranges>

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
  variables_.clear();
  clue_ids_.assign(1, first);
  clue_met_[first] = round_;
  for (std::size_t i = 0; i < clue_ids_.size(); ++i) {
    guard_->tick();
    const auto clue = s.clue(clue_ids_[i]);
    for (const std::int32_t v : clue) {
      if (variable_met_[v] == round_ || knowledge_->value(v) != Knowledge::kUnknown) continue;
      variable_met_[v] = round_;
      variables_.push_back(v);
      for (const auto& o : knowledge_->occurrences(v))
        if (clue_met_[o.clue] != round_) {
          clue_met_[o.clue] = round_;
          clue_ids_.push_back(o.clue);
        }
    }
  }
  std::sort(clue_ids_.begin(), clue_ids_.end());
  std::sort(variables_.begin(), variables_.end());
}

// Gives each variable its group: those with equal rows. Groups are numbered by their first variable.
// Returns how many entries one variable of each group has together.
std::int32_t Splitter::group_variables() {
  first_of_.clear();
  std::int32_t entries = 0;
  const auto bits = int(std::bit_width(variables_.size() * 2));
  if (group_) slots_.assign(std::size_t(1) << bits, -1);
  for (const std::int32_t v : variables_) {
    const auto row = knowledge_->occurrences(v);
    if (group_) {
      std::size_t at = row_hash(row) >> (64 - bits);
      while (slots_[at] >= 0 && !std::ranges::equal(knowledge_->occurrences(first_of_[slots_[at]]), row))
        at = (at + 1) & (slots_.size() - 1);
      if (slots_[at] >= 0) {
        group_of_[v] = slots_[at];
        continue;
      }
      slots_[at] = std::int32_t(first_of_.size());
    }
    group_of_[v] = std::int32_t(first_of_.size());
    first_of_.push_back(v);
    entries += std::int32_t(row.size());
  }
  return entries;
}

// The part of what was collected.
Part Splitter::build() {
  const System& s = knowledge_->system();
  const auto entries = std::size_t(group_variables());
  const std::size_t groups = first_of_.size();
  Part part;
  Component& component = part.component;
  component.sizes.resize(groups);
  for (const std::int32_t v : variables_) ++component.sizes[group_of_[v]];
  part.variable_offsets.resize(groups + 1);
  for (std::size_t g = 1; g < groups; ++g)
    part.variable_offsets[g + 1] = part.variable_offsets[g] + component.sizes[g - 1];
  // Each variable that is put in its place moves the beginning of its group on, in the end to that of
  // the next.
  part.variables.resize(variables_.size());
  for (const std::int32_t v : variables_)
    part.variables[part.variable_offsets[group_of_[v] + 1]++] = v;
  component.clue_offsets.reserve(clue_ids_.size() + 1);
  component.entries.reserve(entries);
  component.counts.reserve(clue_ids_.size());
  part.clue_ids.reserve(clue_ids_.size());
  for (const std::int32_t c : clue_ids_) {
    for (std::int32_t e = s.offsets[c]; e < s.offsets[c + 1]; ++e) {
      const std::int32_t v = s.cells[e];
      if (knowledge_->value(v) != Knowledge::kUnknown) continue;
      const std::int32_t g = group_of_[v];
      if (first_of_[g] == v) component.entries.push_back({g, s.weight(e)});
    }
    // The variables of a clue ascend as a rule, and so do their groups.
    std::ranges::subrange some(component.entries.begin() + component.clue_offsets.back(),
                               component.entries.end());
    if (!std::ranges::is_sorted(some, {}, &Component::Entry::group))
      std::ranges::sort(some, {}, &Component::Entry::group);
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
