// A guess that looks one number ahead.
//
// Safety now is not what wins a game: a dig that is a little more dangerous may tell where to go on.
// Each candidate is dug in thought; for each number it may show, the position that follows is
// counted, which gives the chance of that number and how safe the next dig would be. The score is the
// expected safety of both digs together, and a little for the chance that the second is free.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "play/frontier.hpp"
#include "play/sight.hpp"

namespace sapper {

class LookAhead {
 public:
  LookAhead(const Adjacency& field, std::int32_t mines);

  void clear() { frontier_.clear(); }
  // The cell to dig. `chances` of a mine for each covered cell; none may be certainly safe.
  std::int32_t choose(const Sight& sight, const Frontier& now, const std::vector<double>& chances,
                      double effort, Guard& guard);

 private:
  struct Candidate {
    std::int32_t cell;
    double safety;
  };
  void collect(const Sight& sight, const Frontier& now, const std::vector<double>& chances,
               double effort);
  double score(const Sight& sight, const Frontier& now, std::int32_t cell, Guard& guard);

  const Adjacency* field_;
  Sight trial_;
  Frontier frontier_;
  std::vector<Candidate> candidates_;
  std::vector<std::pair<double, std::int32_t>> floating_;
};

}  // namespace sapper
