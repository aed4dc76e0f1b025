// The table of states that one step of a plan produces.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/limits.hpp"
#include "diagram/diagram.hpp"

namespace sapper {

template <int K>
using Key = std::array<std::uint64_t, K>;

// Keys in order of discovery: a few are looked through, more are found through open addressing.
template <int K>
class States {
 public:
  // Empty, with room for `expected` states before it has to grow.
  void start(std::size_t expected) {
    keys_.clear();
    slots_.clear();
    if (expected <= kFew)
      keys_.reserve(room_ = kFew);
    else
      resize(static_cast<int>(std::bit_width(expected * 2 - 1)));
  }

  std::uint32_t insert(const Key<K>& key) {
    std::size_t at = 0;
    if (slots_.empty()) {
      const std::uint32_t known = among_few(key);
      if (known != Diagram::kNone) return known;
    } else {
      at = place_of(key);
      if (slots_[at] != Diagram::kNone) return slots_[at];
    }
    if (keys_.size() == room_) {
      resize(slots_.empty() ? kFirstBits : bits_ + 1);
      at = place_of(key);
    }
    const auto node = static_cast<std::uint32_t>(keys_.size());
    if (!slots_.empty()) slots_[at] = node;
    keys_.push_back(key);
    return node;
  }

  // The table is complete and has to wait: keep the keys, drop the index.
  void seal() { Vector<std::uint32_t>().swap(slots_); }

  // The node of a key, or Diagram::kNone.
  std::uint32_t find(const Key<K>& key) const {
    return slots_.empty() ? among_few(key) : slots_[place_of(key)];
  }

  const Vector<Key<K>>& keys() const { return keys_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size()); }

 private:
  static constexpr std::size_t kFew = 8;
  static constexpr int kFirstBits = 5;

  std::uint32_t among_few(const Key<K>& key) const {
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (same(keys_[i], key)) return static_cast<std::uint32_t>(i);
    return Diagram::kNone;
  }

  // Where the key is, or would go.
  std::size_t place_of(const Key<K>& key) const {
    std::uint64_t h = key[0] * 0x9E3779B97F4A7C15ull;
    for (int i = 1; i < K; ++i) h = (h ^ (h >> 32) ^ key[i]) * 0xD6E8FEB86659FD93ull;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = h >> (64 - bits_);
    while (slots_[at] != Diagram::kNone && !same(keys_[slots_[at]], key)) at = (at + 1) & mask;
    return at;
  }
  static bool same(const Key<K>& a, const Key<K>& b) {
    std::uint64_t difference = 0;
    for (int i = 0; i < K; ++i) difference |= a[i] ^ b[i];
    return difference == 0;
  }

  // 2^bits slots, half of which may be taken.
  void resize(int bits) {
    if (bits > 32) throw LimitHit(LimitKind::nodes, double(Diagram::kNone), double(keys_.size()));
    const std::size_t size = std::size_t(1) << bits;
    bits_ = bits;
    room_ = size / 2;
    slots_.assign(size, Diagram::kNone);
    keys_.reserve(room_);
    for (std::uint32_t i = 0; i < keys_.size(); ++i) slots_[place_of(keys_[i])] = i;
  }

  int bits_ = 0;
  std::size_t room_ = 0;
  Vector<Key<K>> keys_;
  Vector<std::uint32_t> slots_;
};

}  // namespace sapper
