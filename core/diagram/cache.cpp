#include "diagram/cache.hpp"

namespace sapper {

std::shared_ptr<const Diagram> Cache::find(const Text& content) {
  const std::lock_guard lock(mutex_);
  auto found = diagrams_.find(content, ++clock_);
  if (found) ++hits;
  return found;
}

void Cache::insert(const Text& content, std::shared_ptr<const Diagram> diagram) {
  const std::lock_guard lock(mutex_);
  ++compiled;
  const std::uint64_t bytes = entry_bytes(content, *diagram);
  bytes_ += diagrams_.insert(content, std::move(diagram), bytes, ++clock_);
}

Cache::Forced Cache::find_forced(const Text& content) {
  const std::lock_guard lock(mutex_);
  return forced_.find(content, ++clock_);
}

void Cache::insert_forced(const Text& content, Forced forced) {
  const std::lock_guard lock(mutex_);
  ++searched;
  const std::uint64_t bytes = content.size() + forced->size() + 256;
  bytes_ += forced_.insert(content, std::move(forced), bytes, ++clock_);
}

std::uint64_t Cache::trim(std::uint64_t most) {
  const std::lock_guard lock(mutex_);
  while (bytes_ > most) {
    const bool forced = diagrams_.empty() ||
                        (!forced_.empty() && forced_.oldest() < diagrams_.oldest());
    bytes_ -= forced ? forced_.drop_oldest() : diagrams_.drop_oldest();
  }
  return bytes_;
}

std::size_t Cache::size() const {
  const std::lock_guard lock(mutex_);
  return diagrams_.size() + forced_.size();
}

std::uint64_t Cache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace sapper
