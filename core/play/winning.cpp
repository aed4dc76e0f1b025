#include "play/winning.hpp"

#include <cmath>
#include <stdexcept>

#include "play/endgame.hpp"
#include "play/frontier.hpp"
#include "play/sight.hpp"
#include "play/worlds.hpp"

namespace sapper {

Winning winning(const Adjacency& field, std::span<const std::int32_t> labels, std::int32_t mines,
                double most, Guard& guard) {
  if (!Worlds::can_show(field)) return {};
  Sight sight(field, mines);
  for (std::int32_t c = 0; c < field.cells(); ++c) {
    if (labels[c] >= 0) sight.show(c, labels[c]);
    if (labels[c] == kMine) sight.mark(c);
  }
  if (sight.next_safe() >= 0) throw std::invalid_argument("a cell is certainly safe");
  Frontier frontier(field);
  if (!frontier.look(sight) || sight.is_broken()) return {};
  // A whole number, computed as a float.
  const double count = std::round(std::exp(frontier.log_worlds()));
  if (!(count >= 1 && count <= most)) return {};
  const Charge listed(guard, std::uint64_t(count + 1) * std::uint64_t(sight.unknown() + 24));
  Worlds worlds;
  worlds.list(sight, frontier);
  Endgame endgame;
  endgame.begin(worlds, {}, guard);
  Winning found;
  found.worlds = worlds.count;
  found.cells = worlds.cells;
  for (std::size_t i = 0; i < worlds.cells.size(); ++i) {
    guard.tick();
    found.wins.push_back(endgame.wins_from(i, 0));
  }
  return found;
}

}  // namespace sapper
