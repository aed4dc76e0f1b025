// Random systems for the fuzzer, smaller versions of one, and how it is written down.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "base/memory.hpp"
#include "system/system.hpp"

namespace sapper::tests {

// A system that depends on nothing but the seed.
System random_system(std::uint64_t seed);

// Systems with one thing less, the boldest cuts first.
Vector<System> smaller(const System& system);

// The bare-hypergraph JSON that sapper reads.
std::string to_json(const System& system);

// Plain numbers: variables, total (or -1 for none), clues; per clue its count, its size and pairs
// of variable and weight. Nothing at the end of the stream.
std::optional<System> read_plain(std::istream& in);

}  // namespace sapper::tests
