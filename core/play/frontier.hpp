// All regions of a position, and the chances of its cells under the total.
//
// A covered cell beside no number *floats*; all floating cells are alike. Regions are kept by what
// they say, so a dig costs the regions that it touches.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "play/region.hpp"
#include "play/sight.hpp"

namespace sapper {

class Frontier {
 public:
  explicit Frontier(const Adjacency& field);

  // A new game: names of regions mean nothing any more.
  void clear();
  // Looks at a position anew. Regions that have not changed are not counted again. Single numbers
  // must have nothing to say (Sight::next_safe was -1). False: some region does not fit.
  bool look(Sight& sight);

  // Memory that regions take, also those of positions before.
  std::uint64_t bytes() const { return region_bytes_ + tally_.bytes(); }

  const std::vector<Region*>& regions() const { return regions_; }
  // Cells in no region, and their number.
  std::int32_t floating() const { return floating_; }
  bool is_floating(const Sight& sight, std::int32_t cell) const {
    return sight.is_covered(cell) && met_[cell] != round_;
  }
  // Chance of a mine: of the cells of group g of region i, and of a floating cell.
  double chance(std::size_t i, std::int32_t g) const { return chances_[first_group_[i] + std::size_t(g)]; }
  double floating_chance() const { return floating_chance_; }
  // The least of them all; or the least above zero, one if there is none.
  double least_chance(bool above_zero = false) const;
  // Natural logarithm of the number of worlds; minus infinity if there is none.
  double log_worlds() const { return log_worlds_; }

 private:
  bool weigh(const Sight& sight);
  void build(const Sight& sight, std::int32_t number, Region& region);

  const Adjacency* field_;
  Tally tally_;
  std::vector<std::uint64_t> marks_;  // a random number for every cell
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> met_, clue_met_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::int32_t> group_of_, stack_;
  std::vector<std::unique_ptr<Region>> pool_;
  std::size_t used_ = 0;
  std::uint64_t region_bytes_ = 0;
  std::unordered_map<std::uint64_t, Region*> known_;
  std::vector<Region*> regions_;
  std::vector<std::size_t> first_group_;
  std::vector<double> chances_;
  std::int32_t floating_ = 0;
  double floating_chance_ = 0, log_worlds_ = 0;
  std::vector<std::vector<double>> before_;
  std::vector<double> rest_, others_;
};

}  // namespace sapper
