// Random solutions of a wide piece with a given number of mines, without values by mines.
//
// Solutions with many mines are made rarer, or more frequent, by a constant factor for each mine,
// such that the number that is asked for becomes a likely one. Then whole solutions are drawn until
// one has it. All solutions with as many mines have the same chance whatever the factor, so this is
// exactly uniform, and its table has one number a node. About as many draws are needed as there
// are likely numbers of mines: some tens.
#pragma once

#include <memory>

#include "base/memory.hpp"
#include "passes/counts.hpp"
#include "passes/walkers.hpp"

namespace sapper {

class TiltedWalker final : public PieceWalker {
 public:
  // Would a table of values by mines take more than so many bytes?
  static bool pays(const Piece& piece, double bits, std::uint64_t bytes);

  TiltedWalker(const Piece& piece, Guard& guard);

  void walk(std::int64_t mines, Random& random, std::uint8_t* out, Guard& guard) override;
  void expect(std::int64_t mines, Guard& guard) override;
  std::int64_t least() const override { return counts_.least; }
  std::size_t numbers_of_mines() const override { return counts_.size(); }
  Vector<BigNat> ways() const override;

 private:
  // The weights of a mine and of a cell without.
  struct Tilt {
    std::uint64_t mine = 1, free = 1;
    bool operator==(const Tilt&) const = default;
  };
  // How likely `mines` are.
  double chance(std::int64_t mines, Tilt tilt) const;
  double bits(Tilt tilt) const;

  const Piece& piece_;
  Counts counts_;
  Vector<double> logs_;  // of the counts, to base 2
  Tilt tilt_;
  std::unique_ptr<CountingWalker<BigNat>> walker_;
  bool by_mines_ = false;  // no tilt helps: the walker knows the values by mines
};

}  // namespace sapper
