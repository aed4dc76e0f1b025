// How many mines each piece has in a random solution, under the mine total; exactly uniform.
//
// The mines of all pieces are drawn first, and then split in two at every node of a tree. A draw is
// an integer below 2^64 * (number of ways), and its leading 64 bits nearly always decide: floats
// with a bound on their error say whether they do. If not, that one split is counted exactly.
#pragma once

#include <cstdint>
#include <optional>

#include "base/bignat.hpp"
#include "base/memory.hpp"
#include "base/random.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/algebra.hpp"
#include "passes/product_tree.hpp"

namespace sapper {

class MineLottery {
 public:
  // `ways[i][y]`: in how many ways piece i can have least[i] + y mines. With `always_exact` floats
  // are not trusted at all; that is slow, and draws the same.
  MineLottery(const Compiled& compiled, Vector<std::int64_t> least,
              Vector<Vector<BigNat>> ways, bool always_exact, Guard& guard);

  bool has_solution() const { return possible_; }

  // Sets the mines of each piece; returns those that are left for the free cells. `tail` gives what
  // follows the first 64 bits of a draw.
  std::int64_t draw(Random& random, Random& tail, Vector<std::int64_t>& mines, Guard& guard);

 private:
  // One of `size` alternatives. `share(i)`: how likely the i-th is. `count(i)`: in how many ways it
  // comes about; `prepare` is called before the first of these questions.
  template <class Share, class Prepare, class Count>
  std::size_t choose(std::size_t size, Random& random, Random& tail, Share&& share,
                     Prepare&& prepare, Count&& count, Guard& guard);
  std::size_t draw_all(Random& random, Random& tail, Guard& guard);
  std::size_t draw_left(std::size_t node, std::size_t mines, Random& random, Random& tail,
                        Guard& guard);
  // The product of some of the polynomials, but no power from `powers` on.
  Vector<BigNat> exact_product(std::size_t first, std::size_t last, std::size_t powers,
                                    Guard& guard) const;
  std::size_t end_of(std::size_t node) const;

  std::int64_t free_cells_, left_over_;  // if all pieces have as few mines as they can
  Vector<std::int64_t> least_;
  Vector<Vector<BigNat>> ways_;
  ProductTree<WideFloats> tree_;
  Vector<Wide> all_;  // by the mines of all pieces: the number of solutions
  Wide whole_;
  double margin_;          // of error in a sum of shares
  bool possible_;
};

}  // namespace sapper
