#include "system/component.hpp"

#include <algorithm>
#include <bit>
#include <ranges>
#include <utility>

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

std::uint64_t row_hash(std::span<const std::int32_t> clues, std::span<const std::int64_t> weights) {
  std::uint64_t h = 0x9E3779B97F4A7C15ull;
  for (std::size_t i = 0; i < clues.size(); ++i) {
    h ^= std::uint64_t(clues[i]) * 0xBF58476D1CE4E5B9ull + std::uint64_t(weights.empty() ? 1 : weights[i]);
    h *= 0x94D049BB133111EBull;
    h ^= h >> 29;
  }
  return h;
}

// Rows are short, a call for each would take longer.
template <class T>
bool are_equal(std::span<const T> a, std::span<const T> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

// Those below `end` that are meant, ascending; there is room for one more. Many are looked through more quickly
// than they are sorted.
template <class IsMeant>
void put_in_order(std::span<std::int32_t> some, std::size_t end, IsMeant is_meant) {
  if (some.size() * std::size_t(std::bit_width(some.size())) < end) {
    std::ranges::sort(some);
    return;
  }
  std::int32_t* at = some.data();
  for (std::size_t i = 0; i < end; ++i) {
    *at = std::int32_t(i);
    at += is_meant(i);
  }
}

// A clue that says the same as one of so many before it is left out. (Twins on a board lie close together; one
// that is missed costs a little time, nothing else.)
constexpr std::int32_t kTwins = 64;

}  // namespace

Splitter::Splitter(const Knowledge& knowledge, bool group)
    : knowledge_(&knowledge),
      group_(group),
      clue_met_(knowledge.system().clues(), 0),
      variable_met_(knowledge.system().variables, 0),
      group_of_(knowledge.system().variables),
      clue_room_(std::size_t(knowledge.system().clues()) + 1),
      variable_room_(std::size_t(knowledge.system().variables) + 1) {
  forget();
}

// The clues and the unknown variables that hang together with a clue. Each is written down; whether it
// is new, which no processor can guess, only moves the place of the next.
Splitter::Found Splitter::collect(std::int32_t first, Guard& guard) {
  const System& s = knowledge_->system();
  std::int32_t *const clues = clues_end_, *const variables = variables_end_;
  std::int32_t *clues_end = clues, *variables_end = variables;
  *clues_end++ = first;
  clue_met_[first] = round_;
  for (const std::int32_t* clue = clues; clue != clues_end; ++clue) {
    guard.tick();
    const std::int32_t* fresh = variables_end;
    for (const std::int32_t v : s.clue(*clue)) {
      *variables_end = v;
      variables_end += (variable_met_[v] != round_) & (knowledge_->value(v) == Knowledge::kUnknown);
      variable_met_[v] = round_;
    }
    for (; fresh != variables_end; ++fresh)
      for (const std::int32_t c : knowledge_->clues_of(*fresh)) {
        *clues_end = c;
        clues_end += clue_met_[c] != round_;
        clue_met_[c] = round_;
      }
  }
  const Found found{{clues, clues_end}, {variables, variables_end}};
  put_in_order(found.clues, clue_met_.size(), [&](std::size_t c) { return clue_met_[c] == round_; });
  put_in_order(found.variables, variable_met_.size(), [&](std::size_t v) {
    return (variable_met_[v] == round_) & (knowledge_->value(std::int32_t(v)) == Knowledge::kUnknown);
  });
  clues_end_ = clues_end;
  variables_end_ = variables_end;
  return found;
}

// Gives each variable its group: those with equal rows. Groups are numbered by their first variable.
// Returns how many entries one variable of each group has together.
std::int32_t Splitter::group_variables(std::span<const std::int32_t> variables, Scratch& scratch) {
  auto& [first_of, slots, last_with, one_before] = scratch;
  first_of.clear();
  std::int32_t entries = 0;
  const auto bits = int(std::bit_width(variables.size() * 2));
  if (group_) slots.assign(std::size_t(1) << bits, -1);
  for (const std::int32_t v : variables) {
    const auto row = knowledge_->clues_of(v);
    if (group_) {
      const auto weights = knowledge_->weights_of(v);
      const auto has_row = [&](std::int32_t u) {
        return are_equal(knowledge_->clues_of(u), row) && are_equal(knowledge_->weights_of(u), weights);
      };
      std::size_t at = row_hash(row, weights) >> (64 - bits);
      while (slots[at] >= 0 && !has_row(first_of[slots[at]]))
        at = (at + 1) & (slots.size() - 1);
      if (slots[at] >= 0) {
        group_of_[v] = slots[at];
        continue;
      }
      slots[at] = std::int32_t(first_of.size());
    }
    group_of_[v] = std::int32_t(first_of.size());
    first_of.push_back(v);
    entries += std::int32_t(row.size());
  }
  return entries;
}

Part Splitter::build(const Found& found, Scratch& scratch) {
  const System& s = knowledge_->system();
  const auto& [clue_ids, variables] = found;
  auto& [first_of, slots, last_with, one_before] = scratch;
  const auto entries = std::size_t(group_variables(variables, scratch));
  const std::size_t groups = first_of.size();
  Part part;
  Component& component = part.component;
  component.sizes.resize(groups);
  for (const std::int32_t v : variables) ++component.sizes[group_of_[v]];
  part.variable_offsets.resize(groups + 1);
  for (std::size_t g = 1; g < groups; ++g)
    part.variable_offsets[g + 1] = part.variable_offsets[g] + component.sizes[g - 1];
  // Each variable that is put in its place moves the beginning of its group on, in the end to that of
  // the next.
  part.variables.resize(variables.size());
  for (const std::int32_t v : variables)
    part.variables[part.variable_offsets[group_of_[v] + 1]++] = v;
  component.clue_offsets.reserve(clue_ids.size() + 1);
  component.entries.resize(entries + 1);  // one too many has room
  Component::Entry* end = component.entries.data();
  component.counts.reserve(clue_ids.size());
  part.clue_ids.reserve(clue_ids.size());
  last_with.assign(groups, -1);
  one_before.clear();
  for (const std::int32_t c : clue_ids) {
    for (std::int32_t e = s.offsets[c]; e < s.offsets[c + 1]; ++e) {
      const std::int32_t v = s.cells[e];
      if (knowledge_->value(v) != Knowledge::kUnknown) continue;
      const std::int32_t g = group_of_[v];
      *end = {g, s.weight(e)};
      end += first_of[g] == v;
    }
    // The variables of a clue ascend as a rule, and so do their groups.
    Component::Entry* const begin = component.entries.data() + component.clue_offsets.back();
    const std::span some(begin, end);
    if (!std::ranges::is_sorted(some, {}, &Component::Entry::group))
      std::ranges::sort(some, {}, &Component::Entry::group);
    // Only clues that begin with the same group can be the same.
    std::int32_t& last = last_with[begin->group];
    std::int32_t twin = last;
    const std::int32_t scan_from = component.clues() - kTwins;
    while (twin >= 0 && twin >= scan_from &&
           !(component.counts[twin] == knowledge_->need(c) && std::ranges::equal(some, component.clue(twin))))
      twin = one_before[twin];
    if (twin >= 0 && twin >= scan_from) {
      end = begin;
      continue;
    }
    one_before.push_back(std::exchange(last, component.clues()));
    component.clue_offsets.push_back(std::int32_t(end - component.entries.data()));
    component.counts.push_back(knowledge_->need(c));
    part.clue_ids.push_back(c);
  }
  component.entries.resize(std::size_t(component.clue_offsets.back()));
  return part;
}

}  // namespace sapper
