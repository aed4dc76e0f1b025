// Memory that is charged where it is taken, and kept for the next call.
//
// `Vector` is a std::vector, `Text` a std::string that charges the guards of its thread before it
// takes memory and gives the charge back with the memory; nobody else has to count. What a thread
// gives back in small blocks it keeps for itself, up to kMostKept bytes, so that a call on a small
// board finds the memory of the last one. Another thread may give back what this one took.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace sapper {

class Guard;

class Memory {
 public:
  // That of this thread; it lives as long as the thread.
  static Memory& here() { return here_ != nullptr ? *here_ : begin(); }

  void* take(std::size_t bytes) {
    const std::size_t size = rounded(bytes);
    net_ += static_cast<std::int64_t>(size);
    if (net_ > ceiling_) refuse(size);
    if (size <= kLargestKept) {
      Block*& first = kept_[shelf(size)];
      if (Block* const block = first) {
        first = block->next;
        kept_bytes_ -= size;
        return block;
      }
    }
    return fresh(size);
  }
  void give(void* block, std::size_t bytes) noexcept {
    const std::size_t size = rounded(bytes);
    net_ -= static_cast<std::int64_t>(size);
    if (size > kLargestKept || kept_bytes_ + size > kMostKept) return ::operator delete(block);
    Block*& first = kept_[shelf(size)];
    first = new (block) Block{first};
    kept_bytes_ += size;
  }

 private:
  friend class Guard;
  struct Block {
    Block* next;
  };
#if defined(__SANITIZE_ADDRESS__)
  // So that a use after the end is seen.
  static constexpr std::size_t kMostKept = 0;
#else
  static constexpr std::size_t kMostKept = std::size_t(1) << 20;
#endif
  static constexpr std::size_t kFine = 1024, kLargestKept = 16384;
  static constexpr std::int64_t kNoCeiling = std::numeric_limits<std::int64_t>::max();

  // Small blocks are taken in steps of 16 bytes, those up to kLargestKept in steps of 256.
  static std::size_t rounded(std::size_t bytes) {
    return bytes <= kFine ? (bytes + 15) & ~std::size_t(15) : (bytes + 255) & ~std::size_t(255);
  }
  static std::size_t shelf(std::size_t size) {
    return size <= kFine ? size / 16 : kFine / 16 + size / 256;
  }
  static Memory& begin();
  void* fresh(std::size_t size);
  [[noreturn]] void refuse(std::size_t size);
  // The ceiling of the strictest guard.
  void look_at_guards();

  // A library that is loaded late may have a little of the memory that threads reach at once.
#if defined(__GLIBC__)
  [[gnu::tls_model("initial-exec")]]
#endif
  static thread_local constinit Memory* here_;

  std::int64_t net_ = 0;  // taken by this thread less given back by it
  std::int64_t ceiling_ = kNoCeiling;
  std::size_t kept_bytes_ = 0;
  std::array<Block*, kFine / 16 + kLargestKept / 256 + 1> kept_{};
  Guard* innermost_ = nullptr;
};

// An allocator with nothing to carry: the memory is that of the thread.
template <class T>
struct Charged {
  using value_type = T;
  Charged() = default;
  template <class U>
  Charged(const Charged<U>&) noexcept {}
  T* allocate(std::size_t n) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    return static_cast<T*>(Memory::here().take(n * sizeof(T)));
  }
  void deallocate(T* block, std::size_t n) noexcept { Memory::here().give(block, n * sizeof(T)); }
  template <class U>
  bool operator==(const Charged<U>&) const noexcept { return true; }
};

// The same, for numbers that are set by whoever writes them first: a thread that helps, or nobody twice.
template <class T>
struct Unset : Charged<T> {
  template <class U>
  struct rebind {
    using other = Unset<U>;
  };
  Unset() = default;
  template <class U>
  Unset(const Unset<U>&) noexcept {}
  template <class U, class... Args>
  void construct(U* at, Args&&... args) {
    if constexpr (sizeof...(args) == 0)
      ::new (static_cast<void*>(at)) U;
    else
      ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
  }
};

template <class T>
using Vector = std::vector<T, Charged<T>>;
template <class T>
using Space = std::vector<T, Unset<T>>;
using Text = std::basic_string<char, std::char_traits<char>, Charged<char>>;

// What malloc adds to a block, about: its header and rounding.
constexpr std::uint64_t kBlock = 16;

}  // namespace sapper
