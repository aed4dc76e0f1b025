#include "system/system.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace sapper {

Adjacency Adjacency::lattice(std::int32_t height, std::int32_t width,
                             std::span<const std::int32_t> flat, bool wrap) {
  Adjacency result;
  const std::size_t cells = std::size_t(height) * std::size_t(width);
  result.offsets.reserve(cells + 1);
  result.targets.reserve(cells * flat.size() / 2);
  result.offsets.push_back(0);
  std::vector<std::int32_t> row_of_cell;
  auto wrapped = [](std::int32_t value, std::int32_t size) {
    const std::int32_t r = value % size;
    return r < 0 ? r + size : r;
  };
  for (std::int32_t row = 0; row < height; ++row) {
    for (std::int32_t column = 0; column < width; ++column) {
      row_of_cell.clear();
      for (std::size_t i = 0; i + 1 < flat.size(); i += 2) {
        std::int32_t r = row + flat[i], c = column + flat[i + 1];
        if (wrap) {
          r = wrapped(r, height);
          c = wrapped(c, width);
        } else if (r < 0 || r >= height || c < 0 || c >= width) {
          continue;
        }
        if (r != row || c != column) row_of_cell.push_back(r * width + c);
      }
      std::sort(row_of_cell.begin(), row_of_cell.end());
      row_of_cell.erase(std::unique(row_of_cell.begin(), row_of_cell.end()), row_of_cell.end());
      result.targets.insert(result.targets.end(), row_of_cell.begin(), row_of_cell.end());
      result.offsets.push_back(static_cast<std::int32_t>(result.targets.size()));
    }
  }
  return result;
}

System System::from_labels(const Adjacency& field, std::span<const std::int32_t> labels,
                           bool has_total, std::int64_t total, std::uint64_t most_bytes) {
  System s;
  const auto n = static_cast<std::int32_t>(labels.size());
  auto need = [most_bytes](std::uint64_t bytes) {
    if (bytes > most_bytes) throw LimitHit(LimitKind::bytes, double(most_bytes), double(bytes));
  };
  s.field_bytes = field.bytes();
  const std::uint64_t at_first = s.field_bytes + labels.size() * 2 * sizeof(std::int32_t);
  need(at_first);
  // What a neighbour is to a number: a variable, a known mine, or nothing. One look-up each.
  constexpr std::int32_t kNothing = -1, kKnownMine = -2;
  std::vector<std::int32_t> role(labels.size(), kNothing);
  std::int64_t known = 0;
  std::size_t numbers = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    if (labels[i] == kCovered) {
      role[i] = s.variables++;
      s.cell_of.push_back(i);
    } else if (labels[i] == kMine) {
      role[i] = kKnownMine;
      ++known;
    } else if (labels[i] >= 0) {
      ++numbers;
    }
  }
  // Most numbers have at most eight neighbours, and most cells are in at most four clues.
  const std::size_t entries = std::min(std::size_t(s.variables) * 4, numbers * 8);
  need(at_first + entries * sizeof(std::int32_t) + numbers * 16);
  s.cells.reserve(entries);
  for (std::int32_t i = 0; i < n; ++i) {
    if (labels[i] < 0) continue;
    std::int64_t count = labels[i];
    for (const std::int32_t j : field.of(i)) {
      if (role[j] == kNothing) continue;
      if (role[j] >= 0)
        s.cells.push_back(role[j]);
      else
        --count;
    }
    // A number whose neighbours are all known and add up says nothing more.
    if (count == 0 && s.offsets.back() == static_cast<std::int32_t>(s.cells.size())) continue;
    s.offsets.push_back(static_cast<std::int32_t>(s.cells.size()));
    s.counts.push_back(count);
    s.place_of.push_back(i);
  }
  s.has_total = has_total;
  s.total = has_total ? total - known : -1;
  return s;
}

}  // namespace sapper
