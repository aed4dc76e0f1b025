// A whole system, compiled: forced values, independent pieces with their diagrams, free cells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/limits.hpp"
#include "diagram/diagram.hpp"
#include "diagram/order.hpp"
#include "system/component.hpp"
#include "system/system.hpp"

namespace sapper {

struct Options {
  bool certainty = true;   // find forced cells before anything wide is compiled
  bool grouping = true;    // interchangeable cells as one variable
  bool look_ahead = true;  // pair checks and both ends at once, while compiling
  bool path_only = false;  // no joins (needed for ZDDs)
  OrderKind order = OrderKind::automatic;
  // Give up before compiling anything if more nodes are expected than this.
  double most_expected = std::numeric_limits<double>::infinity();
};

// Diagrams by content of their component, and what a search has found to be forced in it. Safe to
// share between threads.
//
// What it keeps counts as memory of the questions that use it: it is trimmed to a quarter of their
// limit, what was used last stays, and the rest of the limit is theirs.
class Cache {
 public:
  // Without a limit it keeps this much.
  static constexpr std::uint64_t kMost = std::uint64_t(1) << 30;
  static std::uint64_t share(const Guard& guard) { return std::min(guard.most_bytes() / 4, kMost); }

  std::shared_ptr<const Diagram> find(const std::string& content);
  void insert(const std::string& content, std::shared_ptr<const Diagram> diagram);
  // For each group 0 or 1 if it is forced, or -1; null: it has not been searched.
  using Forced = std::shared_ptr<const std::vector<std::int8_t>>;
  Forced find_forced(const std::string& content);
  std::uint64_t insert_forced(const std::string& content, Forced forced);  // the bytes it takes
  // Drop what was not used for longest until so many bytes are left; returns how many there are.
  std::uint64_t trim(std::uint64_t most);
  std::size_t size() const;
  std::uint64_t bytes() const;
  void clear();
  // What an entry takes: its content, the diagram, and nodes of a list and a map.
  static std::uint64_t entry_bytes(const std::string& content, const Diagram& diagram) {
    return content.capacity() + diagram.bytes() + 192;
  }
  std::uint64_t hits = 0, compiled = 0, searched = 0;

 private:
  struct Entry {
    std::string content;
    std::shared_ptr<const Diagram> diagram;
    Forced forced;
    std::uint64_t bytes;
  };
  using Entries = std::list<Entry>;
  // Both with the lock held.
  const Entry* look_up(const std::string& content);
  void keep(Entry entry);

  mutable std::mutex mutex_;
  Entries kept_;  // what was used last comes first
  std::unordered_map<std::string_view, Entries::iterator> places_;
  std::uint64_t bytes_ = 0;
};

struct Piece {
  Part part;
  std::shared_ptr<const Diagram> diagram;
};

struct Compiled {
  bool consistent = true;            // ignoring the total
  std::int32_t variables = 0;
  bool has_total = false;
  std::int64_t total = -1;           // mines among the variables
  std::vector<std::int8_t> values;   // forced by the clues: 0, 1, or -1
  std::vector<Piece> pieces;
  std::vector<std::int32_t> free;    // unknown variables in no clue
  std::int64_t forced_mines = 0;
  // What this, its system and the cache took when it was made: passes over it come on top.
  std::uint64_t bytes = 0;

  std::uint64_t nodes() const;
};

// What a piece would cost, before it is compiled.
struct PieceEstimate {
  std::int32_t variables, groups, clues, width;
  double nodes;
  bool joins;

  static PieceEstimate of(const Part& part, const Plan& plan) {
    return {std::int32_t(part.variables.size()), part.component.groups(), part.component.clues(),
            plan.width, plan.expected_nodes, plan.has_joins};
  }
};

// Certainty and splitting, without compiling: pieces have plans instead of diagrams.
struct Prepared {
  Compiled result;  // pieces without diagrams
  std::vector<Plan> plans;
};

Prepared prepare(const System& system, const Options& options, Guard& guard, Cache* cache);
Compiled compile_system(const System& system, const Options& options, Guard& guard, Cache* cache);

// Everything that is forced, by search alone, however wide the system is (the total is ignored).
// Returns false if the clues contradict each other.
bool certain_values(const System& system, std::vector<std::int8_t>& values, Guard& guard);

}  // namespace sapper
