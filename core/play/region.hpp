// A connected piece of the frontier and its worlds, counted by mines.
//
// The covered cells beside the same numbers are one *group*; numbers that share groups, and all
// their groups, are one *region*. Its groups are decided one by one; a state is what each open number
// still needs, packed into one machine word, and equal states are kept once. Forth and back over
// the states give, for every number of mines, how many worlds the region has and how many mines
// each group holds in them.
//
// This is the engine's diagram in little: no joins, one word, no search for the best order, because
// a game asks again after every dig and the regions of a game are small. `fits` is false for one
// that is not; the engine answers then.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "play/sight.hpp"

namespace sapper {

struct Region {
  std::uint64_t name = 0;  // the same for the same clues on the same cells, within a game
  bool fits = true;
  std::vector<std::int32_t> cells, cell_offsets;    // of the groups
  std::vector<std::int32_t> clues;                  // their places
  std::vector<std::int32_t> clue_groups, clue_offsets;
  std::int32_t low = 0;              // the fewest mines it can have
  std::vector<double> whole;         // worlds with low, low + 1, ... mines
  std::vector<double> mined;         // for each group, as many: mines of the group in those worlds
  std::vector<std::uint8_t> always;  // groups that are all mines, whatever the total
  std::size_t states = 0;
  std::uint64_t counted_bytes = 0;  // what Frontier::bytes has counted

  std::int32_t groups() const { return std::int32_t(cell_offsets.size()) - 1; }
  std::int32_t size(std::int32_t g) const { return cell_offsets[g + 1] - cell_offsets[g]; }
  std::span<const std::int32_t> group(std::int32_t g) const {
    return {cells.data() + cell_offsets[g], cells.data() + cell_offsets[g + 1]};
  }
  std::uint64_t bytes() const;
  std::int32_t span() const { return std::int32_t(whole.size()); }
  std::span<const double> mines_of(std::int32_t g) const {
    return {mined.data() + std::size_t(g) * whole.size(), whole.size()};
  }
};

// Counts the worlds of regions. One object serves many: what it allocates it keeps.
class Tally {
 public:
  void count(const Sight& sight, Region& region);
  std::uint64_t bytes() const;

 private:
  struct Step {
    std::int32_t group, size;
    std::uint64_t ones;   // one in the field of each of the group's clues
    std::uint64_t opens;  // what those need that are met first
    std::uint64_t room;   // the mines that still have room in each afterwards
    std::uint64_t tops;   // the top bits of their fields
  };
  struct Level {
    std::uint32_t first, size, arcs;
  };
  struct Range {
    std::int16_t low = 0x3FFF, high = -1;  // mines
    std::uint32_t at = 0;                  // where the values begin
    bool empty() const { return high < low; }
    std::uint32_t length() const { return std::uint32_t(high - low + 1); }
    void include(int l, int h) {
      if (l < low) low = std::int16_t(l);
      if (h > high) high = std::int16_t(h);
    }
  };

  bool plan(const Sight& sight, const Region& region);
  bool expand();
  bool trim();
  void forth();
  void back(Region& region);
  std::uint32_t insert(std::uint64_t key);

  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
  static constexpr std::size_t kMostStates = 200'000;

  std::vector<Step> steps_;
  std::vector<Level> levels_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> arcs_;
  std::vector<Range> below_, above_;  // mines decided before a state, and after it
  std::vector<double> up_, down_;
  // Where a state of the level in the making is; those of other levels count as empty.
  struct Slot {
    std::uint64_t level = 0;
    std::uint32_t state = 0;
  };
  std::vector<Slot> slots_;
  std::uint64_t level_ = 0;
  std::uint32_t slot_bits_ = 0;
  // For the plan.
  std::vector<std::int32_t> group_offsets_, group_clues_, left_, field_;
  std::vector<std::uint8_t> decided_, queued_;
};

}  // namespace sapper
