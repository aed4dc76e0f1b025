#include "system/system.hpp"

#include <algorithm>
#include <cstdlib>

#include "system/single_numbers.hpp"

namespace sapper {

namespace {

// More of them are not worth a set each.
constexpr std::size_t kMostSteps = 32;

}  // namespace

Adjacency Adjacency::lattice(std::span<const std::int32_t> sides,
                             std::span<const std::int32_t> flat, bool wrap) {
  const std::size_t axes = sides.size(), steps = flat.size() / axes;
  std::size_t cells = 1;
  Vector<std::int64_t> stride(axes), reach(axes, 0), at(axes, 0);
  for (std::size_t axis = axes; axis-- > 0;) {
    stride[axis] = std::int64_t(cells);
    cells *= std::size_t(sides[axis]);
    for (std::size_t i = axis; i < flat.size(); i += axes)
      reach[axis] = std::max(reach[axis], std::abs(std::int64_t(flat[i])));
  }
  auto inside = [&](std::size_t axis) {
    return at[axis] >= reach[axis] && at[axis] + reach[axis] < sides[axis];
  };
  Adjacency result;
  result.offsets.reserve(cells + 1);
  result.targets.reserve(cells * steps);
  result.offsets.push_back(0);
  Vector<std::int64_t> around;  // of the cell at hand
  Vector<std::int64_t> inner;   // of a cell away from all borders, less that cell
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::size_t axis = 0;
    while (axis < axes && inside(axis)) ++axis;
    if (axis < axes || inner.empty()) {
      around.clear();
      for (std::size_t i = 0; i < steps; ++i) {
        std::int64_t target = 0;
        for (std::size_t a = 0; a < axes && target >= 0; ++a) {
          std::int64_t place = at[a] + flat[i * axes + a];
          if (wrap) place = (place % sides[a] + sides[a]) % sides[a];
          target = place < 0 || place >= sides[a] ? -1 : target + place * stride[a];
        }
        if (target >= 0 && target != std::int64_t(cell)) around.push_back(target);
      }
      std::sort(around.begin(), around.end());
      around.erase(std::unique(around.begin(), around.end()), around.end());
      for (const std::int64_t target : around) result.targets.push_back(std::int32_t(target));
      if (axis == axes)
        for (const std::int64_t target : around) inner.push_back(target - std::int64_t(cell));
    } else {
      for (const std::int64_t step : inner)
        result.targets.push_back(std::int32_t(std::int64_t(cell) + step));
    }
    result.offsets.push_back(std::int32_t(result.targets.size()));
    for (std::size_t a = axes; a-- > 0;) {
      if (++at[a] < sides[a]) break;
      at[a] = 0;
    }
  }
  result.find_steps();
  return result;
}

void Adjacency::find_steps() {
  const std::size_t words = (std::size_t(cells()) + 63) / 64;
  std::size_t k = 0;
  for (std::int32_t cell = 0; cell < cells(); ++cell)
    for (const std::int32_t target : of(cell)) {
      const std::int32_t step = target - cell;
      // Most cells have all steps, in the same order.
      if (++k >= steps.size()) k = 0;
      if (steps.empty() || steps[k] != step) {
        k = std::size_t(std::ranges::find(steps, step) - steps.begin());
        if (k == kMostSteps) {
          steps = {};
          has_step = {};
          return;
        }
        if (k == steps.size()) {
          steps.push_back(step);
          has_step.resize((k + 1) * words);
        }
      }
      has_step[k * words + std::size_t(cell) / 64] |= std::uint64_t(1) << (cell % 64);
    }
  // Where neighbours are mutual each step has one back; who relies on that gets none here.
  if (steps.size() % 2 != 0) {
    steps = {};
    has_step = {};
  }
}

System System::from_labels(const Adjacency& field, std::span<const std::int32_t> labels,
                           bool has_total, std::int64_t total, bool settle) {
  System s;
  s.field_bytes = field.bytes();
  const SingleNumbers told(field, labels, settle);
  const std::size_t numbers = size_of(told.open());
  const auto known = std::int64_t(size_of(told.known_mines()));
  // What a neighbour is to a number: a variable, a known mine, or nothing. One look-up each.
  constexpr std::int32_t kNothing = -1, kKnownMine = -2;
  Vector<std::int32_t> role(labels.size(), kNothing);
  s.cell_of.resize(size_of(told.covered()));
  s.variables = std::int32_t(s.cell_of.size());
  for_cells(told.covered(), [cell_of = s.cell_of.data(), role = role.data(), v = 0](std::int32_t i) mutable {
    cell_of[v] = i;
    role[i] = v++;
  });
  for_cells(told.known_mines(), [&](std::int32_t i) { role[i] = kKnownMine; });
  if (told.found_any()) {
    s.values.assign(std::size_t(s.variables), -1);
    for_cells(told.found_mines(), [&](std::int32_t i) {
      s.values[role[i]] = 1;
      role[i] = kKnownMine;
    });
    for_cells(told.found_free(), [&](std::int32_t i) {
      s.values[role[i]] = 0;
      role[i] = kNothing;
    });
  }
  std::size_t entries = 0;
  for_cells(told.open(), [&](std::int32_t i) { entries += field.of(i).size(); });
  s.offsets.resize(numbers + 1);
  s.counts.resize(numbers);
  s.place_of.resize(numbers);
  s.cells.resize(entries);  // at most
  std::int32_t* const cells = s.cells.data();
  std::int32_t end = 0;
  std::size_t clues = 0;
  for_cells(told.open(), [&](std::int32_t i) {
    std::int64_t count = labels[i];
    const std::int32_t begin = end;
    for (const std::int32_t j : field.of(i)) {
      const std::int32_t r = role[j];
      cells[end] = r;
      end += r >= 0;
      count -= r == kKnownMine;
    }
    // A number whose neighbours are all known and add up says nothing more.
    if (count == 0 && begin == end) return;
    s.counts[clues] = count;
    s.place_of[clues] = i;
    s.offsets[++clues] = end;
  });
  s.offsets.resize(clues + 1);
  s.counts.resize(clues);
  s.place_of.resize(clues);
  s.cells.resize(std::size_t(end));
  // Room that is not needed is given back where it matters.
  if (entries > 1 << 16) s.cells.shrink_to_fit();
  s.has_total = has_total;
  s.total = has_total ? total - known : -1;
  return s;
}

}  // namespace sapper
