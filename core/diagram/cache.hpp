// What was found out about components, kept for the next board that has an equal one.
//
// What it keeps counts as memory of the questions that use it: it is trimmed to a quarter of their
// limit, what was used last stays, and the rest of the limit is theirs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "base/limits.hpp"
#include "diagram/diagram.hpp"

namespace sapper {

// Values by content of a component, in the order in which they were last used.
template <class Value>
class Shelf {
 public:
  using Shared = std::shared_ptr<const Value>;

  Shared find(const Text& content, std::uint64_t now) {
    const auto at = places_.find(content);
    if (at == places_.end()) return nullptr;
    at->second->used = now;
    kept_.splice(kept_.begin(), kept_, at->second);
    return at->second->value;
  }
  // How many bytes more are taken now: none if it was there already.
  std::uint64_t insert(const Text& content, Shared value, std::uint64_t bytes,
                       std::uint64_t now) {
    if (places_.contains(content)) return 0;
    kept_.push_front({content, std::move(value), bytes, now});
    places_.emplace(kept_.front().content, kept_.begin());
    return bytes;
  }
  bool empty() const { return kept_.empty(); }
  std::size_t size() const { return kept_.size(); }
  // When the one that was not used for longest was last used; there must be one.
  std::uint64_t oldest() const { return kept_.back().used; }
  std::uint64_t drop_oldest() {
    const std::uint64_t bytes = kept_.back().bytes;
    places_.erase(kept_.back().content);
    kept_.pop_back();
    return bytes;
  }

 private:
  struct Entry {
    Text content;
    Shared value;
    std::uint64_t bytes, used;
  };
  std::list<Entry> kept_;
  std::unordered_map<std::string_view, typename std::list<Entry>::iterator> places_;
};

// Diagrams by content of their component, and what a search has found to be forced in it. Safe to
// share between threads.
class Cache {
 public:
  // For each group 0 or 1 if it is forced, or -1; null: it has not been searched.
  using Forced = std::shared_ptr<const Vector<std::int8_t>>;

  // Without a limit it keeps this much.
  static constexpr std::uint64_t kMost = std::uint64_t(1) << 30;
  static std::uint64_t share(const Guard& guard) { return std::min(guard.most_bytes() / 4, kMost); }
  // What an entry takes: its content, the diagram, and nodes of a list and a map.
  static std::uint64_t entry_bytes(const Text& content, const Diagram& diagram) {
    return content.capacity() + diagram.bytes() + 192;
  }

  std::shared_ptr<const Diagram> find(const Text& content);
  void insert(const Text& content, std::shared_ptr<const Diagram> diagram);
  Forced find_forced(const Text& content);
  void insert_forced(const Text& content, Forced forced);
  // Drop what was not used for longest until so many bytes are left; returns how many there are.
  std::uint64_t trim(std::uint64_t most);
  std::size_t size() const;
  std::uint64_t bytes() const;
  void clear() { trim(0); }
  std::uint64_t hits = 0, compiled = 0, searched = 0;

 private:
  mutable std::mutex mutex_;
  Shelf<Diagram> diagrams_;
  Shelf<Vector<std::int8_t>> forced_;
  std::uint64_t bytes_ = 0, clock_ = 0;
};

}  // namespace sapper
