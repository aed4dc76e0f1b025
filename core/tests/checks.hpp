// Hold the engine to brute force, and its options to each other.
//
// Every check throws `Wrong` with a sentence that says what differs; nothing is returned.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/memory.hpp"
#include "diagram/prepare.hpp"
#include "oracle.hpp"
#include "passes/answers.hpp"
#include "passes/sample.hpp"

namespace sapper::tests {

struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Counts by mines modulo 2^64, the free cells included; index = mines among the variables.
Vector<std::uint64_t> counts_by_mines(const Compiled& c, std::uint64_t modulus, Guard& guard);

// Consistency, forced values, counts; verdicts without a total and under every total.
void check_counts_and_verdicts(const Compiled& c, const Truth& truth, Guard& guard);

// The search for forced variables finds all of them and no other.
void check_certain_values(const System& system, const Truth& truth, Guard& guard);

// Everything else: probabilities, residues of marginals, enumeration, samples, cheapest, ZDD.
void check_passes(const System& system, const Truth& truth, Random& random, Guard& guard);

// All options, orders and passes of a small system against brute force.
void check_small(const System& system, Random& random, Cache& cache);

// A system of any size: options against each other, what is drawn against the clues. Gives up
// quietly where the engine is told to stop.
void check_large(const System& system, Random& random);

// `check_small` if brute force can, `check_large` otherwise.
void check(const System& system, std::uint64_t seed, Cache& cache);

}  // namespace sapper::tests
