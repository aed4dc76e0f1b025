// A guess by perfect play on some of the worlds.
//
// Where the worlds are too many to be listed, a few are drawn, and each dig that looks good is followed by
// perfect play as if these were all there are. That flatters digs which tell much, for few worlds are soon told apart;
// still it errs less than an estimate by formula as long as the worlds are not too many (docs/play/champion.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "play/endgame.hpp"
#include "play/frontier.hpp"
#include "play/look_ahead.hpp"
#include "play/sight.hpp"
#include "play/worlds.hpp"

namespace sapper {

class Samples {
 public:
  // The best of the digs, which have their scores, or -1 if there are too many worlds, or it would take too long. No
  // number on the field may be taken for a mine (Worlds::can_show).
  std::int32_t choose(const Sight& sight, const Frontier& frontier, std::span<const LookAhead::Dig> digs,
                      double effort, Guard& guard);

 private:
  std::int32_t best(const Sight& sight, double work, Guard& guard);

  Worlds worlds_;
  Endgame endgame_;
  std::vector<LookAhead::Dig> digs_;
  std::vector<std::int32_t> index_;
};

}  // namespace sapper
