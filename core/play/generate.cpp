#include "play/generate.hpp"

#include "base/random.hpp"
#include "play/certainty.hpp"
#include "play/random_boards.hpp"

namespace sapper {

Drawn draw_certain(const Adjacency& field, const Wish& wish, std::uint64_t seed, std::uint64_t first,
                   std::uint64_t tries, Guard& guard) {
  Certainty player(field, wish.mines, wish.use_total, guard);
  Random seeds(seed);
  for (std::uint64_t i = 0; i < first; ++i) {
    guard.tick();
    seeds();
  }
  Drawn out;
  while (out.tries < tries) {
    ++out.tries;
    auto mines = random_mines(field.cells(), wish.mines, wish.kept_free, seeds());
    if (!player.finishes(mines, wish.start)) continue;
    out.mines = std::move(mines);
    break;
  }
  return out;
}

}  // namespace sapper
