// All worlds of a position, one by one: what each cell would show in each.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/limits.hpp"
#include "base/random.hpp"
#include "play/frontier.hpp"
#include "play/sight.hpp"

namespace sapper {

struct Worlds {
  static constexpr std::uint8_t kMine = 255;
  // Whether no number on the field can be taken for a mine.
  static bool can_show(const Adjacency& field) {
    for (std::int32_t c = 0; c < field.cells(); ++c)
      if (field.of(c).size() >= kMine) return false;
    return true;
  }

  std::vector<std::int32_t> cells;  // covered and not known to be mines
  std::size_t count = 0, stride = 0;
  // For each world and cell: the mines around it that are not known, or kMine if it is one.
  std::vector<std::uint8_t> shows;

  const std::uint8_t* of(std::size_t world) const { return shows.data() + world * stride; }
  // The cells around one, all as indices of `cells`.
  std::span<const std::int32_t> around(std::int32_t cell) const {
    return {around_.data() + around_offsets_[cell], around_.data() + around_offsets_[cell + 1]};
  }

  // Lists them. There must be few enough: see Frontier::log_worlds.
  void list(const Sight& sight, const Frontier& frontier);
  // Draws so many of them instead, any as likely as any other and none twice, or a few less; the same for the
  // same position. The regions' ways to lay their mines must be few enough to be listed.
  void draw(const Sight& sight, const Frontier& frontier, std::size_t many);
  // All layouts of a whole field with so many mines, none on the cells that are kept free.
  void list_layouts(const Adjacency& field, std::int32_t mines,
                    const std::vector<std::uint8_t>& kept_free, Guard& guard);

 private:
  struct Clue {
    std::int32_t need, left;
  };
  void begin(const Sight& sight, const Frontier& frontier);
  void count_by_mines(std::size_t mines);
  void choose_one(std::size_t mines, Random& random);
  void list_region(const Sight& sight, const Region& region);
  void combine(std::size_t region, std::int32_t mines);
  void decide(std::size_t at);
  void scatter(std::size_t at, std::int32_t mines);
  void finish();

  // Of each region its ways to lay mines, as lists of indices into `cells`.
  struct Ways {
    std::vector<std::int32_t> mines, offsets;
  };
  Guard* guard_ = nullptr;
  std::vector<Ways> ways_;
  Ways scratch_;
  std::vector<std::int32_t> floating_, chosen_, order_;
  std::vector<std::int32_t> around_, around_offsets_, index_, clue_index_;
  std::vector<Clue> clues_;
  std::vector<std::int32_t> cell_clues_, cell_clue_offsets_;
  std::vector<std::uint8_t> seen_;
  // For drawing: of each region its ways with so many mines, and how many ways there are from each region on.
  std::vector<std::vector<std::vector<std::int32_t>>> by_mines_;
  std::vector<std::vector<double>> from_;
  std::vector<std::uint64_t> marks_;  // a random number for every cell
  std::unordered_set<std::uint64_t> drawn_;
};

}  // namespace sapper
