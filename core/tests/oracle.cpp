#include "oracle.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

namespace sapper::tests {

namespace {

bool meets_clues(const System& s, std::span<const std::uint8_t> mines) {
  for (std::int32_t c = 0; c < s.clues(); ++c) {
    std::int64_t sum = 0;
    for (std::int32_t e = s.offsets[c]; e < s.offsets[c + 1]; ++e)
      if (mines[s.cells[e]]) sum += s.weight(e);
    if (sum != s.counts[c]) return false;
  }
  return true;
}

Vector<std::uint32_t> enumerate(const System& s) {
  if (s.variables > Truth::kMostVariables) throw std::invalid_argument("too large to enumerate");
  Vector<std::uint32_t> found;
  Vector<std::uint8_t> mines(s.variables);
  for (std::uint32_t mask = 0; mask < (1u << s.variables); ++mask) {
    for (std::int32_t v = 0; v < s.variables; ++v) mines[v] = (mask >> v) & 1;
    if (meets_clues(s, mines)) found.push_back(mask);
  }
  return found;
}

}  // namespace

Truth::Truth(const System& s) : Truth(s.variables, enumerate(s)) {}

Truth::Truth(std::int32_t n, Vector<std::uint32_t> masks)
    : variables(n),
      solutions(std::move(masks)),
      by_mines(n + 1, 0),
      mined(n + 1, Vector<std::uint64_t>(n, 0)) {
  for (const std::uint32_t mask : solutions) {
    const int mines = std::popcount(mask);
    ++by_mines[mines];
    for (std::int32_t v = 0; v < n; ++v) mined[mines][v] += (mask >> v) & 1;
  }
}

std::uint64_t Truth::count(bool has_total, std::int64_t total) const {
  if (!has_total) return solutions.size();
  return total < 0 || total > variables ? 0 : by_mines[total];
}

std::uint64_t Truth::mined_in(std::int32_t v, bool has_total, std::int64_t total) const {
  if (has_total) return total < 0 || total > variables ? 0 : mined[total][v];
  std::uint64_t sum = 0;
  for (const auto& row : mined) sum += row[v];
  return sum;
}

bool Truth::holds(std::uint32_t mask) const {
  return std::binary_search(solutions.begin(), solutions.end(), mask);
}

bool is_solution(const System& s, std::span<const std::uint8_t> mines) {
  const auto n = std::accumulate(mines.begin(), mines.end(), std::int64_t(0));
  return meets_clues(s, mines) && (!s.has_total || n == s.total);
}

}  // namespace sapper::tests
