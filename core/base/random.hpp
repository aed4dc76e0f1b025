// xoshiro256**, seeded through splitmix64; splitmix64 itself, and its hash of a word.
#pragma once

#include <bit>
#include <cstdint>

namespace sapper {

// A word hashed: every bit of it moves about half of the bits.
inline std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// Small, fast, good enough for shaking ties, and the same on every machine.
struct Jitter {
  std::uint64_t state;
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ull;
  std::uint64_t word() { return mixed(state += kStep); }
  void skip(std::uint64_t words) { state += words * kStep; }
  double operator()() { return double(word() >> 11) * 0x1.0p-53; }  // in [0, 1)
};

class Random {
 public:
  explicit Random(std::uint64_t seed) {
    Jitter words{seed};
    for (auto& word : s_) word = words.word();
  }
  std::uint64_t operator()() {
    const auto rotate = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
    const std::uint64_t result = rotate(s_[1] * 5, 7) * 9, t = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= t;
    s_[3] = rotate(s_[3], 45);
    return result;
  }
  // Uniform below n > 0, without bias.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t mask = n == 1 ? 0 : ~std::uint64_t(0) >> std::countl_zero(n - 1);
    std::uint64_t x;
    do x = (*this)() & mask;
    while (x >= n);
    return x;
  }

 private:
  std::uint64_t s_[4];
};

}  // namespace sapper
