// Uniform random solutions, exactly uniform: every choice is that of integer counts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "diagram/compiled_system.hpp"

namespace sapper {

class Sampler {
 public:
  // Needs a system with a solution (under its total). For `always_exact` see lottery.hpp, and for
  // `wide`, the bytes that a table may take, tilted.hpp.
  Sampler(std::shared_ptr<const Compiled> compiled, std::uint64_t seed, Guard& guard,
          bool always_exact = false, std::uint64_t wide = 64 << 20);
  ~Sampler();
  Sampler(Sampler&&) noexcept;

  bool has_solution() const;
  // Set mines[v] to 1 for every mined variable of one random solution, 0 for the others.
  void draw(std::uint8_t* mines, Guard& guard);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace sapper
