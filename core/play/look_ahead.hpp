// A guess that looks ahead.
//
// Safety now is not what wins a game: a dig that is a little more dangerous may tell where to go on.
// Each candidate is dug in thought; for each number it may show, the position that follows is
// counted, which gives the chance of that number and what the position is worth. Two ways to tell:
//   safety   how safe the next dig would be, and a little more if it is free
//   outlook  the estimated chance to win (outlook.hpp) and how safe the next dig would be, by weights that
//            were fitted to the difference between digs of one position (docs/play/champion.md); where
//            digs are close and a number leaves no safe cell that tells, a second dig is tried in thought as well
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "play/frontier.hpp"
#include "play/outlook.hpp"
#include "play/sight.hpp"

namespace sapper {

class LookAhead {
 public:
  enum class Worth : std::uint8_t { safety, outlook };
  // What a dig's score is made of, by outlook: the first for itself, the others times the outlook before the dig.
  enum Term : std::uint8_t {
    outlook_after,
    safety_after,  // of the safest dig next; none after a mine
    safe_after,    // chance of a safe dig next that tells something
    no_mine,       // chance that no unknown mine is around
    relief,        // deaths by coin tosses that it prevents
    touched,       // regions it is in or beside
  };
  static constexpr std::size_t kTerms = 6;
  struct Dig {
    std::int32_t cell;
    double safety;
    double score = 0;
    bool floats = false;
    std::array<double, kTerms> terms{};
  };
  LookAhead(const Adjacency& field, std::int32_t mines, Worth worth);

  void clear();
  std::uint64_t bytes() const;
  // The cell to dig. `chances` of a mine for each covered cell; none may be certainly safe.
  std::int32_t choose(const Sight& sight, const Frontier& now, const std::vector<double>& chances,
                      double effort, Guard& guard);
  // The digs that the last choice compared by a second dig; one or none if there was nothing to compare.
  std::span<const Dig> compared() const { return compared_; }
  // All that it looked at, those that were compared with their last score.
  std::span<const Dig> digs() const { return digs_; }
  // Chances and scores are compared on a grid: those that are equal but for rounding, as two corners often are,
  // must not be told apart by what a compiler makes of a sum. The first of the equal is taken.
  static double settled(double x) { return std::nearbyint(x * 0x1p30) * 0x1p-30; }

 private:
  // A position in thought, one for each dig ahead.
  struct Thought {
    Sight sight;
    Frontier frontier;
    std::vector<Dig> digs;
  };
  void collect(const Sight& sight, const Frontier& now, const std::vector<double>& chances,
               double effort);
  void collect_floating(const Sight& sight, const Frontier& now, double safety, double effort);
  // What a dig is worth; something below `least` if it is worth less. With another dig after it
  // where no safe cell tells, if it is not the last.
  double score(const Sight& sight, const Frontier& now, Dig& dig, double least, std::size_t depth,
               std::size_t last, double effort, Guard& guard);
  double best_after(std::size_t depth, double least_risk, std::size_t last, double effort,
                    Guard& guard);
  double worth(const Thought& thought, double least_risk);
  // The terms that do not depend on the number a dig shows.
  void place(const Sight& sight, const Frontier& now);

  const Adjacency* field_;
  Worth worth_;
  Outlook outlook_;
  bool prepared_ = false;
  double level_ = 0;  // the outlook before the dig
  std::vector<Thought> thoughts_;
  std::vector<Dig> digs_, compared_;
  std::vector<std::int32_t> region_of_, touched_;
  std::vector<std::pair<double, std::int32_t>> floating_, nearby_;
};

}  // namespace sapper
