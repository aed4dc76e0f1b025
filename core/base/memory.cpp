#include "base/memory.hpp"

#include <algorithm>
#include <utility>

#include "base/limits.hpp"

namespace sapper {

thread_local constinit Memory* Memory::here_ = nullptr;

// Threads that end give back what they kept. What is freed later still, while the process ends, finds
// a new one, which is left to the system.
Memory& Memory::begin() {
  struct Owner {
    Memory memory;
    ~Owner() {
      here_ = nullptr;
      for (Block* block : memory.kept_)
        while (block != nullptr) ::operator delete(std::exchange(block, block->next));
    }
  };
  thread_local bool ended = false;
  thread_local struct Ending {
    Owner* owner = nullptr;
    ~Ending() {
      delete owner;
      ended = true;
    }
  } ending;
  auto* const owner = new Owner;
  if (!ended) ending.owner = owner;
  here_ = &owner->memory;
  return *here_;
}

void* Memory::fresh(std::size_t size) {
  try {
    return ::operator new(size);
  } catch (const std::bad_alloc&) {
    net_ -= static_cast<std::int64_t>(size);
    throw;
  }
}

void Memory::refuse(std::size_t size) {
  net_ -= static_cast<std::int64_t>(size);
  for (const Guard* guard = innermost_; guard != nullptr; guard = guard->outer_)
    if (size > guard->limits_.bytes - guard->bytes())
      throw LimitHit(LimitKind::bytes, double(guard->limits_.bytes),
                     double(guard->bytes()) + double(size));
  throw std::bad_alloc();
}

void Memory::look_at_guards() {
  ceiling_ = kNoCeiling;
  for (const Guard* guard = innermost_; guard != nullptr; guard = guard->outer_)
    ceiling_ = std::min(ceiling_, guard->ceiling());
}

}  // namespace sapper
