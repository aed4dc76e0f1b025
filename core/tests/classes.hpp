// Every class of the core by itself, held to a naive account of what it should do, and asked again
// after limits and interrupts (faults.hpp).
//
// A check throws `Wrong`. What it depends on is the system, if it takes one, and the seeds.
#pragma once

#include <span>

#include "faults.hpp"
#include "system/system.hpp"

namespace sapper::tests {

struct Check {
  const char* name;
  // One of these. Systems have at most `kMostTried` variables.
  void (*of_system)(const System& system, Random& random, Faults& faults);
  void (*of_seed)(Random& random, Faults& faults);
};

constexpr std::int32_t kMostTried = 12;

std::span<const Check> class_checks();

// How often something was asked in full, and ended before by a limit or an interrupt.
struct Tally {
  std::uint64_t cases = 0, limits = 0, interrupts = 0;
};

// One check on one system, unless the system is too large for it. What it throws names the check.
void run(const Check& check, const System& system, std::uint64_t seed, Tally& tally);

// All of them, for the fuzzer.
void check_classes(const System& system, std::uint64_t seed, Tally& tally);

// check_cores.cpp
void check_cores(const System&, Random&, Faults&);
void check_hitting_sets(Random&, Faults&);
// check_search.cpp
void check_prober(const System&, Random&, Faults&);
void check_k_sets(const System&, Random&, Faults&);
// check_compiled.cpp
void check_compiled(const System&, Random&, Faults&);
void check_enumerator(const System&, Random&, Faults&);
void check_sampler(const System&, Random&, Faults&);
void check_zdd_and_sifting(const System&, Random&, Faults&);
void check_lottery(Random&, Faults&);
// check_products.cpp
void check_long_products(Random&, Faults&);
// check_boards.cpp
void check_game(Random&, Faults&);
void check_player(Random&, Faults&);
void check_protocols(Random&, Faults&);
// check_strategies.cpp
void check_strategist(Random&, Faults&);
void check_outlook(Random&, Faults&);
void check_samples(Random&, Faults&);
// check_graphs.cpp
void check_forest(Random&, Faults&);
void check_subgraph(const System&, Random&, Faults&);
void check_random_boards(Random&, Faults&);

}  // namespace sapper::tests
