// A whole system, compiled: forced values, independent pieces with their diagrams, free cells.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "component.hpp"
#include "diagram.hpp"
#include "limits.hpp"
#include "order.hpp"
#include "system.hpp"

namespace sapper {

struct Options {
  bool certainty = true;   // find forced cells before anything wide is compiled
  bool grouping = true;    // interchangeable cells as one variable
  bool look_ahead = true;  // pair checks while compiling
  bool path_only = false;  // no joins (needed for ZDDs)
  OrderKind order = OrderKind::automatic;
  // Give up before compiling anything if more nodes are expected than this.
  double most_expected = std::numeric_limits<double>::infinity();
};

// Diagrams by content of their component. Safe to share between threads.
class Cache {
 public:
  std::shared_ptr<const Diagram> find(const std::string& content);
  void insert(const std::string& content, std::shared_ptr<const Diagram> diagram);
  std::size_t size() const;
  void clear();
  std::uint64_t hits = 0, compiled = 0;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Diagram>> diagrams_;
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

  std::uint64_t nodes() const;
  std::uint64_t bytes() const;
};

// What a piece would cost, before it is compiled.
struct PieceEstimate {
  std::int32_t variables, groups, clues, width;
  double nodes, work;
  bool joins;
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
