#include "clue_sets.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace sapper::tests {

namespace {

using Set = Vector<std::uint64_t>;

bool holds(const Set& set, std::uint32_t mask) { return set[mask / 64] >> (mask % 64) & 1; }
void add(Set& set, std::uint32_t mask) { set[mask / 64] |= std::uint64_t(1) << (mask % 64); }
bool is_empty(const Set& set) {
  return std::ranges::all_of(set, [](std::uint64_t word) { return word == 0; });
}
void keep(Set& set, const Set& other, bool inside = true) {
  for (std::size_t i = 0; i < set.size(); ++i) set[i] &= inside ? other[i] : ~other[i];
}
Set all_of(std::int32_t variables) {
  Set set(((std::size_t(1) << variables) + 63) / 64, 0);
  for (std::uint32_t mask = 0; mask < 1u << variables; ++mask) add(set, mask);
  return set;
}

}  // namespace

ClueSets::ClueSets(const System& s) : variables_(s.variables) {
  const std::uint32_t end = 1u << s.variables;
  const std::size_t words = (std::size_t(end) + 63) / 64;
  met_.assign(std::size_t(s.clues()) + (s.has_total ? 1 : 0), Set(words, 0));
  mined_.assign(std::size_t(s.variables), Set(words, 0));
  for (std::uint32_t mask = 0; mask < end; ++mask) {
    for (std::int32_t c = 0; c < s.clues(); ++c) {
      std::int64_t sum = 0;
      for (std::int32_t e = s.offsets[c]; e < s.offsets[c + 1]; ++e)
        if (mask >> s.cells[e] & 1) sum += s.weight(e);
      if (sum == s.counts[c]) add(met_[c], mask);
    }
    if (s.has_total && std::popcount(mask) == s.total) add(met_.back(), mask);
    for (std::int32_t v = 0; v < s.variables; ++v)
      if (mask >> v & 1) add(mined_[v], mask);
  }
}

ClueSets::Ids ClueSets::all() const {
  Ids ids(met_.size());
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

bool ClueSets::can_be_met(std::span<const std::int32_t> clues, std::int32_t variable,
                          bool value) const {
  Set left = all_of(variables_);
  if (variable >= 0) keep(left, mined_[variable], value);
  for (const std::int32_t c : clues) keep(left, met_[c]);
  return !is_empty(left);
}

bool ClueSets::is_minimal_core(const Ids& clues, std::int32_t variable, bool value) const {
  if (can_be_met(clues, variable, value)) return false;
  for (std::size_t i = 0; i < clues.size(); ++i) {
    Ids fewer = clues;
    fewer.erase(fewer.begin() + std::ptrdiff_t(i));
    if (!can_be_met(fewer, variable, value)) return false;
  }
  return true;
}

bool ClueSets::has_core_of(std::int32_t clues, std::int32_t variable, bool value) const {
  Set left = all_of(variables_);
  if (variable >= 0) keep(left, mined_[variable], value);
  return has_core_of(clues, 0, left);
}

bool ClueSets::has_core_of(std::int32_t more, std::int32_t from, const Set& left) const {
  if (is_empty(left)) return true;
  if (more == 0) return false;
  for (std::int32_t c = from; c + more <= size(); ++c) {
    Set next = left;
    keep(next, met_[c]);
    if (has_core_of(more - 1, c + 1, next)) return true;
  }
  return false;
}

bool ClueSets::meets(std::span<const std::int32_t> clues,
                     const Vector<std::int8_t>& values) const {
  std::uint32_t mask = 0;
  for (std::size_t v = 0; v < values.size(); ++v) mask |= std::uint32_t(values[v] == 1) << v;
  return std::ranges::all_of(clues, [&](std::int32_t c) { return holds(met_[c], mask); });
}

}  // namespace sapper::tests
